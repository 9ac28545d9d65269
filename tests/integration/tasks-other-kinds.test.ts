import { describe, expect, it } from 'vitest';
import { TaskKind } from '../../server/contract/tasks.ts';
import { grantTask } from '../../server/features/claims/grant.ts';
import { reverseClaim } from '../../server/features/claims/reversal.ts';
import { readPoll } from '../../server/features/tasks/read.ts';
import { kindOf } from '../../server/kinds/kinds.ts';
import { refusal } from '../support/engagement.ts';
import { EVERY_KIND } from '../support/kind-samples.ts';
import { pointsFor } from '../support/kinds.ts';
import { DAY, later, MINUTE, NOON, openTaskStage } from '../support/task-stage.ts';

const { db, on, place, member, claim, awards } = await openTaskStage();

describe('other kinds', () => {
  it('refuse what they did not ask for, and the lack of what they did', async () => {
    const asking = TaskKind.options.filter((kind) => kindOf(kind).judge && !kindOf(kind).isSeen);
    expect(asking.length).toBeGreaterThan(10);
    for (const kind of asking) {
      const task = await on.task(place, { setup: EVERY_KIND[kind].setup, points: pointsFor(kind) });
      expect(await refusal(claim(task)), kind).toMatchObject({ status: 422, reason: 'EVIDENCE_REQUIRED' });
      expect(await refusal(claim(task, { kind: 'check_in' })), kind).toMatchObject({
        status: 422,
        reason: 'EVIDENCE_NOT_WANTED',
      });
      expect(await awards(task)).toEqual([]);
    }
  });

  it('visit_link counts at once', async () => {
    const task = await on.task(place, { setup: { kind: 'visit_link', url: 'https://example.org/' } });
    const done = await claim(task, { kind: 'visit_link', openedAt: later(-MINUTE).toISOString() });
    expect(done).toMatchObject({
      state: 'approved',
      evidence: { kind: 'visit_link' },
      checks: [{ what: 'link', ok: null }],
    });
    expect(await awards(task)).toHaveLength(1);
  });

  it('poll counts one vote of its choices, and shows how it stands to who voted', async () => {
    const choices = ['yes', 'no', 'maybe'].map((id) => ({ id, text: id }));
    const task = await on.task(place, { setup: { kind: 'poll', choices, multiple: false } });
    const other = await on.member(place.id);
    const stands = (userId: string, role: 'member' | 'leader' = 'member') =>
      readPoll(db.sql, { communityId: place.id, userId, role, taskId: task });
    for (const optionIds of [['yes', 'no'], ['yes', 'yes'], ['never']]) {
      expect(await refusal(claim(task, { kind: 'poll', optionIds }))).toMatchObject({ reason: 'EVIDENCE_NOT_WANTED' });
    }
    expect(await stands(member)).toEqual({ votes: 0, counts: null });
    expect(await claim(task, { kind: 'poll', optionIds: ['yes'] })).toMatchObject({ state: 'approved' });
    const counts = [
      { optionId: 'yes', votes: 1 },
      { optionId: 'no', votes: 0 },
      { optionId: 'maybe', votes: 0 },
    ];
    expect(await stands(member)).toEqual({ votes: 1, counts });
    expect(await stands(other)).toEqual({ votes: 1, counts: null });
    expect(await stands(place.leader, 'leader')).toEqual({ votes: 1, counts });
  });

  it('invite counts who reached the threshold, and nobody twice', async () => {
    const task = await on.task(place, { setup: { kind: 'invite', needed: 2 }, recurrence: 'daily' });
    const invite = async (qualified: boolean) =>
      db.sql`insert into referrals (community_id, invitee_id, inviter_id, qualified_at)
        values (${place.id}, ${await on.person()}, ${member}, ${qualified ? NOON : null})`;
    await invite(true);
    await invite(false);
    expect(await claim(task)).toMatchObject({ state: 'rejected', reason: '1 of 2 invited people count so far' });
    await invite(true);
    await invite(true);
    expect(await claim(task, undefined, { now: later(MINUTE) })).toMatchObject({ state: 'approved' });
    expect(await claim(task, undefined, { now: later(DAY) })).toMatchObject({
      state: 'rejected',
      reason: '1 of 2 invited people count so far',
    });
    await invite(true);
    const paid = await claim(task, undefined, { now: later(DAY + MINUTE) });
    expect(paid).toMatchObject({ state: 'approved' });
    const takenBack = { communityId: place.id, claimId: paid.id, leaderId: place.leader, now: later(DAY + MINUTE) };
    await db.sql.begin((tx) => reverseClaim(tx, takenBack, { reason: 'Nobody came' }));
    expect(await claim(task, undefined, { now: later(2 * DAY) })).toMatchObject({
      state: 'rejected',
      reason: '0 of 2 invited people count so far',
    });
  });

  it('manual is given by a leader, once a period', async () => {
    const task = await on.task(place, { kind: 'manual', points: 40, caps: { total: 1 } });
    const grant = (userId: string, taskId = task) =>
      db.sql.begin((tx) =>
        grantTask(
          tx,
          { communityId: place.id, taskId, leaderId: place.leader, now: NOON },
          { userId, reason: 'Carried the tent' },
        ),
      );
    expect(await refusal(claim(task))).toMatchObject({ status: 409, reason: 'ONLY_GRANTED' });
    expect(await refusal(grant(place.leader))).toMatchObject({ status: 403, reason: 'LEADERS_DO_NOT_COMPETE' });
    expect(await refusal(grant(await on.person()))).toMatchObject({ status: 404 });
    expect(await refusal(grant(member, await on.task(place)))).toMatchObject({ status: 409, reason: 'NOT_MANUAL' });
    const given = await grant(member);
    expect(given).toMatchObject({ state: 'approved', points: 40, reason: 'Carried the tent' });
    expect(given.decidedBy).toMatch(/^Person/);
    expect(await refusal(grant(member))).toMatchObject({ status: 409, reason: 'ALREADY_CLAIMED' });
    expect(await refusal(grant(await on.member(place.id)))).toMatchObject({
      reason: 'CAP_REACHED',
      details: { cap: 'total' },
    });
    expect(await awards(task)).toEqual([{ points: 40 }]);
    expect(await db.sql`select action, reason from audit_entries where subject_id = ${given.id}`).toEqual([
      { action: 'task.granted', reason: 'Carried the tent' },
    ]);
    expect(await db.sql`select user_id, body from notifications where subject_id = ${given.id}`).toEqual([
      { user_id: member, body: 'Approved.' },
    ]);
  });
});
