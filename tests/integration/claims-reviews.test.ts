import { beforeEach, describe, expect, it } from 'vitest';
import type { Claim } from '../../server/contract/claims.ts';
import { REVIEW_PAGE } from '../../server/contract/limits.ts';
import type { NewDecision } from '../../server/contract/review.ts';
import { decideAll } from '../../server/features/claims/decision.ts';
import { listMine } from '../../server/features/claims/mine.ts';
import { readQueue, readSimilar } from '../../server/features/claims/review.ts';
import { readTrust } from '../../server/features/rewards/trust.ts';
import { createTestDatabase } from '../support/database.ts';
import { mismatches, refusal } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';
import { openReviewStage, type ReviewStage, words } from '../support/review-stage.ts';
import { later, MINUTE, NOON } from '../support/task-stage.ts';

let { on, place, member, task, points, decide, answer, complain, reverse, detail, reject, queue } = {} as ReviewStage;
const db = await ofFile(createTestDatabase());

beforeEach(async () => {
  ({ on, place, member, task, points, decide, answer, complain, reverse, detail, reject, queue } =
    await openReviewStage(db.sql));
});
/** Claims the task of this test, which some tests put another in place of. */
const send = (text: string, by = member, now = NOON) => on.claim(place, task, by, { text, now });

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
    expect(await refusal(decide(claim.id, { decision: 'approve', version: 1 }))).toMatchObject({
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
      ['approved', 'approved', null],
    ]);
    expect(history.filter(({ by }) => by === null).map(({ kind }) => kind)).toEqual(['counted']);
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
    return { id: claim.id, version: back.version };
  };

  it('is turned down without an answer: its place under the caps is free again', async () => {
    task = await on.task(place, { kind: 'submit_text', points: 35, caps: { total: 1, member: 1 } });
    const { id, version } = await sendBack();
    const other = await on.member(place.id);
    expect(await refusal(send('theirs', other))).toMatchObject({ reason: 'CAP_REACHED' });
    const asked = { communityId: place.id, reviewerId: place.leader, role: 'leader' as const, now: NOON };
    const { items } = await readQueue(db.sql, { ...asked, state: 'changes_requested' });
    expect(items.map(({ claim }) => [claim.id, claim.version])).toEqual([[id, version]]);
    expect(await refusal(decide(id, { decision: 'reject', version }))).toMatchObject({ reason: 'REASON_REQUIRED' });
    const rejection = { decision: 'reject', reason: 'No answer came', version } as const;
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
    const { id, version } = await sendBack();
    const approval = { decision: 'approve', version } as const;
    expect(await decide(id, approval)).toMatchObject({ state: 'approved' });
    expect(await refusal(decide(id, approval, place.leader))).toMatchObject({ reason: 'ALREADY_DECIDED' });
    expect(await points()).toBe(35);
  });

  it('is as who decides it saw it, or it is a conflict', async () => {
    const { id, version } = await sendBack();
    const rejection = { decision: 'reject', reason: 'No answer came', version } as const;
    // Made while it waited, by somebody who did not know.
    const early = decide(id, { ...rejection, version: 1 }, place.leader);
    expect(await refusal(early)).toMatchObject({ reason: 'ALREADY_DECIDED' });
    const twice = decide(id, { decision: 'request_changes', reason: 'And when', version });
    expect(await refusal(twice)).toMatchObject({ reason: 'ALREADY_DECIDED' });
    await answer(id, words('at the hut'));
    expect(await refusal(decide(id, rejection))).toMatchObject({
      status: 409,
      reason: 'CLAIM_CHANGED',
      details: { claim: { state: 'submitted' } },
    });
    const changes = { decision: 'request_changes', reason: 'And when' } as const;
    const anew = await decide(id, changes, place.moderator, later(2 * MINUTE));
    expect(await refusal(decide(id, rejection))).toMatchObject({ details: { claim: { state: 'changes_requested' } } });
    await decide(id, { ...rejection, version: anew.version }, place.leader);
    await complain(id);
    expect(await refusal(decide(id, rejection, place.moderator))).toMatchObject({ reason: 'CLAIM_CHANGED' });
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
      const { id, version } = await sendBack(by);
      const acts = [
        () => answer(id, words(`at hut ${round}`), by),
        () => decide(id, { decision: 'reject', reason: 'No answer came', version }, place.leader),
      ];
      const results = await Promise.allSettled((round % 2 === 0 ? acts : acts.reverse()).map((begin) => begin()));
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.state] : []));
      const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      const reason = won[0] === 'submitted' ? 'CLAIM_CHANGED' : 'ALREADY_DECIDED';
      expect(lost).toMatchObject([{ status: 409, reason, details: { claim: { state: won[0] } } }]);
      const { history } = await detail(id, NOON, by);
      expect(history.slice(1).map(({ to }) => to)).toEqual(['changes_requested', won[0]]);
    }
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
    expect(await told()).toEqual([`review ${member} The points were taken back. See why.`]);
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
      { claimId: appealed.id, version: 3, decision: 'approve' },
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
    { code: 'likeness', effect: -10, note: '1 answer that someone else had already sent' },
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
