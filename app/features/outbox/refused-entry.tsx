import { communityOf } from '../../lib/subjects.ts';
import './queue-sheet.css';
import { useState } from 'react';
import { editEntry, type OutboxEntry, retryEntry } from '../../lib/device.ts';
import { stampTime } from '../../lib/format.ts';
import { serverWords } from '../../lib/server-words.ts';
import { m } from '../../paraglide/messages.js';
import { Form, useForm } from '../../shared/commands/form.tsx';
import { AskDiscard } from '../../shared/commands/refused-command.tsx';
import { useCachedName } from '../../shared/communities/cached-name.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Mark } from '../../ui/icon.tsx';
import { ErrorCode } from '../../ui/states.tsx';
import { rewritten, type Written, writtenIn } from './written.ts';

/**
 * A refused command: its reason, code and request id, and what the member can do. Edit appears if it contains their
 * text; Discard needs a confirmation, because there is no other copy.
 * @param onGone called after the command has left this list
 */
export function RefusedEntry({ entry, onGone }: { entry: OutboxEntry; onGone: () => void }) {
  const [step, setStep] = useState<'choose' | 'edit' | 'discard'>('choose');
  const lane = useCachedName(communityOf(entry.lane));
  const written = writtenIn(entry.body);
  const time = stampTime(entry.createdAt);
  const back = () => setStep('choose');
  return (
    <li className="mark-row">
      <Mark state="refused" />
      <div>
        <h3>{entry.label}</h3>
        <p className="text-small text-muted">
          {lane === null ? m.shell_queue_saved({ time }) : m.shell_queue_place({ lane, time })}
        </p>
      </div>
      <div className="mark-row__body">
        {entry.error && (
          <div className="quote">
            <b>{m.shell_queue_refused()}</b> {serverWords(entry.error)}
            <div>
              <ErrorCode error={entry.error} />
            </div>
          </div>
        )}
        {step === 'edit' && written && <Edit entry={entry} written={written} onBack={back} onGone={onGone} />}
        {step === 'discard' && <AskDiscard entry={entry} onCancel={back} onGone={onGone} />}
        {step === 'choose' && (
          <div className="actions">
            {written && (
              <Button kind="edge" icon="edit" onClick={() => setStep('edit')}>
                {m.shell_queue_edit()}
              </Button>
            )}
            <Button
              kind={written ? 'words' : 'edge'}
              icon="retry"
              onClick={() => void retryEntry(entry.id).then(onGone)}
            >
              {m.shell_queue_retry()}
            </Button>
            <Button kind="words" className="queue-sheet__discard" icon="discard" onClick={() => setStep('discard')}>
              {m.shell_queue_discard()}
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}

type Step = { entry: OutboxEntry; onBack: () => void; onGone: () => void };

function Edit({ entry, written, onBack, onGone }: Step & { written: Written }) {
  const form = useForm({
    initial: { text: written.text },
    blocked: ({ text }) => (text.trim() === '' ? m.shell_write_first() : null),
    body: ({ text }) => rewritten(entry.body, written, text.trim()),
    send: (body) => editEntry(entry.id, body),
    done: onGone,
    isQueued: true,
  });
  return (
    <Form
      form={form}
      act={m.shell_queue_edit_send()}
      icon="send"
      more={
        <Button kind="words" onClick={onBack}>
          {m.shell_queue_edit_cancel()}
        </Button>
      }
      className="stack"
    >
      <TextArea
        label={m.shell_queue_edit_label()}
        hint={m.shell_queue_edit_hint()}
        rows={5}
        maxLength={written.longest}
        autoFocus
        {...form.field('text')}
      />
    </Form>
  );
}
