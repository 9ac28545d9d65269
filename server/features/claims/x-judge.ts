import { createHash } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Check, Evidence } from '../../contract/claims.ts';
import type { TaskSetup } from '../../contract/tasks.ts';
import { isXKind, postIn, type XKind } from '../../contract/x-post.ts';
import { costOf, X_API_NAMES } from '../../domain/kinds/x.ts';
import { hasRoom } from '../x/budget.ts';
import type { Submission, Verdict } from './judge.ts';

export type XEvidence = Extract<Evidence, { kind: XKind }>;
export type XSetup = Extract<TaskSetup, { kind: XKind }>;
type Account = { handle: string | null; hasToken: boolean };

/**
 * Judges a submission for a task at X. X is asked after the answer to the member (`x-checks.ts`); what X cannot answer
 * goes to review. Throws 422 `X_NOT_LINKED`, `X_POST_WRONG`, `X_POST_USED`.
 */
export async function judgeX(tx: TransactionSql, submission: Submission, evidence: XEvidence): Promise<Verdict> {
  const [account] = await tx<Account[]>`
    select u.twitter_username as handle, u.x_user_id is not null and t.user_id is not null as "hasToken"
    from users u left join x_tokens t on t.user_id = u.id where u.id = ${submission.userId}`;
  if (!account?.handle)
    throw new HttpError(422, 'X_NOT_LINKED', 'Link your X account first: this task is checked against it.');
  if ('url' in evidence) return readPost(tx, submission, evidence);
  const name = X_API_NAMES[evidence.kind];
  const declared = `@${account.handle} says so`;
  if (!account.hasToken)
    return waiting(evidence, submission, `${declared}. X is not asked for this account: a reviewer decides.`);
  if (!(await hasRoom(tx, submission, costOf(name))))
    return waiting(
      evidence,
      submission,
      `${declared}. This month’s budget for asking X is used up: a reviewer decides.`,
    );
  return { ...waiting(evidence, submission, `${declared}. X is being asked.`), state: 'checking' };
}

const waiting = (evidence: XEvidence, submission: Submission, note: string): Verdict => ({
  state: 'submitted',
  evidence,
  checks: [xCheck(submission.now, null, note)],
  reason: null,
  hash: null,
});

/** The check at X. */
export const xCheck = (now: Date, ok: boolean | null, note: string): Check => ({
  what: 'x',
  at: now.toISOString(),
  ok,
  note,
});

/** A post proves one action: it does not count for another task or period. */
async function readPost(
  tx: TransactionSql,
  submission: Submission,
  evidence: Extract<XEvidence, { url: string }>,
): Promise<Verdict> {
  const post = postIn(evidence.url);
  if (!post)
    throw new HttpError(
      422,
      'X_POST_WRONG',
      'Send the link of your post. It looks like https://x.com/you/status/123.',
      {
        details: { field: 'url' },
      },
    );
  const hash = createHash('sha256')
    .update(`x ${BigInt(post.postId)}`)
    .digest();
  const [used] = await tx`
    select from claims c
    where c.community_id = ${submission.communityId} and c.user_id = ${submission.userId} and c.answer_hash = ${hash}
      and c.state in ('submitted', 'checking', 'approved', 'reversed') limit 1`;
  if (used)
    throw new HttpError(422, 'X_POST_USED', 'You sent this post before. Each post counts once.', {
      details: { field: 'url' },
    });
  const checks = [xCheck(submission.now, null, 'X is being asked')];
  return { state: 'checking', evidence: { ...evidence, url: post.url }, checks, reason: null, hash };
}

/** Whether X checks the claim. */
export const isCheckedAtX = ({ state, evidence }: Verdict): boolean =>
  state === 'checking' && evidence !== null && isXKind(evidence.kind);

/** Queues the question, in the transaction of the claim. */
export async function queueXCheck(tx: TransactionSql, claimId: string, now: Date): Promise<void> {
  await tx`
    insert into x_checks (claim_id, created_at, next_try_at) values (${claimId}, ${now}, ${now})
    on conflict (claim_id) do update set attempts = 0, created_at = excluded.created_at, next_try_at = excluded.next_try_at`.execute();
}
