import { PARTNER_ANSWER_MAX } from '../../../server/contract/limits.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceBefore, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { useStoredText } from '../../shared/tasks/draft.ts';
import { Field } from '../../ui/field.tsx';
import type { AskOf, MemberParts } from '../kind.ts';

export const partnerParts: MemberParts<'partner'> = { Form: PartnerForm };

/** Asks a leader's own program whether the member did it, after showing what that program learns. */
function PartnerForm({ ask, ...props }: FormProps & { ask: AskOf<'partner'> }) {
  const { task } = props.view;
  const { form, send } = useAnswer(props);
  const before = evidenceBefore(props.view);
  const [typed, setTyped] = useStoredText(task.id, before?.kind === 'partner' ? before.answer : null);
  const answer = typed.trim();
  const { host, asks } = ask;
  return (
    <AnswerForm
      {...form}
      missing={asks !== '' && answer === '' ? m.kinds_partner_first() : null}
      onSend={() => void send({ kind: 'partner', ...(asks !== '' && { answer }) })}
      label={m.kinds_partner_send({ host })}
    >
      {asks !== '' && (
        <Field
          label={asks}
          maxLength={PARTNER_ANSWER_MAX}
          autoComplete="off"
          autoFocus
          value={typed}
          onValue={setTyped}
        />
      )}
      <p className="text-small text-muted break-anywhere">
        {asks === '' ? m.kinds_partner_ask_bare({ host }) : m.kinds_partner_ask({ host })}
      </p>
    </AnswerForm>
  );
}
