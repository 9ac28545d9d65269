import { useState } from 'react';
import { numberProblem } from '../../../server/kinds/number/rules.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceBefore, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { useStoredText } from '../../shared/tasks/draft.ts';
import { exactNumber } from '../../shared/tasks/evidence.ts';
import { fieldProblem } from '../../shared/tasks/field-problem.ts';
import { Field } from '../../ui/field.tsx';
import { readNumber, type TypedNumber } from '../../ui/typed-number.ts';
import type { AskOf, MemberParts } from '../kind.ts';
import { amountWords, boundsWords } from './amount.ts';

export const numberParts: MemberParts<'number'> = { Form: NumberForm };

/** A number. The form explains an invalid one; the server decides whether it is the right one. */
function NumberForm({ ask, ...props }: FormProps & { ask: AskOf<'number'> }) {
  const { task } = props.view;
  const { form, send, result, forget } = useAnswer(props, true);
  const before = evidenceBefore(props.view);
  const [typed, setTyped] = useStoredText(task.id, before?.kind === 'number' ? typedOf(before.value) : null);
  const [refused, setRefused] = useState(() => fieldProblem(props.view.entry));
  const [tried, setTried] = useState(false);
  const read = readNumber(typed, ask.decimals);
  const wrong = wrongWords(read, ask);
  return (
    <AnswerForm
      {...form}
      missing={'problem' in read && read.problem === 'none' ? m.kinds_number_first() : null}
      problem={result.problem ?? (result.failed && (result.failed.reason ?? m.member_checked()))}
      onSend={() => {
        setTried(true);
        if (wrong === null && 'value' in read) void send({ kind: 'number', value: read.value });
      }}
    >
      <Field
        label={m.kinds_number_label()}
        unit={ask.unit}
        hint={boundsWords(ask)}
        error={tried && wrong !== null ? wrong : refused}
        inputMode={ask.min !== null && ask.min >= 0 ? (ask.decimals === 0 ? 'numeric' : 'decimal') : 'text'}
        autoComplete="off"
        autoFocus
        maxLength={24}
        value={typed}
        onValue={(text) => {
          setTyped(text);
          setRefused(null);
          forget();
        }}
      />
    </AnswerForm>
  );
}

/** As typed: without the exponent of very small numbers. */
const typedOf = (value: number): string => value.toFixed(6).replace(/\.?0+$/, '');

function wrongWords(read: TypedNumber, ask: AskOf<'number'>): string | null {
  const problem = 'value' in read ? numberProblem(ask, read.value) : read.problem;
  switch (problem) {
    case 'unreadable':
      return m.kinds_number_bad({ example: exactNumber(ask.min ?? 12) });
    case 'decimals':
      return ask.decimals === 0
        ? m.kinds_number_whole()
        : m.kinds_number_decimals({ count: ask.decimals, n: exactNumber(ask.decimals) });
    case 'low':
      return m.kinds_number_low({ min: amountWords(ask.min ?? 0, ask) });
    case 'high':
      return m.kinds_number_high({ max: amountWords(ask.max ?? 0, ask) });
    default:
      return null;
  }
}
