import { useRef, useState } from 'react';
import type { ClaimDetail } from '../../../server/contract/claims.ts';
import { APPEAL_MAX } from '../../../server/contract/limits.ts';
import type { BodyOf } from '../../../server/contract/routes.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import type { Task } from '../../../server/contract/tasks.ts';
import type { OutboxEntry } from '../../lib/device.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { appeal } from '../../shared/commands/acts.ts';
import { RefusedCommand } from '../../shared/commands/refused-act.tsx';
import { keepDraft, readDraft } from '../../shared/tasks/draft.ts';
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
  const draft = `appeal-${claim.id}`;
  const [text, setText] = useState(() => readDraft(draft));
  const [open, setOpen] = useState(text !== '');
  const [busy, setBusy] = useState(false);
  const missing = APPEAL_MIN - seenLength(text);
  async function send() {
    setBusy(true);
    const queued = await appeal(communityId, claim.id, task, text.trim());
    setBusy(false);
    if (queued === null) return;
    keepDraft(draft, '');
    props.onSent();
  }
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
    <form
      className="receipt__sent stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (missing <= 0 && !busy) void send();
      }}
    >
      <TextArea
        label={m.member_appeal_label_field()}
        hint={m.member_appeal_line()}
        rows={4}
        maxLength={APPEAL_MAX}
        value={text}
        autoFocus
        onValue={(value) => {
          setText(value);
          keepDraft(draft, value);
        }}
      />
      <div className="actions">
        <Button
          type="submit"
          icon="send"
          busy={busy}
          disabledReason={missing > 0 ? m.member_write_more({ count: missing, n: number(missing) }) : null}
        >
          {m.member_appeal_send()}
        </Button>
        <Button kind="words" onClick={() => setOpen(false)}>
          {m.member_cancel()}
        </Button>
      </div>
    </form>
  );
}
