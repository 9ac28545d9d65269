import type { TaskAsk } from '../../../server/contract/tasks.ts';
import { DateForm } from '../../kinds/date/date-form.tsx';
import { FileForm } from '../../kinds/file/file-form.tsx';
import { InviteForm } from '../../kinds/invite/invite-form.tsx';
import { kindOf } from '../../kinds/kinds.ts';
import { NumberForm } from '../../kinds/number/number-form.tsx';
import { PartnerForm } from '../../kinds/partner/partner-form.tsx';
import { PollForm } from '../../kinds/poll/poll-form.tsx';
import { PackQuizForm } from '../../kinds/quiz/pack-quiz-form.tsx';
import { QuizForm } from '../../kinds/quiz/quiz-form.tsx';
import { ScaleForm } from '../../kinds/scale/scale-form.tsx';
import { ImageForm } from '../../kinds/submit-image/image-form.tsx';
import { TextForm } from '../../kinds/submit-text/text-form.tsx';
import { UrlForm } from '../../kinds/submit-url/url-form.tsx';
import { TelegramForm } from '../../kinds/telegram/telegram-form.tsx';
import { EventForm } from '../../kinds/telegram-event/event-form.tsx';
import { LinkForm } from '../../kinds/visit-link/link-form.tsx';
import { XActForm, XPostForm } from '../../kinds/x/x-form.tsx';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import type { TaskView } from '../../shared/tasks/task-view.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { TaskFacts, TaskRead } from './task-facts.tsx';

type SheetProps = {
  communityId: string;
  view: TaskView | null;
  /** Whoever may look at what is sent; none where that is not known. */
  reviewers: readonly string[];
  /** False for leaders, whose acts do not count on their own board: they only look. */
  competes: boolean;
  onClose: () => void;
};

/** What a task is, and where it is answered by its kind; read only where it takes no answer now. */
export function TaskSheet({ communityId, view, reviewers, competes, onClose }: SheetProps) {
  return (
    <Sheet title={view?.task.title ?? ''} open={view !== null} onClose={onClose}>
      {view && (
        <>
          <TaskFacts task={view.task} reviewers={reviewers} />
          {competes && view.state !== 'locked' && kindOf(view.task.kind).pace !== 'when-given' ? (
            <FormOf key={view.task.id} communityId={communityId} view={view} onDone={onClose} />
          ) : (
            <TaskRead view={view} />
          )}
        </>
      )}
    </Sheet>
  );
}

/** The form of a task's kind. */
export function FormOf(props: FormProps) {
  const ask: TaskAsk = props.view.task.ask;
  switch (ask.kind) {
    case 'check_in':
      return <CheckIn {...props} />;
    case 'visit_link':
      return <LinkForm {...props} ask={ask} />;
    case 'quiz':
      return ask.pack ? <PackQuizForm {...props} ask={ask} /> : <QuizForm {...props} ask={ask} />;
    case 'submit_text':
      return <TextForm {...props} />;
    case 'submit_url':
      return <UrlForm {...props} ask={ask} />;
    case 'submit_image':
      return <ImageForm {...props} />;
    case 'poll':
      return <PollForm {...props} ask={ask} />;
    case 'invite':
      return <InviteForm {...props} ask={ask} />;
    case 'telegram_event':
      return <EventForm {...props} ask={ask} />;
    case 'telegram_join':
    case 'telegram_chat':
    case 'telegram_reaction':
      return <TelegramForm {...props} ask={ask} />;
    case 'number':
      return <NumberForm {...props} ask={ask} />;
    case 'date':
      return <DateForm {...props} ask={ask} />;
    case 'scale':
      return <ScaleForm {...props} ask={ask} />;
    case 'file':
      return <FileForm {...props} />;
    case 'partner':
      return <PartnerForm {...props} ask={ask} />;
    case 'x_follow':
    case 'x_like':
    case 'x_repost':
      return <XActForm {...props} ask={ask} />;
    case 'x_reply':
    case 'x_quote':
    case 'x_post':
      return <XPostForm {...props} ask={ask} />;
    case 'manual':
      return <p className="written-text">{props.view.task.instructions || m.member_gate_granted()}</p>;
  }
}

function CheckIn(props: FormProps) {
  const { busy, send } = useAnswer(props);
  const onSend = () => void send({ kind: 'check_in' });
  return (
    <AnswerForm view={props.view} busy={busy} missing={null} onSend={onSend} icon="check" label={m.member_check_in()} />
  );
}
