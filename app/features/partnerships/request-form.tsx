import './partnerships.css';
import { useState } from 'react';
import {
  PARTNERSHIP_CONTACT_MAX,
  PARTNERSHIP_MESSAGE_MAX,
  PARTNERSHIP_MESSAGE_MIN,
  PARTNERSHIP_NAME_MAX,
} from '../../../server/contract/desk-limits.ts';
import { referenceOf } from '../../../server/contract/partnership-reference.ts';
import type { NewPartnership, PartnershipKind } from '../../../server/contract/partnerships.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { useDraft } from '../../lib/drafts.ts';
import { number } from '../../lib/format.ts';
import { useUser } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { enqueueCommand } from '../../shared/commands/acts.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select, showWrong, TextArea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { enqueueRequest } from './queue.ts';
import { KIND_WORDS, pathOf, subjectOf } from './words.ts';

const KINDS = ['community', 'reward', 'software', 'hosting', 'other'] as const satisfies readonly PartnershipKind[];
const BLANK = { name: '', organisation: '', contact: '', kind: 'community' as PartnershipKind, message: '' };
const [NAME_MIN, CONTACT_MIN] = [2, 3];

/** A request's problems by field, in words. */
function problemsOf({ name, contact, message }: typeof BLANK) {
  return {
    name: seenLength(name.trim()) < NAME_MIN ? m.partner_name_short() : null,
    contact: seenLength(contact.trim()) < CONTACT_MIN ? m.partner_contact_short() : null,
    message:
      seenLength(message.trim()) < PARTNERSHIP_MESSAGE_MIN
        ? m.partner_message_short({ n: number(PARTNERSHIP_MESSAGE_MIN) })
        : null,
  };
}

/** The form: its draft is stored on the device, then sent through a member's outbox or a visitor's queue. */
export function RequestForm() {
  const user = useUser();
  const { draft, change, drop } = useDraft('partnership', BLANK);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const problems = problemsOf(draft);
  const shown: Partial<typeof problems> = tried ? problems : {};

  async function send(): Promise<void> {
    const id = crypto.randomUUID();
    const body: NewPartnership = {
      name: draft.name.trim(),
      organisation: draft.organisation.trim(),
      contact: draft.contact.trim(),
      kind: draft.kind,
      message: draft.message.trim(),
    };
    setBusy(true);
    const isStored = user ? await sendAsMember(id, body) : sendAsVisitor(id, body);
    setBusy(false);
    if (!isStored) return;
    drop();
    setTried(false);
    document.getElementById(`request-${id}`)?.scrollIntoView({ block: 'center' });
  }
  return (
    <form
      className="form-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        showWrong(event.currentTarget, () => setTried(true));
        if (Object.values(problems).every((problem) => problem === null) && !busy) void send();
      }}
    >
      <div className="two-columns partner-pair">
        <Field
          label={m.partner_name()}
          autoComplete="name"
          maxLength={PARTNERSHIP_NAME_MAX}
          value={draft.name}
          error={shown.name}
          onValue={(name) => change({ name })}
        />
        <Field
          label={m.partner_organisation()}
          hint={m.partner_organisation_hint()}
          autoComplete="organization"
          maxLength={PARTNERSHIP_NAME_MAX}
          value={draft.organisation}
          onValue={(organisation) => change({ organisation })}
        />
      </div>
      <Field
        label={m.partner_contact()}
        hint={m.partner_contact_hint()}
        autoCapitalize="none"
        maxLength={PARTNERSHIP_CONTACT_MAX}
        value={draft.contact}
        error={shown.contact}
        onValue={(contact) => change({ contact })}
      />
      <Select
        label={m.partner_kind()}
        options={KINDS.map((value) => ({ value, label: KIND_WORDS[value]() }))}
        value={draft.kind}
        onValue={(kind) => change({ kind })}
      />
      <TextArea
        label={m.partner_message()}
        hint={m.partner_message_hint()}
        rows={6}
        maxLength={PARTNERSHIP_MESSAGE_MAX}
        value={draft.message}
        error={shown.message}
        onValue={(message) => change({ message })}
      />
      <div className="actions">
        <Button type="submit" icon="send" busy={busy}>
          {m.partner_send()}
        </Button>
      </div>
      <p className="text-tiny text-muted">{m.partner_draft()}</p>
    </form>
  );
}

const sendAsMember = async (id: string, body: NewPartnership): Promise<boolean> =>
  (await enqueueCommand(
    {
      communityId: null,
      method: 'PUT',
      path: pathOf(id),
      body,
      label: m.partner_label({ reference: referenceOf(id) }),
      subject: subjectOf(id),
    },
    true,
  )) !== null;

function sendAsVisitor(id: string, body: NewPartnership): boolean {
  const isStored = enqueueRequest(id, body);
  if (!isStored) toast({ mark: 'refused', title: m.partner_not_kept(), line: m.partner_not_kept_line() });
  return true;
}
