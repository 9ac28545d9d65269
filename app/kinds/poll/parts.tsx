import { useEffect, useRef, useState } from 'react';
import { onDelivered, useOutbox } from '../../lib/device.ts';
import { serverWords } from '../../lib/server-words.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceRefused, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { UndoButton, useHeldSeconds } from '../../shared/commands/undo-button.tsx';
import { Quote } from '../../ui/card.tsx';
import { Choices } from '../../ui/choices.tsx';
import { textsOf } from '../choices.ts';
import type { AskOf, MemberParts } from '../kind.ts';
import { PollStands } from './poll-stands.tsx';

export const pollParts: MemberParts<'poll'> = {
  Form: PollForm,
  Sent: ({ ask, evidence }) => <p className="written-text">{textsOf(ask.choices, evidence.optionIds).join('\n')}</p>,
  Stands: PollStands,
};

/** A vote. The results appear only after the member has voted, so nobody follows the others. */
function PollForm({ ask, ...props }: FormProps & { ask: AskOf<'poll'> }) {
  const [voted, setVoted] = useState<string | null>(null);
  const { form, send } = useAnswer({ ...props, onDone: (id) => (navigator.onLine ? setVoted(id) : props.onDone(id)) });
  const before = evidenceRefused(props.view);
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    before?.kind === 'poll' ? before.optionIds.filter((id) => ask.choices.some((one) => one.id === id)) : [],
  );
  if (voted !== null)
    return (
      <Voted
        key={voted}
        communityId={props.communityId}
        taskId={props.view.task.id}
        ask={ask}
        vote={{ entryId: voted, optionIds: chosen }}
        onUndone={() => setVoted(null)}
      />
    );
  return (
    <AnswerForm
      {...form}
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

/** The member's vote, in pencil until the server has it; then the poll's results, in the same position. */
function Voted(props: {
  communityId: string;
  taskId: string;
  ask: AskOf<'poll'>;
  vote: { entryId: string; optionIds: readonly string[] };
  onUndone: () => void;
}) {
  const { ask, vote, onUndone } = props;
  const entry = useOutbox().find(({ id }) => id === vote.entryId) ?? null;
  const held = useHeldSeconds(entry);
  const [counted, setCounted] = useState(false);
  const wasQueued = useRef(false);
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => onDelivered((delivery) => delivery.entry.id === vote.entryId && setCounted(true)), [vote.entryId]);
  // The pressed button is gone, so the focus moves here.
  useEffect(() => container.current?.focus(), []);
  useEffect(() => {
    // An entry that left the outbox without a delivery was undone.
    if (entry === null && wasQueued.current && !counted) onUndone();
    wasQueued.current ||= entry !== null;
  }, [entry, counted, onUndone]);
  return (
    <div ref={container} tabIndex={-1} className="stack-medium">
      <p>{m.member_poll_voted({ choice: textsOf(ask.choices, vote.optionIds).join(', ') })}</p>
      {counted && <PollStands communityId={props.communityId} taskId={props.taskId} ask={ask} />}
      {!counted && entry?.state === 'refused' && (
        <Quote lead={m.member_not_sent()}>{entry.error && serverWords(entry.error)}</Quote>
      )}
      {!counted && entry?.state !== 'refused' && (
        <>
          <p className="text-small text-muted">{m.member_poll_soon()}</p>
          {entry && held !== null && (
            <div className="actions">
              <UndoButton entry={entry} />
            </div>
          )}
        </>
      )}
    </div>
  );
}
