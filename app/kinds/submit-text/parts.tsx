import { SUBMISSION_TEXT_MAX } from '../../../server/contract/limits.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceBefore, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { useStoredText } from '../../shared/tasks/draft.ts';
import { TextArea } from '../../ui/field.tsx';
import type { AskOf, MemberParts } from '../kind.ts';

export const submitTextParts: MemberParts<'submit_text'> = { Form: TextForm };

/** From this length on the field shows the remaining characters. */
const COUNT_FROM = SUBMISSION_TEXT_MAX - 200;

/** A text. Its draft is stored on the device until it is sent. */
function TextForm({ ask, ...props }: FormProps & { ask: AskOf<'submit_text'> }) {
  const { task } = props.view;
  const { form, send } = useAnswer(props);
  // After a rejection the member continues from the earlier text.
  const before = evidenceBefore(props.view);
  const [text, setText] = useStoredText(task.id, before?.kind === 'submit_text' ? before.text : null);
  const written = text.trim();
  const more = ask.minLength - seenLength(written);
  const left = SUBMISSION_TEXT_MAX - text.length;
  const missing =
    written === '' ? m.member_write_first() : more > 0 ? m.member_write_more({ count: more, n: number(more) }) : null;
  return (
    <AnswerForm {...form} missing={missing} onSend={() => void send({ kind: 'submit_text', text: written })}>
      <TextArea
        label={m.member_write_label()}
        hint={text.length > COUNT_FROM ? m.member_write_left({ count: left, n: number(left) }) : m.member_write_hint()}
        rows={6}
        maxLength={SUBMISSION_TEXT_MAX}
        value={text}
        autoFocus
        onValue={setText}
      />
    </AnswerForm>
  );
}
