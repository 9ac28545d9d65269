import type { AskOf, MemberParts } from '../kind.ts';
import { ScaleStands } from './scale-stands.tsx';
import './scale.css';
import { useId, useState } from 'react';
import { SCALE } from '../../../server/kinds/scale/rules.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceRefused, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { readDraft, storeDraft } from '../../shared/tasks/draft.ts';

export const scaleParts: MemberParts<'scale'> = { Form: ScaleForm, Stands: ScaleStands };

/** An opinion from 1 to 10. The others' appear only after the member's own, so nobody follows them. */
function ScaleForm({ ask, ...props }: FormProps & { ask: AskOf<'scale'> }) {
  const { task } = props.view;
  const { form, send } = useAnswer(props);
  const name = useId();
  const before = evidenceRefused(props.view);
  const [value, setValue] = useState<number | null>(
    () => SCALE.find((one) => String(one) === readDraft(task.id)) ?? (before?.kind === 'scale' ? before.value : null),
  );
  return (
    <AnswerForm
      {...form}
      missing={value === null ? m.kinds_scale_choose() : null}
      onSend={() => {
        if (value !== null) void send({ kind: 'scale', value });
      }}
      label={m.kinds_scale_send()}
    >
      <fieldset className="scale">
        <legend>{m.kinds_scale_legend({ low: ask.low, high: ask.high })}</legend>
        <div className="scale__steps">
          {SCALE.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name={name}
                checked={value === one}
                onChange={() => {
                  setValue(one);
                  storeDraft(task.id, String(one));
                }}
              />
              {number(one)}
            </label>
          ))}
        </div>
        <p className="scale__ends text-small text-muted" aria-hidden="true">
          <span>{ask.low}</span>
          <span>{ask.high}</span>
        </p>
      </fieldset>
      <p className="text-small text-muted">{m.kinds_scale_after()}</p>
    </AnswerForm>
  );
}
