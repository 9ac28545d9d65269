import { createHash } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Check, Evidence } from '../../contract/claims.ts';
import type { TaskSetup } from '../../contract/tasks.ts';
import { isXKind } from '../../contract/x-post.ts';
import type { Judged } from '../../kinds/kind.ts';
import { answerTo, judgeAnswer, sameIn } from '../../kinds/kinds.ts';
import { readFacts, type Submission } from './facts.ts';

/** What came of a look at a member's evidence. */
export type Verdict = Omit<Judged, 'checks'> & {
  checks: Check[];
  /** Hash of an answer that must be unique among members. */
  hash: Buffer | null;
};

/**
 * Looks at what a member sent for a task. What can be decided at once is decided; what looks like another member's answer, or came
 * faster than people are, goes to a reviewer. Throws what `answerTo` and the kind's own `judge` throw, and 422 `X_POST_USED`.
 */
export async function judge(
  tx: TransactionSql,
  submission: Submission,
  setup: TaskSetup,
  given: Evidence | undefined,
): Promise<Verdict> {
  const evidence = answerTo(setup, given);
  const { facts, digest } = await readFacts(tx, submission, setup, evidence);
  const { checks, ...judged } = judgeAnswer(setup, evidence, submission, facts);
  const same = sameIn(judged.evidence);
  const at = submission.now.toISOString();
  const verdict = {
    ...judged,
    checks: checks.map(({ what, ok, note }) => ({ what, at, ok, note })),
    hash: same === null ? digest : createHash('sha256').update(same).digest(),
  };
  return isXKind(setup.kind) ? unlessUsed(tx, submission, verdict) : unlessSeen(tx, submission, verdict);
}

/** A post counts for one submission only: not for another task, nor another period. */
async function unlessUsed(tx: TransactionSql, submission: Submission, verdict: Verdict): Promise<Verdict> {
  if (verdict.hash === null || !(await wasSent(tx, submission, verdict))) return verdict;
  throw new HttpError(422, 'X_POST_USED', 'You sent this post before. Each post counts once.', {
    details: { field: 'url' },
  });
}

/**
 * An answer equal to another member's is marked for the reviewer, without naming the other. So is a picture or file
 * that appears twice.
 */
async function unlessSeen(tx: TransactionSql, submission: Submission, verdict: Verdict): Promise<Verdict> {
  if (verdict.hash === null) return verdict;
  const [seen] = await tx`
    select from claims where task_id = ${submission.taskId} and answer_hash = ${verdict.hash} and user_id <> ${submission.userId} limit 1`;
  const note = seen ? 'Someone else sent the same' : await ownNote(tx, submission, verdict);
  if (note === null) return verdict;
  return {
    ...verdict,
    state: 'checking',
    checks: [{ what: 'likeness', at: submission.now.toISOString(), ok: false, note }],
  };
}

/**
 * A picture or a file proves one action: the same one for another task or day is marked. A profile's link may be
 * required twice, and a rejected answer may be sent again where it belongs.
 */
async function ownNote(tx: TransactionSql, submission: Submission, verdict: Verdict): Promise<string | null> {
  const { evidence } = verdict;
  if (evidence?.kind !== 'submit_image' && evidence?.kind !== 'file') return null;
  const isSent = await wasSent(tx, submission, verdict);
  return isSent ? `The same member sent this ${evidence.kind === 'file' ? 'file' : 'picture'} before` : null;
}

/** Whether the member sent the same in this community before, and it was not turned down. */
async function wasSent(tx: TransactionSql, submission: Submission, { hash }: Verdict): Promise<boolean> {
  const rows = await tx`
    select from claims
    where community_id = ${submission.communityId} and user_id = ${submission.userId} and answer_hash = ${hash}
      and state in ('submitted', 'checking', 'approved', 'reversed') limit 1`;
  return rows.length > 0;
}
