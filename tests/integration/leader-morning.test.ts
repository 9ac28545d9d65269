/** What a leader finds in the morning, and what they arrange for it: of what waits, how old it is; replies; the order of tasks. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Morning } from '../../server/contract/morning.ts';
import { countQueued } from '../../server/features/analytics/counts.ts';
import { readRecord } from '../../server/features/claims/record.ts';
import { readReplies, writeReplies } from '../../server/features/claims/replies.ts';
import { readQueue } from '../../server/features/claims/review.ts';
import { readTasks } from '../../server/features/claims/task-with-claim.ts';
import { readWaitingByTask } from '../../server/features/claims/waiting.ts';
import { readMorning } from '../../server/features/community-pages/morning.ts';
import { listTasks } from '../../server/features/tasks/read.ts';
import { orderTasks } from '../../server/features/tasks/tasks.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusal } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';
import { openReviewStage, type ReviewStage } from '../support/review-stage.ts';
import { DAY, later, MINUTE, NOON } from '../support/task-stage.ts';

let { on, place, member, task, complain, reject } = {} as ReviewStage;
const db = await ofFile(createTestDatabase());

beforeEach(async () => {
  ({ on, place, member, task, complain, reject } = await openReviewStage(db.sql));
});

const HOUR = 60 * MINUTE;
const send = (by: string, at: number, of = task) => on.claim(place, of, by, { text: `Words of ${by}`, now: later(at) });
const morning = async (userId = place.leader): Promise<Morning> => {
  await countQueued(db);
  return db.sql.begin((tx) => readMorning(tx, { communityId: place.id, userId, now: NOON }));
};
const acts = async () =>
  (
    await db.sql<{ action: string }[]>`select action from audit_entries where community_id = ${place.id} order by id`
  ).map(({ action }) => action);

describe('the morning', () => {
  it('says what waits, since when and whose it is, appeals apart; nothing of the asker’s own', async () => {
    expect(await morning()).toMatchObject({ waiting: 0, oldestAt: null, tasks: [], appeals: { count: 0, items: [] } });
    const other = await on.task(place, { kind: 'submit_text' });
    const [ana, ben] = [await on.member(place.id, 'Ana'), await on.member(place.id, 'Ben')];
    const refused = await send(member, -5 * HOUR);
    await reject(refused.id);
    await complain(refused.id, later(-4 * HOUR));
    await send(ben, -2 * HOUR);
    await send(ana, -3 * HOUR);
    await send(ana, -1 * HOUR, other);
    await send(place.moderator, -30 * MINUTE, other);
    const found = await morning();
    expect(found).toMatchObject({ waiting: 5, oldestAt: later(-4 * HOUR).toISOString() });
    expect(found.appeals).toMatchObject({
      count: 1,
      oldestAt: later(-4 * HOUR).toISOString(),
      items: [{ claimId: refused.id, text: 'It was there, look again.' }],
    });
    expect(found.tasks.map(({ taskId, count, names, oldestAt }) => [taskId, count, names, oldestAt])).toEqual([
      [task, 2, ['Ana', 'Ben'], later(-3 * HOUR).toISOString()],
      [other, 2, ['Ana', expect.any(String)], later(-1 * HOUR).toISOString()],
    ]);
    // Who turned it down does not hear the appeal.
    expect(await morning(place.moderator)).toMatchObject({ waiting: 3, appeals: { count: 0 } });
  });

  it('counts who was active, day by day, beside the week before', async () => {
    const daily = await on.task(place, { recurrence: 'daily' });
    const [ana, ben] = [await on.member(place.id), await on.member(place.id)];
    for (const [by, days] of [
      [ana, 0],
      [ana, 1],
      [ben, 1],
      [ben, 8],
      [member, 9],
      [member, 30],
    ] as const)
      await on.claim(place, daily, by, { now: later(-days * DAY) });
    const { activity } = await morning();
    expect(activity).toMatchObject({ members: 5, active: 2, before: 2 });
    expect(activity.days.map(({ people }) => people)).toEqual([0, 0, 0, 0, 0, 2, 1]);
    expect(activity.days.at(-1)?.day).toBe('2026-11-21');
  });

  it('names the streaks that end today, and the answer that keeps one', async () => {
    const daily = await on.task(place, { recurrence: 'daily' });
    const [ends, kept, held, safe] = await Promise.all(
      ['Mira', 'Tom', 'Sanne', 'Piet'].map((name) => on.member(place.id, name)),
    );
    const did = async (by = '', days: number[] = []) => {
      for (const day of days) await on.claim(place, daily, by, { now: later(-day * DAY) });
    };
    // A missed day took the repair: nothing is left to hold the run.
    await did(ends, [5, 4, 2, 1]);
    await did(kept, [4, 3, 1]);
    await did(held, [3, 2, 1]);
    await did(safe, [5, 4, 2, 1, 0]);
    await send(kept ?? '', -HOUR);
    const { streaks } = await morning();
    const [asked] = await db.sql<{ title: string }[]>`select title from tasks where id = ${task}`;
    expect(streaks).toEqual({
      count: 2,
      items: [
        { userId: ends, displayName: 'Mira', days: 4, keptBy: null },
        { userId: kept, displayName: 'Tom', days: 3, keptBy: asked?.title },
      ],
    });
  });
});

it('the queue is narrowed to a task, a kind, appeals or a name, and says how much waits of each task', async () => {
  const note = await on.task(place, { setup: { kind: 'submit_url', hosts: [] } });
  const [ana, ben] = [await on.member(place.id, 'Ana María'), await on.member(place.id, 'Ben')];
  const refused = await send(member, -5 * HOUR);
  await reject(refused.id);
  await complain(refused.id, later(-4 * HOUR));
  const first = await send(ana, -3 * HOUR);
  const second = await send(ben, -2 * HOUR);
  const third = await on.claim(place, note, ana, {
    evidence: { kind: 'submit_url', url: 'https://example.org/a' },
    now: later(-HOUR),
  });
  const asked = { communityId: place.id, reviewerId: place.leader, now: NOON };
  const ids = async (narrowed: object) =>
    (await readQueue(db.sql, { ...asked, ...narrowed })).items.map(({ claim }) => claim.id);
  expect(await ids({})).toEqual([refused.id, first.id, second.id, third.id]);
  expect(await ids({ taskId: note })).toEqual([third.id]);
  expect(await ids({ kind: 'submit_text' })).toEqual([refused.id, first.id, second.id]);
  expect(await ids({ only: 'appeals' })).toEqual([refused.id]);
  expect(await ids({ search: 'MARÍA' })).toEqual([first.id, third.id]);
  expect(await ids({ search: 'maría', kind: 'submit_url' })).toEqual([third.id]);
  expect(await ids({ search: '%' })).toEqual([]);
  const byTask = await readWaitingByTask(db.sql, asked);
  expect(byTask.map(({ taskId, answers, appeals }) => [taskId, answers, appeals])).toEqual([
    [task, 2, 1],
    [note, 1, 0],
  ]);
});

it('a member’s record holds what people decided, the latest last; trust is for leaders', async () => {
  const daily = await on.task(place, { kind: 'submit_text', recurrence: 'daily' });
  const one = await send(member, -3 * DAY, daily);
  await on.approve(place, one.id, place.moderator, later(-2 * DAY));
  const two = await send(member, -DAY, daily);
  await reject(two.id);
  await send(member, 0, daily);
  const read = (userId: string, role: 'leader' | 'moderator') =>
    db.sql.begin((tx) => readRecord(tx, { communityId: place.id, userId, role, now: NOON }));
  const record = await read(member, 'moderator');
  expect(record).toMatchObject({ approved: 1, rejected: 1, appeals: 0, points: 5, trust: null });
  expect(record.last.map(({ claimId, state, reason }) => [claimId, state, reason])).toEqual([
    [one.id, 'approved', null],
    [two.id, 'rejected', 'Too short'],
  ]);
  expect((await read(member, 'leader')).trust?.score).toBeGreaterThan(0);
  for (const nobody of [randomUUID(), 'rubbish', await on.person()])
    expect(await refusal(read(nobody, 'leader'))).toMatchObject({ status: 404 });
});

it('saved replies are null until leaders write some, and each change is audited', async () => {
  expect(await readReplies(db.sql, place.id)).toBeNull();
  const by = { communityId: place.id, actorId: place.leader, now: NOON };
  const replies = { reject: ['Not on our route'], request_changes: ['Name the gate, please'] };
  await db.sql.begin((tx) => writeReplies(tx, by, replies));
  expect(await readReplies(db.sql, place.id)).toEqual(replies);
  await db.sql.begin((tx) => writeReplies(tx, by, { ...replies, reject: [] }));
  expect(await readReplies(db.sql, place.id)).toEqual({ ...replies, reject: [] });
  expect(await acts()).toEqual(['replies.changed', 'replies.changed']);
});

it('tasks stand where leaders put them, for leaders and members alike, and nothing is audited where nothing moved', async () => {
  const [two, three] = [await on.task(place, { at: later(-2 * DAY) }), await on.task(place, { at: later(-DAY) })];
  const foreign = await on.task(await on.community());
  const by = { communityId: place.id, actorId: place.leader, now: NOON };
  const lists = async () =>
    [
      (
        await listTasks(db.sql, {
          communityId: place.id,
          role: 'leader',
          now: NOON,
          after: undefined,
          status: undefined,
        })
      ).items,
      await readTasks(db.sql, { communityId: place.id, userId: member, timeZone: 'UTC', now: NOON }),
    ].map((items) => items.map(({ id }) => id));
  const order = (taskIds: string[]) => db.sql.begin((tx) => orderTasks(tx, by, taskIds));
  expect(await lists()).toEqual([
    [task, two, three],
    [task, two, three],
  ]);
  await order([three, foreign, task]);
  expect(await lists()).toEqual([
    [three, task, two],
    [three, task, two],
  ]);
  await order([three, foreign, task]);
  expect(await acts()).toEqual(['tasks.ordered']);
  const [other] = await db.sql<{ position: number | null }[]>`select position from tasks where id = ${foreign}`;
  expect(other?.position).toBeNull();
});
