/**
 * True histories: whatever happens to claims, receipt, card, review, profile and exports say what was done, by whom and why,
 * and equal the ledger. The test keeps its own book of what it did, and compares.
 */
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../server/base/http-error.ts';
import type { Claim, ClaimState, ClaimStep, Evidence } from '../../server/contract/claims.ts';
import type { Decision } from '../../server/contract/review.ts';
import { claimTask } from '../../server/features/claims/claim.ts';
import { decideClaim } from '../../server/features/claims/decision.ts';
import { grantTask } from '../../server/features/claims/grant.ts';
import { appeal, listMine, readClaim, resubmit } from '../../server/features/claims/mine.ts';
import { reverseClaim } from '../../server/features/claims/reversal.ts';
import { readQueue } from '../../server/features/claims/review.ts';
import { readTask } from '../../server/features/claims/task-with-claim.ts';
import { tables } from '../../server/features/exports/tables.ts';
import { readLedger } from '../../server/features/ledger/entries.ts';
import { fc, runs } from '../support/chance.ts';
import { createTestDatabase } from '../support/database.ts';
import { mismatches, stage, versionNow } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';
import { later, MINUTE, QUIZ } from '../support/task-stage.ts';

const STEPS = 30;
const STATES: ClaimState[] = ['submitted', 'checking', 'approved', 'rejected', 'changes_requested', 'reversed'];

const db = await ofFile(createTestDatabase());

type Decided = { do: Decision; pick: number; by: 'leader' | 'moderator' };
type Act =
  | { do: 'text' | 'quiz-right' | 'quiz-wrong' | 'quiz-hasty' | 'check-in' | 'give' }
  | { do: 'answer' | 'appeal' | 'reverse'; pick: number }
  | Decided;
const pick = fc.nat(20);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('text', 'quiz-right', 'quiz-wrong', 'quiz-hasty', 'check-in', 'give') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('answer' as const, 'appeal' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reverse' as const), pick }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('approve' as const, 'reject' as const, 'request_changes' as const),
      pick,
      by: fc.constantFrom('leader' as const, 'moderator' as const),
    }),
  },
) as fc.Arbitrary<Act>;

const padding: Act[] = Array.from({ length: 4 }, () => ({ do: 'check-in' }));
/** Chance may pass a kind of step over: this schedule (an act every three hours, a day's tasks are eight acts) has all. */
const OF_EVERY_KIND: Act[] = [
  { do: 'text' },
  { do: 'request_changes', pick: 0, by: 'moderator' },
  { do: 'answer', pick: 0 },
  { do: 'approve', pick: 0, by: 'leader' },
  { do: 'reverse', pick: 0 },
  { do: 'quiz-right' },
  { do: 'give' },
  { do: 'check-in' },
  { do: 'text' },
  { do: 'reject', pick: 4, by: 'leader' },
  { do: 'appeal', pick: 4 },
  { do: 'approve', pick: 4, by: 'moderator' },
  ...padding,
  { do: 'text' },
  { do: 'reject', pick: 6, by: 'leader' },
  { do: 'appeal', pick: 6 },
  { do: 'reject', pick: 6, by: 'moderator' },
  { do: 'text' },
  { do: 'reject', pick: 7, by: 'leader' },
  { do: 'appeal', pick: 7 },
  { do: 'text' },
];

/** A step as everybody must tell it: its kind, the id of who did it (null: the server), why, and its points. */
type HistoryStep = { kind: ClaimStep['kind']; by: string | null; reason: string | null; points: number | null };
type Book = Map<string, HistoryStep[]>;

const quiz = (startedMsAgo: number, now: Date, right: boolean): Evidence => ({
  kind: 'quiz',
  startedAt: new Date(now.getTime() - startedMsAgo).toISOString(),
  answers: [
    { questionId: 'one', optionIds: [right ? 'b' : 'a'] },
    { questionId: 'two', optionIds: [right ? 'b' : 'c'] },
  ],
});

/** Plays a schedule in a community of its own. Answers who was there, and the book of what was done. */
async function play(acts: readonly Act[]) {
  const on = stage(db.sql);
  const place = await on.community();
  const member = await on.member(place.id);
  const wanted = {
    text: { kind: 'submit_text' },
    quiz: { setup: QUIZ },
    checkIn: {},
    manual: { kind: 'manual' },
  } as const;
  const task: Record<keyof typeof wanted, string> = {
    text: await on.task(place, { ...wanted.text, recurrence: 'daily', points: 35 }),
    quiz: await on.task(place, { ...wanted.quiz, recurrence: 'daily', points: 20 }),
    checkIn: await on.task(place, { recurrence: 'daily', points: 5 }),
    manual: await on.task(place, { ...wanted.manual, recurrence: 'daily', points: 7 }),
  };
  const book: Book = new Map();
  const points = new Map<string, number>();
  const note = ({ id }: { id: string }, ...steps: HistoryStep[]) => book.set(id, [...(book.get(id) ?? []), ...steps]);
  const step = (
    kind: HistoryStep['kind'],
    by: string | null,
    reason: string | null = null,
    gained: number | null = null,
  ) => ({ kind, by, reason, points: gained });
  /** What the server must have made of an answer by itself, beside that it was sent. */
  const checked = (claim: Claim): HistoryStep[] => {
    if (claim.state === 'approved') return [step('checked', null), step('counted', null, null, claim.points)];
    return claim.state === 'rejected' ? [step('checked', null, claim.reason)] : [];
  };
  const pickOf = (index: number) => [...book.keys()][index % Math.max(1, book.size)] ?? crypto.randomUUID();
  const idsOf = { communityId: place.id };

  async function decideIt(one: Decided, index: number, now: Date): Promise<void> {
    const claimId = pickOf(one.pick);
    const reviewerId = place[one.by];
    const reason = one.do === 'approve' ? null : `Because of ${index}`;
    const version = await versionNow(db.sql, claimId);
    const wasAppeal = (await db.sql`select from claims where id = ${claimId} and appeal_outcome = 'open'`).length > 0;
    const input = { decision: one.do, ...version, ...(reason && { reason }) };
    const claim = await db.sql.begin((tx) =>
      decideClaim(tx, { ...idsOf, claimId, reviewerId, now, role: one.by }, input),
    );
    const kinds = { approve: 'approved', reject: 'rejected', request_changes: 'sent_back' } as const;
    const heard = { approve: 'appeal_granted', reject: 'appeal_refused', request_changes: 'sent_back' } as const;
    note(claim, step((wasAppeal ? heard : kinds)[one.do], reviewerId, reason));
    if (claim.state === 'approved') note(claim, step('counted', null, null, claim.points));
  }
  async function doIt(one: Act, index: number): Promise<void> {
    const now = later(index * 3 * 60 * MINUTE);
    if ('by' in one) return decideIt(one, index, now);
    if ('pick' in one) {
      const claimId = pickOf(one.pick);
      if (one.do === 'answer') {
        const isQuiz = book.get(claimId) && (await evidenceOf(claimId))?.kind === 'quiz';
        const evidence: Evidence = isQuiz
          ? quiz(60_000, now, one.pick % 2 === 0)
          : { kind: 'submit_text', text: `Anew ${index}` };
        const claim = await db.sql.begin((tx) =>
          resubmit(tx, { ...idsOf, claimId, userId: member, now }, { evidence }),
        );
        note(claim, step('resubmitted', member), ...checked(claim));
      } else if (one.do === 'appeal') {
        const text = `Please look again, ${index}`;
        note(
          await db.sql.begin((tx) => appeal(tx, { ...idsOf, claimId, userId: member, now }, { text })),
          step('appealed', member, text),
        );
      } else {
        const reason = `A copy, ${index}`;
        const asked = { ...idsOf, claimId, leaderId: place.leader, now };
        const claim = await db.sql.begin((tx) => reverseClaim(tx, asked, { reason }));
        note(claim, step('reversed', place.leader, reason, -(points.get(claim.id) ?? claim.points)));
      }
      return;
    }
    if (one.do === 'give') {
      const asked = { ...idsOf, taskId: task.manual, leaderId: place.leader, now };
      const reason = `Carried the water, ${index}`;
      const claim = await db.sql.begin((tx) => grantTask(tx, asked, { userId: member, reason }));
      note(claim, step('given', place.leader, reason), step('counted', null, null, claim.points));
      return;
    }
    const sends: Record<Exclude<typeof one.do, 'give'>, { taskId: string; evidence?: Evidence }> = {
      text: { taskId: task.text, evidence: { kind: 'submit_text', text: `My words ${index}` } },
      'quiz-right': { taskId: task.quiz, evidence: quiz(60_000, now, true) },
      'quiz-wrong': { taskId: task.quiz, evidence: quiz(60_000, now, false) },
      'quiz-hasty': { taskId: task.quiz, evidence: quiz(0, now, true) },
      'check-in': { taskId: task.checkIn },
    };
    const { taskId, evidence } = sends[one.do];
    const asked = { ...idsOf, taskId, userId: member, timeZone: 'UTC', now };
    const claim = await db.sql.begin((tx) => claimTask(tx, asked, evidence ? { evidence } : {}));
    points.set(claim.id, claim.points);
    note(claim, step('submitted', member), ...checked(claim));
  }
  const evidenceOf = async (claimId: string) =>
    (await db.sql<{ evidence: Evidence | null }[]>`select evidence from claims where id = ${claimId}`)[0]?.evidence;

  const appeals = async (outcome: 'open' | 'withdrawn') =>
    (
      await db.sql<{ id: string }[]>`select id from claims where user_id = ${member} and appeal_outcome = ${outcome}`
    ).map(({ id }) => id);

  for (const [index, one] of acts.entries()) {
    const open = await appeals('open');
    try {
      await doIt(one, index);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
    }
    // Whatever the member sent for that task and day takes the place of an appeal.
    for (const id of await appeals('withdrawn')) if (open.includes(id)) note({ id }, step('appeal_withdrawn', member));
  }
  return { place, member, book, end: later(acts.length * 3 * 60 * MINUTE) };
}

async function exported(name: 'history' | 'claims', communityId: string) {
  const lines: Record<string, unknown>[] = [];
  for await (const page of tables[name].pages(db.sql, communityId)) lines.push(...page);
  return lines;
}

describe('for random histories of claims', () => {
  it('every reader is told the same, nobody is named for what they did not do, and it equals the ledger', {
    timeout: 300_000,
  }, async () => {
    const kinds = new Map<string, number>();
    const schedules = fc.sample(fc.array(act, { minLength: STEPS, maxLength: STEPS }), runs(8, 24));
    for (const acts of [OF_EVERY_KIND, ...schedules]) {
      const { place, member, book, end } = await play(acts);
      const names = new Map(
        (await db.sql<{ id: string; name: string }[]>`select id, display_name as name from users`).map(
          ({ id, name }) => [id, name],
        ),
      );
      const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? '?'));
      const said = (told: readonly HistoryStep[]) => told.map((one) => ({ ...one, by: nameOf(one.by) }));
      const asTold = (steps: readonly ClaimStep[]): HistoryStep[] =>
        steps.map(({ kind, by, reason, points }) => ({ kind, by, reason, points }));
      const exportedSteps = await exported('history', place.id);
      const exportedClaims = await exported('claims', place.id);
      const reviewed = new Map<string, ClaimStep[]>();
      for (const state of STATES)
        for (let after: string | undefined, more = true; more; ) {
          const asked = {
            communityId: place.id,
            reviewerId: place.leader,
            role: 'leader' as const,
            now: end,
            state,
            after,
          };
          const { items, next } = await readQueue(db.sql, asked);
          for (const { claim, history } of items) reviewed.set(claim.id, history);
          after = next ?? undefined;
          more = next !== null;
        }
      const mine = await listMine(db.sql, {
        communityId: place.id,
        userId: member,
        after: undefined,
        state: undefined,
      });
      expect([...reviewed.keys()].sort()).toEqual([...book.keys()].sort());

      for (const [claimId, told] of book) {
        for (const { kind } of told) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        const asked = { communityId: place.id, claimId, userId: member, role: 'member' as const, now: end };
        const receipt = await db.sql.begin((tx) => readClaim(tx, asked));
        expect(asTold(receipt.history)).toEqual(said(told));
        // Whose act it was, and that only people have names.
        for (const { kind, actor, by } of receipt.history) {
          const isMembers = ['submitted', 'resubmitted', 'appealed', 'appeal_withdrawn'].includes(kind);
          const isServers = kind === 'checked' || kind === 'counted';
          expect([kind, actor]).toEqual([kind, isMembers ? 'member' : isServers ? 'server' : 'reviewer']);
          expect(by === nameOf(member), kind).toBe(isMembers);
          expect(by === null, kind).toBe(isServers);
        }
        expect(reviewed.get(claimId)).toEqual(receipt.history);
        const rows = exportedSteps.filter((row) => row['claim_id'] === claimId);
        expect(rows.map(({ kind, by, reason, points }) => ({ kind, by, reason, points }))).toEqual(said(told));

        // The claim itself, on card, list and in the file, is as its history ends.
        const last = told.findLast(({ kind }) => !['counted', 'appealed', 'appeal_withdrawn'].includes(kind));
        const isSent = last?.kind === 'submitted' || last?.kind === 'resubmitted';
        const { taskId, state, decidedBy, reason, version, period } = receipt;
        expect(decidedBy).toBe(isSent || last?.kind === 'checked' ? null : nameOf(last?.by ?? null));
        expect(reason).toBe(isSent ? null : last?.reason);
        expect(version).toBe(receipt.history.at(-1)?.version);
        expect(mine.items.find(({ id }) => id === claimId)).toMatchObject({ state, decidedBy, reason, version });
        const row = exportedClaims.find(({ id }) => id === claimId);
        expect(row).toMatchObject({ state, decided_by: decidedBy, reason });
        const day = new Date(`${period}T12:00:00Z`);
        const card = await readTask(db.sql, { ...asked, timeZone: 'UTC', now: day }, taskId);
        if (card.claim?.id === claimId) expect(card.claim).toMatchObject({ state, decidedBy, reason, version });

        // What it says of points is what the ledger has.
        const inLedger = await db.sql<
          { points: number }[]
        >`select points from point_events where claim_id = ${claimId} order by id`;
        expect(told.flatMap(({ points }) => (points === null ? [] : [points]))).toEqual(
          inLedger.map(({ points }) => points),
        );
      }
      // The profile's lines name who gave or took the points, and nobody for what the server counted.
      const lines = [];
      for (let after: string | undefined, more = true; more; ) {
        const page = await readLedger(db.sql, { userId: member, communityId: place.id, after });
        lines.push(...page.items);
        after = page.next ?? undefined;
        more = page.next !== null;
      }
      const decided = [...book.values()].flatMap((told) =>
        told.flatMap((one, nth) =>
          one.points === null
            ? []
            : [{ points: one.points, by: nameOf(one.kind === 'reversed' ? one.by : (told[nth - 1]?.by ?? null)) }],
        ),
      );
      const inOrder = (list: { points: number; by: string | null }[]) =>
        list.map(({ points, by }) => `${points} ${by}`).sort();
      expect(inOrder(lines)).toEqual(inOrder(decided));
      expect(await mismatches(db.sql, place.id)).toEqual([]);
    }
    // All of it did happen.
    const all: ClaimStep['kind'][] = [
      'submitted',
      'checked',
      'approved',
      'rejected',
      'sent_back',
      'resubmitted',
      'appealed',
      'appeal_withdrawn',
    ];
    for (const kind of [...all, 'appeal_granted', 'appeal_refused', 'given', 'counted', 'reversed'])
      expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(0);
  });
});
