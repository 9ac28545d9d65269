import type { PushSubscriptionJson } from '../server/contract/push.ts';
import { appendEntry } from './outbox.ts';
import type { PushMeta } from './schema.ts';
import { type DeviceStorage, getMeta, putMeta, type Transaction } from './storage/storage.ts';

/** Subject and lane of the outbox entry that saves this browser's subscription. */
export const PUSH_SUBJECT = 'push:subscription';
const PUSH_LANE = 'push';

export type DeviceSubscription = {
  /** Names the entry that saves it. */
  id: string;
  userId: string;
  subscription: PushSubscriptionJson;
  /** VAPID key that it was made with. */
  publicKey: string;
  /** Shown in the list of unsent commands. */
  label: string;
  /** The subscription was renewed automatically: it is saved only if the member still wants notifications here. */
  ifWanted?: boolean;
};

/** A waiting save is obsolete once there is a newer one, or notifications are off. */
async function dropWaiting(tx: Transaction, userId: string): Promise<void> {
  for (const row of await tx.all('outbox'))
    if (row.subject === PUSH_SUBJECT && row.userId === userId && row.state !== 'sending')
      await tx.remove('outbox', row.position);
}

/**
 * Keeps this browser's subscription to be saved on the server: pending until the server has it, through a 401 until the
 * same member is signed in again. Answers false where it was to be wanted and is not: its maker ends it.
 */
export function storeSubscription(
  { storage, now }: { storage: DeviceStorage; now: () => number },
  given: DeviceSubscription,
): Promise<boolean> {
  const { id, userId, subscription, publicKey, label, ifWanted = false } = given;
  const at = now();
  // One transaction: a subscription that is recorded but not in the outbox would not be sent for a day.
  return storage.run(['outbox', 'meta'], async (tx) => {
    const before = (await getMeta(tx, 'push'))?.members ?? [];
    if (ifWanted && !before.includes(userId)) return false;
    await dropWaiting(tx, userId);
    const members = [...new Set([...before, userId])];
    await putMeta(tx, 'push', { members, userId, endpoint: subscription.endpoint, publicKey, keptAt: at });
    const body = { subscription, publicKey };
    const entry = { userId, lane: PUSH_LANE, method: 'POST', path: '/api/pwa/subscribe', label } as const;
    await appendEntry(tx, { ...entry, body, subject: PUSH_SUBJECT, id, createdAt: at });
    return true;
  });
}

/** What this device knows of its subscription; null when there never was one. */
export const pushMeta = (storage: DeviceStorage): Promise<PushMeta | null> =>
  storage.run(['meta'], (tx) => getMeta(tx, 'push'));

/**
 * There is no subscription here any more. Who signed out wants notifications again when they come back;
 * who turned them off (`unwantedBy`) does not.
 */
export function forgetSubscription(storage: DeviceStorage, unwantedBy: string | null): Promise<void> {
  return storage.run(['outbox', 'meta'], async (tx) => {
    const push = await getMeta(tx, 'push');
    if (!push) return;
    await dropWaiting(tx, push.userId);
    const members = push.members.filter((one) => one !== unwantedBy);
    await putMeta(tx, 'push', { ...push, members, endpoint: null });
  });
}
