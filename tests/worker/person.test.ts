import { describe, expect, test } from 'vitest';
import { everythingOf, forgetPerson } from '../../worker/person.ts';
import type { OutboxRow } from '../../worker/schema.ts';
import { dexieStorage } from '../../worker/storage/dexie.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';
import { type DeviceStorage, getMeta, putMeta } from '../../worker/storage/storage.ts';

let databases = 0;
const durable = () => {
  databases += 1;
  return dexieStorage(`person-${databases}`);
};

const waiting = (userId: string): Omit<OutboxRow, 'position'> => ({
  id: `entry-${userId}`,
  userId,
  lane: 'a',
  method: 'POST',
  path: '/api/x',
  body: { text: `of ${userId}` },
  label: 'Check in',
  subject: 'claim:c:t',
  createdAt: 1,
  state: 'waiting',
  attempts: 0,
  nextTryAt: null,
  error: null,
  leasedUntil: null,
  triedAt: null,
  serverNamedTime: false,
});

const fill = (storage: DeviceStorage, userId: string) =>
  storage.run(['outbox', 'logs', 'acknowledged', 'meta'], async (tx) => {
    await tx.append('outbox', waiting(userId));
    const log = {
      id: `log-${userId}`,
      kind: 'error' as const,
      userId,
      data: {},
      fold: '',
      at: 1,
      repeats: 1,
      sent: false,
    };
    await tx.append('logs', log);
    const claim = { id: 'claim' } as never;
    await tx.put('acknowledged', {
      key: `${userId}:claim`,
      userId,
      communityId: null,
      claim,
      own: true,
      at: 1,
      pendingIn: [],
    });
    await tx.put('meta', { key: `practice:${userId}:defi`, value: { a: userId } });
  });
const everything = (storage: DeviceStorage) =>
  storage.run(['outbox', 'logs', 'acknowledged', 'meta'], async (tx) =>
    JSON.stringify([await tx.all('outbox'), await tx.all('logs'), await tx.all('acknowledged'), await tx.all('meta')]),
  );

describe.each([
  ['the database', durable],
  ['memory', async () => memoryStorage()],
])('what %s keeps of a person', (_, open) => {
  test('is given whole, and thrown away whole; another’s stays as it is', async () => {
    const [storage, alone] = [await open(), await open()];
    for (const one of [storage, alone]) await fill(one, 'stays');
    await fill(storage, 'gone');
    await storage.run(['meta'], (tx) => putMeta(tx, 'member', 'gone'));
    const kept = await everythingOf(storage, 'gone');
    expect(kept.outbox.map(({ id }) => id)).toEqual(['entry-gone']);
    expect([kept.logs.length, kept.acknowledged.length, kept.practice.length]).toEqual([1, 1, 1]);

    await forgetPerson(storage, 'gone');
    expect(await everything(storage)).not.toContain('gone');
    expect(await storage.run(['meta'], (tx) => getMeta(tx, 'member'))).toBeNull();
    expect(await everythingOf(storage, 'stays')).toEqual(await everythingOf(alone, 'stays'));
    // Twice is no more than once.
    await forgetPerson(storage, 'gone');
  });
});
