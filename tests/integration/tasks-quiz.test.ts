import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../server/contract/claims.ts';
import { TRIES_PER_DAY } from '../../server/contract/limits.ts';
import { decideClaim } from '../../server/features/claims/decision.ts';
import { resubmit } from '../../server/features/claims/mine.ts';
import { readQueue } from '../../server/features/claims/review.ts';
import { readTask } from '../../server/features/claims/task-with-claim.ts';
import { readMemberDetail } from '../../server/features/members/members.ts';
import { listTasks } from '../../server/features/tasks/read.ts';
import { refusal } from '../support/engagement.ts';
import { DAY, later, MINUTE, NOON, openTaskStage, QUIZ } from '../support/task-stage.ts';

const { db, on, place, member, claim, awards } = await openTaskStage();

const answered = (given: Record<string, string[]>, startedAt = later(-10 * MINUTE)): Evidence => ({
  kind: 'quiz',
  startedAt: startedAt.toISOString(),
  answers: Object.entries(given).map(([questionId, optionIds]) => ({ questionId, optionIds })),
});
const RIGHT = { one: ['b'], two: ['b'], three: ['c', 'a'] };

describe('a quiz', () => {
  it('is graded by the server: all of a question’s right options and no other', async () => {
    const task = await on.task(place, { setup: QUIZ, points: 30 });
    const two = await claim(task, answered({ one: ['b'], two: ['b'], three: ['a'] }));
    expect(two).toMatchObject({
      state: 'approved',
      checks: [{ what: 'answers', ok: true, note: '2 of 3 right, 2 needed' }],
    });
    expect(await awards(task)).toEqual([{ points: 30 }]);
  });

  it.each([
    ['too few', { one: ['b'] }],
    ['every option', { one: ['a', 'b', 'c'], two: ['a', 'b', 'c'], three: ['a', 'b', 'c'] }],
    ['one of two right ones twice', { one: ['b'], three: ['a', 'a'] }],
    ['questions that are not there', { four: ['b'], five: ['b'] }],
    ['nothing', {}],
  ])('is not passed with %s, says how it went, and waits the cool-down', async (_, given) => {
    const task = await on.task(place, { setup: QUIZ, caps: { coolDownMinutes: 30 } });
    const failed = await claim(task, answered(given as Record<string, string[]>));
    expect(failed).toMatchObject({ state: 'rejected', decidedBy: null, retryAt: later(30 * MINUTE).toISOString() });
    expect(failed.reason).toMatch(/^\d of 3 right, 2 needed$/);
    expect(await refusal(claim(task, answered(RIGHT), { now: later(29 * MINUTE) }))).toMatchObject({
      status: 409,
      reason: 'COOLING_DOWN',
      details: { retryAt: later(30 * MINUTE).toISOString() },
    });
    expect(await claim(task, answered(RIGHT), { now: later(30 * MINUTE) })).toMatchObject({ state: 'approved' });
    expect(await awards(task)).toHaveLength(1);
  });

  it('that was not passed is nobody’s refusal: it is in no record, and moves no trust', async () => {
    const task = await on.task(place, { setup: QUIZ, recurrence: 'daily' });
    const by = await on.member(place.id);
    const record = async (now: Date) => {
      const { approved, rejected, trust } = await db.sql.begin((tx) => readMemberDetail(tx, place.id, by, now));
      return { approved, rejected, trust };
    };
    const end = later(60 * MINUTE);
    const before = await record(end);
    for (let time = 0; time < 20; time += 1)
      expect(await claim(task, answered({}), { by, now: later(2 * time * MINUTE) })).toMatchObject({
        state: 'rejected',
      });
    expect(await record(end)).toEqual(before);
    const asked = { communityId: place.id, reviewerId: place.leader, role: 'leader' as const, now: end };
    const { items } = await readQueue(db.sql, { ...asked, taskId: task, state: 'rejected' });
    expect(items[0]?.member).toMatchObject({ approved: 0, rejected: 0 });
    const listing = { role: 'leader', after: undefined, status: undefined } as const;
    const listed = await listTasks(db.sql, { ...listing, communityId: place.id, now: end });
    expect(listed.items.find(({ id }) => id === task)?.claims).toEqual({ waiting: 0, approved: 0, rejected: 0 });
    // A person's word is one.
    await on.reject(
      place,
      (await claim(task, answered(RIGHT, later(60 * MINUTE)), { by, now: end })).id,
      place.moderator,
      end,
    );
    expect(await record(end)).toMatchObject({ rejected: 1 });
  });

  it.each([0, 1])(
    'waits a minute at least, and has so many tries a day, where its leader chose %i',
    async (coolDownMinutes) => {
      const task = await on.task(place, { setup: QUIZ, caps: { coolDownMinutes } });
      let at = 0;
      for (let time = 1; time < TRIES_PER_DAY; time += 1) {
        expect(await claim(task, answered({}), { now: later(at) })).toMatchObject({
          retryAt: later(at + MINUTE).toISOString(),
        });
        expect(await refusal(claim(task, answered({}), { now: later(at + MINUTE - 1) }))).toMatchObject({
          reason: 'COOLING_DOWN',
        });
        at += MINUTE;
      }
      // The last of the day waits until the first of them is a day ago, for who knows the answers by now, too.
      expect(await claim(task, answered({}), { now: later(at) })).toMatchObject({ retryAt: later(DAY).toISOString() });
      expect(await refusal(claim(task, answered(RIGHT), { now: later(DAY - 1) }))).toMatchObject({
        reason: 'COOLING_DOWN',
      });
      expect(await claim(task, answered(RIGHT), { now: later(DAY) })).toMatchObject({ state: 'approved' });
      const rows = await db.sql`select from claims where task_id = ${task}`;
      expect(rows).toHaveLength(TRIES_PER_DAY + 1);
    },
  );

  it('has no more tries because a device says they were long ago', async () => {
    const task = await on.task(place, { setup: QUIZ, recurrence: 'daily', caps: { coolDownMinutes: 60 } });
    await claim(task, answered({}), { actedAt: later(-40 * 60 * MINUTE).toISOString() });
    expect(
      await refusal(claim(task, answered(RIGHT), { actedAt: later(-10 * 60 * MINUTE).toISOString() })),
    ).toMatchObject({ reason: 'COOLING_DOWN' });
  });

  it('leaves one failed try of twenty at the same moment', async () => {
    const task = await on.task(place, { setup: QUIZ, caps: { coolDownMinutes: 5 } });
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => claim(task, answered({}))));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('answered faster than people read goes to a reviewer', async () => {
    const task = await on.task(place, { setup: QUIZ });
    const fast = await claim(task, answered(RIGHT, later(-4_000)));
    expect(fast).toMatchObject({
      state: 'checking',
      checks: [
        { what: 'answers', ok: true },
        { what: 'pace', ok: false },
      ],
    });
    expect(await awards(task)).toEqual([]);
    await on.approve(place, fast.id);
    expect(await awards(task)).toHaveLength(1);
    const sentBack = await on.task(place, { setup: QUIZ });
    const { id } = await claim(sentBack, answered(RIGHT, later(-4_000)));
    await db.sql.begin(async (tx) => {
      const asked = { communityId: place.id, claimId: id, now: NOON };
      await decideClaim(
        tx,
        { ...asked, reviewerId: place.moderator },
        { decision: 'request_changes', reason: 'Slower', version: 1 },
      );
      // Who asked for it looks at it, however right it is.
      const again = await resubmit(tx, { ...asked, userId: member }, { evidence: answered(RIGHT) });
      expect(again).toMatchObject({ state: 'submitted', decidedAt: null });
    });
    expect(await awards(sentBack)).toEqual([]);
    const future = await on.task(place, { setup: QUIZ });
    expect(await claim(future, answered(RIGHT, later(DAY)))).toMatchObject({ state: 'checking' });
  });

  it('is not called fast because the device’s clock is ahead, or was put right meanwhile', async () => {
    const ahead = { ...answered(RIGHT, later(DAY)), tookMs: 5_000 } as Evidence;
    const first = await on.task(place, { setup: QUIZ });
    expect(await claim(first, ahead)).toMatchObject({ state: 'approved', checks: [{ what: 'answers' }] });
    const again = await on.task(place, { setup: QUIZ });
    expect(await claim(again, ahead, { actedAt: NOON.toISOString() })).toMatchObject({ state: 'approved' });
    const fast = await on.task(place, { setup: QUIZ });
    expect(await claim(fast, { ...ahead, tookMs: 4_000 } as Evidence)).toMatchObject({ state: 'checking' });
  });

  it('comes in an order of each member’s own, without its answers', async () => {
    const task = await on.task(place, { setup: QUIZ });
    const ask = async (userId: string) =>
      (await readTask(db.sql, { communityId: place.id, userId, timeZone: 'UTC', role: 'member', now: NOON }, task)).ask;
    const orders = new Set<string>();
    for (let count = 0; count < 12; count += 1) orders.add(JSON.stringify(await ask(await on.member(place.id))));
    expect(orders.size).toBeGreaterThan(3);
    const mine = await ask(member);
    expect(mine).toEqual(await ask(member));
    expect(JSON.stringify(mine)).not.toContain('correct');
    expect(mine).toMatchObject({ kind: 'quiz', passPercent: 60 });
    if (mine.kind === 'quiz') {
      expect(mine.questions.map(({ id, multiple }) => [id, multiple]).sort()).toEqual([
        ['one', false],
        ['three', true],
        ['two', false],
      ]);
    }
  });
});
