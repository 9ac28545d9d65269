import { expect, test } from 'vitest';
import type { Evidence } from '../../server/contract/claims.ts';
import type { TaskSetup } from '../../server/contract/tasks.ts';
import { setBoardState } from '../../server/features/boards/state.ts';
import { lockCommunity } from '../../server/features/ledger/lock.ts';
import { changeTask } from '../../server/features/tasks/tasks.ts';
import { addWebhook, removeWebhook } from '../../server/features/webhooks/webhooks.ts';
import { createTestDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { ofFile } from '../support/of-file.ts';

const db = await ofFile(createTestDatabase());
const on = stage(db.sql);

const NOON = new Date('2026-11-21T12:00:00Z');
const inLine = (count = 1) => untilLockWaits(db.sql, count);

test('a claim that meets one written without its lock is told to come again, and leaves nothing', async () => {
  const place = await on.community();
  const task = await on.task(place);
  const member = await on.member(place.id);
  let met: Promise<unknown> = Promise.resolve();
  await db.sql.begin(async (tx) => {
    await tx`
      insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day)
      values (${place.id}, ${task}, ${member}, 'once', 'submitted', 5, ${NOON}, '2026-11-21')`;
    met = on.claim(place, task, member, { now: NOON }).catch((error: unknown) => error);
    await inLine();
  });
  expect(await met).toMatchObject({ status: 503, reason: 'TRY_AGAIN' });
  const left = await db.sql`
    select id::text from claims where task_id = ${task} and state = 'approved'
    union all select id::text from point_events where task_id = ${task}
    union all select code from badges where user_id = ${member}`;
  expect(left).toHaveLength(0);
});

test('who claims a task, who changes it and who holds the community’s lock never wait in a circle', async () => {
  const place = await on.community();
  const task = await on.task(place);
  const member = await on.member(place.id);
  const editor = { communityId: place.id, userId: place.leader, taskId: task, now: NOON };
  let all: Promise<unknown> = Promise.resolve();
  await db.sql.begin(async (tx) => {
    await lockCommunity(tx, place.id);
    const claimed = on.claim(place, task, member, { now: NOON });
    await inLine();
    const changed = db.sql.begin((other) => changeTask(other, editor, { title: 'Another title' }));
    all = Promise.all([claimed, changed]);
    await inLine(2);
    // As who joins: the community's row after its turn.
    await setBoardState(tx, { communityId: place.id, userId: place.leader, state: 'hidden', now: NOON });
  });
  expect(await all).toMatchObject([{ state: 'approved' }, { title: 'Another title' }]);
});

test('a claim is counted while a webhook that would be told of it is removed', async () => {
  const place = await on.community();
  const by = { communityId: place.id, userId: place.leader, now: NOON };
  const [task, member] = [await on.task(place), await on.member(place.id)];
  const wanted = { url: 'https://example.org/hook', events: ['claim.submitted', 'claim.decided'] } as const;
  const webhook = await db.sql.begin((tx) => addWebhook(tx, by, wanted));
  let claimed: Promise<unknown> = Promise.resolve();
  await db.sql.begin(async (tx) => {
    await removeWebhook(tx, by, webhook.id);
    claimed = on.claim(place, task, member, { now: NOON });
    await inLine();
  });
  expect(await claimed).toMatchObject({ state: 'approved' });
  expect(await db.sql`select from webhook_deliveries where webhook_id = ${webhook.id}`).toHaveLength(0);
});

test.each([
  ['the day of the act', '2026-11-20T08:00:00Z', '2026-11-20'],
  ['today, of an act that nobody believes', '2026-11-10T08:00:00Z', '2026-11-21'],
])('a claim that is there already is found by %s', async (_, actedAt, period) => {
  const place = await on.community();
  const task = await on.task(place, { recurrence: 'daily' });
  const member = await on.member(place.id);
  const claim = await on.claim(place, task, member, { actedAt, now: NOON });
  expect(claim.period).toBe(period);
  const again = on.claim(place, task, member, { actedAt, now: NOON });
  await expect(again).rejects.toMatchObject({ reason: 'ALREADY_CLAIMED', details: { claim } });
  const other = period === '2026-11-21' ? { actedAt: '2026-11-20T08:00:00Z' } : {};
  expect(await on.claim(place, task, member, { ...other, now: NOON })).toMatchObject({ state: 'approved' });
});

const at = 'https://example.org';
test.each<[string, TaskSetup, Evidence, Evidence, Evidence]>([
  [
    'text',
    { kind: 'submit_text' },
    { kind: 'submit_text', text: 'two\r\nlines' },
    { kind: 'submit_text', text: 'two\nlines' },
    { kind: 'submit_text', text: 'from the other tab' },
  ],
  [
    'link',
    { kind: 'submit_url', hosts: [] },
    { kind: 'submit_url', url: `${at}#map` },
    { kind: 'submit_url', url: `${at}/` },
    { kind: 'submit_url', url: `${at}/2` },
  ],
  [
    'note',
    { kind: 'submit_url', hosts: [] },
    { kind: 'submit_url', url: at },
    { kind: 'submit_url', url: at },
    { kind: 'submit_url', url: at, note: 'It says 14.' },
  ],
  [
    'vote',
    { kind: 'poll', multiple: true, choices: ['a', 'b', 'c'].map((id) => ({ id, text: id })) },
    { kind: 'poll', optionIds: ['a', 'b'] },
    { kind: 'poll', optionIds: ['b', 'a'] },
    { kind: 'poll', optionIds: ['a', 'c'] },
  ],
])('a second claim is told whether it says something else than the one that stands: %s', async (...given) => {
  const [, setup, evidence, same, other] = given;
  const place = await on.community();
  const task = await on.task(place, { setup });
  const member = await on.member(place.id);
  await on.claim(place, task, member, { evidence, now: NOON });
  const again = (evidence: Evidence) => on.claim(place, task, member, { evidence, now: NOON });
  await expect(again(same)).rejects.toMatchObject({ reason: 'ALREADY_CLAIMED', details: { differs: false } });
  await expect(again(other)).rejects.toMatchObject({ reason: 'ALREADY_CLAIMED', details: { differs: true } });
});
