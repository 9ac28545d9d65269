import type { ISql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { CommunityRole } from '../../contract/community.ts';
import {
  QUIZ_ATTEMPT_PASS_PERCENT,
  QUIZ_ATTEMPT_QUESTIONS,
  QUIZ_ATTEMPTS_SHOWN,
  QUIZ_COOL_DOWN_MINUTES,
  QUIZ_TRIES_PER_DAY,
} from '../../contract/limits.ts';
import type { GradedPack, PaperLine, QuizAnswer, QuizAttempt, QuizDraw } from '../../contract/quiz.ts';
import { inWords, isRight, keyOf, neededOf, withoutKey } from '../../contract/quiz-grade.ts';
import { isId } from '../../domain/ids.ts';
import { demandRole, refuseLeader } from '../../domain/roles.ts';
import { bank, findPack, shippedRef } from './bank.ts';
import { type Drawn, draw, type Graded, gradeDrawn } from './draw.ts';

const DAY_MS = 24 * 60 * 60_000;

type Row = {
  id: string;
  userId: string;
  pack: string;
  title: string;
  communityId: string | null;
  taskId: string | null;
  passPercent: number;
  questions: Drawn[];
  drawnAt: Date;
  gradedAt: Date | null;
  answers: QuizAnswer[] | null;
  outcome: Graded['outcome'] | null;
  score: number | null;
};
const columns = (sql: ISql) => sql`
  a.id, a.user_id as "userId", a.pack, a.title, a.community_id as "communityId", a.task_id as "taskId",
  a.pass_percent as "passPercent", a.questions, a.drawn_at as "drawnAt", a.graded_at as "gradedAt", a.answers, a.outcome,
  a.score`;

/**
 * An attempt as its member sees it. Before grading: questions without keys. After failing: only that it failed, so the
 * next guess is no better. After passing: everything.
 */
export function attemptOf(row: Row): QuizAttempt {
  const { id, pack, title, communityId, taskId, passPercent, questions, drawnAt, gradedAt, answers, outcome } = row;
  const hasPassed = outcome === 'passed';
  return {
    id,
    pack,
    title,
    communityId,
    taskId,
    count: questions.length,
    needed: neededOf(questions.length, passPercent),
    drawnAt: drawnAt.toISOString(),
    questions: outcome === null || hasPassed ? questions.map(({ question }) => withoutKey(question)) : [],
    result:
      outcome === null || gradedAt === null
        ? null
        : {
            outcome,
            gradedAt: gradedAt.toISOString(),
            score: hasPassed ? row.score : null,
            told: hasPassed ? questions.map(({ question }) => outcomeOf(question, answers ?? [])) : null,
          },
  };
}

function outcomeOf(question: Drawn['question'], answers: readonly QuizAnswer[]) {
  const yours = answers.find(({ questionId }) => questionId === question.id);
  return {
    questionId: question.id,
    isRight: isRight(question, yours),
    yours: yours ?? null,
    key: keyOf(question),
    explanation: question.explanation,
    source: question.source ?? null,
  };
}

type Tries = { failed: number; firstFailedAt: Date | null; lastFailedAt: Date | null };
/** When a pack may be taken out again; null: now. Failed tries of all tasks count together: their questions are the same. */
export function nextDrawAt({ failed, firstFailedAt, lastFailedAt }: Tries, now: Date): Date | null {
  if (lastFailedAt === null) return null;
  const rested = lastFailedAt.getTime() + QUIZ_COOL_DOWN_MINUTES * 60_000;
  const isUsedUp = failed >= QUIZ_TRIES_PER_DAY && firstFailedAt !== null;
  const at = isUsedUp ? Math.max(rested, firstFailedAt.getTime() + DAY_MS) : rested;
  return at > now.getTime() ? new Date(at) : null;
}

const triesOf = (sql: ISql, userId: string, now: Date) => sql<(Tries & { pack: string; passed: boolean })[]>`
  select pack, bool_or(outcome = 'passed') as passed,
    count(*) filter (where outcome <> 'passed' and graded_at > ${new Date(now.getTime() - DAY_MS)})::int as failed,
    min(graded_at) filter (where outcome <> 'passed' and graded_at > ${new Date(now.getTime() - DAY_MS)}) as "firstFailedAt",
    max(graded_at) filter (where outcome <> 'passed') as "lastFailedAt"
  from quiz_attempts where user_id = ${userId} and graded_at is not null group by pack`;

/** What a member may take out, and what they did take out, the latest first. */
export async function readQuiz(
  sql: ISql,
  { userId, now }: { userId: string; now: Date },
): Promise<{ packs: GradedPack[]; attempts: QuizAttempt[] }> {
  const [tries, rows] = await Promise.all([
    triesOf(sql, userId, now),
    sql<Row[]>`
      select ${columns(sql)} from quiz_attempts a where a.user_id = ${userId}
      order by a.graded_at is null desc, a.drawn_at desc, a.id limit ${QUIZ_ATTEMPTS_SHOWN}`,
  ]);
  const packs = [...bank.values()].map((pack): GradedPack => {
    const ref = shippedRef(pack.id);
    const mine = tries.find((one) => one.pack === ref);
    const count = Math.min(QUIZ_ATTEMPT_QUESTIONS, pack.questions.length);
    return {
      ref,
      title: pack.title,
      about: pack.about,
      count,
      needed: neededOf(count, QUIZ_ATTEMPT_PASS_PERCENT),
      passed: mine?.passed ?? false,
      retryAt: (mine && nextDrawAt(mine, now)?.toISOString()) ?? null,
    };
  });
  return { packs, attempts: rows.map(attemptOf) };
}

type Drawing = {
  userId: string;
  communityId: string | null;
  taskId: string | null;
  now: Date;
  passPercent: number;
} & Pick<QuizDraw, 'ref' | 'count'>;

/**
 * Takes a pack out, or gives again what is out already. Throws 404 `NOT_FOUND`, 409 `COOLING_DOWN` (details: `{ retryAt }`).
 */
async function takeOut(tx: TransactionSql, drawing: Drawing): Promise<QuizAttempt> {
  const { userId, communityId, taskId, ref, count, passPercent, now } = drawing;
  const pack = await findPack(tx, communityId, ref);
  if (!pack) throw notFound('pack');
  // Two devices at once are given the same.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`${userId} ${ref}`}, 11))`;
  const [open] = await tx<Row[]>`
    select ${columns(tx)} from quiz_attempts a
    where a.user_id = ${userId} and a.pack = ${ref} and a.task_id is not distinct from ${taskId} and a.graded_at is null`;
  if (open) return attemptOf(open);
  const tries = (await triesOf(tx, userId, now)).find((one) => one.pack === ref);
  const retryAt = tries ? nextDrawAt(tries, now) : null;
  if (retryAt !== null)
    throw new HttpError(409, 'COOLING_DOWN', 'Wait a while before you try again.', {
      details: { retryAt: retryAt.toISOString() },
    });
  const before = await tx<{ of: string; times: number }[]>`
    select q ->> 'of' as of, count(*)::int as times
    from quiz_attempts a cross join lateral jsonb_array_elements(a.questions) q
    where a.user_id = ${userId} and a.pack = ${ref} group by 1`;
  const drawn = draw(pack.questions, count, new Map(before.map(({ of, times }) => [of, times])));
  const [row] = await tx<Row[]>`
    insert into quiz_attempts as a (user_id, pack, title, community_id, task_id, pass_percent, questions, drawn_at)
    values (${userId}, ${ref}, ${pack.title}, ${communityId}, ${taskId}, ${passPercent}, ${tx.json(drawn)}, ${now})
    returning ${columns(tx)}`;
  if (!row) throw new Error('an insert returned nothing');
  return attemptOf(row);
}

/** Takes a pack of ours out for oneself. Throws as `takeOut` does, and 404 for a community's own: those are for its tasks. */
export async function drawOwn(
  tx: TransactionSql,
  { userId, now }: { userId: string; now: Date },
  ref: string,
): Promise<QuizAttempt> {
  const count = QUIZ_ATTEMPT_QUESTIONS;
  const own = { userId, communityId: null, taskId: null, now, passPercent: QUIZ_ATTEMPT_PASS_PERCENT };
  return takeOut(tx, { ...own, ref, count });
}

/**
 * Takes out the questions of a task. Throws 404 `NOT_FOUND` where it draws from no pack, 403 `NOT_A_MEMBER` and
 * `LEADERS_DO_NOT_COMPETE`, 409 `TASK_CLOSED`, and as `takeOut` does.
 */
export async function drawForTask(
  tx: TransactionSql,
  asker: { communityId: string; userId: string; taskId: string; now: Date },
): Promise<QuizAttempt> {
  const { communityId, userId, taskId, now } = asker;
  const [task] = isId(taskId)
    ? await tx<{ role: CommunityRole | null; isOpen: boolean; passPercent: number; pack: QuizDraw | null }[]>`
        select m.role, (t.config ->> 'passPercent')::int as "passPercent", t.config -> 'pack' as pack,
          t.status = 'live' and (t.opens_at is null or t.opens_at <= ${now})
            and (t.closes_at is null or t.closes_at > ${now}) as "isOpen"
        from tasks t left join community_members m on m.community_id = t.community_id and m.user_id = ${userId}
        where t.id = ${taskId} and t.community_id = ${communityId} and t.kind = 'quiz' and t.status <> 'draft'`
    : [];
  if (!task?.pack) throw notFound('task');
  demandRole(task.role, 'member');
  refuseLeader(task.role, 'You');
  if (!task.isOpen) throw new HttpError(409, 'TASK_CLOSED', 'This task is closed.');
  const { ref, count } = task.pack;
  return takeOut(tx, { userId, communityId, taskId, now, passPercent: task.passPercent, ref, count });
}

/** An attempt of this member, locked for the transaction. Throws 404 `NOT_FOUND` for another member's. */
async function hold(tx: TransactionSql, userId: string, attemptId: string): Promise<Row> {
  const [row] = isId(attemptId)
    ? await tx<Row[]>`
        select ${columns(tx)} from quiz_attempts a where a.id = ${attemptId} and a.user_id = ${userId} for update`
    : [];
  if (!row) throw notFound('attempt');
  return row;
}

async function write(
  tx: TransactionSql,
  row: Row,
  { outcome, score }: Graded,
  answers: readonly QuizAnswer[],
  now: Date,
): Promise<Row> {
  await tx`
    update quiz_attempts set graded_at = ${now}, answers = ${tx.json([...answers])}, outcome = ${outcome}, score = ${score}
    where id = ${row.id}`;
  return { ...row, gradedAt: now, answers: [...answers], outcome, score };
}

/** Upper limit of the time that questions were open: since they were drawn, whatever a device says. */
const tookAtMost = ({ drawnAt }: Row, tookMs: number, now: Date): number =>
  Math.min(tookMs, now.getTime() - drawnAt.getTime());

/**
 * Grades the member's own attempt, once: the first answers stay, from whichever device. Throws 404 `NOT_FOUND`, 409
 * `ATTEMPT_OF_TASK` for one that belongs to a claim.
 */
export async function gradeOwn(
  tx: TransactionSql,
  { userId, attemptId, now }: { userId: string; attemptId: string; now: Date },
  given: { tookMs: number; answers: QuizAnswer[] },
): Promise<QuizAttempt> {
  const row = await hold(tx, userId, attemptId);
  if (row.taskId !== null) throw new HttpError(409, 'ATTEMPT_OF_TASK', 'Send these answers with the task.');
  if (row.gradedAt !== null) return attemptOf(row);
  const { passPercent, questions } = row;
  const tookMs = tookAtMost(row, given.tookMs, now);
  return attemptOf(
    await write(tx, row, gradeDrawn(questions, given.answers, { passPercent, tookMs }), given.answers, now),
  );
}

/** Result of a claim's answers. `hasPassed` is also true for answers that came too fast and need review. */
export type TaskGrade = { hasPassed: boolean; isHasty: boolean; count: number; needed: number };

/**
 * Grades the attempt of a claim, once. Throws 422 `ATTEMPT_NEEDED` where it is not of this member and task, and 409
 * `ATTEMPT_USED` where it was graded before.
 */
export async function gradeForTask(
  tx: TransactionSql,
  start: { userId: string; taskId: string; now: Date },
  given: { attemptId: string | undefined; tookMs: number; answers: QuizAnswer[] },
): Promise<TaskGrade> {
  const { userId, taskId, now } = start;
  const row = given.attemptId === undefined ? null : await hold(tx, userId, given.attemptId).catch(() => null);
  if (row?.taskId !== taskId.toLowerCase())
    throw new HttpError(422, 'ATTEMPT_NEEDED', 'Take the questions of this task out before you answer them.');
  if (row.gradedAt !== null)
    throw new HttpError(409, 'ATTEMPT_USED', 'These questions were graded already. Take out new ones.');
  const { passPercent, questions } = row;
  const graded = gradeDrawn(questions, given.answers, { passPercent, tookMs: tookAtMost(row, given.tookMs, now) });
  const needed = neededOf(questions.length, passPercent);
  await write(tx, row, graded, given.answers, now);
  return { hasPassed: graded.score >= needed, isHasty: graded.isHasty, count: questions.length, needed };
}

/**
 * Questions and answers of these attempts in words, by attempt, for reviewers. Correctness is shown only for a
 * community's own packs and only to leaders (`isLeader`): anyone can found a community and draw from our packs.
 */
export async function readPapers(
  sql: ISql,
  attemptIds: readonly string[],
  isLeader: boolean,
): Promise<Map<string, PaperLine[]>> {
  if (attemptIds.length === 0) return new Map();
  const rows = await sql<
    Row[]
  >`select ${columns(sql)} from quiz_attempts a where a.id = any(${[...attemptIds]}::uuid[])`;
  return new Map(
    rows.map(({ id, pack, questions, answers }) => {
      const lines = questions.map(({ question }) => {
        const answer = answers?.find(({ questionId }) => questionId === question.id);
        return {
          question: question.text,
          answer: inWords(withoutKey(question), answer ?? null),
          isRight: isLeader && pack.startsWith('own:') ? isRight(question, answer) : null,
        };
      });
      return [id, lines];
    }),
  );
}
