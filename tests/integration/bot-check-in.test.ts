import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { BOT_UNDO_MS } from '../../server/contract/limits.ts';
import type { NewTask } from '../../server/contract/tasks.ts';
import { claimCheckIns, pressData } from '../../server/features/bot/check-in.ts';
import { sendBotMessages } from '../../server/features/bot/send.ts';
import { registerWebhook } from '../../server/features/bot/webhook.ts';
import { fc, runs } from '../support/chance.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

let place: string;
const server = await ofFile(testServer());
await registerWebhook(server.runtime);
const leader = await server.signIn(1004);
const member = await server.signIn(1001);
await server.signIn(1003);
await server.sql`update users set is_verified = true`;

let count = 0;
const ask = async (cookie: string, method: string, path: string, body?: object) => {
  const reply = await server.command(method, path, { cookie, body });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.json;
};
beforeEach(async () => {
  count += 1;
  // Three a day may be founded.
  await server.sql`update communities set created_at = now() - interval '2 days'`;
  const [name, slug] = [`River walks ${count}`, `river-walks-${count}`];
  place = (await ask(leader, 'POST', '/api/communities', { name, slug, description: 'We walk' })).id;
  await ask(member, 'POST', `/api/communities/${place}/join`);
  await server.sql`
    insert into bot_places (user_id, community_id, chosen_at) select id, ${place}, now() from users
    on conflict (user_id) do update set community_id = excluded.community_id`;
  await server.sql`delete from bot_check_ins`;
});

const task = async (title: string, more: Partial<NewTask> = {}): Promise<string> =>
  (
    await ask(leader, 'POST', `/api/communities/${place}/tasks`, {
      ...{ title, instructions: '', points: 10, recurrence: 'daily', status: 'live', setup: { kind: 'check_in' } },
      ...more,
    })
  ).id;

type Sent = {
  method: string;
  body: { chat_id?: number; message_id?: number; text?: string; reply_markup?: string | object };
};
const outbox = async (): Promise<Sent[]> =>
  (await (await fetch(`${server.sandboxUrl}/control/outbox`)).json()) as Sent[];
/** What the bot did because of something, each as its method, its text and the buttons that tell it something. */
async function done(control: string, body: object) {
  const before = (await outbox()).length;
  await fetch(new URL(`/control${control}`, server.sandboxUrl), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return since(before);
}
async function since(before: number) {
  await sendBotMessages(server.runtime, new AbortController().signal);
  return (await outbox()).slice(before).map(({ method, body }) => {
    const markup = typeof body.reply_markup === 'string' ? JSON.parse(body.reply_markup) : body.reply_markup;
    const keys = ((markup?.inline_keyboard ?? []) as { text: string; callback_data?: string }[][]).flat();
    return {
      method,
      text: body.text ?? '',
      keys: keys.flatMap(({ text, callback_data: data }) => (data === undefined ? [] : [{ text, data }])),
    };
  });
}
const say = (text: string, telegramUserId = '1001', chatId?: string) =>
  done('/messages', { telegramUserId, text, ...(chatId && { chatId }) });
const press = (data: string, telegramUserId = '1001', chatId?: string) =>
  done('/presses', { telegramUserId, data, ...(chatId && { chatId }) });
/** Lets the time of undoing pass. */
async function settle() {
  const before = (await outbox()).length;
  server.advance(BOT_UNDO_MS);
  await claimCheckIns(server.runtime, new AbortController().signal);
  return since(before);
}
const claimed = async () =>
  (
    await server.sql<{ title: string }[]>`
      select t.title from claims c join tasks t on t.id = c.task_id where c.community_id = ${place} order by 1`
  ).map(({ title }) => title);

test('one plain daily check-in is claimed after a moment, once, however often it is asked for', async () => {
  await task('Say good morning');
  const [first] = await say('/checkin');
  expect(first?.text).toContain('Checking you in: Say good morning (+10 points)');
  expect(first?.keys.map(({ text }) => text)).toEqual(['Undo']);
  expect((await say('/checkin'))[0]?.text).toContain('you’re being checked in already');
  expect(await claimed()).toEqual([]);
  const [told] = await settle();
  expect([told?.method, told?.keys]).toEqual(['editMessageText', []]);
  expect(told?.text).toContain('Checked in: Say good morning (+10 points)');
  expect(await claimed()).toEqual(['Say good morning']);
  expect((await press(first?.keys[0]?.data ?? ''))[0]?.text).toBe('It’s too late to undo this.');
  expect((await say('/checkin'))[0]?.text).toContain('already done');
});

test('what is undone in time is never sent, and may be pressed again', async () => {
  await task('Say good morning');
  const [first] = await say('/checkin');
  const after = await press(first?.keys[0]?.data ?? '');
  expect(after.map(({ method, text }) => [method, text.split('.')[0]])).toEqual([
    ['answerCallbackQuery', 'Undone: Say good morning'],
    ['editMessageText', 'Undone: Say good morning'],
  ]);
  await settle();
  expect(await claimed()).toEqual([]);
  await say('/checkin');
  await settle();
  expect(await claimed()).toEqual(['Say good morning']);
});

test('of several each is pressed by its name, and what is not pressed, or not open today, is not claimed', async () => {
  const walk = { recurrence: 'weekly' as const };
  await task('Say good morning');
  await task('Saturday walk', walk);
  const opensAt = new Date(server.runtime.now().getTime() + 86_400_000).toISOString();
  const later = await task('Tomorrow’s walk', { schedule: { opensAt, closesAt: null, window: null } });
  const [list] = await say('/checkin');
  expect(list?.text).toContain('Which check-in');
  expect(list?.keys.map(({ text }) => text)).toEqual(['Say good morning (+10 points)', 'Saturday walk (+10 points)']);
  await settle();
  expect(await claimed(), 'nothing was pressed').toEqual([]);
  const [, pressed] = await press(list?.keys[1]?.data ?? '');
  expect(pressed?.text).toContain('Checking you in: Saturday walk');
  expect((await press(pressData('check-in', later)))[0]?.text).toBe('Tomorrow’s walk: not open right now.');
  await settle();
  expect(await claimed()).toEqual(['Saturday walk']);
});

test('a single check-in that is not of every day is asked about too; in a group the app is where one chooses', async () => {
  await task('Saturday walk', { recurrence: 'weekly' });
  expect((await say('/checkin'))[0]?.keys).toHaveLength(1);
  await server.sql`
    insert into community_chats (community_id, sort, chat_id, title, checked_at, connected_at)
    values (${place}, 'group', -1002, 'Walkers', now(), now())
    on conflict (chat_id) do update set community_id = excluded.community_id`;
  const [inGroup] = await say('/checkin', '1001', '-1002');
  expect(inGroup?.text).toContain('Pick yours in the app');
  expect(inGroup?.keys).toEqual([]);
  await settle();
  expect(await claimed()).toEqual([]);
});

test('a button does for whoever presses it what they may do themselves, and nothing for anybody else', async () => {
  const daily = await task('Say good morning');
  await say('/checkin');
  // A leader does not compete, a stranger does not belong, whoever has no account is unknown; none undoes what another pressed.
  const people = fc.constantFrom('1003', '1004', '1005');
  const data = fc.oneof(
    fc.constantFrom(pressData('check-in', daily), pressData('undo', daily), pressData('check-in', randomUUID())),
    fc.constantFrom('', 'check-in:', `undo:${daily}x`, `CHECK-IN:${daily}`, `check-in:${daily.toUpperCase()}`, '0'),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );
  const before = await server.sql`select user_id, task_id from bot_check_ins`;
  await fc.assert(
    fc.asyncProperty(people, data, fc.constantFrom(undefined, '-1002'), async (who, what, chatId) => {
      const after = await press(what.replaceAll('\0', '0'), who, chatId);
      expect(after.map(({ method }) => method)).toEqual(['answerCallbackQuery']);
      expect(after[0]?.text).not.toBe('');
      expect(await server.sql`select user_id, task_id from bot_check_ins`).toEqual(before);
    }),
    { numRuns: runs(25, 250) },
  );
  await settle();
  const claims = await server.sql`
    select u.telegram_user_id::text as who from claims c join users u on u.id = c.user_id where c.community_id = ${place}`;
  expect(claims).toEqual([{ who: '1001' }]);
});

test('a press counts for when it was pressed, and says so where the task was closed meanwhile', async () => {
  const id = await task('Say good morning');
  await say('/checkin');
  const [{ pressed }] = await server.sql<[{ pressed: Date }]>`select pressed_at as pressed from bot_check_ins`;
  await settle();
  expect(await server.sql`select acted_at from claims where task_id = ${id}`).toEqual([{ acted_at: pressed }]);
  const other = await task('Say good night');
  await say('/checkin');
  await server.sql`update tasks set status = 'archived' where id = ${other}`;
  expect((await settle())[0]?.text).toContain('Say good night: This task is closed.');
});
