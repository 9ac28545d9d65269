import './partnerships.css';
import {
  PARTNERSHIP_CONTACT_MAX,
  PARTNERSHIP_MESSAGE_MAX,
  PARTNERSHIP_MESSAGE_MIN,
  PARTNERSHIP_NAME_MAX,
} from '../../../server/contract/desk-limits.ts';
import { referenceOf } from '../../../server/contract/partnership-reference.ts';
import type { NewPartnership, PartnershipKind } from '../../../server/contract/partnerships.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { number } from '../../lib/format.ts';
import { useUser } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Form, useForm } from '../../shared/commands/form.tsx';
import { enqueueCommand } from '../../shared/commands/member-commands.ts';
import { Field, Select, TextArea } from '../../ui/field.tsx';
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
  const form = useForm({
    draft: 'partnership',
    initial: BLANK,
    problems: problemsOf,
    body: ({ name, organisation, contact, kind, message }): NewPartnership => ({
      name: name.trim(),
      organisation: organisation.trim(),
      contact: contact.trim(),
      kind,
      message: message.trim(),
    }),
    send: async (body) => {
      const id = crypto.randomUUID();
      return (user ? await sendAsMember(id, body) : sendAsVisitor(id, body)) ? id : null;
    },
    done: (id) => document.getElementById(`request-${id}`)?.scrollIntoView({ block: 'center' }),
    isQueued: true,
  });
  return (
    <Form form={form} act={m.partner_send()} icon="send" note={m.partner_draft()}>
      <div className="two-columns partner-pair">
        <Field label={m.partner_name()} autoComplete="name" maxLength={PARTNERSHIP_NAME_MAX} {...form.field('name')} />
        <Field
          label={m.partner_organisation()}
          hint={m.partner_organisation_hint()}
          autoComplete="organization"
          maxLength={PARTNERSHIP_NAME_MAX}
          {...form.field('organisation')}
        />
      </div>
      <Field
        label={m.partner_contact()}
        hint={m.partner_contact_hint()}
        autoCapitalize="none"
        maxLength={PARTNERSHIP_CONTACT_MAX}
        {...form.field('contact')}
      />
      <Select
        label={m.partner_kind()}
        options={KINDS.map((value) => ({ value, label: KIND_WORDS[value]() }))}
        {...form.field('kind')}
      />
      <TextArea
        label={m.partner_message()}
        hint={m.partner_message_hint()}
        rows={6}
        maxLength={PARTNERSHIP_MESSAGE_MAX}
        {...form.field('message')}
      />
    </Form>
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
