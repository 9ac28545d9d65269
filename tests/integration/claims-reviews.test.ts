import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claim, Evidence } from '../../server/contract/claims.ts';
import { APPEAL_WITHIN_MS, REVIEW_PAGE } from '../../server/contract/limits.ts';
import type { NewDecision } from '../../server/contract/review.ts';
import { claimTask } from '../../server/features/claims/claim.ts';
import { decideAll, decideClaim } from '../../server/features/claims/decision.ts';
import { appeal, listMine, readClaim, resubmit } from '../../server/features/claims/mine.ts';
import { reverseClaim } from '../../server/features/claims/reversal.ts';
import { countWaiting, readQueue, readSimilar } from '../../server/features/claims/review.ts';
import { readTrust } from '../../server/features/rewards/trust.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { mismatches, type Place, refusal, stage } from '../support/engagement.ts';
import { untilLockWaits } from '../support/lock-waits.ts';

let db: TestDatabase;
let on: ReturnType<typeof stage>;
let place: Place;
let member: string;
let task: string;
beforeAll(async () => {
  db = await createTestDatabase();
  on = stage(db.sql);
});
afterAll(() => db?.drop());
beforeEach(async () => {
  place = await on.community();
  member = await on.member(place.id);
  task = await on.task(place, { kind: 'submit_text', points: 35 });
});

const NOON = new Date('2026-11-21T12:00:00Z');
const MINUTE = 60_000;
const later = (ms: number) => new Date(NOON.getTime() + ms);
const points = async (userId = member) => {
  const [row] = await db.sql<[{ ledger: number | null; standing: number | null }]>`
    select (select sum(points)::int from point_events where community_id = ${place.id} and user_id = ${userId}) as ledger,
      (select points from standings where community_id = ${place.id} and user_id = ${userId} and period = 'all') as standing`;
  expect(row.ledger).toBe(row.standing);
  return row.ledger;
};
const send = (text: string, by = member, now = NOON) => on.claim(place, task, by, { text, now });
const decide = (claimId: string, input: NewDecision, by = place.moderator, now = NOON) =>
  db.sql.begin((tx) => decideClaim(tx, { communityId: place.id, claimId, reviewerId: by, now }, input));
const mine = (claimId: string, now = NOON, userId = member) => ({ communityId: place.id, claimId, userId, now });
const answer = (claimId: string, evidence: Evidence, userId = member) =>
  db.sql.begin((tx) => resubmit(tx, mine(claimId, later(MINUTE), userId), { evidence }));
const complain = (claimId: string, now = NOON, userId = member) =>
  db.sql.begin((tx) => appeal(tx, mine(claimId, now, userId), { text: 'It was there, look again.' }));
const reverse = (claimId: string, by = place.leader) =>
  db.sql.begin((tx) =>
    reverseClaim(tx, { communityId: place.id, claimId, leaderId: by, now: NOON }, { reason: 'A copy' }),
  );
const detail = (claimId: string, now = NOON, userId = member, role: 'member' | 'moderator' = 'member') =>
  db.sql.begin((tx) => readClaim(tx, { ...mine(claimId, now, userId), role }));
const words = (text: string): Evidence => ({ kind: 'submit_text', text });
const reject = (claimId: string, by?: string) => decide(claimId, { decision: 'reject', reason: 'Too short' }, by);
const queue = async (reviewerId = place.moderator) => {
  const asked = { communityId: place.id, reviewerId, now: NOON };
  const { items } = await readQueue(db.sql, asked);
  expect(await countWaiting(db.sql, asked)).toBe(items.length);
  return items.map((item) => item.claim.id);
};

describe('changes', () => {
  it('are asked for with a reason, sent, and decided as any claim', async () => {
    const claim = await send('my words');
    expect(await refusal(decide(claim.id, { decision: 'request_changes' }))).toMatchObject({
      reason: 'REASON_REQUIRED',
    });
    const back = await decide(claim.id, { decision: 'request_changes', reason: 'Say where' });
    expect(back).toMatchObject({ state: 'changes_requested', reason: 'Say where' });
    expect(await queue()).toEqual([]);
    expect(await refusal(send('again'))).toMatchObject({ reason: 'ALREADY_CLAIMED' });
    expect(await refusal(decide(claim.id, { decision: 'approve' }))).toMatchObject({
      reason: 'ALREADY_DECIDED',
      message: expect.stringMatching(/asked for changes/),
    });
    const sent = await answer(claim.id, words('my words, at the hut'));
    expect(sent).toMatchObject({
      id: claim.id,
      state: 'submitted',
      reason: null,
      decidedBy: null,
      evidence: { text: 'my words, at the hut' },
    });
    expect(await queue()).toEqual([claim.id]);
    expect(await refusal(answer(claim.id, words('twice')))).toMatchObject({
      reason: 'ALREADY_DECIDED',
      message: expect.not.stringMatching(/decided this/),
    });
    await decide(claim.id, { decision: 'approve' });
    expect(await points()).toBe(35);
    const { history, checks } = await detail(claim.id);
    expect(history.map(({ from, to, reason }) => [from, to, reason])).toEqual([
      [null, 'submitted', null],
      ['submitted', 'changes_requested', 'Say where'],
      ['changes_requested', 'submitted', null],
      ['submitted', 'approved', null],
    ]);
    expect(history.every(({ by }) => by !== null)).toBe(true);
    expect(checks.map(({ what, ok }) => [what, ok])).toEqual([
      ['review', false],
      ['review', true],
    ]);
    const kept =
      await db.sql`select evidence ->> 'text' as text from claim_events where claim_id = ${claim.id} and evidence is not null order by id`;
    expect(kept.map((row) => row['text'])).toEqual(['my words', 'my words, at the hut']);
  });

  it('are sent by the claim’s own member, when they are wanted, as the task asks', async () => {
    const claim = await send('my words');
    expect(await refusal(answer(claim.id, words('more')))).toMatchObject({
      status: 409,
      reason: 'ALREADY_DECIDED',
      details: { claim: { id: claim.id } },
    });
    await decide(claim.id, { decision: 'request_changes', reason: 'Say where' });
    expect(await refusal(answer(claim.id, words('more'), await on.member(place.id)))).toMatchObject({ status: 404 });
    expect(await refusal(answer('no-id', words('more')))).toMatchObject({ status: 404 });
    expect(await refusal(answer(claim.id, { kind: 'check_in' }))).toMatchObject({
      status: 422,
      reason: 'EVIDENCE_NOT_WANTED',
    });
    const twice = await Promise.allSettled([answer(claim.id, words('one')), answer(claim.id, words('two'))]);
    expect(twice.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a claim that was sent back', () => {
  const sendBack = async (by?: string, now = NOON) => {
    const claim = await send('my words', by);
    const back = await decide(claim.id, { decision: 'request_changes', reason: 'Say where' }, place.moderator, now);
    return { id: claim.id, sentBackAt: back.decidedAt ?? '' };
  };

  it('is turned down without an answer: its place under the caps is free again', async () => {
    task = await on.task(place, { kind: 'submit_text', points: 35, caps: { total: 1, member: 1 } });
    const { id, sentBackAt } = await sendBack();
    const other = await on.member(place.id);
    expect(await refusal(send('theirs', other))).toMatchObject({ reason: 'CAP_REACHED' });
    const asked = { communityId: place.id, reviewerId: place.leader, role: 'leader' as const, now: NOON };
    const { items } = await readQueue(db.sql, { ...asked, state: 'changes_requested' });
    expect(items.map(({ claim }) => [claim.id, claim.decidedAt])).toEqual([[id, sentBackAt]]);
    expect(await refusal(decide(id, { decision: 'reject', sentBackAt }))).toMatchObject({ reason: 'REASON_REQUIRED' });
    const rejection = { decision: 'reject', reason: 'No answer came', sentBackAt } as const;
    expect(await refusal(decide(id, rejection, member))).toMatchObject({ reason: 'OWN_CLAIM' });
    expect(await decide(id, rejection, place.leader)).toMatchObject({ state: 'rejected', reason: 'No answer came' });
    expect((await detail(id)).history.map(({ from, to, reason }) => [from, to, reason])).toEqual([
      [null, 'submitted', null],
      ['submitted', 'changes_requested', 'Say where'],
      ['changes_requested', 'rejected', 'No answer came'],
    ]);
    expect(await refusal(answer(id, words('at the hut')))).toMatchObject({
      status: 409,
      reason: 'ALREADY_DECIDED',
      details: { claim: { state: 'rejected' } },
    });
    expect(await send('theirs', other)).toMatchObject({ state: 'submitted' });
    expect(await detail(id)).toMatchObject({ mayAppeal: true });
  });

  it('is counted without an answer, once', async () => {
    const { id, sentBackAt } = await sendBack();
    const approval = { decision: 'approve', sentBackAt } as const;
    expect(await decide(id, approval)).toMatchObject({ state: 'approved' });
    expect(await refusal(decide(id, approval, place.leader))).toMatchObject({ reason: 'ALREADY_DECIDED' });
    expect(await points()).toBe(35);
  });

  it('is as who decides it saw it, or it is a conflict', async () => {
    const { id, sentBackAt } = await sendBack();
    const rejection = { decision: 'reject', reason: 'No answer came', sentBackAt } as const;
    // Made while it waited, by somebody who did not know.
    expect(await refusal(reject(id, place.leader))).toMatchObject({ reason: 'ALREADY_DECIDED' });
    const anew = decide(id, { decision: 'request_changes', reason: 'And when', sentBackAt });
    expect(await refusal(anew)).toMatchObject({ reason: 'ALREADY_DECIDED' });
    await answer(id, words('at the hut'));
    expect(await refusal(decide(id, rejection))).toMatchObject({
      status: 409,
      reason: 'ALREADY_DECIDED',
      details: { claim: { state: 'submitted' } },
    });
    await decide(id, { decision: 'request_changes', reason: 'And when' }, place.moderator, later(2 * MINUTE));
    expect(await refusal(decide(id, rejection))).toMatchObject({ details: { claim: { state: 'changes_requested' } } });
    await decide(id, { ...rejection, sentBackAt: later(2 * MINUTE).toISOString() }, place.leader);
    await complain(id);
    expect(await refusal(decide(id, rejection, place.moderator))).toMatchObject({ reason: 'ALREADY_DECIDED' });
    const audited = await db.sql`select action from audit_entries where subject_id = ${id} order by id`;
    expect(audited.map((row) => row['action'])).toEqual([
      'claim.changes_requested',
      'claim.changes_requested',
      'claim.rejected',
    ]);
  });

  it('answered at the moment in which it is turned down is one of the two', async () => {
    for (let round = 0; round < 12; round += 1) {
      const by = await on.member(place.id);
      const { id, sentBackAt } = await sendBack(by);
      const acts = [
        () => answer(id, words(`at hut ${round}`), by),
        () => decide(id, { decision: 'reject', reason: 'No answer came', sentBackAt }, place.leader),
      ];
      const results = await Promise.allSettled((round % 2 === 0 ? acts : acts.reverse()).map((begin) => begin()));
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.state] : []));
      const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      expect(lost).toMatchObject([{ status: 409, reason: 'ALREADY_DECIDED', details: { claim: { state: won[0] } } }]);
      const { history } = await detail(id, NOON, by);
      expect(history.slice(1).map(({ to }) => to)).toEqual(['changes_requested', won[0]]);
    }
  });
});

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

  it('never pays a period twice: a later claim that stands is in its way', async () => {
    const first = await send('one');
    await reject(first.id);
    await complain(first.id);
    const second = await send('two');
    expect(await refusal(decide(first.id, { decision: 'approve' }, place.leader))).toMatchObject({
      status: 409,
      reason: 'ALREADY_CLAIMED',
    });
    await decide(second.id, { decision: 'approve' });
    expect(await refusal(decide(first.id, { decision: 'approve' }, place.leader))).toMatchObject({
      reason: 'ALREADY_CLAIMED',
    });
    await reverse(second.id);
    expect(await refusal(decide(first.id, { decision: 'approve' }, place.leader))).toMatchObject({
      reason: 'ALREADY_CLAIMED',
    });
    expect(await points()).toBe(0);
    expect(await decide(first.id, { decision: 'reject', reason: 'It counts once' }, place.leader)).toMatchObject({
      appeal: { outcome: 'refused' },
    });
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
            { claimId: first.id, decision: 'approve' },
          ]),
        ),
      ]);
      expect(results[1].status).toBe('fulfilled');
      const alive = await db.sql`select from claims where task_id = ${task} and state in ('submitted', 'approved')`;
      expect(alive).toHaveLength(1);
    }
  });

  it('opened while a bulk is on its way, with a new claim in the middle, is a conflict of that one', async () => {
    const first = await send('one');
    await reject(first.id);
    const other = await on.member(place.id);
    const beside = await send('theirs', other);
    // The appeal is there and not yet to be seen, and so is the new claim, which holds the member's turn.
    const appealing = await db.sql.reserve();
    await appealing`begin`;
    await appealing`
      update claims set appeal_text = 'Look again', appeal_at = ${NOON}, appeal_outcome = 'open' where id = ${first.id}`;
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
        { claimId: first.id, decision: 'approve' },
        { claimId: beside.id, decision: 'approve' },
      ]),
    );
    await untilLockWaits(db.sql, 1);
    await appealing`commit`;
    appealing.release();
    // Whatever the bulk waits for now, it is the new claim.
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
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: 'ALREADY_CLAIMED' });
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

describe('notifications', () => {
  const told = async () => {
    const rows = await db.sql<{ topic: string; userId: string | null; body: string }[]>`
      select topic, user_id as "userId", body from notifications where community_id = ${place.id} order by created_at, topic`;
    return rows.map(({ topic, userId, body }) => (userId === null ? topic : `${topic} ${userId} ${body}`));
  };

  it('tell who reviews of everything that waits for them', async () => {
    const first = await send('the same', await on.member(place.id));
    await db.sql`delete from notifications`;
    const claim = await send('the same');
    expect(claim.state).toBe('checking');
    expect(await told()).toEqual(['queue']);
    await decide(claim.id, { decision: 'request_changes', reason: 'In your words' });
    await db.sql`delete from notifications`;
    await answer(claim.id, words('my own'));
    expect(await told()).toEqual(['queue']);
    await reject(claim.id);
    await db.sql`delete from notifications`;
    await complain(claim.id);
    expect(await told()).toEqual(['queue']);
    expect(await queue()).toEqual([first.id]);
  });

  it('tell a member that an approval was taken back', async () => {
    const claim = await send('my words');
    await decide(claim.id, { decision: 'approve' });
    await db.sql`delete from notifications`;
    await reverse(claim.id);
    expect(await told()).toEqual([`review ${member} It was taken back. See why.`]);
  });
});

describe('a bulk', () => {
  const all = (decisions: (NewDecision & { claimId: string })[], by = place.moderator) =>
    db.sql.begin((tx) => decideAll(tx, { communityId: place.id, reviewerId: by, now: NOON }, decisions));

  it('decides each claim for itself and tells how each went', async () => {
    const [one, two, three] = [
      await send('one'),
      await send('two', await on.member(place.id)),
      await send('three', await on.member(place.id)),
    ];
    const own = await send('own', place.moderator);
    await reject(two.id, place.leader);
    const appellant = await on.member(place.id);
    const appealed = await send('appealed', appellant);
    await reject(appealed.id);
    await complain(appealed.id, NOON, appellant);
    const elsewhere = await on.community();
    const foreign = await on.claim(
      elsewhere,
      await on.task(elsewhere, { kind: 'submit_text' }),
      await on.member(elsewhere.id),
      { text: 'x' },
    );
    const unknown = crypto.randomUUID();
    const results = await all([
      { claimId: one.id, decision: 'approve' },
      { claimId: two.id, decision: 'approve' },
      { claimId: own.id, decision: 'approve' },
      { claimId: appealed.id, decision: 'approve' },
      { claimId: foreign.id, decision: 'approve' },
      { claimId: unknown, decision: 'approve' },
      { claimId: three.id, decision: 'request_changes', reason: 'Say where' },
    ]);
    expect(results.map(({ claimId, outcome, claim }) => [claimId, outcome, claim?.state ?? null])).toEqual([
      [one.id, 'decided', 'approved'],
      [two.id, 'already_decided', 'rejected'],
      [own.id, 'own_claim', 'submitted'],
      [appealed.id, 'own_claim', 'rejected'],
      [foreign.id, 'not_found', null],
      [unknown, 'not_found', null],
      [three.id, 'decided', 'changes_requested'],
    ]);
    expect(await points()).toBe(35);
    expect(await refusal(all([{ claimId: one.id, decision: 'reject' }]))).toMatchObject({ reason: 'REASON_REQUIRED' });
    expect(await refusal(all([{ claimId: three.id, decision: 'approve' }], await on.member(place.id)))).toMatchObject({
      status: 403,
      reason: 'NOT_ALLOWED',
    });
  });

  it('meets others, single decisions and claims in any order without waiting for ever', async () => {
    const members = await Promise.all(Array.from({ length: 12 }, () => on.member(place.id)));
    const claims = await Promise.all(members.map((by, index) => send(`words ${index}`, by)));
    const forth = claims.map(({ id }) => ({ claimId: id, decision: 'approve' as const }));
    const acts = await Promise.allSettled([
      all(forth),
      all([...forth].reverse(), place.leader),
      ...claims.slice(0, 6).map(({ id }) => decide(id, { decision: 'approve' }, place.leader)),
      ...members.map(async (by) => on.claim(place, await on.task(place), by, { now: NOON })),
    ]);
    for (const act of acts)
      if (act.status === 'rejected') expect(act.reason).toMatchObject({ reason: 'ALREADY_DECIDED' });
    expect(await mismatches(db.sql, place.id)).toEqual([]);
    const paid = await db.sql`select count(*)::int as count from point_events where task_id = ${task}`;
    expect(paid[0]?.['count']).toBe(12);
  });
});

describe('the queue', () => {
  it('is read page by page, whatever is decided between them', async () => {
    const people = await Promise.all(Array.from({ length: REVIEW_PAGE + 7 }, () => on.member(place.id)));
    const sent: Claim[] = [];
    for (const [index, by] of people.entries())
      sent.push(await send(`words ${index}`, by, later(Math.floor(index / 3))));
    const read = (after?: string) =>
      readQueue(db.sql, { communityId: place.id, reviewerId: place.moderator, now: NOON, after });
    const first = await read();
    expect(first.items).toHaveLength(REVIEW_PAGE);
    await decide(first.items.at(-1)!.claim.id, { decision: 'approve' });
    const second = await read(first.next ?? undefined);
    expect(second.next).toBe(null);
    const ids = [...first.items, ...second.items].map(({ claim }) => claim.id);
    expect(new Set(ids)).toEqual(new Set(sent.map(({ id }) => id)));
    expect(ids).toHaveLength(sent.length);
    expect(await refusal(read('rubbish'))).toMatchObject({ status: 400, reason: 'INVALID_INPUT' });
    const one = await readQueue(db.sql, {
      communityId: place.id,
      reviewerId: place.moderator,
      now: NOON,
      state: 'approved',
    });
    expect(one.items.map(({ claim }) => claim.state)).toEqual(['approved']);
    const none = await readQueue(db.sql, {
      communityId: place.id,
      reviewerId: place.moderator,
      now: NOON,
      taskId: await on.task(place),
    });
    expect(none.items).toEqual([]);
  });

  it('shows answers that are like one, the most alike first', async () => {
    const say = async (text: string) => (await send(text, await on.member(place.id))).id;
    const one = await say('We walked up to the ridge at dawn and saw the valley');
    const same = await say('we walked up to the ridge at dawn, and saw the valley!');
    const like = await say('We walked up to the ridge at dusk and saw the lake');
    await say('Something else altogether');
    const found = await readSimilar(db.sql, { communityId: place.id, claimId: one });
    expect(found.map(({ claim, likeness }) => [claim.id, likeness === 1])).toEqual([
      [same, true],
      [like, false],
    ]);
    expect(await refusal(readSimilar(db.sql, { communityId: (await on.community()).id, claimId: one }))).toMatchObject({
      status: 404,
    });
  });
});

it('an answer that somebody else had sent speaks against who sent it later, never against who wrote it', async () => {
  const words = 'We walked up to the ridge at dawn and saw the valley';
  const copier = await on.member(place.id);
  await send(words);
  await send('Nothing like it', copier, later(MINUTE));
  task = await on.task(place, { kind: 'submit_text' });
  await send(words);
  await send(words, copier, later(MINUTE));
  const likeness = async (userId: string) =>
    (await readTrust(db.sql, place.id, userId, later(2 * MINUTE))).signals.filter(({ code }) => code === 'likeness');
  expect(await likeness(member)).toEqual([]);
  expect(await likeness(copier)).toEqual([
    { code: 'likeness', effect: -10, note: '1 answer that somebody else had sent before' },
  ]);
});

describe('my claims', () => {
  it('are mine alone, the latest first; a claim is its member’s and its reviewers’', async () => {
    const one = await send('one');
    task = await on.task(place, { kind: 'submit_text' });
    const two = await send('two', member, later(MINUTE));
    await send('theirs', await on.member(place.id));
    const list = (after?: string, state?: 'approved') =>
      listMine(db.sql, { communityId: place.id, userId: member, after, state });
    expect((await list()).items.map(({ id }) => id)).toEqual([two.id, one.id]);
    expect((await list(two.id)).items.map(({ id }) => id)).toEqual([one.id]);
    expect((await list(undefined, 'approved')).items).toEqual([]);
    expect(await refusal(list('rubbish'))).toMatchObject({ status: 400 });
    expect(await refusal(detail(one.id, NOON, await on.member(place.id)))).toMatchObject({ status: 404 });
    expect(await detail(one.id, NOON, place.moderator, 'moderator')).toMatchObject({ id: one.id, mayAppeal: false });
    expect(await refusal(detail('no-id'))).toMatchObject({ status: 404 });
  });
});

describe('webhooks', () => {
  it('hear of claims without what was sent for them', async () => {
    await db.sql`
      insert into webhooks (community_id, url, events, secret, created_by)
      values (${place.id}, 'https://hooks.example.org/', '{claim.submitted,claim.decided,claim.reversed}', 'x', ${place.leader})`;
    const claim = await send('my secret words');
    await decide(claim.id, { decision: 'approve' });
    await reverse(claim.id);
    const rows = await db.sql<{ event: string; body: { data: unknown } }[]>`
      select d.event, d.body from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where w.community_id = ${place.id} order by array_position(w.events, d.event)`;
    expect(rows.map(({ event }) => event)).toEqual(['claim.submitted', 'claim.decided', 'claim.reversed']);
    expect(JSON.stringify(rows)).not.toContain('secret words');
    expect(rows[1]?.body.data).toEqual({
      claim: { id: claim.id, taskId: task, userId: member, period: 'once', state: 'approved', points: 35 },
    });
  });
});
