import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendMessages } from '../../server/features/bot-messages/send.ts';
import { fanOut } from '../../server/features/notifications/fan-out.ts';
import { notify, notifyEach } from '../../server/features/notifications/notify.ts';
import { spreadNext } from '../../server/features/notifications/spread.ts';
import { readsOf } from '../support/buffers.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type PushEndpoint, startPushEndpoint, subscribe } from '../support/push-endpoint.ts';
import { type TestServer, testServer } from '../support/server.ts';

/** Reminders that all became due at once, as in an evening. */
const REMINDERS = 5_000;

let database: TestDatabase;
let service: PushEndpoint;
let server: TestServer;
beforeAll(async () => {
  service = await startPushEndpoint();
  database = await createTestDatabase();
  server = await testServer({ database, pushWorld: service.world });
});
afterAll(async () => {
  await server?.close();
  await service?.close();
  await database?.drop();
});

const now = () => server.runtime.now();
const words = () => ({ path: '/profile', title: 'Said', body: 'To be read', at: now() });
const pages = async (act: (sql: TestDatabase['sql']) => Promise<unknown>, of: RegExp) =>
  Math.max(...(await readsOf(database, act)).filter(({ query }) => of.test(query)).map(({ buffers }) => buffers));
const begun = async () =>
  (
    await server.sql<
      { topic: string }[]
    >`select topic from notifications where started_at is not null order by started_at`
  ).map(({ topic }) => topic);

test('a decision and an announcement are picked before thousands of reminders, each at the price of a few pages', async () => {
  const { userId } = await server.person();
  await server.sql`
    insert into notifications (topic, user_id, path, title, body, created_at, send_at)
    select topic, ${userId}, '/', 'Said', 'To be read', ${now()}, ${now()}::timestamptz + later
    from (values ('streak', interval '-1 hour'), ('announcement', interval '1 day')) as of (topic, later),
      generate_series(1, ${REMINDERS})`;
  server.advance(1_000);
  await notify(server.sql, { ...words(), topic: 'announcement' });
  await notify(server.sql, { ...words(), topic: 'review', userId });
  await server.sql`analyze notifications`;
  const step = (sql: TestDatabase['sql']) => spreadNext({ ...server.runtime, sql });
  expect(await pages(step, /for update skip locked/)).toBeLessThan(60);
  server.advance(1_000);
  expect(await pages(step, /for update skip locked/)).toBeLessThan(60);
  server.advance(1_000);
  await step(server.sql);
  expect(await begun()).toEqual(['review', 'announcement', 'streak']);
  await server.sql`delete from notifications`;
});

test('a decision’s message leaves before the chunks of thousands of reminders', async () => {
  const person = await server.person();
  const browser = service.browser();
  await subscribe(server, person.cookie, browser);
  const reminded = await server.person();
  await subscribe(server, reminded.cookie, service.browser());
  await notify(server.sql, { ...words(), topic: 'streak', userId: reminded.userId });
  while (await spreadNext(server.runtime));
  await server.sql`
    insert into notification_chunks (notification_id, urgency, channel, targets, collapse, next_try_at, expires_at)
    select notification_id, urgency, channel, '{}', collapse, next_try_at, expires_at
    from notification_chunks, generate_series(1, 100)`;
  await notify(server.sql, { ...words(), topic: 'review', userId: person.userId });
  const stop = new AbortController();
  // The process stops after one pick of what to send next.
  const once = {
    ...server.runtime,
    push: {
      ...server.runtime.push,
      many: () => {
        stop.abort();
        return server.runtime.push.many();
      },
    },
  };
  await fanOut(once, stop.signal);
  expect(browser.got()).toHaveLength(1);
  const [left] = await server.sql<[{ count: number }]>`select count(*)::int from notification_chunks`;
  expect(left.count).toBeGreaterThan(90);
  await server.sql`delete from notifications`;
});

test('the bot answers a decision before reminders that wait longer, and one chat after another', async () => {
  await server.sql`
    insert into bot_messages (chat_id, origin, urgency, text, next_try_at, expires_at, created_at)
    select 9000000 + n % 1000, 'reminder:' || n, 3, 'reminder', ${now()}::timestamptz - interval '1 hour',
      ${now()}::timestamptz + interval '1 day', ${now()} from generate_series(1, ${REMINDERS}) n`;
  await server.sql`
    insert into bot_messages (chat_id, origin, text, next_try_at, expires_at, created_at)
    values (9000007, 'decision', 'decision', ${now()}, ${now()}::timestamptz + interval '1 day', ${now()})`;
  const texts: string[] = [];
  const stop = new AbortController();
  const telegram = {
    ...server.runtime.telegram,
    deliver: async (_chat: string, { text }: { text: string }) => {
      texts.push(text);
      if (texts.length > 1) stop.abort();
      return { is: 'sent', messageId: texts.length } as const;
    },
  };
  const act = (sql: TestDatabase['sql']) =>
    sendMessages({ ...server.runtime, sql, telegram }, stop.signal, { settled: async () => undefined });
  expect(await pages(act, /update bot_messages m set tried_at/)).toBeLessThan(1_200);
  expect(texts[0]).toBe('decision');
  await server.sql`delete from bot_messages`;
});

test('one notification to many is taken a thousand a step, is theirs alone to read, and stands in their list', async () => {
  const [one, other] = [await server.person(), await server.person()];
  await subscribe(server, one.cookie, service.browser());
  await server.sql`
    insert into users (telegram_user_id, display_name)
    select 8000000 + n, 'Person ' || n from generate_series(1, 1200) n`;
  const people = await server.sql<
    { id: string }[]
  >`select id from users where telegram_user_id between 8000001 and 8001200`;
  await notifyEach(server.sql, { ...words(), topic: 'streak' }, [one.userId, ...people.map(({ id }) => id)]);
  const state = async () => (await server.sql`select id, state, members from notifications`)[0];
  await spreadNext(server.runtime);
  expect(await state()).toMatchObject({ state: 'spreading', members: 1_000 });
  await spreadNext(server.runtime);
  expect(await state()).toMatchObject({ state: 'sending', members: 1_201 });
  await fanOut(server.runtime, new AbortController().signal);
  const id = (await state())?.['id'] as string;
  const ask = (path: string, { cookie }: { cookie: string }) =>
    server.request('GET', `/api/pwa/notifications${path}`, { cookie });
  const list = ({ cookie }: { cookie: string }) => server.request('GET', '/api/user/notifications', { cookie });
  expect((await ask(`/${id}`, one)).json).toMatchObject({ title: 'Said' });
  expect((await ask(`/${id}`, other)).status).toBe(404);
  expect((await list(one)).json.latest).toMatchObject([{ id, topic: 'streak', state: 'sent' }]);
  expect((await list(other)).json.latest).toEqual([]);
});
