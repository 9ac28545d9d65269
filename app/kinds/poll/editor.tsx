import '../choices.css';
import { POLL_OPTIONS_MAX, QUIZ_OPTION_MAX } from '../../../server/contract/limits.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { Button, IconButton } from '../../ui/button.tsx';
import { newOption, textsOf } from '../choices.ts';
import type { FieldsProps, LeaderParts, ReviewedProps } from '../kind.ts';
import { Written } from '../reviewed.tsx';
import { PollStands } from './poll-stands.tsx';

export const pollEditor: LeaderParts<'poll'> = {
  hint: m.leader_kind_poll_hint,
  usualPoints: 10,
  empty: () => ({ kind: 'poll', choices: [newOption(), newOption()], multiple: false }),
  problems: ({ choices }) => (choices.length < 2 || choices.some(({ text }) => text.trim() === '') ? ['choices'] : []),
  preview: (setup) => setup,
  Fields: PollFields,
  Reviewed: PollReviewed,
  Stands: PollStands,
};

function PollFields({ setup, found, onSetup }: FieldsProps<'poll'>) {
  const { choices } = setup;
  return (
    <fieldset className="form-group">
      <legend>{m.leader_poll_choices()}</legend>
      {choices.map((choice, at) => (
        <div key={choice.id} className="quiz-option quiz-option--plain">
          <input
            className="field__input"
            aria-label={m.leader_poll_choice({ n: number(at + 1) })}
            maxLength={QUIZ_OPTION_MAX}
            value={choice.text}
            onChange={({ currentTarget: { value } }) =>
              onSetup({
                ...setup,
                choices: choices.map((one) => (one.id === choice.id ? { ...one, text: value } : one)),
              })
            }
          />
          {choices.length > 2 && (
            <IconButton
              icon="discard"
              label={m.leader_poll_drop({ n: number(at + 1) })}
              onClick={() => onSetup({ ...setup, choices: choices.filter(({ id }) => id !== choice.id) })}
            />
          )}
        </div>
      ))}
      {found.has('choices') && (
        <p className="quote" role="alert">
          {m.leader_poll_wrong()}
        </p>
      )}
      <label className="tick-line">
        <input
          type="checkbox"
          checked={setup.multiple}
          onChange={({ currentTarget }) => onSetup({ ...setup, multiple: currentTarget.checked })}
        />
        {m.leader_poll_multiple()}
      </label>
      {choices.length < POLL_OPTIONS_MAX && (
        <Button kind="words" icon="plus" onClick={() => onSetup({ ...setup, choices: [...choices, newOption()] })}>
          {m.leader_poll_add()}
        </Button>
      )}
    </fieldset>
  );
}

function PollReviewed({ item, ask, evidence }: ReviewedProps<'poll'>) {
  return (
    <>
      <p className="text-small text-muted">{item.task.title}</p>
      <Written words={textsOf(ask.choices, evidence.optionIds).join(', ')} />
    </>
  );
}
