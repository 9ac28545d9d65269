import { describe, expect, it } from 'vitest';
import type { TaskSetup } from '../../server/contract/tasks.ts';
import { startSeason } from '../../server/features/seasons/seasons.ts';
import { listTasks } from '../../server/features/tasks/read.ts';
import { changeTask, copyTask, createTask } from '../../server/features/tasks/tasks.ts';
import { refusal } from '../support/engagement.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { DAY, later, NOON, openTaskStage, QUIZ } from '../support/task-stage.ts';

const { db, on, place, claim, awards } = await openTaskStage();

describe('the editor', () => {
  const NEW = { title: 'Say hello', instructions: '', points: 5, recurrence: 'once' } as const;
  const editor = () => ({ communityId: place.id, userId: place.leader, now: NOON });
  const create = (setup: TaskSetup, more: object = {}) =>
    db.sql.begin((tx) => createTask(tx, editor(), { setup, ...NEW, ...more }));
  const change = (taskId: string, input: object) =>
    db.sql.begin((tx) => changeTask(tx, { ...editor(), taskId }, input));

  it.each<[string, TaskSetup, number, string]>([
    [
      'a quiz whose answer is no option',
      { ...QUIZ, questions: [{ ...QUIZ.questions[0]!, correct: ['z'] }] },
      400,
      'INVALID_INPUT',
    ],
    [
      'a quiz with two questions of one id',
      { ...QUIZ, questions: [QUIZ.questions[0]!, QUIZ.questions[0]!] },
      400,
      'INVALID_INPUT',
    ],
    [
      'a poll with two choices of one id',
      {
        kind: 'poll',
        multiple: false,
        choices: [
          { id: 'a', text: 'A' },
          { id: 'a', text: 'B' },
        ],
      },
      400,
      'INVALID_INPUT',
    ],
    ['a link that is code', { kind: 'visit_link', url: 'javascript:alert(1)' }, 422, 'URL_NOT_ALLOWED'],
    ['a host that is none', { kind: 'submit_url', hosts: ['https://example.org/'] }, 400, 'INVALID_INPUT'],
    [
      'an event that ends before it begins',
      { kind: 'telegram_event', place: '', startsAt: '2026-12-02T00:00:00Z', endsAt: '2026-12-01T00:00:00Z' },
      400,
      'INVALID_INPUT',
    ],
    [
      'an event in the far future',
      { kind: 'telegram_event', place: '', startsAt: '9998-12-02T00:00:00Z', endsAt: '9999-12-01T00:00:00Z' },
      422,
      'DATE_OUT_OF_RANGE',
    ],
    [
      'an event in the far past',
      { kind: 'telegram_event', place: '', startsAt: '0001-01-01T00:00:00Z', endsAt: '0002-01-01T00:00:00Z' },
      422,
      'DATE_OUT_OF_RANGE',
    ],
  ])('refuses %s', async (_, setup, status, reason) => {
    expect(await refusal(create(setup))).toMatchObject({ status, reason });
  });

  it('refuses far dates and conditions that nobody could meet', async () => {
    const checkIn = { kind: 'check_in' } as const;
    const window = null;
    for (const [schedule, reason] of [
      [{ opensAt: '9999-12-31T23:59:59Z', closesAt: null, window }, 'DATE_OUT_OF_RANGE'],
      [{ opensAt: null, closesAt: '1970-01-01T00:00:00Z', window }, 'DATE_OUT_OF_RANGE'],
      [{ opensAt: later(DAY).toISOString(), closesAt: NOON.toISOString(), window }, 'INVALID_INPUT'],
    ] as const) {
      expect(await refusal(create(checkIn, { schedule }))).toMatchObject({ reason });
    }
    const needs = (taskId: string) => ({ match: 'all', of: [{ is: 'task', taskId }] });
    const elsewhere = await on.task(await on.community());
    expect(await refusal(create(checkIn, { conditions: needs(elsewhere) }))).toMatchObject({
      status: 422,
      reason: 'CONDITION_UNKNOWN_TASK',
    });
    const date = { is: 'date', from: '0001-01-01T00:00:00Z', until: null };
    expect(await refusal(create(checkIn, { conditions: { match: 'all', of: [date] } }))).toMatchObject({
      reason: 'DATE_OUT_OF_RANGE',
    });
    for (const ahead of [0, -DAY]) {
      const never = { is: 'date', from: NOON.toISOString(), until: later(ahead).toISOString() };
      expect(await refusal(create(checkIn, { conditions: { match: 'any', of: [never] } }))).toMatchObject({
        status: 400,
        reason: 'INVALID_INPUT',
      });
    }
    const one = await create(checkIn);
    const two = await create(checkIn, { conditions: needs(one.id) });
    const three = await create(checkIn, { conditions: needs(two.id) });
    for (const task of [one, two, three]) {
      expect(await refusal(change(one.id, { conditions: needs(task.id) }))).toMatchObject({
        status: 422,
        reason: 'CONDITIONS_CIRCLE',
      });
    }
  });

  it('holds fast what claims were made for, and what a live season runs by', async () => {
    const task = await create({ kind: 'submit_text' });
    expect(
      await change(task.id, { points: 6, recurrence: 'daily', setup: { kind: 'submit_text', minLength: 3 } }),
    ).toMatchObject({ points: 6, recurrence: 'daily' });
    expect(await refusal(change(task.id, { setup: { kind: 'check_in' } }))).toMatchObject({
      status: 422,
      reason: 'KIND_FIXED',
    });
    await claim(task.id, { kind: 'submit_text', text: 'my words' });
    for (const input of [{ points: 7 }, { recurrence: 'once' }, { setup: { kind: 'submit_text' } }]) {
      expect(await refusal(change(task.id, input))).toMatchObject({
        status: 409,
        reason: 'TASK_LOCKED',
        details: { by: 'claims' },
      });
    }
    expect(
      await change(task.id, { points: 6, title: 'Other words', caps: { total: 5, member: 1, coolDownMinutes: 3 } }),
    ).toMatchObject({ title: 'Other words', caps: { total: 5, member: 1, coolDownMinutes: 3 } });
    const other = await create({ kind: 'check_in' });
    const [season] = await db.sql<[{ id: string }]>`
      insert into seasons (community_id, name, ends_at, started_at, task_ids, created_by)
      values (${place.id}, 'Spring', ${later(DAY)}, ${NOON}, ${[other.id]}, ${place.leader}) returning id`;
    expect(await refusal(change(other.id, { points: 9 }))).toMatchObject({
      reason: 'TASK_LOCKED',
      details: { by: 'season', season: 'Spring' },
    });
    const listed = await listTasks(db.sql, {
      communityId: place.id,
      role: 'leader',
      now: NOON,
      after: undefined,
      status: 'live',
    });
    expect(listed.items.find(({ id }) => id === other.id)?.lockedBy).toBe('Spring');
    expect(listed.items.find(({ id }) => id === task.id)).toMatchObject({
      lockedBy: null,
      claims: { waiting: 1 },
      setup: { kind: 'submit_text' },
    });
    await db.sql`update seasons set frozen_at = ${NOON} where id = ${season.id}`;
    expect(await change(other.id, { points: 9 })).toMatchObject({ points: 9 });
  });

  it('keeps every rule of a task while a season runs by it; its words can be mended, and it can be closed', async () => {
    const [task, draft, gone] = [
      await create({ kind: 'check_in' }, { caps: { total: 5, member: 1, coolDownMinutes: 0 } }),
      await create({ kind: 'check_in' }, { status: 'draft' }),
      await create({ kind: 'check_in' }),
    ];
    const window = { days: [1], from: '08:00', until: '09:00' };
    const [season] = await db.sql<[{ id: string }]>`
      insert into seasons (community_id, name, ends_at, started_at, created_by)
      values (${place.id}, 'Summer', ${later(DAY)}, ${NOON}, ${place.leader}) returning id`;
    const locked = { status: 409, reason: 'TASK_LOCKED', details: { by: 'season', season: 'Summer' } };
    for (const input of [
      { caps: { total: 4, member: 1, coolDownMinutes: 0 } },
      { caps: { total: 5, member: 2, coolDownMinutes: 0 } },
      { caps: { total: 5, member: 1, coolDownMinutes: 60 } },
      { schedule: { opensAt: later(DAY).toISOString(), closesAt: null, window: null } },
      { schedule: { opensAt: null, closesAt: later(DAY).toISOString(), window: null } },
      { schedule: { opensAt: null, closesAt: null, window } },
      { conditions: { match: 'all', of: [{ is: 'level', atLeast: 9 }] } },
      { status: 'draft' },
    ] as const)
      expect(await refusal(change(task.id, input)), JSON.stringify(input)).toMatchObject(locked);
    // What says the same as before changes no rule.
    const { schedule, caps, conditions } = task;
    expect(await change(task.id, { title: 'Mended', schedule, caps, conditions })).toMatchObject({ title: 'Mended' });
    expect(await change(gone.id, { status: 'archived' })).toMatchObject({ status: 'archived' });
    expect(await refusal(change(gone.id, { status: 'draft' }))).toMatchObject(locked);
    expect(await refusal(change(gone.id, { status: 'live', points: 900 }))).toMatchObject(locked);
    expect(await change(gone.id, { status: 'live' })).toMatchObject({ status: 'live' });
    // A draft was promised to nobody where all tasks count; from when it is published on it is.
    expect(await change(draft.id, { points: 9, caps: { total: 3, member: null, coolDownMinutes: 0 } })).toMatchObject({
      points: 9,
      caps: { total: 3 },
    });
    expect(await change(draft.id, { status: 'live' })).toMatchObject({ status: 'live' });
    expect(await refusal(change(draft.id, { points: 10 }))).toMatchObject(locked);
    const [named] = await db.sql<[{ ids: string[] }]>`
      update seasons set task_ids = ${[task.id]} where id = ${season.id} returning task_ids as ids`;
    expect(named.ids).toEqual([task.id]);
    expect(await change(draft.id, { points: 10 })).toMatchObject({ points: 10 });
    await db.sql`update seasons set frozen_at = ${NOON} where id = ${season.id}`;
    expect(await change(task.id, { caps: { total: 4, member: 1, coolDownMinutes: 0 } })).toMatchObject({
      caps: { total: 4 },
    });
  });

  it('keeps to the rules of a season that starts at the same moment', async () => {
    const task = await create({ kind: 'check_in' });
    const [season] = await db.sql<[{ id: string }]>`
      insert into seasons (community_id, name, ends_at, created_by)
      values (${place.id}, 'Autumn', ${later(DAY)}, ${place.leader}) returning id`;
    let changing: Promise<unknown> = Promise.resolve();
    await db.sql.begin(async (tx) => {
      await startSeason(tx, { communityId: place.id, userId: place.leader, seasonId: season.id, now: NOON });
      changing = refusal(change(task.id, { points: 500 }));
      await untilLockWaits(db.sql, 1);
    });
    expect(await changing).toMatchObject({ reason: 'TASK_LOCKED', details: { season: 'Autumn' } });
    await db.sql`update seasons set frozen_at = ${NOON} where id = ${season.id}`;
  });

  it('notes no change where nothing was changed', async () => {
    const task = await create({ kind: 'submit_text', minLength: 3 });
    const changedAt = async () =>
      (await db.sql<[{ at: Date }]>`select changed_at as at from tasks where id = ${task.id}`)[0].at;
    await db.sql`update tasks set changed_at = ${later(-DAY)} where id = ${task.id}`;
    const { title, points, schedule, caps } = task;
    await change(task.id, { title, points, schedule, caps, setup: { kind: 'submit_text', minLength: 3 } });
    expect(await changedAt()).toEqual(later(-DAY));
    await change(task.id, { title: 'Other words' });
    expect(await changedAt()).toEqual(NOON);
  });

  it('never lets a claim slip in while what it asks for changes', async () => {
    const task = await create({ kind: 'check_in' });
    const members = await Promise.all(Array.from({ length: 8 }, () => on.member(place.id)));
    await Promise.allSettled([
      ...members.map((by) => claim(task.id, undefined, { by })),
      change(task.id, { points: 500 }),
    ]);
    const [row] = await db.sql<[{ points: number }]>`select points from tasks where id = ${task.id}`;
    const paid = await awards(task.id);
    expect(paid).toHaveLength(8);
    expect(new Set(paid.map((award) => award['points']))).toEqual(new Set([row.points]));
  });

  it('copies as a draft, and lists page by page, answers for leaders only', async () => {
    const quiz = await create(QUIZ, { schedule: { opensAt: later(DAY).toISOString(), closesAt: null, window: null } });
    expect(quiz.status).toBe('scheduled');
    const copy = await db.sql.begin((tx) => copyTask(tx, { ...editor(), taskId: quiz.id }));
    expect(copy).toEqual({ ...quiz, id: copy.id, status: 'draft' });
    const list = (role: 'leader' | 'moderator', status?: 'draft' | 'scheduled', from?: string) =>
      listTasks(db.sql, { communityId: place.id, role, now: NOON, after: from, status });
    expect((await list('leader', 'draft')).items[0]).toMatchObject({ id: copy.id, setup: QUIZ });
    expect((await list('leader', 'scheduled')).items.map(({ id }) => id)).toEqual([quiz.id]);
    expect((await list('moderator', 'draft')).items[0]).toMatchObject({ id: copy.id, setup: null });
    const seen: string[] = [];
    for (let from: string | null | undefined; from !== null; ) {
      const page = await list('leader', undefined, from);
      seen.push(...page.items.map(({ id }) => id));
      from = page.next;
    }
    const [all] = await db.sql<[{ count: number }]>`select count(*)::int from tasks where community_id = ${place.id}`;
    expect([seen.length, new Set(seen).size]).toEqual([all.count, all.count]);
    expect(await refusal(list('leader', undefined, 'rubbish'))).toMatchObject({ status: 400 });
  });
});
