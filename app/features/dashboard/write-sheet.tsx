import { useState } from 'react';
import { SUBMISSION_TEXT_MAX } from '../../../server/contract/limits.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import { TextArea } from '../../ui/field.tsx';
import { number } from '../../ui/format.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { claim } from '../engagement/acts.ts';
import { keepDraft, readDraft } from '../engagement/draft.ts';
import { wordsOf } from '../engagement/evidence.ts';

/** Writing for a `submit_text` task. What is begun is kept on the device until it is sent. */
export function WriteSheet(props: { communityId: string; task: TaskWithClaim | null; onClose: () => void }) {
  const { task } = props;
  return (
    <Sheet title={task?.title ?? ''} open={task !== null} onClose={props.onClose}>
      {task && <Writing key={task.id} communityId={props.communityId} task={task} onDone={props.onClose} />}
    </Sheet>
  );
}

/** From here on the field counts down what is left. */
const COUNT_FROM = SUBMISSION_TEXT_MAX - 200;

function Writing({ communityId, task, onDone }: { communityId: string; task: TaskWithClaim; onDone: () => void }) {
  // After a rejection the member goes on from what they wrote.
  const [text, setText] = useState(() => readDraft(task.id) || (wordsOf(task.claim?.evidence) ?? ''));
  const [busy, setBusy] = useState(false);
  const written = text.trim();
  const refusal = task.claim?.state === 'rejected' ? task.claim : null;
  async function send() {
    setBusy(true);
    const kept = await claim(communityId, task, written);
    setBusy(false);
    if (kept === null) return;
    keepDraft(task.id, '');
    onDone();
  }
  return (
    <form
      className="stack-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (written !== '' && !busy) void send();
      }}
    >
      {task.instructions && <p className="prose">{task.instructions}</p>}
      {refusal?.reason && (
        <Quote lead={m.member_not_counted()} {...(refusal.decidedBy && { by: refusal.decidedBy })}>
          {m.member_in_quotes({ words: refusal.reason })}
        </Quote>
      )}
      <TextArea
        label={m.member_write_label()}
        hint={
          text.length > COUNT_FROM
            ? m.member_write_left({ n: number(SUBMISSION_TEXT_MAX - text.length) })
            : m.member_write_hint()
        }
        rows={6}
        maxLength={SUBMISSION_TEXT_MAX}
        value={text}
        autoFocus
        onValue={(value) => {
          setText(value);
          keepDraft(task.id, value);
        }}
      />
      <Button type="submit" icon="send" busy={busy} disabledReason={written === '' ? m.member_write_first() : null}>
        {m.member_send()}
      </Button>
    </form>
  );
}
