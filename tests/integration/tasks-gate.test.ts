import { describe, expect, it } from 'vitest';
import type { Conditions } from '../../server/contract/tasks.ts';
import { claimTask } from '../../server/features/claims/claim.ts';
import { previewTask, readTask } from '../../server/features/claims/task-with-claim.ts';
import { mismatches, refusal } from '../support/engagement.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { DAY, later, MINUTE, NOON, openTaskStage } from '../support/task-stage.ts';

const { db, on, place, member, claim, awards } = await openTaskStage();

describe('a gate', () => {
  const gate = async (task: string, userId = member, now = NOON) =>
    (await readTask(db.sql, { communityId: place.id, userId, timeZone: 'UTC', role: 'member', now }, task)).gate;

  it('keeps to opening and closing, by the time of an act that is believed', async () => {
    const task = await on.task(place, {
      schedule: { opensAt: later(-60 * MINUTE).toISOString(), closesAt: later(60 * MINUTE).toISOString() },
      recurrence: 'daily',
    });
    expect(await refusal(claim(task, undefined, { now: later(-61 * MINUTE) }))).toMatchObject({
      status: 409,
      reason: 'NOT_OPEN_YET',
      details: { opensAt: later(-60 * MINUTE).toISOString() },
    });
    expect(await refusal(claim(task, undefined, { now: later(60 * MINUTE) }))).toMatchObject({ reason: 'TASK_CLOSED' });
    const late = { now: later(47 * 60 * MINUTE), actedAt: NOON.toISOString() };
    expect(
      await refusal(claim(task, undefined, { ...late, actedAt: later(-62 * MINUTE).toISOString() })),
    ).toMatchObject({ reason: 'TASK_CLOSED' });
    expect(await claim(task, undefined, late)).toMatchObject({ state: 'approved', period: '2026-11-21' });
    expect(
      await refusal(claim(task, undefined, { now: later(50 * 60 * MINUTE), actedAt: NOON.toISOString() })),
    ).toMatchObject({ reason: 'TASK_CLOSED' });
  });

  it.each([
    ['opens', { opensAt: later(-2 * MINUTE).toISOString() }],
    ['has its hours', { window: { days: [6], from: '11:58', until: '13:00' } }],
  ])('lets in who comes right after it %s with a clock that is slow, once', async (_, schedule) => {
    const task = await on.task(place, { schedule, recurrence: 'daily' });
    const slow = { actedAt: later(-5 * MINUTE).toISOString() };
    expect(await claim(task, undefined, slow)).toMatchObject({ state: 'approved', period: '2026-11-21' });
    expect(await refusal(claim(task, undefined, slow))).toMatchObject({ reason: 'ALREADY_CLAIMED' });
    const yesterday = { actedAt: later(-DAY - 5 * MINUTE).toISOString() };
    expect(await refusal(claim(task, undefined, yesterday))).toMatchObject({ reason: 'ALREADY_CLAIMED' });
    expect(await awards(task)).toHaveLength(1);
    const early = on.claim(place, task, await on.member(place.id), { ...slow, now: later(-3 * MINUTE) });
    expect(await refusal(early)).toMatchObject({ reason: 'NOT_OPEN_YET' });
  });

  it('keeps to the hours of the member’s own clock', async () => {
    const task = await on.task(place, { schedule: { window: { days: [6], from: '09:00', until: '13:00' } } });
    expect(await gate(task)).toMatchObject({ open: true });
    const eastern = { timeZone: 'Asia/Tokyo' };
    expect(await refusal(claim(task, undefined, eastern))).toMatchObject({
      reason: 'NOT_OPEN_YET',
      details: { opensAt: '2026-11-28T00:00:00.000Z' },
    });
    expect(await claim(task)).toMatchObject({ state: 'approved' });
  });

  it('opens when its conditions are met, all or any, in two levels, and shows the path', async () => {
    const first = await on.task(place, { points: 200 });
    const conditions: Conditions = {
      match: 'all',
      of: [
        { is: 'task', taskId: first },
        {
          match: 'any',
          of: [
            { is: 'role', role: 'moderator' },
            { is: 'level', atLeast: 1 },
            { is: 'points', atLeast: 10_000 },
          ],
        },
        { is: 'date', from: later(-DAY).toISOString(), until: null },
      ],
    };
    const task = await on.task(place, { conditions });
    const newcomer = await on.member(place.id);
    const before = await gate(task, newcomer);
    expect(before).toMatchObject({ open: false, reason: 'conditions' });
    expect(before.path.map(({ condition, met }) => [condition.is, met])).toEqual([
      ['task', false],
      ['role', false],
      ['level', false],
      ['points', false],
      ['date', true],
    ]);
    expect(before.path[0]?.title).toMatch(/^Task/);
    expect(await refusal(claim(task, undefined, { by: newcomer }))).toMatchObject({
      status: 409,
      reason: 'CONDITIONS_NOT_MET',
      details: { path: before.path },
    });
    await claim(first, undefined, { by: newcomer });
    expect(await gate(task, newcomer)).toMatchObject({ open: true, reason: null });
    expect(await claim(task, undefined, { by: newcomer })).toMatchObject({ state: 'approved' });
    expect(await refusal(claim(task, undefined, { by: place.moderator }))).toMatchObject({
      reason: 'CONDITIONS_NOT_MET',
    });
  });

  it('does not ask for a task that is over of who has not done it', async () => {
    const [first, second] = [await on.task(place), await on.task(place)];
    const asks = (match: 'all' | 'any', ...taskIds: string[]) =>
      on.task(place, {
        conditions: { match, of: taskIds.map((taskId) => ({ is: 'task', taskId })) },
        recurrence: 'daily',
      });
    const [one, both, either] = [
      await asks('all', first),
      await asks('all', first, second),
      await asks('any', first, second),
    ];
    const doer = await on.member(place.id);
    await claim(first, undefined, { by: doer });
    expect(await gate(one)).toMatchObject({ open: false, reason: 'conditions' });
    const opens = async (now?: Date) => {
      expect(await gate(one, member, now)).toMatchObject({ open: true, reason: null, path: [] });
      // What can still be done is still asked for.
      for (const task of [both, either]) {
        const shut = await gate(task, member, now);
        expect(shut).toMatchObject({ open: false, reason: 'conditions' });
        expect(shut.path.map(({ condition, met }) => [condition, met])).toEqual([
          [{ is: 'task', taskId: second }, false],
        ]);
      }
      expect(await refusal(claim(either, undefined, now ? { now } : {}))).toMatchObject({
        reason: 'CONDITIONS_NOT_MET',
        details: { path: [{ met: false }] },
      });
      expect(await claim(one, undefined, now ? { now } : {})).toMatchObject({ state: 'approved' });
      expect((await gate(either, doer, now)).path.map(({ met }) => met)).toEqual([true, false]);
      expect(await gate(either, doer, now)).toMatchObject({ open: true });
    };
    await db.sql`update tasks set closes_at = ${later(DAY)} where id = ${first}`;
    expect(await gate(one, member, later(DAY - 1))).toMatchObject({ open: false });
    await opens(later(DAY));
    await db.sql`update tasks set status = 'archived', closes_at = null where id = ${first}`;
    await opens();
    const preview = { communityId: place.id, userId: place.leader, timeZone: 'UTC', now: NOON };
    expect((await previewTask(db.sql, preview, one)).gate).toMatchObject({ open: true, path: [] });
    await db.sql`update tasks set status = 'archived' where id = ${second}`;
    for (const task of [both, either]) expect(await gate(task)).toMatchObject({ open: true, path: [] });
  });

  it('does not ask for an event that is over, nor for a task whose dates have gone by, though neither was closed', async () => {
    const [startsAt, endsAt] = [later(-DAY).toISOString(), NOON.toISOString()];
    const until = (moment: string) => ({ is: 'date', from: null, until: moment }) as const;
    const event = await on.task(place, { setup: { kind: 'telegram_event', place: '', startsAt, endsAt } });
    const dated = await on.task(place, { conditions: { match: 'all', of: [until(endsAt)] } });
    const either = await on.task(place, {
      conditions: { match: 'any', of: [until(endsAt), { match: 'all', of: [until(later(DAY).toISOString())] }] },
    });
    const behind = (taskId: string) => on.task(place, { conditions: { match: 'all', of: [{ is: 'task', taskId }] } });
    // A code of the last minute is taken until the next one is over.
    for (const [task, open] of [
      [event, later(MINUTE)],
      [dated, NOON],
      [either, later(DAY)],
    ] as const) {
      const next = await behind(task);
      const before = new Date(open.getTime() - 1);
      expect(await gate(next, member, before)).toMatchObject({
        open: false,
        reason: 'conditions',
        path: [{ met: false }],
      });
      expect(await gate(next, member, open)).toMatchObject({ open: true, reason: null, path: [] });
      expect(await claim(next, undefined, { now: open })).toMatchObject({ state: 'approved' });
    }
  });

  it('holds to the dates of its conditions, from the first moment to before the last', async () => {
    const [from, until] = [NOON.toISOString(), later(MINUTE).toISOString()];
    const task = await on.task(place, { conditions: { match: 'all', of: [{ is: 'date', from, until }] } });
    for (const [ms, open] of [
      [-1, false],
      [0, true],
      [MINUTE - 1, true],
      [MINUTE, false],
    ] as const)
      expect(await gate(task, member, later(ms)), `${ms}`).toMatchObject({ open });
  });

  it('is one, however the task’s id is written', async () => {
    const task = await on.task(place, { recurrence: 'daily', caps: { member: 1 } });
    let second: Promise<unknown> | undefined;
    await db.sql.begin(async (tx) => {
      const asked = { communityId: place.id, taskId: task, userId: member, timeZone: 'UTC', now: NOON };
      await claimTask(tx, asked, { actedAt: later(-DAY).toISOString() });
      second = refusal(claim(task.toUpperCase()));
      await untilLockWaits(db.sql, 1);
    });
    expect(await second).toMatchObject({ reason: 'CAP_REACHED', details: { cap: 'member' } });
  });

  it('closes when a member did it as often as it counts, rejected tries aside', async () => {
    const task = await on.task(place, { kind: 'submit_text', recurrence: 'daily', caps: { member: 1 } });
    const one = await claim(task, { kind: 'submit_text', text: 'one' });
    expect(await refusal(claim(task, { kind: 'submit_text', text: 'two' }, { now: later(DAY) }))).toMatchObject({
      status: 409,
      reason: 'CAP_REACHED',
      details: { cap: 'member' },
    });
    await on.reject(place, one.id, place.moderator, NOON);
    await claim(task, { kind: 'submit_text', text: 'two' }, { now: later(DAY) });
    expect(await gate(task, member, later(2 * DAY))).toMatchObject({ reason: 'member_cap' });
  });

  it('lets in as many as there are places, however many knock at once', async () => {
    const task = await on.task(place, { caps: { total: 3 } });
    const many = await Promise.all(Array.from({ length: 12 }, () => on.member(place.id)));
    const results = await Promise.allSettled(many.map((by) => claim(task, undefined, { by })));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(3);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ reason: 'CAP_REACHED', details: { cap: 'total' } });
    }
    expect(await gate(task)).toMatchObject({ open: false, reason: 'cap' });
    expect(await awards(task)).toHaveLength(3);
    expect(await mismatches(db.sql, place.id)).toEqual([]);
  });

  it('is shut for leaders, and a draft is nothing to members', async () => {
    const task = await on.task(place);
    expect(await gate(task, place.leader)).toMatchObject({ open: false, reason: 'leader' });
    await db.sql`update tasks set status = 'draft' where id = ${task}`;
    expect(await refusal(gate(task))).toMatchObject({ status: 404 });
    expect(await refusal(claim(task))).toMatchObject({ status: 404 });
    const preview = await previewTask(
      db.sql,
      { communityId: place.id, userId: place.leader, timeZone: 'UTC', now: NOON },
      task,
    );
    expect(preview.gate).toMatchObject({ open: true });
  });
});
