import * as z from 'zod/mini';
import { checkInShape } from './check-in/shape.ts';
import { dateShape } from './date/shape.ts';
import { fileShape } from './file/shape.ts';
import { inviteShape } from './invite/shape.ts';
import { manualShape } from './manual/shape.ts';
import { numberShape } from './number/shape.ts';
import { partnerShape } from './partner/shape.ts';
import { pollShape } from './poll/shape.ts';
import { quizShape } from './quiz/shape.ts';
import { scaleShape } from './scale/shape.ts';
import { submitImageShape } from './submit-image/shape.ts';
import { submitTextShape } from './submit-text/shape.ts';
import { submitUrlShape } from './submit-url/shape.ts';
import { telegramChatShape, telegramJoinShape, telegramReactionShape } from './telegram/shape.ts';
import { telegramEventShape } from './telegram-event/shape.ts';
import { visitLinkShape } from './visit-link/shape.ts';
import { xFollowShape, xLikeShape, xPostShape, xQuoteShape, xReplyShape, xRepostShape } from './x/shape.ts';

/** What a leader sets for each kind, what a member is asked, and what a member sends: nothing for what only leaders give. */
export const SHAPES = {
  check_in: checkInShape,
  visit_link: visitLinkShape,
  quiz: quizShape,
  submit_text: submitTextShape,
  submit_url: submitUrlShape,
  submit_image: submitImageShape,
  poll: pollShape,
  invite: inviteShape,
  manual: manualShape,
  telegram_event: telegramEventShape,
  telegram_join: telegramJoinShape,
  telegram_chat: telegramChatShape,
  telegram_reaction: telegramReactionShape,
  number: numberShape,
  date: dateShape,
  scale: scaleShape,
  file: fileShape,
  partner: partnerShape,
  x_follow: xFollowShape,
  x_like: xLikeShape,
  x_repost: xRepostShape,
  x_reply: xReplyShape,
  x_quote: xQuoteShape,
  x_post: xPostShape,
};
type Shapes = typeof SHAPES;
type Part<P extends 'setup' | 'ask' | 'evidence'> = {
  [K in keyof Shapes]: Shapes[K] extends Record<P, infer S> ? S : never;
}[keyof Shapes];

/** A part that every kind shares. Their types stay exact: `kind` discriminates their union. */
const partsOf = <P extends 'setup' | 'ask' | 'evidence'>(part: P) =>
  Object.values(SHAPES).flatMap((shape) => (part in shape ? shape[part as 'setup'] : [])) as unknown as [
    Part<P>,
    ...Part<P>[],
  ];

export const TaskKind = z.enum(Object.keys(SHAPES) as [keyof Shapes, ...(keyof Shapes)[]]);
export type TaskKind = z.infer<typeof TaskKind>;
/** What a leader sets. Only leaders ever read it: a quiz holds its answers. */
export const TaskSetup = z.discriminatedUnion('kind', partsOf('setup'));
export type TaskSetup = z.infer<typeof TaskSetup>;
/** What a member gets to see and answer. No field of it can hold a quiz's answer. */
export const TaskAsk = z.discriminatedUnion('kind', partsOf('ask'));
export type TaskAsk = z.infer<typeof TaskAsk>;
/**
 * What a member sends to prove a task, by the task's kind. Check-ins, invites and kinds that Telegram reports may omit
 * it.
 */
export const Evidence = z.discriminatedUnion('kind', partsOf('evidence'));
export type Evidence = z.infer<typeof Evidence>;
