import type { Claim } from '../server/contract/claims.ts';
import type { Acknowledgement, ClaimRead, OutboxRow } from './schema.ts';
import type { DeviceStorage, Transaction } from './storage/storage.ts';

/** More than a member sends between two reads. The oldest go first. */
const ACKNOWLEDGED_MAX = 100;
/** Commands about the member's own claim. Others (decisions, grants) are answered with another member's claim. */
const OWN = /^(claim|appeal):/;
const COMMUNITY = /^\/api\/communities\/([^/]+)/;

const isClaim = (answer: unknown): answer is Claim =>
  typeof answer === 'object' && answer !== null && 'id' in answer && 'taskId' in answer && 'state' in answer;

/** What an answered command adds to the overlay, or null where its answer is no claim. `at`: epoch ms of the answer. */
export function acknowledgementOf(
  { userId, subject, path }: Pick<OutboxRow, 'userId' | 'subject' | 'path'>,
  answer: unknown,
  at: number,
): Acknowledgement | null {
  if (!isClaim(answer)) return null;
  const own = OWN.test(subject);
  return {
    key: `${userId}:${answer.id}`,
    userId,
    communityId: COMMUNITY.exec(path)?.[1] ?? null,
    claim: answer,
    own,
    at,
    pendingIn: own ? ['dashboard', 'task'] : ['queue'],
  };
}

/** Keeps what was answered last about a claim, as a part of a transaction. */
export async function putAcknowledged(tx: Transaction, row: Acknowledgement): Promise<void> {
  await tx.put('acknowledged', row);
  const rows = (await tx.all('acknowledged')).sort((a, b) => a.at - b.at);
  for (const { key } of rows.slice(0, -ACKNOWLEDGED_MAX)) await tx.remove('acknowledged', key);
}

/** What one member's cached reads may not show yet, oldest first. */
export function listAcknowledged(storage: DeviceStorage, userId: string): Promise<Acknowledgement[]> {
  return storage.run(['acknowledged'], async (tx) =>
    (await tx.all('acknowledged')).filter((row) => row.userId === userId).sort((a, b) => a.at - b.at),
  );
}

/**
 * A read of `from` (epoch ms by the device's clock) shows these, unless something was answered about them since. Each is
 * removed once all of its reads do.
 */
export function settleAcknowledged(
  storage: DeviceStorage,
  read: ClaimRead,
  keys: readonly string[],
  from: number,
): Promise<void> {
  return storage.run(['acknowledged'], async (tx) => {
    for (const key of keys) {
      const row = await tx.get('acknowledged', key);
      if (!row || row.at > from) continue;
      const pendingIn = row.pendingIn.filter((one) => one !== read);
      if (pendingIn.length > 0) await tx.put('acknowledged', { ...row, pendingIn });
      else await tx.remove('acknowledged', key);
    }
  });
}

/** Removes rows of all other members, as part of a transaction; every row when nobody is signed in. */
export async function purgeAcknowledged(tx: Transaction, member: string | null): Promise<void> {
  for (const { key, userId } of await tx.all('acknowledged'))
    if (userId !== member) await tx.remove('acknowledged', key);
}
