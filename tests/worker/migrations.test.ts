import { describe, expect, test } from 'vitest';
import { idbStorage } from '../../service-worker/storage.ts';
import { listAcknowledged } from '../../worker/acknowledged.ts';
import { drain } from '../../worker/drain.ts';
import { listEntries } from '../../worker/outbox.ts';
import type { OutboxRow } from '../../worker/schema.ts';
import { dexieStorage } from '../../worker/storage/dexie.ts';
import type { DeviceStorage } from '../../worker/storage/storage.ts';
import { NATIVE_PER_VERSION, VERSIONS, type Version } from '../../worker/storage/storage.ts';

/** Databases as builds of each version left them: their tables, and rows as those builds wrote them. */
type Fixture = { tables: Record<string, IDBObjectStoreParameters>; rows: Record<string, object[]> };
const entry = {
  userId: 'A',
  lane: 'x',
  method: 'POST',
  path: '/api/x',
  body: { text: 'kept' },
  label: 'Claim',
  subject: 's',
  createdAt: 1,
  attempts: 2,
  nextTryAt: 5,
  serverNamedTime: false,
  leasedUntil: null,
};
const FIRST: Fixture = {
  tables: {
    settings: { keyPath: 'key' },
    meta: { keyPath: 'key' },
    logs: { keyPath: 'sequence', autoIncrement: true },
    outbox: { keyPath: 'position', autoIncrement: true },
  },
  rows: {
    settings: [{ key: 'theme', value: 'dark' }],
    meta: [
      { key: 'member', value: 'A' },
      { key: 'dropped', value: { error: 3, debug: 0 } },
      { key: 'logDelivery', value: { batch: 5, attempts: 1, nextTryAt: 5, serverNamedTime: false } },
    ],
    logs: [
      { id: 'log-1', kind: 'error', userId: 'A', data: { message: 'old' }, fold: 'f', at: 1, repeats: 2, sent: true },
    ],
    outbox: [
      { ...entry, id: 'act-1', state: 'sending', error: null, leasedUntil: 9 },
      { ...entry, id: 'act-2', state: 'refused', error: { status: 400, reason: 'R', message: 'no', requestId: '' } },
      { ...entry, id: 'act-3', state: 'waiting', error: null },
    ],
  },
};
/** Of the second version on there is a table of what was acknowledged. */
const SECOND: Fixture = {
  tables: { ...FIRST.tables, acknowledged: { keyPath: 'key' } },
  rows: {
    ...FIRST.rows,
    acknowledged: [
      {
        key: 'A:c0',
        userId: 'A',
        communityId: 'c1',
        claim: { id: 'c0', taskId: 't0', state: 'submitted' },
        own: true,
        at: 1,
        pendingIn: ['dashboard'],
      },
    ],
  },
};
const FIXTURES: Fixture[] = [FIRST, SECOND];

const openers: Record<string, (name: string, versions?: readonly Version[]) => Promise<DeviceStorage>> = {
  dexie: dexieStorage,
  idb: async (name, versions) => idbStorage(name, versions),
};
let databases = 0;
async function left(version: number, { tables, rows }: Fixture): Promise<string> {
  databases += 1;
  const name = `earlier-${databases}`;
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, version * NATIVE_PER_VERSION);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => resolve(request.result);
    request.onupgradeneeded = () => {
      for (const [table, options] of Object.entries(tables)) {
        const store = request.result.createObjectStore(table, options);
        for (const row of rows[table] ?? []) store.add(row);
      }
    };
  });
  db.close();
  return name;
}

test('there is a fixture of every version that a build has had', () => {
  expect(FIXTURES).toHaveLength(VERSIONS.length);
});

describe.each(Object.entries(openers))('a database that an earlier build left, opened by %s', (_room, open) => {
  test.each(FIXTURES.map((fixture, index) => [index + 1, fixture] as const))(
    'version %i: nothing is lost, and all that waits is delivered',
    async (version, fixture) => {
      const storage = await open(await left(version, fixture));
      const theme = await storage.run(['settings'], (tx) => tx.get('settings', 'theme'));
      expect(theme?.value).toBe('dark');
      expect(await listEntries(storage, 'A')).toMatchObject([
        { id: 'act-1', body: { text: 'kept' } },
        { id: 'act-2', state: 'refused', error: { message: 'no' } },
        { id: 'act-3', state: 'waiting' },
      ]);
      const bodies: unknown[] = [];
      const report = await drain({
        storage,
        now: () => 1_000,
        random: () => 1,
        broadcast: () => undefined,
        lock: (work) => work(true),
        async send({ body, headers }) {
          bodies.push(headers['Idempotency-Key'] ?? body);
          return { status: 200, retryAfter: null, date: null, body: { results: [{ id: 'log-1', status: 'stored' }] } };
        },
      });
      expect(report).toMatchObject({ delivered: 2, waiting: 0, nextAt: null });
      expect(bodies).toEqual(
        expect.arrayContaining([
          'act-1',
          'act-3',
          expect.objectContaining({
            dropped: { error: 3, debug: 0 },
            entries: [{ id: 'log-1', type: 'error', data: { message: 'old', sequence: 1, repeats: 2 } }],
          }),
        ]),
      );
      expect(await listEntries(storage, 'A')).toMatchObject([{ id: 'act-2' }]);
      storage.close();
    },
  );

  test('an outbox of the first version leaves what its commands are answered in the overlay of this one', async () => {
    const claim = { id: 'c1', taskId: 't1', state: 'submitted' };
    const before = {
      ...FIRST,
      rows: { ...FIRST.rows, outbox: [{ ...entry, id: 'act', subject: 'claim:c:t1', state: 'waiting', error: null }] },
    };
    const storage = await open(await left(1, before));
    expect(await listAcknowledged(storage, 'A')).toEqual([]);
    await drain({
      storage,
      now: () => 1_000,
      random: () => 1,
      broadcast: () => undefined,
      lock: (work) => work(true),
      send: async () => ({ status: 201, retryAfter: null, date: null, body: claim }),
    });
    expect(await listAcknowledged(storage, 'A')).toMatchObject([{ claim, own: true, at: 1_000 }]);
    storage.close();
  });

  /** What a next version may bring: another table, and rows of another shape. */
  const NEXT: Version[] = [
    { adds: ['settings', 'meta', 'logs'] },
    {
      adds: ['outbox'],
      async upgrade(tx) {
        for (const row of await tx.all('logs')) await tx.put('logs', { ...row, fold: `${row.fold}!` });
      },
    },
  ];
  const { outbox: _, ...firstTables } = FIRST.tables;
  const first = { tables: firstTables, rows: FIRST.rows };
  test('a newer version brings its tables and its shape of rows', async () => {
    const storage = await open(await left(1, first), NEXT);
    const rows = await storage.run(['logs', 'outbox'], async (tx) => {
      await tx.append('outbox', { id: 'new' } as Omit<OutboxRow, 'position'>);
      return [await tx.all('logs'), await tx.all('outbox')];
    });
    expect(rows).toMatchObject([[{ fold: 'f!' }], [{ id: 'new', position: 1 }]]);
    storage.close();
  });
  test('an upgrade that fails leaves the earlier version whole', async () => {
    const name = await left(1, first);
    const broken: Version[] = [
      ...NEXT.slice(0, 1),
      {
        adds: ['outbox'],
        async upgrade(tx) {
          for (const row of await tx.all('logs')) await tx.remove('logs', row.sequence);
          throw new Error('broken upgrade');
        },
      },
    ];
    await expect((async () => (await open(name, broken)).run(['logs'], (tx) => tx.all('logs')))()).rejects.toThrow();
    const again = await open(name, NEXT.slice(0, 1));
    expect(await again.run(['logs'], (tx) => tx.all('logs'))).toMatchObject([{ id: 'log-1' }]);
    again.close();
  });
  test('a database of a newer build is opened as it is: a tab of before goes on', async () => {
    const name = await left(1, first);
    (await dexieStorage(name, NEXT)).close();
    const before = await open(name, NEXT.slice(0, 1));
    expect(await before.run(['logs'], (tx) => tx.all('logs'))).toMatchObject([{ fold: 'f!' }]);
    before.close();
  });
});
