import './write-shared.css';
import { useState } from 'react';
import { SUBMISSION_TEXT_MAX } from '../../../server/contract/limits.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { answer } from '../../shared/commands/acts.ts';
import { keepDraft, readDraft } from '../../shared/tasks/draft.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Screen } from '../../ui/screen.tsx';
import type { Choice } from './pick-task.tsx';

/** From this length on the field shows the remaining characters. */
const COUNT_FROM = SUBMISSION_TEXT_MAX - 200;

/** The task's existing draft first, then the shared text. */
function beginning(taskId: string, shared: string): string {
  const draft = readDraft(taskId).trim();
  const both = draft === '' || shared.includes(draft) ? shared : `${draft}\n\n${shared}`;
  return both.slice(0, SUBMISSION_TEXT_MAX);
}

/**
 * A task's submission form, filled with the shared text.
 * @param onWrite called at every change, to store it
 * @param onSent called once the command is durable on this device
 */
export function WriteShared(props: {
  choice: Choice;
  shared: string;
  onWrite: (text: string) => void;
  onBack: (text: string) => void;
  onSent: () => void;
}) {
  const { community, task } = props.choice;
  const [text, setText] = useState(() => beginning(task.id, props.shared));
  const [busy, setBusy] = useState(false);
  const written = text.trim();
  const left = SUBMISSION_TEXT_MAX - text.length;
  async function send() {
    setBusy(true);
    const queued = await answer(community.id, task, { kind: 'submit_text', text: written });
    setBusy(false);
    if (queued === null) return;
    keepDraft(task.id, '');
    props.onSent();
  }
  return (
    <Screen title={task.title} lead={community.name}>
      <form
        className="stack-medium share-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (written !== '' && !busy) void send();
        }}
      >
        {task.instructions && <p className="written-text">{task.instructions}</p>}
        <TextArea
          label={m.shell_share_write()}
          hint={text.length > COUNT_FROM ? m.shell_share_left({ count: left, n: number(left) }) : m.shell_share_hint()}
          rows={8}
          maxLength={SUBMISSION_TEXT_MAX}
          value={text}
          autoFocus
          onValue={(value) => {
            setText(value);
            props.onWrite(value);
          }}
        />
        <div className="actions">
          <Button type="submit" icon="send" busy={busy} disabledReason={written === '' ? m.shell_write_first() : null}>
            {m.shell_share_send()}
          </Button>
          <Button kind="words" onClick={() => props.onBack(text)}>
            {m.shell_share_other()}
          </Button>
        </div>
      </form>
    </Screen>
  );
}
