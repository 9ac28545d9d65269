import type { TransactionSql } from 'postgres';
import type { Evidence } from '../../contract/claims.ts';
import type { TaskKind, TaskSetup } from '../../contract/tasks.ts';
import { isXKind, type XKind } from '../../contract/x-post.ts';
import type { Facts, Moment } from '../../kinds/kind.ts';
import { tookMs } from '../../kinds/quiz/kind.ts';
import { momentsOf } from '../../kinds/telegram-event/kind.ts';
import { costOf, isLook, X_API_NAMES } from '../../kinds/x/looks.ts';
import { readSigner, verifyQr, verifyTyped } from '../../rules/event-code.ts';
import { attest, isTelegramSetup } from '../chats/attest.ts';
import { gradeForTask } from '../quiz/attempts.ts';
import { qualifiedInvites } from '../referral/referral.ts';
import { findEventKey } from '../tasks/event-keys.ts';
import { hasRoom } from '../x/budget.ts';

export type Submission = Moment & {
  communityId: string;
  taskId: string;
  userId: string;
  /** The period that is claimed. */
  period: string;
};

type Read = { facts?: Facts[keyof Facts]; digest: Buffer | null };
type EvidenceOf<K extends TaskKind> = Extract<Evidence, { kind: K }>;

/**
 * What an answer's kind judges by beside the answer (`Facts`), and the digest of what was uploaded for it. Throws what a kind's own
 * facts throw: 422 `ATTEMPT_NEEDED`, 409 `ATTEMPT_USED`, 503 `CHAT_BEING_ASKED`.
 */
export async function readFacts(
  tx: TransactionSql,
  submission: Submission,
  setup: TaskSetup,
  evidence: Evidence,
): Promise<Read> {
  if (isTelegramSetup(setup)) return { facts: await attest(tx, submission, setup), digest: null };
  if (isXKind(setup.kind)) return { facts: await readAccount(tx, submission, setup.kind), digest: null };
  switch (evidence.kind) {
    case 'quiz': {
      const { attemptId, answers } = evidence;
      const given = { attemptId, tookMs: tookMs(evidence, submission.deviceAt), answers };
      const isDrawn = setup.kind === 'quiz' && setup.pack !== undefined;
      return { facts: isDrawn ? await gradeForTask(tx, submission, given) : null, digest: null };
    }
    case 'invite':
      return { facts: await countInvites(tx, submission), digest: null };
    case 'telegram_event':
      return { facts: { step: await readStep(tx, submission, evidence) }, digest: null };
    case 'submit_image':
      return readUpload(tx, submission, evidence.imageId, true);
    case 'file':
      return readUpload(tx, submission, evidence.fileId, false);
    default:
      return { digest: null };
  }
}

async function countInvites(tx: TransactionSql, submission: Submission): Promise<Facts['invite']> {
  const all = await qualifiedInvites(tx, submission.communityId, submission.userId);
  const [row] = await tx<[{ count: number }]>`
    select count(*)::int from claims
    where task_id = ${submission.taskId} and user_id = ${submission.userId} and state in ('approved', 'reversed')`;
  return { all, before: row.count };
}

/** The step that a code is of, scanned or typed; a typed one is looked for around each moment at which it may have been shown. */
async function readStep(
  tx: TransactionSql,
  submission: Submission,
  { code }: EvidenceOf<'telegram_event'>,
): Promise<number | null> {
  const pair = await findEventKey(tx, submission.taskId);
  if (pair === null) return null;
  const scanned = await verifyQr(pair.publicKey.toString('base64url'), submission.taskId, code);
  if (scanned !== null) return scanned;
  const signer = await readSigner(pair.privateKey.toString('base64url'));
  for (const near of momentsOf(submission)) {
    const typed = await verifyTyped(signer, submission.taskId, code, near);
    if (typed !== null) return typed;
  }
  return null;
}

async function readUpload(tx: TransactionSql, submission: Submission, id: string, isPicture: boolean): Promise<Read> {
  const [upload] = await tx<{ sha256: Buffer }[]>`
    select sha256 from images
    where id = ${id} and community_id = ${submission.communityId} and user_id = ${submission.userId}
      and (type like 'image/%') = ${isPicture} for update`;
  return { facts: upload !== undefined, digest: upload?.sha256 ?? null };
}

async function readAccount(tx: TransactionSql, submission: Submission, kind: XKind): Promise<Facts[XKind]> {
  const [account] = await tx<{ handle: string | null; hasToken: boolean }[]>`
    select u.twitter_username as handle, u.x_user_id is not null and t.user_id is not null as "hasToken"
    from users u left join x_tokens t on t.user_id = u.id where u.id = ${submission.userId}`;
  const { handle, hasToken } = account ?? { handle: null, hasToken: false };
  const mayAsk = handle !== null && hasToken && isLook(kind);
  return { handle, hasToken, hasRoom: mayAsk && (await hasRoom(tx, submission, costOf(X_API_NAMES[kind]))) };
}
