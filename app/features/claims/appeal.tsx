import { useRef, useState } from 'react';
import type { ClaimDetail } from '../../../server/contract/claims.ts';
import { APPEAL_MAX } from '../../../server/contract/limits.ts';
import type { BodyOf } from '../../../server/contract/routes.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import type { Task } from '../../../server/contract/tasks.ts';
import type { OutboxEntry } from '../../lib/device.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { Form, useForm } from '../../shared/commands/form.tsx';
import { appeal } from '../../shared/commands/member-commands.ts';
import { RefusedCommand } from '../../shared/commands/refused-command.tsx';
import { whenWord } from '../../shared/tasks/words.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';

type NewAppeal = BodyOf<'POST /api/communities/:communityId/claims/:claimId/appeal'>;
const APPEAL_MIN = 10;
const OUTCOMES = {
  open: m.member_appeal_open,
  granted: m.member_appeal_granted,
  refused: m.member_appeal_refused,
  withdrawn: m.member_appeal_withdrawn,
} as const;

/** The one appeal against a rejection: its text, its state, or the form to write it. */
export function Appeal(props: {
  communityId: string;
  task: Task;
  claim: Pick<ClaimDetail, 'id' | 'state' | 'appeal'>;
  mayAppeal: boolean;
  entry: OutboxEntry | null;
}) {
  const { claim, entry } = props;
  const anchor = useRef<HTMLDivElement>(null);
  if (!claim.appeal && !entry && !props.mayAppeal) return null;
  return (
    <div ref={anchor} tabIndex={-1}>
      {claim.appeal ? (
        <section className="receipt__sent">
          <h3>{m.member_appeal()}</h3>
          <p className="written-text">{m.member_in_quotes({ words: claim.appeal.text })}</p>
          <p className="text-small text-muted">{OUTCOMES[claim.appeal.outcome]({ when: whenWord(claim.appeal.at) })}</p>
        </section>
      ) : entry ? (
        <QueuedAppeal entry={entry} />
      ) : (
        // The form disappears on sending, so the focus moves to its container.
        <Write {...props} onSent={() => anchor.current?.focus()} />
      )}
    </div>
  );
}

/** The state of an appeal that is still on this device. */
function QueuedAppeal({ entry }: { entry: OutboxEntry }) {
  return (
    <section className="receipt__sent">
      <h3>{m.member_appeal()}</h3>
      <p className="written-text">{m.member_in_quotes({ words: (entry.body as NewAppeal).text })}</p>
      {entry.state === 'refused' ? (
        <RefusedCommand entry={entry} />
      ) : (
        <p className="text-small text-muted">{m.member_meta_appeal_saved({ time: whenWord(entry.createdAt) })}</p>
      )}
    </section>
  );
}

function Write(props: { communityId: string; task: Task; claim: Pick<ClaimDetail, 'id'>; onSent: () => void }) {
  const { communityId, task, claim } = props;
  const form = useForm({
    draft: `appeal:${claim.id}`,
    initial: { text: '' },
    blocked: ({ text }) => {
      const missing = APPEAL_MIN - seenLength(text);
      return missing > 0 ? m.member_write_more({ count: missing, n: number(missing) }) : null;
    },
    body: ({ text }) => text.trim(),
    send: (text) => appeal(communityId, claim.id, task, text),
    done: props.onSent,
    isQueued: true,
  });
  const [open, setOpen] = useState(form.values.text !== '');
  if (!open)
    return (
      <section className="receipt__sent">
        <h3>{m.member_appeal_ask()}</h3>
        <p className="text-small text-muted">{m.member_appeal_line()}</p>
        <div className="actions">
          <Button kind="edge" icon="appeal" onClick={() => setOpen(true)}>
            {m.member_appeal_write()}
          </Button>
        </div>
      </section>
    );
  return (
    <Form
      form={form}
      act={m.member_appeal_send()}
      icon="send"
      onLeave={() => setOpen(false)}
      className="receipt__sent stack"
    >
      <TextArea
        label={m.member_appeal_label_field()}
        hint={m.member_appeal_line()}
        rows={4}
        maxLength={APPEAL_MAX}
        autoFocus
        {...form.field('text')}
      />
    </Form>
  );
}
