import type { TaskKind, TaskSetup } from '../../server/contract/tasks.ts';
import { checkInEditor } from './check-in/editor.tsx';
import { dateEditor } from './date/editor.tsx';
import { fileEditor } from './file/editor.tsx';
import { inviteEditor } from './invite/editor.tsx';
import type { LeaderParts } from './kind.ts';
import { manualEditor } from './manual/editor.tsx';
import { numberEditor } from './number/editor.tsx';
import { partnerEditor } from './partner/editor.tsx';
import { pollEditor } from './poll/editor.tsx';
import { quizEditor } from './quiz/editor.tsx';
import { scaleEditor } from './scale/editor.tsx';
import { submitImageEditor } from './submit-image/editor.tsx';
import { submitTextEditor } from './submit-text/editor.tsx';
import { submitUrlEditor } from './submit-url/editor.tsx';
import { telegramChatEditor, telegramJoinEditor, telegramReactionEditor } from './telegram/editor.tsx';
import { telegramEventEditor } from './telegram-event/editor.tsx';
import { visitLinkEditor } from './visit-link/editor.tsx';
import { xFollowEditor, xLikeEditor, xPostEditor, xQuoteEditor, xReplyEditor, xRepostEditor } from './x/editor.tsx';

/** In the order of the leaders' choice. */
const PARTS: { [K in TaskKind]: LeaderParts<K> } = {
  check_in: checkInEditor,
  visit_link: visitLinkEditor,
  quiz: quizEditor,
  submit_text: submitTextEditor,
  submit_url: submitUrlEditor,
  submit_image: submitImageEditor,
  poll: pollEditor,
  invite: inviteEditor,
  telegram_event: telegramEventEditor,
  telegram_join: telegramJoinEditor,
  telegram_chat: telegramChatEditor,
  telegram_reaction: telegramReactionEditor,
  manual: manualEditor,
  number: numberEditor,
  date: dateEditor,
  scale: scaleEditor,
  file: fileEditor,
  partner: partnerEditor,
  x_follow: xFollowEditor,
  x_like: xLikeEditor,
  x_repost: xRepostEditor,
  x_reply: xReplyEditor,
  x_quote: xQuoteEditor,
  x_post: xPostEditor,
};

export const KINDS = Object.keys(PARTS) as TaskKind[];

/** With the cast of `kindOf`, for the same reason. */
export const leaderPartsOf = (kind: TaskKind): LeaderParts => PARTS[kind] as unknown as LeaderParts;

export const emptySetup = (kind: TaskKind, now: number): TaskSetup => leaderPartsOf(kind).empty(now);
