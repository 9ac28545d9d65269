import { HttpError } from '../../../../server/base/http-error.ts';
import type { Check, Claim, Evidence } from '../../../../server/contract/claims.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import type { TaskSetup } from '../../../../server/contract/tasks.ts';
import { judgeDate } from '../../../../server/domain/kinds/date.ts';
import type { Judged } from '../../../../server/domain/kinds/judged.ts';
import { judgeNumber } from '../../../../server/domain/kinds/number.ts';
import { readPartnerAnswer } from '../../../../server/domain/kinds/partner.ts';
import { judgeScale } from '../../../../server/domain/kinds/scale.ts';
import { gradeOwn } from '../../../../server/domain/own-quiz.ts';
import { asRead, prose } from '../../../../server/domain/text.ts';
import { isAt, storedHref, webAddress } from '../../../../server/domain/web-address.ts';
import { attest } from './chats.ts';
import type { Asker, StoredTask } from './world.ts';

/** What came of a look at what a member sent. */
export type Verdict = Pick<Claim, 'state' | 'evidence' | 'checks' | 'reason'>;

const notWanted = () => new HttpError(422, 'EVIDENCE_NOT_WANTED', 'This is not what the task asks for.');
const approved = (evidence: Evidence | null, checks: Check[] = []): Verdict => ({
  state: 'approved',
  evidence,
  checks,
  reason: null,
});
const waiting = (evidence: Evidence): Verdict => ({ state: 'submitted', evidence, checks: [], reason: null });

/**
 * Looks at what a member sent, by the server's own rules: what can be decided is, what is like somebody else's or came
 * faster than people are goes to a reviewer. Throws the 422s of `judge` in server/features/claims.
 */
export function judge(
  asker: Asker,
  task: StoredTask,
  setup: TaskSetup,
  given: Evidence | undefined,
  deviceAt: Date,
): Verdict {
  if (setup.kind === 'manual') throw new HttpError(422, 'ONLY_GRANTED', 'A leader gives this one.');
  const check = (what: Check['what'], ok: boolean | null, note: string | null): Check => ({
    what,
    at: asker.now.toISOString(),
    ok,
    note,
  });
  if (setup.kind === 'telegram_join' || setup.kind === 'telegram_chat' || setup.kind === 'telegram_reaction') {
    const told = attest(asker, task, setup);
    if (!told.ok) throw new HttpError(422, 'NOT_SEEN_YET', 'Not seen in Telegram yet.', { details: told.unseen });
    return approved(null, [check('telegram', true, told.note)]);
  }
  if (given === undefined && setup.kind !== 'check_in' && setup.kind !== 'invite')
    throw new HttpError(422, 'EVIDENCE_REQUIRED', 'Add what the task asks for before you send it.');
  if (given && given.kind !== setup.kind) throw notWanted();
  if (given === undefined || given.kind === 'check_in' || given.kind === 'invite') {
    if (setup.kind === 'check_in') return approved(null);
    const needed = setup.kind === 'invite' ? setup.needed : 0;
    const reason = `0 of ${needed} invited people count so far`;
    return { state: 'rejected', evidence: null, checks: [check('invites', false, reason)], reason };
  }
  switch (given.kind) {
    case 'visit_link':
      return approved(given, [check('link', null, `Opened at ${given.openedAt}, as the device says`)]);
    case 'quiz': {
      if (setup.kind !== 'quiz') throw notWanted();
      const { passed, isHasty, note } = gradeOwn(setup, given, deviceAt);
      const checks = [check('answers', passed, note)];
      if (isHasty) checks.push(check('pace', false, 'Answered faster than people read'));
      const state = !passed ? 'rejected' : isHasty ? 'checking' : 'approved';
      return { state, evidence: given, checks, reason: passed ? null : note };
    }
    case 'poll': {
      if (setup.kind !== 'poll') throw notWanted();
      const isKnown = given.optionIds.every((id) => setup.choices.some((choice) => choice.id === id));
      if (!isKnown || (!setup.multiple && given.optionIds.length !== 1)) throw notWanted();
      return approved(given);
    }
    case 'submit_text': {
      const text = prose('text', given.text);
      const minLength = (setup.kind === 'submit_text' && setup.minLength) || 1;
      if (seenLength(text) < minLength)
        throw new HttpError(422, 'EVIDENCE_TOO_SHORT', `Write at least ${minLength} characters.`, {
          details: { minLength },
        });
      return unlessSeen(asker, task, waiting({ ...given, text }), check);
    }
    case 'submit_url': {
      const hosts = setup.kind === 'submit_url' ? setup.hosts : [];
      const url = webAddress(given.url);
      if (url === null || !isAt(url, hosts)) {
        const where = hosts.length > 0 ? ` at ${hosts.join(', ')}` : '';
        const message = `Send a link that begins with https://${where}.`;
        throw new HttpError(422, 'URL_NOT_ALLOWED', message, { details: { hosts } });
      }
      return unlessSeen(asker, task, waiting({ ...given, url: storedHref(url) }), check);
    }
    case 'submit_image':
      if (!asker.world.pictures.has(given.imageId))
        throw new HttpError(422, 'IMAGE_INVALID', 'The picture has not arrived. Choose it once more.');
      return waiting(given);
    case 'file':
      if (!asker.world.pictures.has(given.fileId))
        throw new HttpError(422, 'FILE_INVALID', 'The file has not arrived. Choose it once more.');
      return waiting(given);
    case 'number':
      if (setup.kind !== 'number') throw notWanted();
      return decided(judgeNumber(setup, given), check);
    case 'date':
      if (setup.kind !== 'date') throw notWanted();
      return decided(judgeDate(setup, given), check);
    case 'scale':
      return decided(judgeScale(given), check);
    case 'partner': {
      if (setup.kind !== 'partner') throw notWanted();
      // Nobody is asked from here: the demo plays a partner who is content.
      const note = `${new URL(setup.url).host} says yes, as the demo plays it`;
      return approved(readPartnerAnswer(setup, given), [check('partner', true, note)]);
    }
    case 'telegram_event':
      throw new HttpError(422, 'CODE_WRONG', 'The demo has no event to scan a code at.', {
        details: { field: 'code' },
      });
    case 'x_follow':
    case 'x_like':
    case 'x_repost':
    case 'x_reply':
    case 'x_quote':
    case 'x_post':
      throw new HttpError(422, 'X_NOT_LINKED', 'Nothing leaves the demo, so X cannot be asked.');
  }
}

/** What a look at the answer alone has decided. */
const decided = ({ check: seen, ...judged }: Judged, check: Checked): Verdict => ({
  ...judged,
  checks: seen ? [check('answers', seen.ok, seen.note)] : [],
});

/** What an answer says, however it is spaced; null where nothing of it is compared. */
function saidIn(evidence: Evidence | null): string | null {
  if (evidence?.kind === 'submit_text') return asRead(evidence.text);
  return evidence?.kind === 'submit_url' ? evidence.url : null;
}

type Checked = (what: Check['what'], ok: boolean | null, note: string | null) => Check;
function unlessSeen({ world, me }: Asker, task: StoredTask, verdict: Verdict, check: Checked): Verdict {
  const said = saidIn(verdict.evidence);
  const isSeen = world.claims.some(
    (one) => one.taskId === task.id && one.userId !== me.id && said !== null && saidIn(one.evidence) === said,
  );
  if (!isSeen) return verdict;
  return { ...verdict, state: 'checking', checks: [check('likeness', false, 'Someone else sent the same')] };
}
