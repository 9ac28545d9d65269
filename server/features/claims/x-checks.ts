import type { TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { TRY_WAIT_LEAST_MINUTES, X_CHECK_FOR_MS } from '../../contract/limits.ts';
import { postIdOf, postIn } from '../../contract/x-post.ts';
import { setupOf, type TaskRow } from '../../domain/task-row.ts';
import { retryAfter } from '../../domain/tries.ts';
import {
  costOf,
  type Outcome,
  outcomeOf,
  type PostSetup,
  whyNotPost,
  X_API_NAMES,
  X_LOOKS,
  X_POST_PRICE,
} from '../../kinds/x/looks.ts';
import { notifyReviewers } from '../notifications/happened.ts';
import { giveBack, reserve } from '../x/budget.ts';
import { accessToken } from '../x/tokens.ts';
import { checksWith, decideAnswered } from './answered.ts';
import { type FullRow, findClaim, lockMemberTask } from './write.ts';
import { type XEvidence, type XSetup, xCheck } from './x-judge.ts';

/** Claims that one run checks. */
const AT_ONCE = 20;
const RETRY_FIRST_MS = 15_000;
const RETRY_MAX_MS = 30 * 60_000;

type Due = Pick<TaskRow, 'kind' | 'config'> & {
  claimId: string;
  taskId: string;
  communityId: string;
  userId: string;
  points: number;
  evidence: XEvidence;
  attempts: number;
  createdAt: Date;
  possibleSince: Date;
  xUserId: string | null;
  handle: string | null;
};
/** `wait`: X did not answer, or limits us for so many seconds. */
type CheckResult = Outcome | { wait: number };

/**
 * Asks X about the claims that are due, one after another: a refresh token works once. X that limits us or is away only makes
 * them wait; after a day of that a reviewer decides. A job.
 */
export async function runXChecks(runtime: Runtime, stopping: AbortSignal): Promise<void> {
  const { sql, now } = runtime;
  const due = await sql<Due[]>`
    select q.claim_id as "claimId", c.task_id as "taskId", c.community_id as "communityId", c.user_id as "userId",
      c.points, c.evidence, q.attempts, q.created_at as "createdAt", t.kind, t.config,
      greatest(t.created_at, t.published_at) as "possibleSince", u.x_user_id as "xUserId", u.twitter_username as handle
    from x_checks q join claims c on c.id = q.claim_id join tasks t on t.id = c.task_id join users u on u.id = c.user_id
    where q.next_try_at <= ${now()} order by q.next_try_at, q.claim_id limit ${AT_ONCE}`;
  for (const one of due) {
    if (stopping.aborted) return;
    const result = await checkOne(runtime, one);
    await sql.begin((tx) => settle(tx, one, result, now()));
  }
}

async function checkOne(runtime: Runtime, due: Due): Promise<CheckResult> {
  if (due.handle === null) return { review: 'No X account is linked any more. A reviewer decides.' };
  try {
    const { evidence } = due;
    if ('url' in evidence) return await checkPost(runtime, due, evidence.url, due.handle);
    return await checkAction(runtime, due, X_API_NAMES[evidence.kind]);
  } catch (error) {
    if (error instanceof HttpError && error.status === 503) return { wait: error.retryAfterSeconds ?? 0 };
    throw error;
  }
}

/** Pays for a question out of the community's budget; null where that has no room. What is not billed is given back. */
async function paid<T>(
  { sql, now }: Runtime,
  communityId: string,
  most: number,
  question: () => Promise<{ result: T; cost: number }>,
): Promise<T | null> {
  const spending = { communityId, now: now() };
  if (!(await reserve(sql, spending, most))) return null;
  let cost = 0;
  try {
    const answer = await question();
    cost = answer.cost;
    return answer.result;
  } finally {
    await giveBack(sql, spending, most - cost);
  }
}

async function checkAction(runtime: Runtime, due: Due, kind: 'follow' | 'like' | 'repost'): Promise<CheckResult> {
  const setup = setupOf(due) as Exclude<XSetup, PostSetup>;
  const target = setup.kind === 'x_follow' ? setup.handle : postIdOf(setup.post);
  const access = due.xUserId === null ? null : await accessToken(runtime, due.userId);
  const { xUserId } = due;
  if (access === null || xUserId === null) return outcomeOf(kind, null);
  const { rows, price } = X_LOOKS[kind];
  const result = await paid(runtime, due.communityId, costOf(kind), async () => {
    const look = await runtime.x.look(access, { kind, xUserId, target, rows });
    return { result: outcomeOf(kind, look), cost: (look?.rows ?? 0) * price };
  });
  return result ?? { review: 'This month’s budget for asking X is used up. A reviewer decides.' };
}

async function checkPost(runtime: Runtime, due: Due, url: string, handle: string): Promise<CheckResult> {
  const setup = setupOf(due) as PostSetup;
  const { handle: named = '', postId = '' } = postIn(url) ?? {};
  const shown = await runtime.x.publicPost({ handle: named, postId });
  const why = whyNotPost(shown, { setup, postId, handle, since: due.possibleSince });
  if (why !== null) return { ok: false, note: why };
  if (setup.kind === 'x_post') {
    const tag = setup.hashtag === '' ? '' : `, with #${setup.hashtag}`;
    return { ok: true, note: `X shows this post by @${handle}${tag}` };
  }
  const target = postIdOf(setup.post);
  const access = await accessToken(runtime, due.userId);
  const found =
    access === null
      ? null
      : await paid(runtime, due.communityId, X_POST_PRICE, async () => {
          const answers = await runtime.x.answersOf(access, postId);
          return { result: answers, cost: answers ? X_POST_PRICE : 0 };
        });
  const does = setup.kind === 'x_reply' ? 'answer' : 'quote';
  if (found !== null) {
    const isIt = (setup.kind === 'x_reply' ? found.repliedTo : found.quoted).includes(target);
    return isIt
      ? { ok: true, note: `X shows this post by @${handle}, and that it ${does}s the post of the task` }
      : { ok: false, note: `This post does not ${does} the post of the task.` };
  }
  // X shows a post's author publicly, its content only to paid access. Without points the author suffices.
  const seen = `X shows this post by @${handle}, but not publicly whether it ${does}s the post of the task`;
  return due.points === 0 ? { ok: true, note: seen } : { review: `${seen}. A reviewer decides.` };
}

/** Writes down what came of a question, unless the claim is X's no more. */
async function settle(tx: TransactionSql, due: Due, result: CheckResult, now: Date): Promise<void> {
  await lockMemberTask(tx, due.taskId, due.userId);
  const claim = await findClaim(tx, due.communityId, due.claimId, true);
  const [held] = await tx`select from x_checks where claim_id = ${due.claimId} for update`;
  if (!claim || !held) return;
  if (claim.state !== 'checking') return void (await forget(tx, claim.id));
  if ('wait' in result) return wait(tx, due, claim, result.wait, now);
  if ('review' in result) return review(tx, claim, result.review, now);
  return decide(tx, claim, result, now);
}

const forget = (tx: TransactionSql, claimId: string) => tx`delete from x_checks where claim_id = ${claimId}`;

const notify = (tx: TransactionSql, claim: FullRow, now: Date, words: string) =>
  tx`update claims set checks = ${tx.json(checksWith(claim, xCheck(now, null, words)))} where id = ${claim.id}`;

async function wait(tx: TransactionSql, due: Due, claim: FullRow, seconds: number, now: Date): Promise<void> {
  if (now.getTime() - due.createdAt.getTime() >= X_CHECK_FOR_MS)
    return review(tx, claim, 'X has not answered for a day. A reviewer decides.', now);
  const pause = Math.max(seconds * 1_000, Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(due.attempts, 10)));
  await tx`
    update x_checks set attempts = attempts + 1, next_try_at = ${new Date(now.getTime() + pause)}
    where claim_id = ${claim.id}`;
  await notify(tx, claim, now, 'X has not answered yet. It is asked again.');
}

async function review(tx: TransactionSql, claim: FullRow, words: string, now: Date): Promise<void> {
  await notify(tx, claim, now, words);
  await forget(tx, claim.id);
  await notifyReviewers(tx, { communityId: claim.communityId, userId: claim.userId, at: now });
}

async function decide(
  tx: TransactionSql,
  claim: FullRow,
  { ok, note: words }: { ok: boolean; note: string },
  now: Date,
): Promise<void> {
  const retryAt = ok ? null : retryAfter(Math.max(claim.coolDownMinutes, TRY_WAIT_LEAST_MINUTES), now);
  await decideAnswered(tx, claim, { ...xCheck(now, ok, words), ok, note: words }, { retryAt, now });
  await forget(tx, claim.id);
}
