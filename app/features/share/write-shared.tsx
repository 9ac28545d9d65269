import './write-shared.css';
import { SUBMISSION_TEXT_MAX } from '../../../server/contract/limits.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { Form, useForm } from '../../shared/commands/form.tsx';
import { answer } from '../../shared/commands/member-commands.ts';
import { readDraft, storeDraft } from '../../shared/tasks/draft.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Screen } from '../../ui/screen.tsx';
import type { Choice } from './pick-task.tsx';

/** From this length on the field shows the remaining characters. */
const COUNT_FROM = SUBMISSION_TEXT_MAX - 200;

/** The task's existing draft first, then the shared text. */
function initialText(taskId: string, shared: string): string {
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
  const form = useForm({
    initial: () => ({ text: initialText(task.id, props.shared) }),
    blocked: ({ text }) => (text.trim() === '' ? m.shell_write_first() : null),
    body: ({ text }) => ({ kind: 'submit_text', text: text.trim() }) as const,
    send: (evidence) => answer(community.id, task, evidence),
    done: () => {
      storeDraft(task.id, '');
      props.onSent();
    },
    isQueued: true,
  });
  const { text } = form.values;
  const left = SUBMISSION_TEXT_MAX - text.length;
  return (
    <Screen title={task.title} lead={community.name}>
      <Form
        form={form}
        act={m.shell_share_send()}
        icon="send"
        more={
          <Button kind="words" onClick={() => props.onBack(text)}>
            {m.shell_share_other()}
          </Button>
        }
        className="stack-medium share-form"
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
            form.change({ text: value });
            props.onWrite(value);
          }}
        />
      </Form>
    </Screen>
  );
}
