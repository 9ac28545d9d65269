import { timeNow } from '../../lib/clock.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { useStoredText } from '../../shared/tasks/draft.ts';
import { whenWord } from '../../shared/tasks/words.ts';
import { Icon } from '../../ui/icon.tsx';
import type { AskOf, MemberParts } from '../kind.ts';

export const visitLinkParts: MemberParts<'visit_link'> = {
  Form: LinkForm,
  Sent: ({ evidence }) => <p>{m.member_sent_link({ when: whenWord(evidence.openedAt) })}</p>,
};

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** A page to open. The device records when, and stores it until it is sent. */
function LinkForm({ ask, ...props }: FormProps & { ask: AskOf<'visit_link'> }) {
  const { form, send } = useAnswer(props);
  const [openedAt, setOpenedAt] = useStoredText(props.view.task.id, null);
  return (
    <AnswerForm
      {...form}
      missing={openedAt === '' ? m.member_link_first() : null}
      onSend={() => void send({ kind: 'visit_link', openedAt })}
      icon="check"
      label={m.member_link_done()}
    >
      <p className="text-small text-muted">{m.member_link_line({ host: hostOf(ask.url) })}</p>
      <div className="actions">
        <a
          className={openedAt === '' ? 'button' : 'button button--edge'}
          href={ask.url}
          target="_blank"
          rel="noopener noreferrer"
          onClick={() => setOpenedAt(new Date(timeNow()).toISOString())}
        >
          <Icon name="link" />
          {m.member_link_open({ host: hostOf(ask.url) })}
        </a>
      </div>
    </AnswerForm>
  );
}
