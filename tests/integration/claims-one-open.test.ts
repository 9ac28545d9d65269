/**
 * Of a member, task and period one thing waits, whatever a member sends from two devices that see different things, and
 * whatever leaders decide about what they saw before. Each number of what waits is the same.
 */
import { expect, it } from 'vitest';
import { errorWords } from '../../app/lib/error-words.ts';
import { HttpError } from '../../server/base/http-error.ts';
import type { Claim, Evidence } from '../../server/contract/claims.ts';
import type { Decision } from '../../server/contract/review.ts';
import { SNAPSHOT } from '../../server/domain/snapshot.ts';
import { claimTask } from '../../server/features/claims/claim.ts';
import { decideClaim } from '../../server/features/claims/decision.ts';
import { appeal, listMine, readClaim, resubmit } from '../../server/features/claims/mine.ts';
import { readQueue } from '../../server/features/claims/review.ts';
import { countWaiting, readWaitingByTask } from '../../server/features/claims/waiting.ts';
import { readMorning } from '../../server/features/community-pages/morning.ts';
import { readMyCommunities } from '../../server/features/profile/profile.ts';
import { isSettled } from '../../worker/unsent.ts';
import { errorOf, verdictOf } from '../../worker/verdict.ts';
import { fc, runs } from '../support/chance.ts';
import { createTestDatabase } from '../support/database.ts';
import { mismatches, refusal, stage } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';
import { later, MINUTE, QUIZ } from '../support/task-stage.ts';

const db = await ofFile(createTestDatabase());

const DEVICES = ['phone', 'computer'] as const;
const REVIEWERS = ['leader', 'moderator'] as const;
type Act =
  | { do: 'answer' | 'appeal' | 'again'; from: (typeof DEVICES)[number]; pick: number; right: boolean }
  | { do: 'look'; who: (typeof DEVICES)[number] | (typeof REVIEWERS)[number] }
  | { do: 'decide'; by: (typeof REVIEWERS)[number]; pick: number; decision: Decision };
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('answer' as const, 'appeal' as const, 'again' as const),
      from: fc.constantFrom(...DEVICES),
      pick: fc.nat(9),
      right: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('look' as const), who: fc.constantFrom(...DEVICES, ...REVIEWERS) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      by: fc.constantFrom(...REVIEWERS),
      pick: fc.nat(9),
      decision: fc.constantFrom('approve' as const, 'reject' as const, 'reject' as const, 'request_changes' as const),
    }),
  },
);

/** An appeal, an answer from the device that has not heard of it, and both decided by who has seen both: the smallest case. */
const SMALLEST: Act[] = [
  { do: 'answer', from: 'phone', pick: 0, right: true },
  { do: 'look', who: 'leader' },
  { do: 'decide', by: 'leader', pick: 0, decision: 'reject' },
  { do: 'look', who: 'phone' },
  { do: 'look', who: 'computer' },
  { do: 'appeal', from: 'phone', pick: 0, right: true },
  { do: 'look', who: 'moderator' },
  { do: 'answer', from: 'computer', pick: 0, right: true },
  { do: 'decide', by: 'moderator', pick: 0, decision: 'approve' },
];

type Seen = Pick<Claim, 'id' | 'version' | 'taskId' | 'state' | 'evidence'>;

async function play(acts: readonly Act[]) {
  const on = stage(db.sql);
  const place = await on.community();
  const member = await on.member(place.id);
  const communityId = place.id;
  const tasks = [await on.task(place, { kind: 'submit_text', points: 7 }), await on.task(place, { setup: QUIZ })];
  const seen = new Map<string, readonly Seen[]>();
  const refusals = new Set<string>();

  const waitingFor = async (by: (typeof REVIEWERS)[number], now: Date): Promise<Claim[]> => {
    const reviewer = { communityId, reviewerId: place[by], role: by, now };
    const claims: Claim[] = (await readQueue(db.sql, reviewer)).items.map(({ claim }) => claim);
    const person = { userId: place[by], timeZone: 'UTC' };
    const byTask = await readWaitingByTask(db.sql, reviewer);
    const morning = await db.sql.begin(SNAPSHOT, (tx) => readMorning(tx, { ...person, communityId, now }));
    const [mine] = await readMyCommunities(db.sql, person, now);
    expect({
      list: await countWaiting(db.sql, reviewer),
      byTask: byTask.reduce((sum, { answers, appeals }) => sum + answers + appeals, 0),
      morning: morning.waiting,
      badge: mine?.toReview,
    }).toEqual({ list: claims.length, byTask: claims.length, morning: claims.length, badge: claims.length });
    return claims;
  };
  const look = async (who: string, now: Date) => {
    const reviewer = REVIEWERS.find((one) => one === who);
    const asked = { communityId, userId: member, after: undefined, state: undefined };
    seen.set(who, reviewer ? await waitingFor(reviewer, now) : (await listMine(db.sql, asked)).items);
  };
  const picked = (who: string, pick: number, wanted: (claim: Seen) => boolean = () => true) => {
    const known = (seen.get(who) ?? []).filter(wanted);
    return known[pick % Math.max(1, known.length)];
  };
  const answerTo = (taskId: string | undefined, index: number, right: boolean, now: Date): Evidence =>
    taskId === tasks[0]
      ? { kind: 'submit_text', text: right ? 'The same words' : `Words ${index}` }
      : {
          kind: 'quiz',
          startedAt: new Date(now.getTime() - MINUTE).toISOString(),
          answers: ['one', 'two'].map((questionId) => ({ questionId, optionIds: [right ? 'b' : 'c'] })),
        };

  async function doIt(one: Act, index: number, now: Date): Promise<void> {
    if (one.do === 'look') return look(one.who, now);
    if (one.do === 'decide') {
      const claim = picked(one.by, one.pick);
      if (!claim) return;
      const asked = { communityId, claimId: claim.id, reviewerId: place[one.by], role: one.by, now };
      const reason = one.decision === 'approve' ? {} : { reason: `Because of ${index}` };
      const input = { decision: one.decision, version: claim.version, ...reason };
      await answered(`claims/${claim.id}/decision`, (tx) => decideClaim(tx, asked, input));
      return;
    }
    const mine = { communityId, userId: member, now };
    if (one.do === 'answer') {
      const taskId = tasks[one.pick % tasks.length] ?? '';
      const asked = { ...mine, taskId, timeZone: 'UTC' };
      const evidence = answerTo(taskId, index, one.right, now);
      await answered(`tasks/${taskId}/claims`, (tx) => claimTask(tx, asked, { evidence }));
      return;
    }
    const wanted = one.do === 'appeal' ? 'rejected' : 'changes_requested';
    const claim = picked(one.from, one.pick, ({ state }) => state === wanted);
    if (!claim) return;
    const asked = { ...mine, claimId: claim.id };
    if (one.do === 'appeal')
      await answered(`claims/${claim.id}/appeal`, (tx) =>
        appeal(tx, asked, { text: one.right ? 'Please look again.' : `Please look again, ${index}.` }),
      );
    else {
      const evidence = answerTo(claim.taskId, index, one.right, now);
      await answered(`claims/${claim.id}/resubmission`, (tx) => resubmit(tx, asked, { evidence }));
    }
  }
  /** As the device takes the answer: what is refused for good leaves nothing that can be tried again, and says why in words. */
  async function answered(path: string, command: Parameters<typeof db.sql.begin>[1]): Promise<void> {
    try {
      await db.sql.begin(command);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const { status, reason, message, details } = error;
      const answer = { status, body: { reason, message, requestId: 'r', details }, retryAfter: null, date: null };
      // Decided with the others' word, or by who may not: nothing about two answers.
      if (status === 403 || status === 422) return;
      const verdict = verdictOf(answer, path);
      if (verdict === 'delivered') return;
      expect(verdict).toBe('refused');
      expect(isSettled({ state: 'refused', error: errorOf(answer) }), `${reason} ${path}`).toBe(true);
      expect(errorWords(reason, details)).toBeTruthy();
      refusals.add(reason);
    }
  }

  for (const [index, one] of acts.entries()) {
    const now = later(index * MINUTE);
    await doIt(one, index, now);
    const twice = await db.sql`
      select from claims where community_id = ${communityId}
        and (state in ('submitted', 'checking', 'changes_requested', 'approved') or appeal_outcome = 'open')
      group by task_id, user_id, period having count(*) > 1`;
    expect(twice, `${JSON.stringify(one)} at ${index}`).toHaveLength(0);
  }
  // Whoever looks now may decide all that they see, each once.
  const end = later(acts.length * MINUTE);
  for (const by of REVIEWERS)
    for (const { id, version } of await waitingFor(by, end)) {
      const asked = { communityId, claimId: id, reviewerId: place[by], now: end };
      const decided = await db.sql.begin((tx) => decideClaim(tx, asked, { decision: 'approve', version }));
      expect(decided.state).toBe('approved');
    }
  for (const by of REVIEWERS) expect(await waitingFor(by, end)).toEqual([]);
  expect(await mismatches(db.sql, communityId)).toEqual([]);
  return { place, member, refusals, end };
}

it('of a member, task and period one thing waits, all numbers of it agree, and whoever looks can decide it', {
  timeout: 300_000,
}, async () => {
  const refusals = new Set<string>();
  const schedules = fc.sample(fc.array(act, { minLength: 30, maxLength: 30 }), runs(12, 60));
  for (const acts of [SMALLEST, ...schedules]) for (const one of (await play(acts)).refusals) refusals.add(one);
  expect([...refusals]).toContain('ALREADY_DECIDED');
});

it('an appeal gives way to a newer answer, which says so, and an answer leaves nothing to appeal', async () => {
  const on = stage(db.sql);
  const place = await on.community();
  const member = await on.member(place.id);
  const task = await on.task(place, { kind: 'submit_text', points: 7 });
  const mine = (claimId: string) => ({ communityId: place.id, claimId, userId: member, now: later(MINUTE) });
  const complain = (claimId: string) =>
    db.sql.begin((tx) => appeal(tx, mine(claimId), { text: 'It was there, look again.' }));
  const first = await on.claim(place, task, member, { text: 'one', now: later(0) });
  await on.reject(place, first.id, place.leader, later(0));
  await complain(first.id);
  const second = await on.claim(place, task, member, { text: 'two', now: later(2 * MINUTE) });
  expect(second.checks).toMatchObject([{ what: 'appeal', ok: null }]);
  const told = await db.sql.begin((tx) => readClaim(tx, { ...mine(first.id), role: 'member' }));
  expect(told).toMatchObject({ state: 'rejected', appeal: { outcome: 'withdrawn' }, mayAppeal: false });
  expect(told.history.at(-1)).toMatchObject({ kind: 'appeal_withdrawn', actor: 'member' });
  await on.reject(place, second.id, place.leader, later(3 * MINUTE));
  const third = await on.claim(place, task, member, { text: 'three', now: later(4 * MINUTE) });
  expect(await refusal(complain(second.id))).toMatchObject({
    status: 409,
    reason: 'ANSWERED_AGAIN',
    details: { claim: { id: third.id } },
  });
});

it('a later appeal takes the place of an earlier one for the same period', async () => {
  const on = stage(db.sql);
  const place = await on.community();
  const member = await on.member(place.id);
  const task = await on.task(place, { setup: QUIZ });
  const wrong = (now: Date): Evidence => ({
    kind: 'quiz',
    startedAt: new Date(now.getTime() - MINUTE).toISOString(),
    answers: [{ questionId: 'one', optionIds: ['a'] }],
  });
  const appealed: string[] = [];
  for (const minutes of [0, 10]) {
    const now = later(minutes * MINUTE);
    const { id } = await on.claim(place, task, member, { evidence: wrong(now), now });
    const asked = { communityId: place.id, claimId: id, userId: member, now };
    await db.sql.begin((tx) => appeal(tx, asked, { text: 'The question is wrong.' }));
    appealed.push(id);
  }
  const asked = { communityId: place.id, reviewerId: place.leader, now: later(11 * MINUTE) };
  const { items } = await readQueue(db.sql, asked);
  expect(items.map(({ claim }) => claim.id)).toEqual(appealed.slice(1));
});
