import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Claim, Evidence, NewClaim } from '../../../server/contract/claims.ts';
import { SUBMISSION_TEXT_MAX } from '../../../server/contract/limits.ts';
import { discardEntry, type OutboxEntry, useOutbox } from '../../lib/device.ts';
import { serverWords } from '../../lib/server-words.ts';
import { imageSubject } from '../../lib/subjects.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import { TextArea } from '../../ui/field.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { answer } from '../commands/member-commands.ts';
import { noteOf, storeDraft } from '../tasks/draft.ts';
import { bytesOf } from '../tasks/evidence.ts';
import { fieldProblem, isFieldError } from '../tasks/field-problem.ts';
import type { TaskView } from '../tasks/task-view.ts';
import { listenForOutcome } from './answer-outcome.ts';
import { DecisionQuote } from './decision-quote.tsx';

/** `onDone`: the answer is in the outbox under this id. */
export type FormProps = { communityId: string; view: TaskView; onDone: (entryId: string) => void };

/** The evidence sent for this task before, accepted or not. */
export function evidenceBefore({ entry, claim }: TaskView): Evidence | null {
  // Entries under a claim's subject are a `NewClaim` or the answer to requested changes.
  return (entry?.body as NewClaim | undefined)?.evidence ?? claim?.evidence ?? null;
}

/** Evidence that the server refused: the form opens with it, so it need not be entered again. */
export const evidenceRefused = ({ entry }: TaskView): Evidence | null =>
  entry?.state === 'refused' ? ((entry.body as NewClaim | undefined)?.evidence ?? null) : null;

/** Refused entries that a new answer replaces: the previous one with its bytes, and the `last` one of this form. */
export function replaced(view: TaskView, outbox: readonly OutboxEntry[], last: string | null = null): string[] {
  const evidence = evidenceRefused(view);
  const bytes = evidence && bytesOf(evidence);
  const picture = bytes && imageSubject(bytes);
  return outbox
    .filter(
      ({ id, state, subject }) => state === 'refused' && (id === view.entry?.id || id === last || subject === picture),
    )
    .map(({ id }) => id);
}

/** The server's response to an answer just sent from the open form. */
type ServerAnswer = { problem: string | null; failed: Claim | null };
const NO_ANSWER_YET: ServerAnswer = { problem: null, failed: null };

/**
 * Sends an answer through the outbox, replacing earlier refused ones. With `waits` and a connection, the form stays
 * open until the server has checked the answer, and shows what is wrong.
 */
export function useAnswer({ communityId, view, onDone }: FormProps, waits = false) {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState(NO_ANSWER_YET);
  const outbox = useOutbox();
  const last = useRef<string | null>(null);
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  async function send(evidence: Evidence, picture: Blob | null = null): Promise<void> {
    setBusy(true);
    setResult(NO_ANSWER_YET);
    const listening = waits && navigator.onLine ? listenForOutcome() : null;
    const queued = await answer(communityId, view.task, evidence, picture, waits);
    if (queued !== null) for (const id of replaced(view, outbox, last.current)) await discardEntry(id);
    const outcome = queued === null ? null : ((await listening?.of(queued)) ?? null);
    listening?.stop();
    setBusy(false);
    if (queued === null) return;
    last.current = queued;
    // The form already shows the answer and its problem: a refused entry in the outbox would repeat it.
    if (outcome && 'error' in outcome && isOpen.current && isFieldError(outcome.error)) await discardEntry(queued);
    if (outcome && 'error' in outcome) return setResult({ ...NO_ANSWER_YET, problem: serverWords(outcome.error) });
    for (const draft of [view.task.id, noteOf(view.task.id)]) storeDraft(draft, '');
    if (outcome?.claim.state === 'rejected') return setResult({ ...NO_ANSWER_YET, failed: outcome.claim });
    onDone(queued);
  }
  return { form: { view, busy }, send, result, forget: () => setResult(NO_ANSWER_YET) };
}

/** Common parts of every form: the task's question, feedback on the last try, the fields, and Send. */
export function AnswerForm(props: {
  view: TaskView;
  busy: boolean;
  /** What is still missing; null when the form can be sent. */
  missing: string | null;
  /** The problem with the answer just sent. */
  problem?: string | null;
  onSend: () => void;
  label?: string;
  icon?: IconName;
  children?: ReactNode;
}) {
  const { view, busy, missing } = props;
  return (
    <form
      className="stack-medium"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === null && !busy) props.onSend();
      }}
    >
      {view.task.instructions && <p className="written-text">{view.task.instructions}</p>}
      <EarlierWords view={view} />
      {props.children}
      {props.problem && (
        <p className="field field--wrong">
          <span className="field__hint" role="alert">
            {props.problem}
          </span>
        </p>
      )}
      <div className="actions sheet__foot">
        <Button type="submit" icon={props.icon ?? 'send'} busy={busy} disabledReason={missing}>
          {props.label ?? m.member_send()}
        </Button>
      </div>
    </form>
  );
}

/** The reviewer's words for sending it back or rejecting it. */
function EarlierWords({ view }: { view: TaskView }) {
  const { claim, entry } = view;
  if (fieldProblem(entry) !== null) return null;
  if (entry?.state === 'refused')
    return <Quote lead={m.member_not_sent()}>{entry.error && serverWords(entry.error)}</Quote>;
  return claim?.reason ? <DecisionQuote claim={claim} /> : null;
}

/** A member's note beside a link, picture or file. */
export const NoteField = (props: { value: string; onValue: (value: string) => void }) => (
  <TextArea label={m.member_note_label()} maxLength={SUBMISSION_TEXT_MAX} rows={3} {...props} />
);
