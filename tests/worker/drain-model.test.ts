import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getMeta } from '../../worker/storage/storage.ts';
import { type Breaker, runSchedule, step } from './model.ts';

const schedules = fc.array(step, { minLength: 2, maxLength: 16 });
const property = (breaker?: Breaker) => fc.asyncProperty(schedules, (steps) => runSchedule(steps, breaker));

test('20,000 schedules of faults, kills and sign-ins: nothing lost, nothing twice, nothing as somebody else', async () => {
  await fc.assert(property(), { numRuns: 20_000 });
});

const broken: Record<string, Breaker> = {
  'deletes an entry before it is sent': (ports) => ({
    ...ports,
    async send(request) {
      const id = request.headers['Idempotency-Key'];
      await ports.storage.run(['outbox'], async (tx) => {
        for (const row of await tx.all('outbox')) if (row.id === id) await tx.remove('outbox', row.position);
      });
      return ports.send(request);
    },
  }),
  'takes any answer for an acknowledgement': (ports) => ({
    ...ports,
    send: async (request) => ({ ...(await ports.send(request)), status: 200, body: {} }),
  }),
  'does not look whose entry it is': (ports) => ({
    ...ports,
    storage: {
      ...ports.storage,
      run: (tables, work) =>
        ports.storage.run(tables, async (tx) =>
          work({
            ...tx,
            async all(table) {
              const rows = await tx.all(table);
              if (table !== 'outbox' || !tables.includes('meta')) return rows;
              const member = await getMeta(tx, 'member');
              return rows.map((row) => ({ ...row, userId: member }));
            },
          }),
        ),
    },
  }),
  'drains without the lock': (ports) => ({ ...ports, lock: (work) => work(true) }),
  'does not hear Retry-After': (ports) => ({
    ...ports,
    send: async (request) => ({ ...(await ports.send(request)), retryAfter: null }),
  }),
};
test.each(Object.entries(broken))('the model catches a drain that %s', async (_name, breaker) => {
  const found = await fc.check(property(breaker), { numRuns: 5_000, endOnFailure: true });
  expect(found.failed).toBe(true);
});

test('without Web Locks the leases alone keep two rooms from sending one entry at once', async () => {
  // A clock that stands still: a lease that runs out while its request is on the air is what the lock is for.
  const still = fc.array(
    step.filter((one) => one.do !== 'pass' && one.do !== 'kill'),
    { minLength: 2, maxLength: 16 },
  );
  await fc.assert(
    fc.asyncProperty(still, (steps) => runSchedule(steps, (ports) => ({ ...ports, lock: (work) => work(false) }))),
    { numRuns: 2_000 },
  );
});
