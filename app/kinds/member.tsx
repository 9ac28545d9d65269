import type { Evidence } from '../../server/contract/claims.ts';
import type { TaskAsk, TaskKind } from '../../server/contract/tasks.ts';
import { m } from '../paraglide/messages.js';
import type { FormProps } from '../shared/answers/answer-form.tsx';
import { wordsOf } from '../shared/tasks/evidence.ts';
import { checkInParts } from './check-in/parts.tsx';
import { dateParts } from './date/parts.tsx';
import { fileParts } from './file/parts.tsx';
import { inviteParts } from './invite/parts.tsx';
import type { MemberParts } from './kind.ts';
import { answerLine } from './kinds.ts';
import { manualParts } from './manual/parts.tsx';
import { numberParts } from './number/parts.tsx';
import { partnerParts } from './partner/parts.tsx';
import { pollParts } from './poll/parts.tsx';
import { quizParts } from './quiz/parts.tsx';
import { scaleParts } from './scale/parts.tsx';
import { submitImageParts } from './submit-image/parts.tsx';
import { submitTextParts } from './submit-text/parts.tsx';
import { submitUrlParts } from './submit-url/parts.tsx';
import { telegramParts } from './telegram/parts.tsx';
import { telegramEventParts } from './telegram-event/parts.tsx';
import { visitLinkParts } from './visit-link/parts.tsx';
import { xActionParts, xPostParts } from './x/parts.tsx';

const PARTS: { [K in TaskKind]: MemberParts<K> } = {
  check_in: checkInParts,
  visit_link: visitLinkParts,
  quiz: quizParts,
  submit_text: submitTextParts,
  submit_url: submitUrlParts,
  submit_image: submitImageParts,
  poll: pollParts,
  invite: inviteParts,
  manual: manualParts,
  telegram_event: telegramEventParts,
  telegram_join: telegramParts,
  telegram_chat: telegramParts,
  telegram_reaction: telegramParts,
  number: numberParts,
  date: dateParts,
  scale: scaleParts,
  file: fileParts,
  partner: partnerParts,
  x_follow: xActionParts,
  x_like: xActionParts,
  x_repost: xActionParts,
  x_reply: xPostParts,
  x_quote: xPostParts,
  x_post: xPostParts,
};

/** With the cast of `kindOf`, for the same reason. */
const partsOf = (kind: TaskKind): MemberParts => PARTS[kind] as unknown as MemberParts;

export function FormOf(props: FormProps) {
  const { ask } = props.view.task;
  const { Form } = partsOf(ask.kind);
  return <Form {...props} ask={ask} />;
}

export function Sent({ communityId, ask, evidence }: { communityId: string; ask: TaskAsk; evidence: Evidence }) {
  const { Sent: Own } = partsOf(ask.kind);
  const line = answerLine(ask, evidence);
  const words = line === null ? wordsOf(evidence) : null;
  return (
    <section className="receipt__sent">
      <h3>{m.member_receipt_sent()}</h3>
      {Own && ask.kind === evidence.kind && <Own communityId={communityId} ask={ask} evidence={evidence} />}
      {line !== null && <p className="written-text">{line}</p>}
      {words !== null && <p className="written-text">{m.member_in_quotes({ words })}</p>}
    </section>
  );
}

/** The results of all answers, for kinds that count them together. */
export function Stands(props: { communityId: string; taskId: string; ask: TaskAsk }) {
  const { Stands: Own } = partsOf(props.ask.kind);
  return Own ? <Own {...props} /> : null;
}
