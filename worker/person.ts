import type { DeviceApi } from './api.ts';
import type { DeviceStorage, Transaction } from './storage/storage.ts';
import { getMeta, putMeta } from './storage/storage.ts';

/** What was practised by a member has their id in its name (`practice.ts`). */
const practised = async (tx: Transaction, userId: string) =>
  (await tx.all('meta')).filter(({ key }) => key.startsWith(`practice:${userId}:`));

/** Everything that the device stores about one member, as rows. */
export const everythingOf = (storage: DeviceStorage, userId: string): ReturnType<DeviceApi['everything']> =>
  storage.run(['outbox', 'logs', 'acknowledged', 'meta'], async (tx) => {
    const theirs = (row: { userId: string | null }) => row.userId === userId;
    return {
      outbox: (await tx.all('outbox')).filter(theirs),
      logs: (await tx.all('logs')).filter(theirs),
      acknowledged: (await tx.all('acknowledged')).filter(theirs),
      practice: await practised(tx, userId),
    };
  });

/** Throws all of it away, what is not sent yet included: its person is being erased. */
export const forgetPerson = (storage: DeviceStorage, userId: string): Promise<void> =>
  storage.run(['outbox', 'logs', 'acknowledged', 'meta'], async (tx) => {
    for (const row of await tx.all('outbox')) if (row.userId === userId) await tx.remove('outbox', row.position);
    for (const row of await tx.all('logs')) if (row.userId === userId) await tx.remove('logs', row.sequence);
    for (const row of await tx.all('acknowledged')) if (row.userId === userId) await tx.remove('acknowledged', row.key);
    for (const { key } of await practised(tx, userId)) await tx.remove('meta', key);
    for (const name of ['member', 'paused'] as const)
      if ((await getMeta(tx, name)) === userId) await putMeta(tx, name, null);
    const push = await getMeta(tx, 'push');
    if (push?.userId === userId) await putMeta(tx, 'push', null);
    else if (push) await putMeta(tx, 'push', { ...push, members: push.members.filter((one) => one !== userId) });
  });
