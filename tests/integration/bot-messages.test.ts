import { beforeEach, expect, test } from 'vitest';
import type { Runtime } from '../../server/base/runtime.ts';
import { ALL_IN_A_SECOND, CHAT_EVERY_MS, GROUP_IN_A_MINUTE } from '../../server/features/bot-messages/pace.ts';
import { outdateMessages, queueMessage, withdrawMessages } from '../../server/features/bot-messages/queue.ts';
import { sendMessages } from '../../server/features/bot-messages/send.ts';
import type { Delivery, Telegram } from '../../server/integrations/telegram/telegram.ts';
import { runs } from '../support/chance.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

const server = await ofFile(testServer());

beforeEach(() => server.sql`truncate bot_messages`);

/** A bot and its clock: waiting moves the clock, and an answer takes a little of it. */
function stage(answer: (asked: { chatId: string; text: string; at: number }) => Delivery = () => SENT) {
  let time = Date.parse('2026-11-26T08:00:00Z');
  const sent: { chatId: string; text: string; at: number }[] = [];
  const done: string[] = [];
  const telegram = {
    ...server.runtime.telegram,
    deliver: async (chatId: string, { text }: { text: string }) => {
      const asked = { chatId, text, at: time };
      const result = answer(asked);
      if (result.is === 'sent') sent.push(asked);
      return result;
    },
    rewrite: async (chatId: string, id: number, { text }: { text: string }) => {
      done.push(`edit ${chatId} ${id} ${text}`);
      return SENT;
    },
    withdraw: async (chatId: string, id: number) => {
      done.push(`delete ${chatId} ${id}`);
      return SENT;
    },
  } as Telegram;
  const runtime: Runtime = { ...server.runtime, telegram, now: () => new Date(time) };
  const outcomes: string[] = [];
  const pass = async (ms: number) => {
    time += ms;
  };
  return {
    sent,
    done,
    outcomes,
    pass,
    runtime,
    now: () => new Date(time),
    run: (stopping = new AbortController()) =>
      sendMessages(runtime, stopping.signal, {
        settled: async (_tx, { outcome }) => void outcomes.push(outcome),
        wait: pass,
      }),
    queue: (chatId: number, text: string, more: { subjectId?: string; origin?: string; expiresAt?: Date } = {}) =>
      queueMessage(server.sql, {
        chatId,
        userId: null,
        origin: `${chatId} ${text}`,
        text,
        now: new Date(time),
        ...more,
      }),
  };
}
const SENT: Delivery = { is: 'sent', messageId: 7 };
const ID = '11111111-1111-4111-8111-111111111111';

const MESSAGES = runs(1_500, 10_000);
test(`${MESSAGES} messages leave within Telegram’s limits, each once and in order, over restarts and faults`, async () => {
  const failing = new Map<string, Delivery[]>();
  const on = stage(({ text }) => failing.get(text)?.shift() ?? SENT);
  // A message for each person, sixty for one, and two groups with 120 each.
  const people = MESSAGES - 300;
  await server.sql`
    insert into bot_messages (chat_id, origin, text, next_try_at, expires_at, created_at)
    select case when n <= ${people} then 100000 + n when n <= ${people + 60} then 5 when n <= ${people + 180} then -1 else -2 end,
      'all ' || n, n::text, ${on.now()}, ${new Date(on.now().getTime() + 86_400_000)}, ${on.now()}
    from generate_series(1, ${MESSAGES}) n`;
  for (let n = 5; n < MESSAGES; n += 700) {
    const wait: Delivery = n % 2 ? { is: 'wait', ms: 2_000 } : { is: 'away' };
    failing.set(String(n), [wait, { is: 'away' }]);
  }
  for (let restarts = 0; restarts < 400; restarts += 1) {
    const stopping = new AbortController();
    let left = 300;
    await sendMessages(on.runtime, stopping.signal, {
      settled: async () => {
        left -= 1;
        if (left === 0) stopping.abort();
      },
      wait: on.pass,
    });
    await on.pass(40);
    const [{ count }] = await server.sql<[{ count: number }]>`
      select count(*)::int from bot_messages where state = 'waiting'`;
    if (count === 0) break;
    if (!stopping.signal.aborted) await on.pass(1_000);
  }
  expect(on.sent).toHaveLength(MESSAGES);
  expect(new Set(on.sent.map(({ text }) => text)).size).toBe(MESSAGES);
  const chats = new Map<string, typeof on.sent>();
  for (const one of on.sent) chats.set(one.chatId, [...(chats.get(one.chatId) ?? []), one]);
  for (const [chatId, messages] of chats) {
    const times = messages.map(({ at }) => at);
    const numbers = messages.map(({ text }) => Number(text));
    expect(numbers, chatId).toEqual([...numbers].sort((a, b) => a - b));
    for (const [n, at] of times.entries()) {
      if (n > 0) expect(at - (times[n - 1] ?? 0)).toBeGreaterThanOrEqual(CHAT_EVERY_MS);
      const minute = times[n - GROUP_IN_A_MINUTE];
      if (chatId.startsWith('-') && minute !== undefined) expect(at - minute).toBeGreaterThanOrEqual(60_000);
    }
  }
  for (const [n, { at }] of on.sent.entries()) {
    const before = on.sent[n - ALL_IN_A_SECOND];
    if (before) expect(at - before.at).toBeGreaterThanOrEqual(1_000);
  }
  const tookS = ((on.sent.at(-1)?.at ?? 0) - (on.sent[0]?.at ?? 0)) / 1_000;
  // At best a thirtieth of a second for each; the groups, last in the queue, need six minutes.
  expect(tookS).toBeLessThan(MESSAGES / 30 + 6 * 60 + 60);
}, 240_000);

test('an hour without Telegram loses nothing and asks it seldom', async () => {
  const from = stage().now().getTime();
  let asked = 0;
  const on = stage(({ at }) => {
    asked += 1;
    return at < from + 3_600_000 ? { is: 'away' } : SENT;
  });
  for (let n = 1; n <= 40; n += 1) await on.queue(n, 'hello');
  while (on.now().getTime() < from + 3_600_000 + 400_000) {
    await on.run();
    await on.pass(10_000);
  }
  expect(on.sent).toHaveLength(40);
  expect(asked).toBeLessThan(1_000);
  expect(on.outcomes).toEqual(Array(40).fill('sent'));
});

test('what a process died over is not sent a second time, and counts as failed', async () => {
  const on = stage();
  await on.queue(1, 'on its way');
  await on.queue(1, 'after it');
  await server.sql`update bot_messages set state = 'sending' where text = 'on its way'`;
  await on.run();
  expect(on.sent.map(({ text }) => text)).toEqual(['after it']);
  expect(on.outcomes).toEqual(['failed', 'sent']);
});

test('a group that became a supergroup is followed, and what waited for it goes there', async () => {
  const on = stage(({ chatId }) => (chatId === '-5' ? { is: 'moved', to: '-1005' } : SENT));
  await on.queue(-5, 'one');
  await on.queue(-5, 'two');
  await on.run();
  expect(on.sent.map(({ chatId, text }) => `${chatId} ${text}`)).toEqual(['-1005 one', '-1005 two']);
});

test('a message is withdrawn and changed with what it is about, sent or not', async () => {
  const on = stage();
  await on.queue(1, 'sent', { subjectId: ID });
  await on.run();
  await on.queue(2, 'waiting', { subjectId: ID });
  await withdrawMessages(server.sql, ID, on.now());
  await on.run();
  expect(on.done).toEqual(['delete 1 7']);
  expect(on.sent).toHaveLength(1);
  const states = await server.sql`select state, change_state from bot_messages order by id`;
  expect(states.map(({ state, change_state }) => [state, change_state])).toEqual([
    ['withdrawn', null],
    ['withdrawn', null],
  ]);
});

test('an earlier decision says that there is a newer one', async () => {
  const { userId } = await server.person();
  const on = stage();
  const given = { chatId: 3, userId, origin: 'a', subjectId: ID, text: 'Approved.', now: on.now() };
  await queueMessage(server.sql, given);
  await on.run();
  for (let twice = 0; twice < 2; twice += 1) {
    await outdateMessages(server.sql, { subjectId: ID, userId, note: '(Newer.)', now: on.now() });
    await on.run();
  }
  expect(on.done).toEqual(['edit 3 7 (Newer.)\n\nApproved.']);
});

test('what is too late is not sent, and the same is queued once', async () => {
  const on = stage();
  await on.queue(1, 'late', { expiresAt: on.now() });
  await on.queue(2, 'once');
  await on.queue(2, 'once');
  await on.pass(1);
  await on.run();
  expect(on.sent.map(({ text }) => text)).toEqual(['once']);
  expect(on.outcomes.sort()).toEqual(['failed', 'sent']);
});
