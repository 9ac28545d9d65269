import { HttpError } from '../base/http-error.ts';
import type { Evidence } from '../contract/claims.ts';
import type { TaskAsk, TaskKind, TaskSetup } from '../contract/tasks.ts';
import { checkIn } from './check-in/kind.ts';
import { date } from './date/kind.ts';
import { file } from './file/kind.ts';
import { invite } from './invite/kind.ts';
import { notWanted } from './judged.ts';
import type { Judged, Kind, Moment, Order } from './kind.ts';
import { manual } from './manual/kind.ts';
import { number } from './number/kind.ts';
import { partner } from './partner/kind.ts';
import { poll } from './poll/kind.ts';
import { quiz } from './quiz/kind.ts';
import { scale } from './scale/kind.ts';
import { submitImage } from './submit-image/kind.ts';
import { submitText } from './submit-text/kind.ts';
import { submitUrl } from './submit-url/kind.ts';
import { telegramChat, telegramJoin, telegramReaction } from './telegram/kind.ts';
import { telegramEvent } from './telegram-event/kind.ts';
import { visitLink } from './visit-link/kind.ts';
import { xFollow, xLike, xPost, xQuote, xReply, xRepost } from './x/kind.ts';

const KINDS: { [K in TaskKind]: Kind<K> } = {
  check_in: checkIn,
  visit_link: visitLink,
  quiz,
  submit_text: submitText,
  submit_url: submitUrl,
  submit_image: submitImage,
  poll,
  invite,
  manual,
  telegram_event: telegramEvent,
  telegram_join: telegramJoin,
  telegram_chat: telegramChat,
  telegram_reaction: telegramReaction,
  number,
  date,
  scale,
  file,
  partner,
  x_follow: xFollow,
  x_like: xLike,
  x_repost: xRepost,
  x_reply: xReply,
  x_quote: xQuote,
  x_post: xPost,
};

/** Callers hand a kind its own setup and evidence; the compiler cannot tell, so this look-up has a cast. */
export const kindOf = (kind: TaskKind): Kind => KINDS[kind] as unknown as Kind;

/** What a member gets to answer. `publicKey` is base64url. */
export const askOf = (setup: TaskSetup, by: { publicKey: string; inOrder: Order }): TaskAsk =>
  kindOf(setup.kind).ask(setup, by);

/**
 * What a member answered: what was sent, or the mere fact where the server sees for itself. Throws 422 `ONLY_GRANTED`,
 * `EVIDENCE_REQUIRED`, `EVIDENCE_NOT_WANTED`.
 */
export function answerTo({ kind }: TaskSetup, given: Evidence | undefined): Evidence {
  const { judge, isSeen } = kindOf(kind);
  if (!judge) throw new HttpError(422, 'ONLY_GRANTED', 'A leader gives this one.');
  if (given === undefined && !isSeen)
    throw new HttpError(422, 'EVIDENCE_REQUIRED', 'Add what the task asks for before you send it.');
  if (given !== undefined && given.kind !== kind) throw notWanted();
  return given ?? ({ kind } as Evidence);
}

/** What such an answer comes to; `facts` are those of its kind. Throws what the kind's `judge` throws. */
export function judgeAnswer(setup: TaskSetup, evidence: Evidence, at: Moment, facts: unknown): Judged {
  const judged = kindOf(setup.kind).judge?.(setup, evidence, at, facts as never);
  if (!judged) throw new Error(`${setup.kind} has no answers`);
  return judged;
}

/** What makes a stored answer the same as another one; null where nothing does. */
export const sameIn = (evidence: Evidence | null): string | null =>
  evidence && (kindOf(evidence.kind).same?.(evidence) ?? null);

/**
 * Whether the member's own words or choices in `sent` would be lost to the stored claim. The same answer sent again
 * does not differ, however the server stored it.
 */
export const differs = (sent: Evidence | null, stored: Evidence | null): boolean =>
  sent !== null && stored !== null && compared(sent) !== compared(stored);
const compared = (evidence: Evidence): string => kindOf(evidence.kind).compared?.(evidence) ?? '';
