import { useState } from 'react';
import { dateProblem } from '../../../server/kinds/date/rules.ts';
import { calendarDay } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceBefore, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { useStoredText } from '../../shared/tasks/draft.ts';
import { fieldProblem } from '../../shared/tasks/field-problem.ts';
import { Field } from '../../ui/field.tsx';
import type { AskOf, MemberParts } from '../kind.ts';
import { daysWords } from './kind.ts';

export const dateParts: MemberParts<'date'> = { Form: DateForm };

function DateForm({ ask, ...props }: FormProps & { ask: AskOf<'date'> }) {
  const { task } = props.view;
  const { form, send } = useAnswer(props);
  const before = evidenceBefore(props.view);
  const [date, setDate] = useStoredText(task.id, before?.kind === 'date' ? before.date : null);
  const [refused, setRefused] = useState(() => fieldProblem(props.view.entry));
  const [tried, setTried] = useState(false);
  const problem = date === '' ? null : dateProblem(ask, date);
  const wrong =
    problem === 'early'
      ? m.kinds_date_early({ date: calendarDay(ask.earliest ?? date) })
      : problem === 'late'
        ? m.kinds_date_late({ date: calendarDay(ask.latest ?? date) })
        : null;
  return (
    <AnswerForm
      {...form}
      missing={date === '' ? m.kinds_date_first() : null}
      onSend={() => {
        setTried(true);
        if (wrong === null) void send({ kind: 'date', date });
      }}
    >
      <Field
        type="date"
        label={m.kinds_date_label()}
        hint={daysWords(ask)}
        error={tried && wrong !== null ? wrong : refused}
        min={ask.earliest ?? undefined}
        max={ask.latest ?? undefined}
        autoFocus
        value={date}
        onValue={(value) => {
          setDate(value);
          setRefused(null);
        }}
      />
    </AnswerForm>
  );
}
