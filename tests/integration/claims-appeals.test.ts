import { beforeEach, describe, expect, it } from 'vitest';
import { APPEAL_WITHIN_MS } from '../../server/contract/limits.ts';
import { claimTask } from '../../server/features/claims/claim.ts';
import { decideAll } from '../../server/features/claims/decision.ts';
import { reverseClaim } from '../../server/features/claims/reversal.ts';
import { createTestDatabase } from '../support/database.ts';
import { mismatches, refusal } from '../support/engagement.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { ofFile } from '../support/of-file.ts';
import { openReviewStage, type ReviewStage, words } from '../support/review-stage.ts';
import { later, MINUTE, NOON } from '../support/task-stage.ts';

let { on, place, member, task, points, decide, complain, reverse, detail, reject, queue } = {} as ReviewStage;
const db = await ofFile(createTestDatabase());

beforeEach(async () => {
  ({ on, place, member, task, points, decide, complain, reverse, detail, reject, queue } = await openReviewStage(
    db.sql,
  ));
});
/** Claims the task of this test, which some tests put another in place of. */
const send = (text: string, by = member, now = NOON) => on.claim(place, task, by, { text, now });

it('a rejection says when to try again, and no sooner is another try taken', async () => {
  task = await on.task(place, { kind: 'submit_text', caps: { coolDownMinutes: 30 } });
  const claim = await send('my words');
  expect(await reject(claim.id)).toMatchObject({ retryAt: later(30 * MINUTE).toISOString() });
  const soon = send('other words', member, later(29 * MINUTE));
  expect(await refusal(soon)).toMatchObject({ status: 409, reason: 'COOLING_DOWN' });
  expect(await send('other words', member, later(30 * MINUTE))).toMatchObject({ state: 'submitted' });
});

describe('an appeal', () => {
  it('comes first in the queue of somebody else than who rejected, and may be granted', async () => {
    const waiting = await send('earlier', await on.member(place.id), later(-MINUTE));
    const claim = await send('my words');
    await reject(claim.id);
    expect(await detail(claim.id)).toMatchObject({ mayAppeal: true });
    expect(await detail(claim.id, NOON, place.leader, 'moderator')).toMatchObject({ mayAppeal: false });
    expect(await complain(claim.id)).toMatchObject({
      state: 'rejected',
      appeal: { outcome: 'open', text: 'It was there, look again.' },
    });
    expect(await detail(claim.id)).toMatchObject({ mayAppeal: false });
    expect(await queue(place.leader)).toEqual([claim.id, waiting.id]);
    expect(await queue(place.moderator)).toEqual([waiting.id]);
    expect(await refusal(decide(claim.id, { decision: 'approve' }, place.moderator))).toMatchObject({
      status: 403,
      reason: 'OWN_DECISION',
    });
    expect(
      await refusal(decide(claim.id, { decision: 'request_changes', reason: 'Hm, no' }, place.leader)),
    ).toMatchObject({ status: 422, reason: 'NOT_FOR_APPEALS' });
    const granted = await decide(claim.id, { decision: 'approve' }, place.leader);
    expect(granted).toMatchObject({ state: 'approved', appeal: { outcome: 'granted' } });
    expect(await points()).toBe(35);
    expect(await queue(place.leader)).toEqual([waiting.id]);
  });

  it('is heard by who rejected where nobody else could', async () => {
    await db.sql`delete from community_members where community_id = ${place.id} and user_id = ${place.moderator}`;
    const claim = await send('my words');
    await reject(claim.id, place.leader);
    await complain(claim.id);
    expect(await queue(place.leader)).toEqual([claim.id]);
    expect(await decide(claim.id, { decision: 'reject', reason: 'Still no' }, place.leader)).toMatchObject({
      state: 'rejected',
      reason: 'Still no',
      appeal: { outcome: 'refused' },
    });
    expect(await points()).toBe(null);
  });

  it('is heard by who rejected while everybody else who reviews is suspended', async () => {
    const claim = await send('my words');
    await reject(claim.id, place.leader);
    await complain(claim.id);
    expect(await queue(place.leader)).toEqual([]);
    await db.sql`update users set suspended_at = now() where id = ${place.moderator}`;
    expect(await queue(place.leader)).toEqual([claim.id]);
    expect(await decide(claim.id, { decision: 'approve' }, place.leader)).toMatchObject({ state: 'approved' });
  });

  it('is heard by who rejected where nobody else reviews but who appeals', async () => {
    const claim = await send('my words', place.moderator);
    await reject(claim.id, place.leader);
    await complain(claim.id, NOON, place.moderator);
    expect(await queue(place.moderator)).toEqual([]);
    expect(await queue(place.leader)).toEqual([claim.id]);
    expect(await decide(claim.id, { decision: 'approve' }, place.leader)).toMatchObject({ state: 'approved' });
  });

  it('is possible once, in time, against a rejection of one’s own', async () => {
    const claim = await send('my words');
    expect(await refusal(complain(claim.id))).toMatchObject({ status: 409, reason: 'ALREADY_DECIDED' });
    await reject(claim.id);
    expect(await refusal(complain(claim.id, later(APPEAL_WITHIN_MS + 1)))).toMatchObject({
      status: 409,
      reason: 'APPEAL_TOO_LATE',
    });
    expect(await refusal(complain(claim.id, NOON, await on.member(place.id)))).toMatchObject({ status: 404 });
    const both = await Promise.allSettled([complain(claim.id), complain(claim.id)]);
    expect(both.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await refusal(complain(claim.id))).toMatchObject({ status: 409, reason: 'APPEAL_USED' });
    await decide(claim.id, { decision: 'reject', reason: 'Still no' }, place.leader);
    expect(await refusal(complain(claim.id))).toMatchObject({ reason: 'APPEAL_USED' });
    expect(await refusal(decide(claim.id, { decision: 'approve' }, place.leader))).toMatchObject({
      reason: 'ALREADY_DECIDED',
    });
  });

  it('never pays a period twice: a later claim takes its place, for good', async () => {
    const first = await send('one');
    await reject(first.id);
    await complain(first.id);
    const second = await send('two');
    const grant = () => decide(first.id, { decision: 'approve' }, place.leader);
    expect(await refusal(grant())).toMatchObject({
      status: 409,
      reason: 'ALREADY_DECIDED',
      details: { claim: { appeal: { outcome: 'withdrawn' } } },
    });
    await decide(second.id, { decision: 'approve' });
    await reverse(second.id);
    expect(await refusal(grant())).toMatchObject({ reason: 'ALREADY_DECIDED' });
    expect(await refusal(complain(first.id))).toMatchObject({ reason: 'APPEAL_USED' });
    expect(await points()).toBe(0);
  });

  it.each(['total', 'member'] as const)('lets nobody in beyond a task’s cap in %s', async (cap) => {
    task = await on.task(place, { kind: 'submit_text', recurrence: 'daily', caps: { [cap]: 1 } });
    const first = await send('one');
    await reject(first.id);
    await complain(first.id);
    const beside = await send('two', cap === 'member' ? member : await on.member(place.id), later(24 * 60 * MINUTE));
    const grant = () => decide(first.id, { decision: 'approve' }, place.leader);
    expect(await refusal(grant())).toMatchObject({ status: 409, reason: 'CAP_REACHED', details: { cap } });
    await reject(beside.id);
    expect(await grant()).toMatchObject({ state: 'approved', appeal: { outcome: 'granted' } });
  });

  it('granted at the moment in which somebody else takes the last place is one of the two', async () => {
    for (let round = 0; round < 8; round += 1) {
      task = await on.task(place, { kind: 'submit_text', points: 1, caps: { total: 1 } });
      const first = await send('one');
      await reject(first.id);
      await complain(first.id);
      const other = await on.member(place.id);
      const results = await Promise.allSettled([
        send('two', other),
        db.sql.begin((tx) =>
          decideAll(tx, { communityId: place.id, reviewerId: place.leader, now: NOON }, [
            { claimId: first.id, version: 3, decision: 'approve' },
          ]),
        ),
      ]);
      expect(results[1].status).toBe('fulfilled');
      const alive = await db.sql`select from claims where task_id = ${task} and state in ('submitted', 'approved')`;
      expect(alive).toHaveLength(1);
    }
  });

  it('that gives way to a new claim while a bulk is on its way is a conflict of that one', async () => {
    const first = await send('one');
    await reject(first.id);
    const other = await on.member(place.id);
    const beside = await send('theirs', other);
    await complain(first.id);
    // The new claim is there and not yet to be seen, and holds the member's turn.
    let claimed = () => undefined as unknown;
    let sent = () => undefined as unknown;
    const isIn = new Promise<void>((done) => {
      sent = done;
    });
    const claiming = db.sql.begin(async (tx) => {
      const asked = { communityId: place.id, taskId: task, userId: member, timeZone: 'UTC', now: NOON };
      await claimTask(tx, asked, { evidence: words('two') });
      sent();
      await new Promise<void>((done) => {
        claimed = done;
      });
    });
    await isIn;
    const bulk = db.sql.begin((tx) =>
      decideAll(tx, { communityId: place.id, reviewerId: place.leader, now: NOON }, [
        { claimId: first.id, version: 3, decision: 'approve' },
        { claimId: beside.id, decision: 'approve' },
      ]),
    );
    await untilLockWaits(db.sql, 1);
    claimed();
    await claiming;
    expect((await bulk).map(({ claimId, outcome }) => [claimId, outcome])).toEqual([
      [first.id, 'already_decided'],
      [beside.id, 'decided'],
    ]);
    expect(await points(other)).toBe(35);
    expect(await points()).toBe(null);
  });

  it('granted at the moment of a new claim for its period pays one of them', async () => {
    for (let round = 0; round < 8; round += 1) {
      task = await on.task(place, { kind: 'submit_text', points: 1 });
      const first = await send('one');
      await reject(first.id);
      await complain(first.id);
      const results = await Promise.allSettled([send('two'), decide(first.id, { decision: 'approve' }, place.leader)]);
      expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
      // Whichever came second: the claim, which counts already, or the decision, whose appeal gave way.
      const [claiming, granting] = results;
      if (claiming.status === 'rejected') expect(claiming.reason).toMatchObject({ reason: 'ALREADY_CLAIMED' });
      if (granting.status === 'rejected')
        expect(['ALREADY_DECIDED', 'CLAIM_CHANGED']).toContain(granting.reason.reason);
    }
    expect(await mismatches(db.sql, place.id)).toEqual([]);
  });
});

describe('a reversal', () => {
  it('takes the points away, is audited, and is final', async () => {
    const claim = await send('my words');
    expect(await refusal(reverse(claim.id))).toMatchObject({ status: 409, reason: 'ALREADY_DECIDED' });
    await decide(claim.id, { decision: 'approve' });
    expect(await reverse(claim.id)).toMatchObject({ state: 'reversed', reason: 'A copy' });
    expect(await points()).toBe(0);
    expect(await refusal(reverse(claim.id))).toMatchObject({ status: 409, reason: 'ALREADY_DECIDED' });
    expect(await refusal(send('again'))).toMatchObject({
      reason: 'ALREADY_CLAIMED',
      details: { claim: { state: 'reversed' } },
    });
    expect(await refusal(complain(claim.id))).toMatchObject({ reason: 'ALREADY_DECIDED' });
    const audited =
      await db.sql`select action, actor_id as by, reason from audit_entries where subject_id = ${claim.id} order by id`;
    expect(audited.map((row) => [row['action'], row['by'], row['reason']])).toEqual([
      ['claim.approved', place.moderator, null],
      ['claim.reversed', place.leader, 'A copy'],
    ]);
  });

  it('happens once, however many ask, and never to one’s own claim', async () => {
    const claim = await send('my words');
    await decide(claim.id, { decision: 'approve' });
    const second = await on.person();
    await on.join(place.id, second, 'leader');
    const results = await Promise.allSettled([reverse(claim.id), reverse(claim.id, second), reverse(claim.id)]);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await points()).toBe(0);
    const own = await send('mine', place.moderator);
    await decide(own.id, { decision: 'approve' }, place.leader);
    await db.sql`update community_members set role = 'leader' where community_id = ${place.id} and user_id = ${place.moderator}`;
    expect(await refusal(reverse(own.id, place.moderator))).toMatchObject({ status: 403, reason: 'OWN_CLAIM' });
    const elsewhere = await on.community();
    const foreign = db.sql.begin((tx) =>
      reverseClaim(
        tx,
        { communityId: elsewhere.id, claimId: own.id, leaderId: elsewhere.leader, now: NOON },
        { reason: 'Mine now' },
      ),
    );
    expect(await refusal(foreign)).toMatchObject({ status: 404 });
  });
});
