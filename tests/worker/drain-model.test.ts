import { describe, expect, test } from 'vitest';
import type { OutboxRow } from '../../worker/schema.ts';
import type { SendAnswer } from '../../worker/send.ts';
import { type DeviceStorage, getMeta, type Transaction } from '../../worker/storage/storage.ts';
import { fc, runs } from '../support/chance.ts';
import { ACTIONS, type Breaker, LOGS, runSchedule, type Step, schedules, TROUBLE } from './model.ts';

const property = (steps: fc.Arbitrary<Step[]>, breaker?: Breaker) =>
  fc.asyncProperty(steps, (schedule) => runSchedule(schedule, breaker));

/** The long tier's 100,000 schedules take about half a minute of one core on an idle machine, and far longer on a busy one. */
const PATIENCE_MS = 600_000;
const MODELS: [count: number, of: string, steps: fc.Arbitrary<Step[]>][] = [
  [runs(4_500), 'actions, faults and sign-ins', schedules(ACTIONS)],
  [runs(3_500), 'actions with kills, updates, clocks and full disks', schedules({ ...ACTIONS, ...TROUBLE })],
  [runs(1_500), 'logs with the same', schedules({ ...LOGS, ...TROUBLE })],
  [runs(500), 'all at once', schedules({ ...ACTIONS, ...LOGS, ...TROUBLE }, 40)],
];
describe('nothing lost, nothing twice, nothing as somebody else, in order, and it comes to an end', () => {
  for (const [count, of, steps] of MODELS) {
    test(
      `${count.toLocaleString('en')} schedules of ${of}`,
      async () => {
        await fc.assert(property(steps), { numRuns: count });
      },
      PATIENCE_MS,
    );
  }
  test('without Web Locks the leases alone keep two rooms from sending one entry at once', async () => {
    // A clock that stands still: a lease that runs out while its request is on the air is what the lock is for.
    const { pass: _, log: __, ...still } = { ...ACTIONS, log: 0 };
    const lockless: Breaker = (ports) => ({ ...ports, lock: (work) => work(false) });
    await fc.assert(property(schedules(still), lockless), { numRuns: runs(200) });
  });
  test('a room that could not wait for the lock any longer drains beside the one that holds it, and beside the next', async () => {
    const { pass: _, log: __, ...still } = { ...ACTIONS, log: 0 };
    let drains = 0;
    const impatient: Breaker = (ports) => {
      drains += 1;
      return drains % 2 === 0 ? ports : { ...ports, lock: (work) => work(false) };
    };
    await fc.assert(property(schedules(still), impatient), { numRuns: runs(200) });
  });
});

/** Schedules that an earlier drain failed; each stays here. */
const once: Record<string, Step[]> = {
  'one lane cannot write while another is on the air: the lock is held until both are done': [
    { do: 'enqueue', member: 'A', lane: 'y' },
    { do: 'enqueue', member: 'A', lane: 'x' },
    { do: 'quota', room: 2, count: 1 },
    { do: 'drain', room: 2, hurry: false },
    { do: 'drain', room: 0, hurry: false },
    { do: 'tell', member: 'A' },
  ],
  'the clock is set back an hour after Retry-After: nothing waits for the old time': [
    { do: 'enqueue', member: 'A', lane: 'x' },
    { do: 'update' },
    { do: 'answer', fault: 'busy-503', which: 0 },
    { do: 'clock', ms: -3_600_000 },
  ],
};
test.each(Object.entries(once))('%s', (_name, steps) => runSchedule(steps));

/** A store whose transactions are broken in one place. */
const withTransactions = (storage: DeviceStorage, broken: (tx: Transaction) => Transaction): DeviceStorage => ({
  ...storage,
  run: (tables, work) => storage.run(tables, (tx) => work(broken(tx))),
});
const onRows = (storage: DeviceStorage, change: (row: OutboxRow, tx: Transaction) => Promise<OutboxRow>) =>
  withTransactions(storage, (tx) => ({
    ...tx,
    async all(table) {
      const rows = await tx.all(table);
      if (table !== 'outbox') return rows;
      return Promise.all(rows.map((row) => change(row as OutboxRow, tx))) as Promise<typeof rows>;
    },
  }));
const isLogs = (request: { headers: Record<string, string> }) => request.headers['Idempotency-Key'] === undefined;
const allStored = (request: { body: unknown }): SendAnswer => {
  const { entries } = request.body as { entries: { id: string }[] };
  const results = entries.map(({ id }) => ({ id, status: 'stored' }));
  return { status: 200, retryAfter: null, date: null, body: { results } };
};

type Mutant = { steps: fc.Arbitrary<Step[]>; breaker: Breaker };
const actions = schedules({ ...ACTIONS, ...TROUBLE });
const logs = schedules({ ...LOGS, ...TROUBLE });
let attempts = 0;
const mutants: Record<string, Mutant> = {
  'deletes an entry before it is sent': {
    steps: actions,
    breaker: (ports) => ({
      ...ports,
      async send(request) {
        const id = request.headers['Idempotency-Key'];
        await ports.storage.run(['outbox'], async (tx) => {
          for (const row of await tx.all('outbox')) if (row.id === id) await tx.remove('outbox', row.position);
        });
        return ports.send(request);
      },
    }),
  },
  'takes any answer for an acknowledgement': {
    steps: actions,
    breaker: (ports) => ({
      ...ports,
      send: async (request) => ({ ...(await ports.send(request)), status: 200, body: {} }),
    }),
  },
  'takes silence for an acknowledgement': {
    steps: actions,
    breaker: (ports) => ({
      ...ports,
      send: (request) => ports.send(request).catch(() => ({ status: 204, retryAfter: null, date: null, body: null })),
    }),
  },
  'never deletes': {
    steps: actions,
    breaker: (ports) => ({
      ...ports,
      storage: withTransactions(ports.storage, (tx) => ({ ...tx, remove: async () => undefined })),
    }),
  },
  'gives every attempt a key of its own': {
    steps: actions,
    breaker: (ports) => ({
      ...ports,
      send(request) {
        attempts += 1;
        const key = `${request.headers['Idempotency-Key']}-${attempts}`;
        return ports.send(
          isLogs(request) ? request : { ...request, headers: { ...request.headers, 'Idempotency-Key': key } },
        );
      },
    }),
  },
  'does not see that a lane lies within another': {
    steps: actions,
    breaker: (ports) => ({
      ...ports,
      storage: onRows(ports.storage, async (row) => ({ ...row, lane: row.lane.replace('/', '-') })),
    }),
  },
  'does not look whose entry it is': {
    steps: actions,
    breaker: (ports) => ({
      ...ports,
      storage: {
        ...ports.storage,
        run: (tables, work) =>
          tables.includes('meta') && tables.includes('outbox')
            ? onRows(ports.storage, async (row, tx) => ({ ...row, userId: (await getMeta(tx, 'member')) ?? '' })).run(
                tables,
                work,
              )
            : ports.storage.run(tables, work),
      },
    }),
  },
  'sends the newest first': {
    steps: actions,
    breaker: (ports) => ({
      ...ports,
      storage: withTransactions(ports.storage, (tx) => ({
        ...tx,
        all: async (table) => (await tx.all(table)).reverse(),
      })),
    }),
  },
  'drains without the lock': { steps: actions, breaker: (ports) => ({ ...ports, lock: (work) => work(true) }) },
  'has leases that never run out': {
    steps: actions,
    breaker: (ports) => ({
      ...ports,
      lock: (work) => work(false),
      storage: onRows(ports.storage, async (row) =>
        row.state === 'sending' ? { ...row, leasedUntil: ports.now() + 10_000 } : row,
      ),
    }),
  },
  'does not hear Retry-After': {
    steps: actions,
    breaker: (ports) => ({ ...ports, send: async (request) => ({ ...(await ports.send(request)), retryAfter: null }) }),
  },
  'reads the date of Retry-After by a wrong clock': {
    steps: actions,
    breaker: (ports) => ({
      ...ports,
      send: async (request) => ({ ...(await ports.send(request)), date: 'Fri, 01 Jan 2027' }),
    }),
  },
  'forgets a whole batch when some of its ids are acknowledged': {
    steps: logs,
    breaker: (ports) => ({
      ...ports,
      async send(request) {
        const answer = await ports.send(request);
        return isLogs(request) && answer.status === 200 && answer.body ? allStored(request) : answer;
      },
    }),
  },
  'forgets logs whatever the server answers': {
    steps: logs,
    breaker: (ports) => ({
      ...ports,
      async send(request) {
        const answer = await ports.send(request).catch(() => null);
        return isLogs(request) ? allStored(request) : (answer ?? Promise.reject(new TypeError('Failed to fetch')));
      },
    }),
  },
  'does not count what the server rejects': {
    steps: logs,
    breaker: (ports) => ({
      ...ports,
      storage: withTransactions(ports.storage, (tx) => ({
        ...tx,
        put: async (table, row) => ('key' in row && row.key === 'dropped' ? undefined : tx.put(table, row)),
      })),
    }),
  },
  "sends logs under anybody's session": {
    steps: logs,
    breaker: (ports) => ({
      ...ports,
      send: (request) => ports.send(isLogs(request) ? { ...request, headers: {}, credentials: 'include' } : request),
    }),
  },
};
test.each(Object.entries(mutants))('the model catches a drain that %s', async (_name, { steps, breaker }) => {
  const found = await fc.check(property(steps, breaker), { numRuns: 6_000, endOnFailure: true });
  expect(found.failed).toBe(true);
});
