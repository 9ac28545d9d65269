import { useState } from 'react';
import type { TaskAsk } from '../../../server/contract/tasks.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceRefused, type FormProps, useAnswer } from './answer-form.tsx';
import { Choices } from './choices.tsx';

/** A vote. How it stands is shown once the member has voted, so that nobody follows the others. */
export function PollForm({ ask, ...props }: FormProps & { ask: Extract<TaskAsk, { kind: 'poll' }> }) {
  const { busy, send } = useAnswer(props);
  const before = evidenceRefused(props.view);
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    before?.kind === 'poll' ? before.optionIds.filter((id) => ask.choices.some((one) => one.id === id)) : [],
  );
  return (
    <AnswerForm
      view={props.view}
      busy={busy}
      missing={chosen.length === 0 ? m.member_choose_first() : null}
      onSend={() => void send({ kind: 'poll', optionIds: [...chosen] })}
      label={m.member_poll_send()}
    >
      <Choices
        legend={ask.multiple ? m.member_choose_several() : m.member_choose_one()}
        options={ask.choices}
        multiple={ask.multiple}
        chosen={chosen}
        onChoose={setChosen}
      />
      <p className="text-small text-muted">{m.member_poll_after()}</p>
    </AnswerForm>
  );
}
