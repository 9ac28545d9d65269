import { expect, it } from 'vitest';
import { createRuntime, type RuntimeParts } from '../../server/base/runtime.ts';
import { TelegramUpdate } from '../../server/contract/telegram.ts';
import { takeUpdate } from '../../server/features/bot/intake.ts';
import { fetchMember } from '../../server/features/chats/members.ts';
import { findChat } from '../../server/features/chats/rows.ts';
import { planSweep, sweepChats } from '../../server/features/chats/sweep.ts';
import { chatUpdates } from '../../server/features/chats/updates.ts';
import type { ChatMembership, ChatTrouble } from '../../server/integrations/telegram/chats.ts';
import { runs, SEED, seeded } from '../support/chance.ts';
import { createTestDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';

const CHAT = -100777;
const START = Date.parse('2026-11-20T10:00:00Z');

let clock = START;
let said: ChatMembership | ChatTrouble = 'left';
let calls: number[] = [];
/** As much of a process as chats need, with Telegram in the test's hand. */

const start = () =>
  createRuntime({
    sql: db.sql,
    now: () => new Date(clock),
    config: { productName: 'Test' },
    log: { error() {}, warn() {} },
    telegram: {
      chats: {
        member: async () => {
          calls.push(clock);
          return said;
        },
        rights: async () => ['admin'],
      },
    },
  } as unknown as RuntimeParts);

const db = await ofFile(createTestDatabase());
const runtime = start();
const on = stage(db.sql);
const place = await on.community();
const userId = await on.member(place.id);
const [user] = await db.sql<[{ id: string }]>`select telegram_user_id::text as id from users where id = ${userId}`;
const person = { userId, telegramUserId: user.id };
await db.sql`
  insert into community_chats (community_id, sort, chat_id, title, checked_at, connected_at)
  values (${place.id}, 'group', ${CHAT}, 'Ridge', now(), now())`;
const found = await findChat(db.sql, String(CHAT));
if (!found) throw new Error('no chat');
const chat = found;

const STATUSES = [
  [{ status: 'member' }, 'member'],
  [{ status: 'administrator' }, 'member'],
  [{ status: 'left' }, 'left'],
  [{ status: 'kicked' }, 'kicked'],
  [{ status: 'restricted', is_member: true }, 'restricted'],
  [{ status: 'restricted', is_member: false }, 'left'],
] as const;
let updateId = 1;
const nextId = () => {
  updateId += 1;
  return updateId;
};
const stateNow = async () =>
  (await db.sql<{ state: string }[]>`select state from chat_members where user_id = ${person.userId}`)[0]?.state ??
  'unknown';
const deliver = (update: object) => takeUpdate(runtime, TelegramUpdate.parse(update), [chatUpdates]);

it('ends at what happened last, however updates are doubled, reordered, an hour late, unknown, and questions fail', async () => {
  for (let played = 1; played <= runs(20, 200); played += 1) {
    const draw = seeded(SEED + played);
    const random = (below: number) => Math.floor(draw() * below);
    await db.sql`delete from chat_members`;
    clock = START + played * 86_400_000;
    let truth: string = 'unknown';
    const late: { due: number; update: object }[] = [];
    for (let step = 0; step < 12; step += 1) {
      clock += (1 + random(400)) * 1_000;
      const [member, state] = STATUSES[random(STATUSES.length)] ?? STATUSES[0];
      truth = state;
      const id = nextId();
      const update = {
        update_id: id,
        chat_member: {
          chat: { id: CHAT, type: 'supergroup' },
          from: { id: 1 },
          date: Math.floor(clock / 1_000),
          new_chat_member: { ...member, user: { id: Number(person.telegramUserId) } },
        },
      };
      for (let copy = 0; copy <= random(2); copy += 1) late.push({ due: clock + random(3_600_000), update });
      // Of a kind that nobody knows, and of a status that nobody knows: nothing changes.
      const before = await stateNow();
      await deliver({ update_id: nextId(), poll_of_tomorrow: { id: 1 } });
      await deliver({
        update_id: nextId(),
        chat_member: {
          ...update.chat_member,
          new_chat_member: { status: 'emperor', user: { id: Number(person.telegramUserId) } },
        },
      });
      expect(await stateNow()).toBe(before);
      if (random(3) === 0) {
        const trouble: ChatTrouble[] = [{ kind: 'away' }, { kind: 'stranger' }, { kind: 'wait', ms: 9_000 }];
        const failing = trouble[random(4)];
        said = failing ?? (truth as ChatMembership);
        await fetchMember(runtime, chat, person, 'asked');
        if (failing) expect(await stateNow()).toBe(before);
        else expect(await stateNow()).toBe(truth);
      }
      for (const one of late.filter(({ due }) => due <= clock)) await deliver(one.update);
    }
    late.sort((one, other) => one.due - other.due);
    for (const { due, update } of late) {
      clock = Math.max(clock, due);
      await deliver(update);
    }
    expect(await stateNow()).toBe(truth);
  }
}, 60_000);

it('writes nobody down who has no account here', async () => {
  await deliver({
    update_id: nextId(),
    chat_member: {
      chat: { id: CHAT },
      date: Math.floor(clock / 1_000),
      new_chat_member: { status: 'member', user: { id: 31_337 } },
    },
  });
  expect(await db.sql`select from chat_members where user_id <> ${person.userId}`).toHaveLength(0);
});

it('sweeps within the limit, goes on where it ended, and lets errors and waits revoke nobody', async () => {
  const on = stage(db.sql);
  for (let more = 0; more < 44; more += 1) await on.member(place.id);
  await db.sql`delete from chat_members`;
  clock = START + 100 * 86_400_000;
  calls = [];
  const slept = {
    sleep: async (ms: number) => {
      clock += ms;
    },
  };
  const members = 47;
  expect(await planSweep(db.sql, new Date(clock))).toEqual({ due: members, takesMs: members * 50 });
  said = 'member';
  const stop = new AbortController();
  const stopped = sweepChats(runtime, stop.signal, {
    sleep: async (ms) => {
      clock += ms;
      if (calls.length === 20) stop.abort();
    },
  });
  expect(await stopped).toBe(20);
  expect(await sweepChats(runtime, new AbortController().signal, slept)).toBe(27);
  expect(await sweepChats(runtime, new AbortController().signal, slept)).toBe(0);
  for (const start of calls)
    expect(calls.filter((at) => at >= start && at < start + 1_000).length).toBeLessThanOrEqual(20);
  expect(await db.sql`select from chat_members where state = 'member' and source = 'sweep'`).toHaveLength(members);

  clock += 25 * 3_600_000;
  calls = [];
  said = { kind: 'wait', ms: 30_000 };
  expect(await sweepChats(runtime, new AbortController().signal, slept)).toBe(1);
  said = { kind: 'away' };
  expect(await sweepChats(runtime, new AbortController().signal, slept)).toBe(0);
  clock += 31_000;
  expect(await sweepChats(runtime, new AbortController().signal, slept)).toBe(3);
  said = { kind: 'blind' };
  expect(await sweepChats(runtime, new AbortController().signal, slept)).toBe(1);
  expect(await db.sql`select from chat_members where state = 'member'`).toHaveLength(members);
  expect(await db.sql`select from community_chats where unverifiable_at is not null`).toHaveLength(1);
  expect(await db.sql`select from notifications where topic = 'security'`).toHaveLength(1);
});
