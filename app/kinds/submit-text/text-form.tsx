import { useState } from 'react';
import { SUBMISSION_TEXT_MAX } from '../../../server/contract/limits.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceBefore, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { keepDraft, readDraft } from '../../shared/tasks/draft.ts';
import { wordsOf } from '../../shared/tasks/evidence.ts';
import { TextArea } from '../../ui/field.tsx';

/** From here on the field counts down what is left. */
const COUNT_FROM = SUBMISSION_TEXT_MAX - 200;

/** Writing. What is begun is kept on the device until it is sent. */
export function TextForm(props: FormProps) {
  const { task } = props.view;
  const { busy, send } = useAnswer(props);
  // After a rejection the member goes on from what they wrote.
  const [text, setText] = useState(() => readDraft(task.id) || (wordsOf(evidenceBefore(props.view)) ?? ''));
  const written = text.trim();
  const least = task.ask.kind === 'submit_text' ? task.ask.minLength : 1;
  const more = least - seenLength(written);
  const left = SUBMISSION_TEXT_MAX - text.length;
  const missing =
    written === '' ? m.member_write_first() : more > 0 ? m.member_write_more({ count: more, n: number(more) }) : null;
  return (
    <AnswerForm
      view={props.view}
      busy={busy}
      missing={missing}
      onSend={() => void send({ kind: 'submit_text', text: written })}
    >
      <TextArea
        label={m.member_write_label()}
        hint={text.length > COUNT_FROM ? m.member_write_left({ count: left, n: number(left) }) : m.member_write_hint()}
        rows={6}
        maxLength={SUBMISSION_TEXT_MAX}
        value={text}
        autoFocus
        onValue={(value) => {
          setText(value);
          keepDraft(task.id, value);
        }}
      />
    </AnswerForm>
  );
}
