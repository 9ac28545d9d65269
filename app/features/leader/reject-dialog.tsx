import { useState } from 'react';
import { DECISION_REASON_MAX } from '../../../server/contract/limits.ts';
import type { ReviewItem } from '../../../server/contract/review.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Dialog } from '../../ui/sheet.tsx';

const REASON_MIN = 3;
const PRESETS = [m.leader_preset_unclear, m.leader_preset_other, m.leader_preset_more, m.leader_preset_late];

/** Why not: the member reads these words and may try again, so there is no rejecting without them. */
export function RejectDialog(props: {
  item: ReviewItem | null;
  onClose: () => void;
  onReject: (item: ReviewItem, reason: string) => void;
}) {
  const { item } = props;
  return (
    <Dialog
      title={item ? m.leader_reject_title({ who: item.member.displayName }) : ''}
      open={item !== null}
      onClose={props.onClose}
    >
      {item && (
        <Reason key={item.claim.id} onCancel={props.onClose} onReject={(reason) => props.onReject(item, reason)} />
      )}
    </Dialog>
  );
}

function Reason({ onCancel, onReject }: { onCancel: () => void; onReject: (reason: string) => void }) {
  const [reason, setReason] = useState('');
  const given = reason.trim();
  return (
    <form
      className="form reject-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (given.length >= REASON_MIN) onReject(given);
      }}
    >
      <div className="presets">
        {PRESETS.map((preset) => (
          <button
            key={preset()}
            type="button"
            className="preset"
            aria-pressed={given === preset()}
            onClick={() => setReason(preset())}
          >
            {preset()}
          </button>
        ))}
      </div>
      <TextArea
        label={m.leader_reason()}
        hint={m.leader_reason_hint()}
        value={reason}
        maxLength={DECISION_REASON_MAX}
        rows={3}
        autoFocus
        onValue={setReason}
      />
      <div className="acts">
        <Button type="submit" kind="no" disabledReason={given.length < REASON_MIN ? m.leader_say_why() : null}>
          {m.leader_reject()}
        </Button>
        <Button kind="words" onClick={onCancel}>
          {m.leader_cancel()}
        </Button>
      </div>
    </form>
  );
}
