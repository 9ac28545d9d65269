import { useState } from 'react';
import { DECISION_REASON_MAX } from '../../../../server/contract/limits.ts';
import type { Member } from '../../../../server/contract/members.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import { useDraft } from '../../../lib/drafts.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/field.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { MemberPick } from '../members/member-pick.tsx';
import { grant } from '../parts/acts.ts';

type Given = { id: string; title: string };

/** Awards a task that cannot be claimed, with a reason for the member. */
export function GrantSheet(props: { communityId: string; task: Given | null; onClose: () => void }) {
  const { task } = props;
  return (
    <Sheet title={task ? m.leader_grant_title({ task: task.title }) : ''} open={task !== null} onClose={props.onClose}>
      {task && <GrantForm key={task.id} communityId={props.communityId} task={task} onDone={props.onClose} />}
    </Sheet>
  );
}

function GrantForm(props: { communityId: string; task: Given; onDone: () => void }) {
  const [member, setMember] = useState<Member | null>(null);
  const { draft, change, drop } = useDraft(`grant:${props.task.id}`, { reason: '' });
  const { reason } = draft;
  const [busy, setBusy] = useState(false);
  const short = seenLength(reason) < 3;
  async function give(to: Member) {
    setBusy(true);
    const isQueued = await grant(props.communityId, props.task, to, reason.trim());
    setBusy(false);
    if (isQueued === null) return;
    drop();
    props.onDone();
  }
  if (member === null) return <MemberPick communityId={props.communityId} onPick={setMember} />;
  return (
    <form
      className="form-stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!short && !busy) void give(member);
      }}
    >
      <p>{m.leader_grant_to({ who: member.displayName })}</p>
      <TextArea
        label={m.leader_reason()}
        hint={m.leader_grant_hint()}
        rows={3}
        maxLength={DECISION_REASON_MAX}
        value={reason}
        onValue={(text) => change({ reason: text })}
      />
      <div className="actions">
        <Button type="submit" busy={busy} disabledReason={short ? m.leader_say_why() : null}>
          {m.leader_grant()}
        </Button>
        <Button kind="words" onClick={() => setMember(null)}>
          {m.leader_grant_other()}
        </Button>
      </div>
    </form>
  );
}
