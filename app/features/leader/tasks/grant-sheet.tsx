import { useState } from 'react';
import { DECISION_REASON_MAX } from '../../../../server/contract/limits.ts';
import type { Member } from '../../../../server/contract/members.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import { m } from '../../../paraglide/messages.js';
import { Form, useForm } from '../../../shared/commands/form.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/field.tsx';
import { REASON_MIN } from '../../../ui/reason-dialog.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { MemberPick } from '../members/member-pick.tsx';
import { grant } from '../parts/commands.ts';

type GrantedTask = { id: string; title: string };

/** Awards a task that cannot be claimed, with a reason for the member. */
export function GrantSheet(props: { communityId: string; task: GrantedTask | null; onClose: () => void }) {
  const { task } = props;
  return (
    <Sheet title={task ? m.leader_grant_title({ task: task.title }) : ''} open={task !== null} onClose={props.onClose}>
      {task && <GrantForm key={task.id} communityId={props.communityId} task={task} onDone={props.onClose} />}
    </Sheet>
  );
}

function GrantForm(props: { communityId: string; task: GrantedTask; onDone: () => void }) {
  const [member, setMember] = useState<Member | null>(null);
  const form = useForm({
    draft: `grant:${props.task.id}`,
    initial: { reason: '' },
    blocked: ({ reason }) => (seenLength(reason) < REASON_MIN ? m.leader_say_why() : null),
    body: ({ reason }) => ({ reason: reason.trim() }),
    send: async ({ reason }) => member && grant(props.communityId, props.task, member, reason),
    done: props.onDone,
    isQueued: true,
  });
  if (member === null) return <MemberPick communityId={props.communityId} onPick={setMember} />;
  return (
    <Form
      form={form}
      act={m.leader_grant()}
      more={
        <Button kind="words" onClick={() => setMember(null)}>
          {m.leader_grant_other()}
        </Button>
      }
    >
      <p>{m.leader_grant_to({ who: member.displayName })}</p>
      <TextArea
        label={m.leader_reason()}
        hint={m.leader_grant_hint()}
        rows={3}
        maxLength={DECISION_REASON_MAX}
        {...form.field('reason')}
      />
    </Form>
  );
}
