import { createHash } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Check, ClaimState, Evidence } from '../../contract/claims.ts';
import { FILE_NAME_MAX } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { seenLength } from '../../contract/seen-length.ts';
import type { TaskSetup } from '../../contract/tasks.ts';
import { judgeDate } from '../../domain/kinds/date.ts';
import type { Judged } from '../../domain/kinds/judged.ts';
import { judgeNumber } from '../../domain/kinds/number.ts';
import { readPartnerAnswer } from '../../domain/kinds/partner.ts';
import { plainLine } from '../../domain/kinds/plain-line.ts';
import { judgeScale } from '../../domain/kinds/scale.ts';
import { gradeOwn, tookMs } from '../../domain/own-quiz.ts';
import { asRead, prose } from '../../domain/text.ts';
import { isAt, storedHref, webAddress } from '../../domain/web-address.ts';
import { lastStepOf, readSigner, stepOf, verifyQr, verifyTyped } from '../../rules/event-code.ts';
import { attest, isTelegramSetup } from '../chats/attest.ts';
import { gradeForTask } from '../quiz/attempts.ts';
import { qualifiedInvites } from '../referral/referral.ts';
import { findEventKey } from '../tasks/event-keys.ts';
import { judgeX } from './x-judge.ts';

/** What came of a look at a member's evidence. */
export type Verdict = {
  state: Extract<ClaimState, 'submitted' | 'checking' | 'approved' | 'rejected'>;
  /** The stored evidence: normalized links and line breaks. */
  evidence: Evidence | null;
  checks: Check[];
  reason: string | null;
  /** Hash of an answer that must be unique. */
  hash: Buffer | null;
};

export type Submission = {
  communityId: string;
  taskId: string;
  userId: string;
  /** Credible time of the action. */
  at: Date;
  /** By the device's clock: only good for durations. */
  deviceAt: Date;
  now: Date;
  /** Whether `now` is in `period`. */
  isPeriodNow: boolean;
  period: string;
};

type EvidenceOf<K extends Evidence['kind']> = Extract<Evidence, { kind: K }>;
type SetupOf<K extends TaskSetup['kind']> = Extract<TaskSetup, { kind: K }>;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Judges a member's submission. Automatic kinds are decided; a likely copy, or an answer faster than people read, goes to
 * review. Throws 422 with the reason of what is wrong, and what `judgeX` throws.
 */
export async function judge(
  tx: TransactionSql,
  sent: Submission,
  setup: TaskSetup,
  given: Evidence | undefined,
): Promise<Verdict> {
  if (setup.kind === 'manual') throw new HttpError(422, 'ONLY_GRANTED', 'A leader gives this one.');
  const isSeen = setup.kind === 'check_in' || setup.kind === 'invite' || isTelegramSetup(setup);
  if (given === undefined && !isSeen) {
    throw new HttpError(422, 'EVIDENCE_REQUIRED', 'Add what the task asks for before you send it.');
  }
  const evidence = given ?? ({ kind: setup.kind } as Evidence);
  if (evidence.kind !== setup.kind) throw notWanted();
  switch (evidence.kind) {
    case 'check_in':
      return approved(null, []);
    case 'visit_link':
      return approved(evidence, [check('link', sent, null, `Opened at ${evidence.openedAt}, as the device says`)]);
    case 'quiz':
      return (setup as SetupOf<'quiz'>).pack === undefined
        ? grade(sent, setup as SetupOf<'quiz'>, evidence)
        : gradeAttempt(tx, sent, evidence);
    case 'poll':
      return vote(setup as SetupOf<'poll'>, evidence);
    case 'invite':
      return countInvites(tx, sent, setup as SetupOf<'invite'>);
    case 'telegram_event':
      return readCode(tx, sent, setup as SetupOf<'telegram_event'>, evidence);
    case 'telegram_join':
    case 'telegram_chat':
    case 'telegram_reaction':
      return byAttestation(tx, sent, setup);
    case 'submit_text':
      return unlessSeen(tx, sent, readText(setup as SetupOf<'submit_text'>, evidence));
    case 'submit_url':
      return unlessSeen(tx, sent, readLink(setup as SetupOf<'submit_url'>, evidence));
    case 'submit_image':
      return unlessSeen(tx, sent, await readImage(tx, sent, evidence));
    case 'file':
      return unlessSeen(tx, sent, await readFile(tx, sent, evidence));
    case 'number':
      return decided(sent, judgeNumber(setup as SetupOf<'number'>, evidence));
    case 'date':
      return decided(sent, judgeDate(setup as SetupOf<'date'>, evidence));
    case 'scale':
      return decided(sent, judgeScale(evidence));
    case 'partner':
      return waitForPartner(sent, setup as SetupOf<'partner'>, evidence);
    case 'x_follow':
    case 'x_like':
    case 'x_repost':
    case 'x_reply':
    case 'x_quote':
    case 'x_post':
      return judgeX(tx, sent, evidence);
  }
}

const notWanted = () => new HttpError(422, 'EVIDENCE_NOT_WANTED', 'This is not what the task asks for.');
const check = (what: Check['what'], { now }: Submission, ok: boolean | null, note: string | null = null): Check => ({
  what,
  at: now.toISOString(),
  ok,
  note,
});
const approved = (evidence: Evidence | null, checks: Check[]): Verdict => ({
  state: 'approved',
  evidence,
  checks,
  reason: null,
  hash: null,
});

function grade(sent: Submission, setup: SetupOf<'quiz'>, evidence: EvidenceOf<'quiz'>): Verdict {
  const { passed, isHasty, note } = gradeOwn(setup, evidence, sent.deviceAt);
  const checks = [check('answers', sent, passed, note)];
  if (isHasty) checks.push(check('pace', sent, false, 'Answered faster than people read'));
  return {
    state: !passed ? 'rejected' : isHasty ? 'checking' : 'approved',
    evidence,
    checks,
    reason: passed ? null : note,
    hash: null,
  };
}

/** Grades an attempt. The number of right answers is secret until the member has passed. */
async function gradeAttempt(tx: TransactionSql, sent: Submission, evidence: EvidenceOf<'quiz'>): Promise<Verdict> {
  const { attemptId, answers } = evidence;
  const grade = await gradeForTask(tx, sent, {
    attemptId,
    tookMs: tookMs(evidence, sent.deviceAt),
    answers,
  });
  const { hasPassed, isHasty, count, needed } = grade;
  const note = hasPassed ? `Passed: ${needed} of ${count} were needed` : `Not passed: ${needed} of ${count} are needed`;
  const checks = [check('answers', sent, hasPassed, note)];
  if (isHasty) checks.push(check('pace', sent, false, 'Answered faster than people read'));
  return {
    state: !hasPassed ? 'rejected' : isHasty ? 'checking' : 'approved',
    evidence,
    checks,
    reason: hasPassed ? null : note,
    hash: null,
  };
}

function vote(setup: SetupOf<'poll'>, evidence: EvidenceOf<'poll'>): Verdict {
  const { optionIds } = evidence;
  const isOption = optionIds.every((id) => setup.choices.some((choice) => choice.id === id));
  const counts = new Set(optionIds).size === optionIds.length && (setup.multiple || optionIds.length === 1);
  if (!isOption || !counts) throw notWanted();
  return approved(evidence, []);
}

async function countInvites(tx: TransactionSql, sent: Submission, setup: SetupOf<'invite'>): Promise<Verdict> {
  const all = await qualifiedInvites(tx, sent.communityId, sent.userId);
  // Each that was approved used up its own, also where that was taken back: the same people do not pay a second time.
  const [before] = await tx<[{ count: number }]>`
    select count(*)::int from claims
    where task_id = ${sent.taskId} and user_id = ${sent.userId} and state in ('approved', 'reversed')`;
  const free = Math.max(0, all - before.count * setup.needed);
  const enough = free >= setup.needed;
  const note = `${free} of ${setup.needed} invited people count so far`;
  const checks = [check('invites', sent, enough, note)];
  return { state: enough ? 'approved' : 'rejected', evidence: null, checks, reason: enough ? null : note, hash: null };
}

/** Telegram's reports about the member in the community's chat. Nothing that the member sends counts. */
async function byAttestation(tx: TransactionSql, sent: Submission, setup: TaskSetup): Promise<Verdict> {
  if (!isTelegramSetup(setup)) throw notWanted();
  const attested = await attest(tx, sent, setup);
  const { ok, note } = attested;
  // While its period goes on the member does what is missing and presses again, without a wait. Afterwards it is for an appeal.
  if (!attested.ok && sent.isPeriodNow)
    throw new HttpError(422, 'NOT_SEEN_YET', `${note}.`, {
      details: attested.unseen satisfies ErrorDetails['NOT_SEEN_YET'],
    });
  const checks = [check('telegram', sent, ok, note)];
  return { state: ok ? 'approved' : 'rejected', evidence: null, checks, reason: ok ? null : note, hash: null };
}

async function readCode(
  tx: TransactionSql,
  sent: Submission,
  setup: SetupOf<'telegram_event'>,
  evidence: EvidenceOf<'telegram_event'>,
): Promise<Verdict> {
  const why = await whyNoCode(tx, sent, setup, evidence.code);
  const reason = why && CODE_FAULTS[why];
  // During the event the code can be scanned again. Afterwards an appeal is the only way.
  if (why !== null && stepOf(sent.now.getTime()) <= lastStepOf(Date.parse(setup.endsAt)))
    throw new HttpError(422, 'CODE_WRONG', `${reason}.`, {
      details: { field: 'code', why } satisfies ErrorDetails['CODE_WRONG'],
    });
  const checks = [check('code', sent, reason === null, reason)];
  return { state: reason === null ? 'approved' : 'rejected', evidence, checks, reason, hash: null };
}

type CodeFault = ErrorDetails['CODE_WRONG']['why'];
const CODE_FAULTS: Record<CodeFault, string> = {
  unknown: 'This code does not belong to this event',
  other_moment: 'This code has run out: scan the one that is shown now',
  outside: 'This code is from before or after the event',
};

async function whyNoCode(
  tx: TransactionSql,
  sent: Submission,
  setup: SetupOf<'telegram_event'>,
  code: string,
): Promise<CodeFault | null> {
  const pair = await findEventKey(tx, sent.taskId);
  // A code that is shown now is of now, however slow the member's clock; for another period only the device's time can
  // be used.
  const moments = [sent.at, ...(sent.isPeriodNow ? [sent.now] : [])].map((moment) => moment.getTime());
  const step = pair && (await readStep(pair, sent.taskId, code, moments));
  if (step === null) return 'unknown';
  if (!moments.some((moment) => Math.abs(step - stepOf(moment)) <= 1)) {
    return 'other_moment';
  }
  const [begins, ends] = [stepOf(Date.parse(setup.startsAt)), lastStepOf(Date.parse(setup.endsAt))];
  return step < begins || step > ends ? 'outside' : null;
}

/** The step that a code is of, scanned or typed; a typed one is looked for around each of the moments. */
async function readStep(
  pair: { privateKey: Buffer; publicKey: Buffer },
  taskId: string,
  code: string,
  moments: readonly number[],
): Promise<number | null> {
  const scanned = await verifyQr(pair.publicKey.toString('base64url'), taskId, code);
  if (scanned !== null) return scanned;
  const signer = await readSigner(pair.privateKey.toString('base64url'));
  for (const near of moments) {
    const typed = await verifyTyped(signer, taskId, code, near);
    if (typed !== null) return typed;
  }
  return null;
}

function readText(setup: SetupOf<'submit_text'>, evidence: EvidenceOf<'submit_text'>): Verdict {
  const text = prose('text', evidence.text);
  const minLength = setup.minLength ?? 1;
  if (seenLength(text) < minLength) {
    const message = `Write at least ${minLength} characters.`;
    throw new HttpError(422, 'EVIDENCE_TOO_SHORT', message, { details: { minLength } });
  }
  const read = asRead(text);
  return waiting({ kind: 'submit_text', text }, read === '' ? null : sha256(read));
}

function readLink(setup: SetupOf<'submit_url'>, evidence: EvidenceOf<'submit_url'>): Verdict {
  const url = webAddress(evidence.url);
  if (url === null || !isAt(url, setup.hosts)) {
    const where = setup.hosts.length > 0 ? ` at ${setup.hosts.join(', ')}` : '';
    const message = `Send a link that begins with https://${where}.`;
    throw new HttpError(422, 'URL_NOT_ALLOWED', message, {
      details: { hosts: setup.hosts } satisfies ErrorDetails['URL_NOT_ALLOWED'],
    });
  }
  const note = evidence.note === undefined ? {} : { note: prose('note', evidence.note) };
  const href = storedHref(url);
  return waiting({ kind: 'submit_url', url: href, ...note }, sha256(href));
}

async function readImage(tx: TransactionSql, sent: Submission, evidence: EvidenceOf<'submit_image'>): Promise<Verdict> {
  const [image] = await tx<{ sha256: Buffer }[]>`
    select sha256 from images
    where id = ${evidence.imageId} and community_id = ${sent.communityId} and user_id = ${sent.userId}
      and type like 'image/%' for update`;
  if (!image) throw new HttpError(422, 'IMAGE_INVALID', 'The picture has not arrived. Choose it once more.');
  const note = evidence.note === undefined ? {} : { note: prose('note', evidence.note) };
  return waiting({ kind: 'submit_image', imageId: evidence.imageId, ...note }, image.sha256);
}

async function readFile(tx: TransactionSql, sent: Submission, evidence: EvidenceOf<'file'>): Promise<Verdict> {
  const [file] = await tx<{ sha256: Buffer }[]>`
    select sha256 from images
    where id = ${evidence.fileId} and community_id = ${sent.communityId} and user_id = ${sent.userId}
      and type not like 'image/%' for update`;
  if (!file) throw new HttpError(422, 'FILE_INVALID', 'The file has not arrived. Choose it once more.');
  const note = evidence.note === undefined ? {} : { note: prose('note', evidence.note) };
  // The device's name for it: no reason to reject the file.
  const name = plainLine(evidence.name, FILE_NAME_MAX) ?? 'file';
  return waiting({ kind: 'file', fileId: evidence.fileId, name, ...note }, file.sha256);
}

/** What a look at the answer alone has decided. */
const decided = (sent: Submission, { check: seen, ...judged }: Judged): Verdict => ({
  ...judged,
  checks: seen ? [check('answers', sent, seen.ok, seen.note)] : [],
  hash: null,
});

/** The partner is asked after the answer to the member (`partner-checks.ts`). */
function waitForPartner(sent: Submission, setup: SetupOf<'partner'>, evidence: EvidenceOf<'partner'>): Verdict {
  const checks = [check('partner', sent, null, `${new URL(setup.url).host} is being asked`)];
  return { state: 'checking', evidence: readPartnerAnswer(setup, evidence), checks, reason: null, hash: null };
}

const waiting = (evidence: Evidence, hash: Buffer | null): Verdict => ({
  state: 'submitted',
  evidence,
  checks: [],
  reason: null,
  hash,
});

/** Marks an answer, picture or file that another member sent too, for the reviewer only. */
async function unlessSeen(tx: TransactionSql, sent: Submission, verdict: Verdict): Promise<Verdict> {
  if (verdict.hash === null) return verdict;
  const [seen] = await tx`
    select from claims where task_id = ${sent.taskId} and answer_hash = ${verdict.hash} and user_id <> ${sent.userId} limit 1`;
  const note = seen ? 'Someone else sent the same' : await ownNote(tx, sent, verdict);
  if (note === null) return verdict;
  return { ...verdict, state: 'checking', checks: [check('likeness', sent, false, note)] };
}

/** Marks a picture or file that the member sent for another task or day; links and rejected evidence may be reused. */
async function ownNote(tx: TransactionSql, sent: Submission, { evidence, hash }: Verdict): Promise<string | null> {
  if (evidence?.kind !== 'submit_image' && evidence?.kind !== 'file') return null;
  const [own] = await tx`
    select from claims
    where community_id = ${sent.communityId} and user_id = ${sent.userId} and answer_hash = ${hash}
      and state in ('submitted', 'checking', 'approved', 'reversed') limit 1`;
  return own ? `The same member sent this ${evidence.kind === 'file' ? 'file' : 'picture'} before` : null;
}
