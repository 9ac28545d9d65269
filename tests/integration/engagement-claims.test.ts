import { describe, expect, it } from 'vitest';
import type { Claim } from '../../server/contract/claims.ts';
import type { TaskChange } from '../../server/contract/tasks.ts';
import { claimTask } from '../../server/features/claims/claim.ts';
import { decideClaim } from '../../server/features/claims/decision.ts';
import { joinCommunity } from '../../server/features/communities/membership.ts';
import { changeTask } from '../../server/features/tasks/tasks.ts';
import { createTestDatabase } from '../support/database.ts';
import { mismatches, refusal, stage } from '../support/engagement.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { ofFile } from '../support/of-file.ts';

const db = await ofFile(createTestDatabase());
const on = stage(db.sql);

const NOON = new Date('2026-11-21T12:00:00Z');
const awards = (taskId: string) =>
  db.sql<{ points: number; period: string; userId: string }[]>`
    select points, period, user_id as "userId" from point_events where task_id = ${taskId} order by id`;
const standings = (communityId: string, userId: string) =>
  db.sql<{ period: string; points: number; reachedAt: Date }[]>`
    select period, points, reached_at as "reachedAt" from standings
    where community_id = ${communityId} and user_id = ${userId} order by period`;
const events = (claimId: string) =>
  db.sql<{ from: string | null; to: string; actor: string }[]>`
    select from_state as "from", to_state as "to", actor_id as actor from claim_events where claim_id = ${claimId} order by id`;

/** Resolves when that many connections to this database wait for a lock. */
const waiters = (count: number) => untilLockWaits(db.sql, count);

describe('a check-in', () => {
  it('counts at once, on the boards of its day, week and month', async () => {
    const place = await on.community();
    const task = await on.task(place, { points: 15, recurrence: 'daily' });
    const member = await on.member(place.id);
    const claim = await on.claim(place, task, member, { now: NOON });
    expect(claim).toMatchObject({
      state: 'approved',
      points: 15,
      period: '2026-11-21',
      decidedBy: null,
      evidence: null,
    });
    expect(claim.decidedAt).toBe(NOON.toISOString());
    expect(await standings(place.id, member)).toEqual(
      ['all', 'day:2026-11-21', 'month:2026-11', 'week:2026-W47'].map((period) => ({
        period,
        points: 15,
        reachedAt: NOON,
      })),
    );
    expect(await events(claim.id)).toEqual([{ from: null, to: 'approved', actor: member }]);
    expect(await awards(task)).toEqual([{ points: 15, period: '2026-11-21', userId: member }]);
  });

  it('is awarded once when it arrives twenty times at the same moment', async () => {
    const place = await on.community();
    const task = await on.task(place);
    const member = await on.member(place.id);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => on.claim(place, task, member)));
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(made).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      expect(result.reason).toMatchObject({
        status: 409,
        reason: 'ALREADY_CLAIMED',
        details: { claim: { id: made[0]?.id } },
      });
    }
    expect(await awards(task)).toHaveLength(1);
    expect(await mismatches(db.sql, place.id)).toEqual([]);
  });

  it.each(['commits', 'fails'] as const)('waits for its twin that is not through yet, and the twin %s', async (end) => {
    const place = await on.community();
    const task = await on.task(place);
    const member = await on.member(place.id);
    const asked = { communityId: place.id, taskId: task, userId: member, timeZone: 'UTC', now: NOON };
    let others: Promise<PromiseSettledResult<Claim>[]> | undefined;
    const twin = db.sql.begin(async (sql) => {
      await claimTask(sql, asked, {});
      others = Promise.allSettled(Array.from({ length: 4 }, () => on.claim(place, task, member)));
      await waiters(4);
      if (end === 'fails') throw new Error('the twin failed');
    });
    await twin.catch((error: Error) => expect(error.message).toBe('the twin failed'));
    const results = (await others) ?? [];
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(end === 'fails' ? 1 : 0);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409, reason: 'ALREADY_CLAIMED' });
    }
    expect(await awards(task)).toHaveLength(1);
    expect(await mismatches(db.sql, place.id)).toEqual([]);
  });

  it('of many tasks at once adds up, whichever order the server takes them in', async () => {
    const place = await on.community();
    const tasks = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((points) => on.task(place, { points })));
    const member = await on.member(place.id);
    await Promise.all(tasks.map((task) => on.claim(place, task, member)));
    expect((await standings(place.id, member)).map((row) => row.points)).toEqual([36, 36, 36, 36]);
    expect(await mismatches(db.sql, place.id)).toEqual([]);
  });

  it('that is worth nothing is written down, and moves nobody inside a tie', async () => {
    const place = await on.community();
    const [worth, worthless] = [await on.task(place), await on.task(place, { points: 0 })];
    const member = await on.member(place.id);
    await on.claim(place, worth, member, { now: NOON });
    await on.claim(place, worthless, member, { now: new Date('2026-11-21T13:00:00Z') });
    expect((await standings(place.id, member))[0]).toEqual({ period: 'all', points: 5, reachedAt: NOON });
    expect(await awards(worthless)).toHaveLength(1);
  });

  it('takes no text, and needs a task and a membership here', async () => {
    const [place, elsewhere] = [await on.community(), await on.community()];
    const [task, other] = [await on.task(place), await on.task(elsewhere)];
    const [member, stranger] = [await on.member(place.id), await on.person()];
    expect(await refusal(on.claim(place, task, member, { text: 'here' }))).toMatchObject({
      reason: 'EVIDENCE_NOT_WANTED',
    });
    expect(await refusal(on.claim(place, task, stranger))).toMatchObject({ status: 403, reason: 'NOT_A_MEMBER' });
    expect(await refusal(on.claim(place, other, member))).toMatchObject({ status: 404, reason: 'NOT_FOUND' });
    expect(await refusal(on.claim(place, 'no-id', member))).toMatchObject({ status: 404, reason: 'NOT_FOUND' });
  });

  it('is refused to leaders, and when the task is archived', async () => {
    const place = await on.community();
    const task = await on.task(place);
    const member = await on.member(place.id);
    expect(await refusal(on.claim(place, task, place.leader))).toMatchObject({
      status: 403,
      reason: 'LEADERS_DO_NOT_COMPETE',
    });
    await db.sql`update tasks set status = 'archived' where id = ${task}`;
    expect(await refusal(on.claim(place, task, member))).toMatchObject({ status: 409, reason: 'TASK_CLOSED' });
    expect(await awards(task)).toEqual([]);
  });
});

describe('the period of a claim', () => {
  const daily = async () => {
    const place = await on.community();
    return { place, task: await on.task(place, { recurrence: 'daily' }), member: await on.member(place.id) };
  };

  it('is the member’s own day: both sides of midnight count where the member is, not where the server is', async () => {
    const { place, task, member } = await daily();
    const timeZone = 'Pacific/Auckland';
    const claim = (iso: string) => on.claim(place, task, member, { timeZone, now: new Date(iso) });
    expect(await claim('2026-11-21T10:59:00Z')).toMatchObject({ period: '2026-11-21' });
    expect(await claim('2026-11-21T11:00:00Z')).toMatchObject({ period: '2026-11-22' });
    expect(await refusal(claim('2026-11-22T10:59:00Z'))).toMatchObject({ reason: 'ALREADY_CLAIMED' });
    expect(await awards(task)).toHaveLength(2);
  });

  it('is the ISO week of a weekly task, and one for ever where nothing recurs', async () => {
    const place = await on.community();
    const [weekly, once] = [await on.task(place, { recurrence: 'weekly' }), await on.task(place)];
    const member = await on.member(place.id);
    const claim = (task: string, iso: string) => on.claim(place, task, member, { now: new Date(iso) });
    expect(await claim(weekly, '2026-11-16T00:00:00Z')).toMatchObject({ period: '2026-W47' });
    expect(await refusal(claim(weekly, '2026-11-22T23:59:59Z'))).toMatchObject({ reason: 'ALREADY_CLAIMED' });
    expect(await claim(weekly, '2026-11-23T00:00:00Z')).toMatchObject({ period: '2026-W48' });
    expect(await claim(once, '2026-11-16T00:00:00Z')).toMatchObject({ period: 'once' });
    expect(await refusal(claim(once, '2027-11-16T00:00:00Z'))).toMatchObject({ reason: 'ALREADY_CLAIMED' });
  });

  it('is that of an offline act which arrives within 48 hours, and of its arrival when it comes later', async () => {
    const { place, task, member } = await daily();
    const claim = (actedAt: string) => on.claim(place, task, member, { actedAt, now: NOON });
    expect(await claim('2026-11-20T08:00:00Z')).toMatchObject({ period: '2026-11-20' });
    expect(await claim('2026-11-19T11:00:00Z')).toMatchObject({ period: '2026-11-21' });
    expect(await refusal(claim('2026-11-22T08:00:00Z'))).toMatchObject({ reason: 'ALREADY_CLAIMED' });
    // What was done yesterday is awarded today: closed boards stay as they were.
    expect((await standings(place.id, member)).map((row) => row.period)).toContain('day:2026-11-21');
    expect((await standings(place.id, member)).map((row) => row.period)).not.toContain('day:2026-11-20');
  });

  it('never lies before the task was published, however long it was a draft', async () => {
    const place = await on.community();
    const task = await on.task(place, { recurrence: 'daily' });
    const [early, late] = [await on.member(place.id), await on.member(place.id)];
    const change = (input: TaskChange, now: string) => {
      const editor = { communityId: place.id, userId: place.leader, taskId: task, now: new Date(now) };
      return db.sql.begin((tx) => changeTask(tx, editor, input));
    };
    await change({ status: 'draft' }, '2026-11-10T09:00:00Z');
    await change({ status: 'live' }, '2026-11-20T09:00:00Z');
    await change({ title: 'Another title', status: 'live' }, '2026-11-21T11:00:00Z');
    const before = await on.claim(place, task, early, { actedAt: '2026-11-20T08:59:59Z', now: NOON });
    expect(before.period).toBe('2026-11-21');
    const after = await on.claim(place, task, late, { actedAt: '2026-11-20T09:00:00Z', now: NOON });
    expect(after.period).toBe('2026-11-20');
  });
});

describe('a text', () => {
  const written = async () => {
    const place = await on.community();
    const task = await on.task(place, { kind: 'submit_text', points: 35 });
    const member = await on.member(place.id);
    return { place, task, member };
  };

  it('waits for a reviewer, and counts when it is approved, on the boards of that day', async () => {
    const { place, task, member } = await written();
    const claim = await on.claim(place, task, member, { text: 'my words', now: NOON });
    expect(claim).toMatchObject({ state: 'submitted', evidence: { text: 'my words' }, decidedAt: null, points: 35 });
    expect(await awards(task)).toEqual([]);
    const later = new Date('2026-12-01T08:00:00Z');
    const decided = await on.approve(place, claim.id, place.moderator, later);
    expect(decided).toMatchObject({ id: claim.id, state: 'approved', decidedAt: later.toISOString() });
    expect(decided.decidedBy).toMatch(/^Person/);
    expect((await standings(place.id, member)).map((row) => row.period)).toEqual([
      'all',
      'day:2026-12-01',
      'month:2026-12',
      'week:2026-W49',
    ]);
    expect(await events(claim.id)).toEqual([
      { from: null, to: 'submitted', actor: member },
      { from: 'submitted', to: 'approved', actor: place.moderator },
    ]);
  });

  it('is required, without control characters', async () => {
    const { place, task, member } = await written();
    expect(await refusal(on.claim(place, task, member))).toMatchObject({ status: 422, reason: 'EVIDENCE_REQUIRED' });
    expect(await refusal(on.claim(place, task, member, { text: 'a\u0007b' }))).toMatchObject({
      reason: 'INVALID_INPUT',
    });
    expect(await on.claim(place, task, member, { text: 'two\r\nlines' })).toMatchObject({
      evidence: { text: 'two\nlines' },
    });
  });

  it('that was turned down says why, and makes room for another try', async () => {
    const { place, task, member } = await written();
    const first = await on.claim(place, task, member, { text: 'one' });
    expect(await on.reject(place, first.id)).toMatchObject({ state: 'rejected', reason: 'Not this time' });
    expect(await awards(task)).toEqual([]);
    const second = await on.claim(place, task, member, { text: 'two' });
    expect(await refusal(on.claim(place, task, member, { text: 'three' }))).toMatchObject({
      reason: 'ALREADY_CLAIMED',
      details: { claim: { id: second.id } },
    });
    await on.approve(place, second.id);
    expect(await awards(task)).toHaveLength(1);
  });

  it('is not awarded again after its award was taken back', async () => {
    const { place, task, member } = await written();
    const claim = await on.claim(place, task, member, { text: 'one' });
    await on.approve(place, claim.id);
    await db.sql`update claims set state = 'reversed' where id = ${claim.id}`;
    expect(await refusal(on.claim(place, task, member, { text: 'two' }))).toMatchObject({
      status: 409,
      reason: 'ALREADY_CLAIMED',
      details: { claim: { id: claim.id, state: 'reversed' } },
    });
  });
});

describe('a decision', () => {
  const waiting = async (author?: string) => {
    const place = await on.community();
    const task = await on.task(place, { kind: 'submit_text', points: 35 });
    const member = author === 'moderator' ? place.moderator : await on.member(place.id);
    const claim = await on.claim(place, task, member, { text: 'my words' });
    return { place, task, member, claim };
  };

  it('is the first one; the second is told what it was and whose', async () => {
    const { place, task, claim } = await waiting();
    const results = await Promise.allSettled([
      on.approve(place, claim.id, place.moderator),
      on.approve(place, claim.id, place.leader),
      on.reject(place, claim.id, place.leader),
      on.reject(place, claim.id, place.moderator),
    ]);
    const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(won).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      expect(result.reason).toMatchObject({ status: 409, reason: 'ALREADY_DECIDED', details: { claim: won[0] } });
    }
    expect(await awards(task)).toHaveLength(won[0]?.state === 'approved' ? 1 : 0);
    expect(await events(claim.id)).toHaveLength(2);
  });

  it('is never about one’s own claim', async () => {
    const { place, task, claim } = await waiting('moderator');
    expect(await refusal(on.approve(place, claim.id, place.moderator))).toMatchObject({
      status: 403,
      reason: 'OWN_CLAIM',
    });
    expect(await awards(task)).toEqual([]);
    expect(await on.approve(place, claim.id, place.leader)).toMatchObject({ state: 'approved' });
  });

  it('against a claim says why', async () => {
    const { place, claim } = await waiting();
    const asked = { communityId: place.id, claimId: claim.id, reviewerId: place.moderator, now: NOON };
    expect(await refusal(db.sql.begin((sql) => decideClaim(sql, asked, { decision: 'reject' })))).toMatchObject({
      status: 422,
      reason: 'REASON_REQUIRED',
    });
  });

  it('still awards who has left meanwhile, without putting them back on the board', async () => {
    const { place, member, claim } = await waiting();
    await db.sql`delete from community_members where community_id = ${place.id} and user_id = ${member}`;
    await on.approve(place, claim.id);
    const competes = () => db.sql`
      select bool_or(competes) as some from standings where community_id = ${place.id} and user_id = ${member}`;
    expect(await competes()).toEqual([{ some: false }]);
    await on.join(place.id, member);
    expect(await competes()).toEqual([{ some: true }]);
  });

  it('puts who comes back at that very moment on the board', async () => {
    const { place, member, claim } = await waiting();
    await db.sql`delete from community_members where community_id = ${place.id} and user_id = ${member}`;
    let approval: Promise<Claim> | undefined;
    await db.sql.begin(async (sql) => {
      await joinCommunity(sql, { communityId: place.id, userId: member, now: NOON });
      approval = on.approve(place, claim.id);
      await waiters(1);
    });
    expect(await approval).toMatchObject({ state: 'approved' });
    expect(
      await db.sql`select competes from standings where community_id = ${place.id} and user_id = ${member} and period = 'all'`,
    ).toEqual([{ competes: true }]);
  });
});

describe('the ledger', () => {
  it('is append-only', async () => {
    const place = await on.community();
    const task = await on.task(place);
    await on.claim(place, task, await on.member(place.id));
    await expect(db.sql`update point_events set points = 1000 where task_id = ${task}`).rejects.toThrow('append-only');
    await expect(db.sql`delete from point_events where task_id = ${task}`).rejects.toThrow('append-only');
    expect(await awards(task)).toMatchObject([{ points: 5 }]);
  });

  it('gets nothing when the claim’s transaction fails later on', async () => {
    const place = await on.community();
    const task = await on.task(place);
    const member = await on.member(place.id);
    const asked = { communityId: place.id, taskId: task, userId: member, timeZone: 'UTC', now: NOON };
    const failing = db.sql.begin(async (sql) => {
      await claimTask(sql, asked, {});
      throw new Error('the answer could not be stored');
    });
    await expect(failing).rejects.toThrow('could not be stored');
    expect(await awards(task)).toEqual([]);
    expect(await standings(place.id, member)).toEqual([]);
    expect(await on.claim(place, task, member)).toMatchObject({ state: 'approved' });
  });
});
