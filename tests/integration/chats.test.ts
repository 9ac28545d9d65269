import { beforeEach, describe, expect, it } from 'vitest';
import { sendBotMessages } from '../../server/features/bot/send.ts';
import { registerWebhook } from '../../server/features/bot/webhook.ts';
import { fetchPerson } from '../../server/features/chats/members.ts';
import { stage } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

const GROUP = '-100555';

let place: { id: string };
let next = 0;
const server = await ofFile(testServer());
await registerWebhook(server.runtime);
const leader = await server.signIn(1004);
const maya = await server.signIn(1001);
await server.sql`update users set is_verified = true`;
const id = async (telegram: number) =>
  (await server.sql<[{ id: string }]>`select id from users where telegram_user_id = ${telegram}`)[0].id;
const [leaderId, mayaId] = [await id(1004), await id(1001)];

const control = (path: string, body: object, method = 'PUT') => server.control(method, path, body);
const command = (method: string, path: string, cookie: string, body?: object) =>
  server.command(method, `/api/communities/${place.id}${path}`, { cookie, body });
const room = async () => (await server.request('GET', `/api/communities/${place.id}/chats`, { cookie: leader })).json;
const claim = (taskId: string, kind: string) =>
  command('POST', `/tasks/${taskId}/claims`, maya, { evidence: { kind } });
const isMember = (status: string) => control('/memberships', { chatId: GROUP, telegramUserId: '1001', status });

/** A community of Inês's with a group that the bot is an administrator of, and Maya as its member. */
beforeEach(async () => {
  next += 1;
  await server.sql`delete from community_chats`;
  await server.sql`delete from chat_links`;
  const on = stage(server.sql);
  place = await on.community();
  await on.join(place.id, leaderId, 'leader');
  await on.join(place.id, mayaId);
  await control('/chats', { chatId: GROUP, type: 'supergroup', title: `Ridge ${next}` });
});
const bring = (rights: object = {}) => control('/bot', { chatId: GROUP, admin: true, by: '1004', ...rights });
async function connect(rights: object = {}) {
  const made = await command('POST', '/chats/links', leader, { sort: 'group' });
  expect(made.status, made.text).toBe(201);
  await bring(rights);
  return made.json.url as string;
}
const addTask = async (setup: object, more: object = {}) => {
  const body = { setup, title: 'On Telegram', instructions: '', points: 7, recurrence: 'once', ...more };
  const made = await command('POST', '/tasks', leader, body);
  expect(made.status, made.text).toBe(201);
  return made.json.id as string;
};

describe('a chat of a community', () => {
  it('is connected by whoever made the link, turns green with the rights, and names a missing one', async () => {
    const url = await connect({ mayInvite: false });
    expect(url).toMatch(/^https:\/\/t\.me\/\w+\?startgroup=[\w-]{32}&admin=invite_users$/);
    expect(await room()).toMatchObject({ chats: [{ sort: 'group', missing: ['invite_users'] }], waiting: [] });
    await bring();
    await expect.poll(room).toMatchObject({ chats: [{ missing: [], unverifiableAt: null }] });
    await expect.poll(async () => (await room()).chats[0].joinUrl).toMatch(/^https:\/\/t\.me\//);
  });

  it('is connected by the code in the group, and by nobody else who sends it', async () => {
    const { json } = await command('POST', '/chats/links', leader, { sort: 'group' });
    const text = `/start@bot ${new URL(json.url).searchParams.get('startgroup')}`;
    await control('/bot', { chatId: GROUP, admin: true });
    await control('/posts', { chatId: GROUP, telegramUserId: '1001', text });
    expect(await room()).toMatchObject({ chats: [], waiting: [{ sort: 'group', problem: 'not_yours' }] });
    await control('/posts', { chatId: GROUP, telegramUserId: '1004', text });
    await expect.poll(room).toMatchObject({ chats: [{ missing: [] }], waiting: [] });
  });

  it('stays where it is when another community wants it, and may be let go of', async () => {
    await connect();
    const first = place;
    place = await stage(server.sql).community();
    await stage(server.sql).join(place.id, leaderId, 'leader');
    const { json } = await command('POST', '/chats/links', leader, { sort: 'group' });
    const text = `/start ${new URL(json.url).searchParams.get('startgroup')}`;
    await control('/posts', { chatId: GROUP, telegramUserId: '1004', text });
    expect(await room()).toMatchObject({ chats: [], waiting: [{ problem: 'taken' }] });
    place = first;
    const [chat] = (await room()).chats;
    expect((await command('DELETE', `/chats/${chat.id}`, leader)).status).toBe(200);
    expect(await room()).toMatchObject({ chats: [] });
  });

  it('becomes unverifiable without the bot: its leader is warned once and nobody is kept out', async () => {
    await connect();
    await isMember('kicked');
    const [chat] = (await room()).chats;
    await command('PATCH', `/chats/${chat.id}`, leader, { gate: 'claim' });
    await control('/bot', { chatId: GROUP, admin: false, isIn: false, by: '1004' });
    await control('/bot', { chatId: GROUP, admin: false, by: '1004' });
    expect((await room()).chats[0]).toMatchObject({ missing: ['admin'], unverifiableAt: expect.any(String) });
    const told = await server.sql`select audience from notifications where subject_id = ${chat.id}`;
    expect(told).toMatchObject([{ audience: { roles: ['leader'] } }]);
    const task = await addTask({ kind: 'submit_text' });
    const sent = await command('POST', `/tasks/${task}/claims`, maya, {
      evidence: { kind: 'submit_text', text: 'Here' },
    });
    expect(sent.status, sent.text).toBe(201);
  });
});

describe('a gate', () => {
  it('refuses the next claim of who was kicked, and lets them back by Try again', async () => {
    await connect();
    await isMember('member');
    const [chat] = (await room()).chats;
    await command('PATCH', `/chats/${chat.id}`, leader, { gate: 'claim' });
    const task = await addTask({ kind: 'check_in' }, { recurrence: 'daily' });
    await isMember('kicked');
    const refused = await claim(task, 'check_in');
    expect(refused.json).toMatchObject({
      status: 403,
      reason: 'CHAT_MEMBERSHIP_REQUIRED',
      message: expect.stringContaining(`Ridge ${next}`),
      details: { joinUrl: expect.stringContaining('https://t.me/') },
    });
    // Telegram is not heard this time: the update is lost.
    await server.sql`update bot_updates set handled_at = now()`;
    await control('/faults', { match: '/api/telegram/webhook', mode: 'reset' }, 'POST');
    const state = () => server.sql`select state from chat_members where user_id = ${mayaId}`;
    await isMember('member');
    await server.sql`update chat_members set state = 'kicked' where user_id = ${mayaId}`;
    expect((await claim(task, 'check_in')).status).toBe(403);
    const again = await command('POST', '/chat-membership/check', maya);
    expect(again.json).toMatchObject({ asked: true, chats: [{ state: 'member' }] });
    expect(await state()).toMatchObject([{ state: 'member' }]);
    expect((await claim(task, 'check_in')).status).toBe(201);
  });

  it('of entering closes every page of the community to who is out, and no others', async () => {
    await connect();
    const [chat] = (await room()).chats;
    await command('PATCH', `/chats/${chat.id}`, leader, { gate: 'enter' });
    const dashboard = (cookie: string) => server.request('GET', `/api/communities/${place.id}/dashboard`, { cookie });
    expect((await dashboard(maya)).status).toBe(200);
    await isMember('left');
    expect((await dashboard(maya)).json).toMatchObject({ status: 403, reason: 'CHAT_MEMBERSHIP_REQUIRED' });
    expect((await dashboard(leader)).status).toBe(200);
    expect((await server.request('GET', `/api/communities/${place.id}/chat-membership`, { cookie: maya })).status).toBe(
      200,
    );
    await isMember('member');
    expect((await dashboard(maya)).status).toBe(200);
  });

  it('asks about somebody it never heard of before it refuses, and keeps the claim waiting meanwhile', async () => {
    await connect();
    const [chat] = (await room()).chats;
    await command('PATCH', `/chats/${chat.id}`, leader, { gate: 'claim' });
    const task = await addTask({ kind: 'check_in' });
    expect((await claim(task, 'check_in')).json).toMatchObject({ status: 503, reason: 'CHAT_BEING_ASKED' });
    await expect.poll(async () => (await claim(task, 'check_in')).status).toBe(403);
  });

  it('lets in by request who may enter, and tells others why not', async () => {
    await connect();
    await control('/join-requests', { chatId: GROUP, telegramUserId: '1001' });
    await control('/join-requests', { chatId: GROUP, telegramUserId: '1002' });
    // The word goes by the bot's queue, once it is there.
    await expect.poll(() => server.sql`select 1 from bot_messages where origin like 'join-request:%'`).toHaveLength(1);
    await sendBotMessages(server.runtime, new AbortController().signal);
    const sent = async () => {
      const all = await (await fetch(`${server.sandboxUrl}/control/outbox`)).json();
      return (all as { method: string; body: { user_id?: number; text?: string } }[]).filter(
        ({ method, body }) => /Join/.test(method) || body.text?.includes('could not be let in'),
      );
    };
    await expect.poll(sent).toMatchObject([
      { method: 'approveChatJoinRequest', body: { user_id: 1001 } },
      { method: 'declineChatJoinRequest', body: { user_id: 1002 } },
      { method: 'sendMessage', body: { text: expect.stringContaining('Sign in there') } },
    ]);
    await expect
      .poll(
        async () =>
          (await server.request('GET', `/api/communities/${place.id}/chat-membership`, { cookie: maya })).json,
      )
      .toMatchObject({ chats: [{ state: 'member' }] });
  });
});

describe('a task on Telegram', () => {
  it('needs its chat, and a link to a message there', async () => {
    const wanted = (setup: object) =>
      command('POST', '/tasks', leader, {
        setup,
        title: 'On Telegram',
        instructions: '',
        points: 7,
        recurrence: 'once',
      });
    expect((await wanted({ kind: 'telegram_join', chat: 'group' })).json).toMatchObject({
      reason: 'CHAT_NOT_CONNECTED',
    });
    await connect();
    const link = 'https://t.me/c/999/4';
    expect((await wanted({ kind: 'telegram_reaction', link })).json).toMatchObject({ reason: 'MESSAGE_NOT_HERE' });
  });

  it('is earned by joining, with what Telegram told and when on the receipt', async () => {
    await connect();
    const task = await addTask({ kind: 'telegram_join', chat: 'group' });
    await isMember('left');
    expect((await claim(task, 'telegram_join')).json).toMatchObject({
      reason: 'NOT_SEEN_YET',
      message: expect.stringContaining('you are not in '),
    });
    await isMember('member');
    const { json } = await claim(task, 'telegram_join');
    expect(json).toMatchObject({ state: 'approved', points: 7 });
    expect(json.checks[0]).toMatchObject({
      what: 'telegram',
      ok: true,
      note: expect.stringMatching(/Seen in Ridge .* UTC/),
    });
  });

  it('counts own messages of some length in its period, once each, and keeps none of their words', async () => {
    await connect();
    const task = await addTask({ kind: 'telegram_chat', needed: 2, minLength: 8 }, { recurrence: 'daily' });
    const say = (text: string, more = {}) =>
      control('/posts', { chatId: GROUP, telegramUserId: '1001', text, ...more });
    await say('planted words one');
    await say('planted words two', { isForwarded: true });
    await say('short');
    await say('/start planted');
    expect((await claim(task, 'telegram_chat')).json).toMatchObject({
      reason: 'NOT_SEEN_YET',
      message: expect.stringContaining('1 of 2 messages'),
    });
    await say('planted words three');
    const seen = await server.request('GET', `/api/communities/${place.id}/tasks/${task}/seen`, { cookie: maya });
    expect(seen.json).toMatchObject({ count: 2, needed: 2 });
    expect((await claim(task, 'telegram_chat')).json).toMatchObject({ state: 'approved' });
    expect((await claim(task, 'telegram_chat')).json).toMatchObject({ reason: 'ALREADY_CLAIMED' });
    const tables = await server.sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
    for (const { name } of tables) {
      const found = await server.sql`select 1 from ${server.sql(name)} t where t::text like '%planted words%' limit 1`;
      expect(found, name).toEqual([]);
    }
  });

  it('is earned by a reaction to the message it names, while it is there', async () => {
    await connect();
    const task = await addTask({ kind: 'telegram_reaction', link: `https://t.me/c/${GROUP.slice(4)}/42` });
    const react = (messageId: number, emoji: string | null) =>
      control('/reactions', { chatId: GROUP, telegramUserId: '1001', messageId, emoji });
    await react(41, '👍');
    expect((await claim(task, 'telegram_reaction')).json).toMatchObject({ reason: 'NOT_SEEN_YET' });
    await react(42, '👍');
    await react(42, null);
    expect((await claim(task, 'telegram_reaction')).json).toMatchObject({ reason: 'NOT_SEEN_YET' });
    await react(42, '🔥');
    expect((await claim(task, 'telegram_reaction')).json).toMatchObject({ state: 'approved' });
  });

  it('says that nothing could be checked where the bot sees nothing, and asks Telegram down no one out', async () => {
    await connect();
    const task = await addTask({ kind: 'telegram_join', chat: 'group' });
    await isMember('member');
    await control('/faults', { match: 'getChatMember', mode: '5xx', count: 3 }, 'POST');
    expect(await fetchPerson(server.runtime, place.id, { userId: mayaId, telegramUserId: '1001' })).toBe(false);
    expect((await claim(task, 'telegram_join')).json).toMatchObject({ state: 'approved' });
  });
});
