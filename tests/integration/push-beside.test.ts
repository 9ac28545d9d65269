import { afterEach, expect, test } from 'vitest';
import { fanOut } from '../../server/features/notifications/fan-out.ts';
import { cancel } from '../../server/features/notifications/notify.ts';
import type { Batch, Result } from '../../server/integrations/push/send.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { ofFile } from '../support/of-file.ts';
import { SERVICES, startPushEndpoint, subscribe } from '../support/push-endpoint.ts';
import { testServer } from '../support/server.ts';

/** Taken shared by whoever comes to the place in question, taken alone by the test: all stop there until it lets go. */
const GATE = 20_26;

const service = await ofFile(startPushEndpoint());
const server = await ofFile(testServer({ sandbox: false, pushWorld: service.world }));
await server.sql.unsafe(`
  create function wait_at_gate() returns trigger language plpgsql as $$
  begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$`);
const ids: string[] = [];
for (const host of [SERVICES[0], SERVICES[1], SERVICES[0], SERVICES[1]]) {
  const { cookie } = await server.person();
  const browser = service.browser(host);
  await subscribe(server, cookie, browser);
  const { endpoint } = browser.subscription;
  const [row] = await server.sql<[{ id: string }]>`select id from push_subscriptions where endpoint = ${endpoint}`;
  ids.push(row.id);
}
/** Two browsers at each of two push services: one of either, and the others. */
const [browsers, others] = [ids.slice(0, 2), ids.slice(2)];
// So many that the database looks each of them up by itself.
await server.sql`
  insert into push_subscriptions (user_id, session_id, endpoint, origin, p256dh, auth, vapid_key)
  select user_id, session_id, endpoint || n, origin, p256dh, auth, vapid_key
  from push_subscriptions cross join generate_series(1, 2000) as n where id = ${ids[0] ?? ''}`;
await server.sql`analyze push_subscriptions`;
afterEach(() => server.sql`delete from notification_chunks`);

/** One that is spread; its chunks are written by the test. */
async function notification(): Promise<string> {
  const [row] = await server.sql<[{ id: string }]>`
    insert into notifications (topic, path, title, body, created_at, send_at, state)
    values ('announcement', '/', 't', 'b', now(), now(), 'sending') returning id`;
  return row.id;
}
const chunkOf = (notification: string, targets: readonly string[]) => server.sql`
  insert into notification_chunks (notification_id, urgency, channel, targets, collapse, next_try_at, expires_at)
  values (${notification}, 1, 'push', ${[...targets]}::uuid[], true, now() - interval '1 minute', now() + interval '1 day')`;
const figures = (id: string) => server.sql`select state, sent, gone, failed from notifications where id = ${id}`;
const waiting = () => countLockWaits(server.sql);

/**
 * Two chunks that are sent at once and whose outcomes are written down beside each other: both come to the gate, which
 * stands where they take what they have in common, and go on from there together. Gives the codes of what failed.
 */
async function besideEachOther(trigger: string, status: number): Promise<string[]> {
  const failures: string[] = [];
  let turned = false;
  /** What was sent first comes back in the one order, what was sent next in the other. */
  const send = async ({ targets }: Batch): Promise<Result[]> => {
    const order = [...targets].sort((a, b) => (a.endpoint < b.endpoint ? -1 : 1));
    if (turned) order.reverse();
    turned = true;
    return order.map(({ id }) => ({ id, status, retryAfterMs: null }));
  };
  const { sql } = server;
  const begin = (work: Parameters<typeof sql.begin>[1]) =>
    sql.begin(work as never).catch((error: { code: string }) => {
      failures.push(error.code);
      throw error;
    });
  const watched = new Proxy(sql, { get: (real, name) => (name === 'begin' ? begin : Reflect.get(real, name)) });
  const { here, many } = server.runtime.push;
  const runtime = { ...server.runtime, sql: watched, push: { here: { ...here, send }, many } };
  await gated(
    trigger,
    () => fanOut(runtime, never),
    () => expect.poll(waiting).toBe(2),
  );
  return failures;
}

/** Shuts the gate where a trigger of this kind fires, and opens it when those who are to wait there have `come`. */
async function gated(trigger: string, play: () => Promise<unknown>, come: () => PromiseLike<unknown>): Promise<void> {
  const { sql } = server;
  await sql.unsafe(`create trigger wait ${trigger} for each row execute function wait_at_gate()`);
  const keeper = await sql.reserve();
  await keeper`select pg_advisory_lock(${GATE})`;
  const over = play();
  try {
    await come();
  } finally {
    await keeper`select pg_advisory_unlock(${GATE})`;
    keeper.release();
    await over.finally(() => sql.unsafe(`drop trigger wait on ${trigger.split(' on ')[1]}`));
  }
}

const never = new AbortController().signal;

test('chunks of one notification that must be sent once more, both at once', async () => {
  const id = await notification();
  for (const browser of browsers) await chunkOf(id, [browser]);
  expect(await besideEachOther('after insert on notification_chunks', 503)).toEqual([]);
  expect(await server.sql`select attempts from notification_chunks`).toEqual([{ attempts: 1 }, { attempts: 1 }]);
  expect(await figures(id)).toEqual([{ state: 'sending', sent: 0, gone: 0, failed: 0 }]);
});

test('chunks of one notification whose services answered in another order', async () => {
  const id = await notification();
  for (const targets of [browsers, others]) await chunkOf(id, targets);
  expect(await besideEachOther('after insert on notification_services', 201)).toEqual([]);
  expect(await figures(id)).toEqual([{ state: 'done', sent: 4, gone: 0, failed: 0 }]);
});

test('two notifications for the same browsers, which answered in another order', async () => {
  const ids = [await notification(), await notification()];
  for (const id of ids) await chunkOf(id, browsers);
  expect(await besideEachOther('before update on push_subscriptions', 201)).toEqual([]);
  for (const id of ids) expect(await figures(id)).toEqual([{ state: 'done', sent: 2, gone: 0, failed: 0 }]);
});

test('a notification that is taken back in the moment in which a chunk of it is put off', async () => {
  const id = await notification();
  const subjectId = crypto.randomUUID();
  await server.sql`update notifications set subject_id = ${subjectId} where id = ${id}`;
  await chunkOf(id, browsers);
  let isBack = false;
  const taken: Promise<void>[] = [];
  const { here, many } = server.runtime.push;
  const send = async ({ targets }: Batch) => targets.map((one) => ({ id: one.id, status: 503, retryAfterMs: null }));
  await gated(
    'after insert on notification_chunks',
    () => fanOut({ ...server.runtime, push: { here: { ...here, send }, many } }, never),
    async () => {
      await expect.poll(waiting).toBe(1);
      const back = server.sql
        .begin((tx) => cancel(tx, { subjectId }, new Date()))
        .then(() => {
          isBack = true;
        });
      taken.push(back);
      // It waits for what is being written down, or is through with what there was before.
      await expect.poll(async () => isBack || (await waiting()) === 2).toBe(true);
    },
  );
  await Promise.all(taken);
  expect(await server.sql`select from notification_chunks where notification_id = ${id}`).toEqual([]);
  expect(await figures(id)).toEqual([{ state: 'cancelled', sent: 0, gone: 0, failed: 0 }]);
});
