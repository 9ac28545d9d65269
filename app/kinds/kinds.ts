import type { Evidence } from '../../server/contract/claims.ts';
import type { TaskAsk, TaskKind } from '../../server/contract/tasks.ts';
import { checkIn } from './check-in/kind.ts';
import { date } from './date/kind.ts';
import { file } from './file/kind.ts';
import { invite } from './invite/kind.ts';
import type { Kind } from './kind.ts';
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

/** Callers pair a kind with its own ask and evidence; the compiler cannot tell, hence the cast. */
export const kindOf = (kind: TaskKind): Kind => KINDS[kind] as unknown as Kind;

export const kindWord = (kind: TaskKind): string => KINDS[kind].word();

export const kindNamed = (name: string | undefined): TaskKind | undefined =>
  (Object.keys(KINDS) as TaskKind[]).find((kind) => kind === name);

/** An answer in a line; null for kinds whose answers are text, pictures or choices. */
export const answerLine = (ask: TaskAsk, evidence: Evidence): string | null =>
  // A task's kind may have changed since the answer.
  ask.kind === evidence.kind ? (kindOf(ask.kind).line?.(ask, evidence) ?? null) : null;
