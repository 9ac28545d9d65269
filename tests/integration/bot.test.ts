import { expect, test } from 'vitest';
import type { UpdateHandler } from '../../server/base/update-handler.ts';
import { BOT_UNDO_MS } from '../../server/contract/limits.ts';
import { claimCheckIns } from '../../server/features/bot/check-in.ts';
import { kindsOf, takeUpdate, updateHandlers } from '../../server/features/bot/intake.ts';
import { pollTelegram } from '../../server/features/bot/polling.ts';
import { sendBotMessages } from '../../server/features/bot/send.ts';
import { registerCommands, registerWebhook } from '../../server/features/bot/webhook.ts';
import { startParamOf } from '../../server/rules/start-param.ts';
import { fc, runs } from '../support/chance.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

const control = (path: string, body: object, method = 'PUT') => server.control(method, path, body);
type Sent = { method: string; body: { chat_id: number | string; text: string; results?: unknown } };
const outbox = async (): Promise<Sent[]> =>
  (await (await fetch(`${server.sandboxUrl}/control/outbox`)).json()) as Sent[];
const send = () => sendBotMessages(server.runtime, new AbortController().signal);

const server = await ofFile(testServer());
await registerWebhook(server.runtime);
const leader = await server.signIn(1004);
const member = await server.signIn(1001);
await server.sql`update users set is_verified = true`;
const ask = async (cookie: string, method: string, path: string, body?: object) => {
  const reply = await server.command(method, path, { cookie, body });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.json;
};
const community = await ask(leader, 'POST', '/api/communities', {
  name: 'River Walks',
  slug: 'river-walks',
  description: 'We walk',
});
await ask(member, 'POST', `/api/communities/${community.id}/join`);
const made = await ask(leader, 'POST', `/api/communities/${community.id}/tasks`, {
  title: 'Say good morning',
  instructions: 'Once a day.',
  points: 10,
  recurrence: 'daily',
  status: 'live',
  setup: { kind: 'check_in' },
});
const taskId = made.id;

/** What the bot answers to somebody's message. */
async function said(telegramUserId: string, text: string, chatId?: string): Promise<string[]> {
  const before = (await outbox()).length;
  expect(await control('/messages', { telegramUserId, text, ...(chatId && { chatId }) })).toMatchObject({
    delivered: true,
  });
  await send();
  const sent = (await outbox()).slice(before).filter(({ method }) => method === 'sendMessage');
  return sent.map(({ body }) => `${body.chat_id}: ${body.text}`);
}

test('a member checks in once by the bot, and sees their points, their tasks and the board', async () => {
  expect((await said('1001', '/tasks'))[0]).toContain('• Say good morning (10 points)');
  expect((await said('1001', '/checkin'))[0]).toContain('1001: Checking you in: Say good morning (+10 points).');
  server.advance(BOT_UNDO_MS);
  await claimCheckIns(server.runtime, new AbortController().signal);
  await send();
  expect((await outbox()).at(-1)).toMatchObject({
    method: 'editMessageText',
    body: { text: expect.stringContaining('Checked in: Say good morning (+10 points)') },
  });
  expect((await said('1001', '/checkin@Muster_Sandbox_Bot'))[0]).toContain('already done');
  expect((await said('1001', '/me'))[0]).toContain('10 points, rank 1 this week');
  expect((await said('1001', '/top'))[0]).toContain('1. Maya Lindqvist: 10 points');
  expect((await said('1001', '/tasks'))[0]).toContain('Nothing is open for you');
  expect((await said('1004', '/me'))[0]).toContain('You lead River Walks');
  const [{ count }] = await server.sql<[{ count: number }]>`select count(*)::int from claims where task_id = ${taskId}`;
  expect(count).toBe(1);
});

test('who is not known is asked to sign in, and commands of another bot are left alone', async () => {
  expect((await said('1005', '/me'))[0]).toContain('Sign in with Telegram first');
  expect(await said('1001', '/me@some_other_bot', '-1002')).toEqual([]);
  expect(await said('1001', 'good morning all', '-1002')).toEqual([]);
  expect((await said('1001', '/me', '-1002'))[0]).toContain('isn’t connected');
});

test('links of the bot open a community, a task, an invite and the leader’s setup', async () => {
  const origin = server.runtime.config.publicOrigin;
  const start = async (payload: string) => (await said('1001', `/start ${payload}`))[0];
  expect(await start(startParamOf({ community: community.slug }))).toContain(
    `${origin}/community/${community.id}/dashboard`,
  );
  expect(await start(startParamOf({ task: taskId, community: community.slug }))).toContain(
    `/engagement-complete?community=${community.id}&task=${taskId}`,
  );
  expect(await start('i_K7Q2MX')).toContain(`${origin}/i/K7Q2MX`);
  expect(await start(startParamOf('wizard'))).toContain(`${origin}/community-leader-wizard`);
  expect(
    await start(startParamOf({ task: '11111111-1111-4111-8111-111111111111', community: community.slug })),
  ).toContain('isn’t here any more');
  expect(await start('"><script>')).toContain('I bring you news');
});

test('a private community is told of to its members only', async () => {
  await server.sql`update communities set visibility = 'private' where id = ${community.id}`;
  await server.signIn(1003);
  expect((await said('1003', `/start ${startParamOf({ community: community.slug })}`))[0]).not.toContain('River Walks');
  expect((await said('1003', `/start ${startParamOf({ task: taskId, community: community.slug })}`))[0]).toContain(
    'isn’t here any more',
  );
  await server.sql`update communities set visibility = 'public' where id = ${community.id}`;
});

test('the board is shared from any chat, without the name of who hides', async () => {
  const shared = async () => {
    await control('/inline', { telegramUserId: '1001', query: 'top' });
    const asked = (await outbox()).filter(({ method }) => method === 'answerInlineQuery').at(-1);
    return JSON.stringify(asked?.body.results);
  };
  expect(await shared()).toContain('1. Maya Lindqvist: 10 points');
  await server.sql`update users set hidden_at = now() where telegram_user_id = 1001`;
  for (const board of [await shared(), (await said('1004', '/top'))[0], (await said('1001', '/top'))[0]]) {
    expect(board).toContain('1. Hidden member: 10 points');
    expect(board).not.toContain('Maya');
  }
  await server.sql`update users set hidden_at = null where telegram_user_id = 1001`;
});

test('who blocks the bot is not written to until they let it in or write again', async () => {
  const refused = async () => {
    const [row] = await server.sql<{ at: Date | null }[]>`
      select telegram_refused_at as at from notification_settings s join users u on u.id = s.user_id
      where u.telegram_user_id = 1001`;
    return Boolean(row?.at);
  };
  await control('/blocks', { telegramUserId: '1001', blocked: true });
  expect(await refused()).toBe(true);
  await control('/blocks', { telegramUserId: '1001', blocked: false });
  expect(await refused()).toBe(false);
  await control('/blocks', { telegramUserId: '1001', blocked: true });
  await said('1001', '/help');
  expect(await refused(), 'they wrote, and Telegram still refuses').toBe(true);
  await control('/blocks', { telegramUserId: '1001', blocked: false });
});

test('updates are fetched where Telegram cannot call, once each over a restart, and commands are made known', async () => {
  await server.runtime.telegram.setWebhook({ url: 'https://other.example/', secret: 'x'.repeat(16), kinds: [] });
  const { config } = server.runtime;
  // The sandbox by a name that is not this computer's: as Telegram itself.
  const apiRoot = 'https://api.telegram.org';
  const runtime = { ...server.runtime, config: { ...config, telegram: { ...config.telegram, apiRoot } } };
  const poll = () => pollTelegram(runtime, new AbortController().signal, 0);
  await poll();
  const before = (await outbox()).length;
  expect((await control('/messages', { telegramUserId: '1001', text: '/help' })).delivered).toBe(true);
  await Promise.all([poll(), poll()]);
  await poll();
  await send();
  expect((await outbox()).length - before).toBe(1);
  await registerCommands(server.runtime);
  await registerCommands(server.runtime);
  expect((await outbox()).filter(({ method }) => method === 'setMyCommands')).toHaveLength(1);
  await registerWebhook(server.runtime);
});

test('an announcement is withdrawn from chats with its origin', async () => {
  const { userId } = await server.person();
  const path = `/api/communities/${community.id}/announcements`;
  const made = await server.command('POST', path, {
    cookie: leader,
    key: 'news',
    body: { title: 'News', body: 'We meet at ten.' },
  });
  await server.sql`
    insert into bot_messages (chat_id, user_id, origin, subject_id, text, state, message_id, next_try_at, expires_at, created_at)
    values (1001, ${userId}, 'told', ${made.json.id}, 'News', 'sent', 424242, now(), now(), now())`;
  await server.command('DELETE', `${path}/${made.json.id}`, { cookie: leader, key: 'gone' });
  await send();
  expect(await server.sql`select state, change_state from bot_messages where origin = 'told'`).toEqual([
    { state: 'withdrawn', change_state: null },
  ]);
});

test('updates that are repeated, at once, late, forged, failing or of unknown kinds are handled once each', async () => {
  let base = 5_000_000;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ id: fc.nat(11), kind: fc.constantFrom('message', 'poll_to_come', 'chat_member') }), {
        maxLength: 25,
      }),
      fc.array(fc.nat(11), { maxLength: 6 }),
      fc.boolean(),
      async (given, failing, atOnce) => {
        base += 100;
        const handled: number[] = [];
        const left = new Map(failing.map((id) => [id, 1]));
        const handler: UpdateHandler = {
          of: ['message'],
          async handle(tx, { update_id: id }) {
            await tx`insert into rate_limits (key, window_start, count) values (${`u${id}`}, now(), 1)`;
            const fails = left.get(id - base) ?? 0;
            left.set(id - base, fails - 1);
            if (fails > 0) throw new Error('not now');
            handled.push(id - base);
          },
        };
        // A number is of one kind: its first.
        const kinds = new Map<number, string>();
        for (const { id, kind } of given) if (!kinds.has(id)) kinds.set(id, kind);
        const message = { message_id: 1, date: 1, chat: { id: 9 } };
        const take = (id: number) =>
          takeUpdate(
            server.runtime,
            { update_id: base + id, ...(kinds.get(id) === 'message' ? { message } : { [kinds.get(id) ?? '']: {} }) },
            [handler],
          ).catch(() => takeAgain(id));
        const takeAgain = (id: number): Promise<void> =>
          takeUpdate(server.runtime, { update_id: base + id, message }, [handler]);
        if (atOnce) await Promise.all(given.map(({ id }) => take(id)));
        else for (const { id } of given) await take(id);
        const wanted = [...kinds].filter(([, kind]) => kind === 'message').map(([id]) => id);
        expect(handled.sort((a, b) => a - b)).toEqual(wanted.sort((a, b) => a - b));
        const [{ count }] = await server.sql<[{ count: number }]>`
          select count(*)::int from rate_limits where key = any(${wanted.map((id) => `u${base + id}`)})`;
        expect(count).toBe(wanted.length);
      },
    ),
    { numRuns: runs(10, 50) },
  );
}, 60_000);

test('an update that fails three times is left, and holds up nobody', async () => {
  const message = { message_id: 1, date: 1, chat: { id: 9 } };
  const broken: UpdateHandler = { of: ['message'], handle: () => Promise.reject(new Error('broken')) };
  const take = () => takeUpdate(server.runtime, { update_id: 99, message }, [broken]);
  await expect(take()).rejects.toThrow();
  await expect(take()).rejects.toThrow();
  await take();
  await take();
});

test('every kind that some handler is for is asked for', () => {
  expect(kindsOf(updateHandlers)).toEqual(
    expect.arrayContaining(['chat_member', 'message', 'my_chat_member', 'inline_query']),
  );
});
