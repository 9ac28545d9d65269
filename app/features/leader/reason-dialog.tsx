import './reason-dialog.css';
import { useState } from 'react';
import { DECISION_REASON_MAX } from '../../../server/contract/limits.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { useDraft } from '../../lib/drafts.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Dialog } from '../../ui/sheet.tsx';

export const REASON_MIN = 3;

/** What the dialog asks about: its words, and the reason that was chosen already. */
export type Asking = {
  /** What is decided, by the name under which a reason is kept on this device until it is on its way. */
  about: string;
  title: string;
  act: string;
  hint: string;
  presets: readonly string[];
  given?: string;
  /** Answers whether it is on its way. */
  onReason: (reason: string) => Promise<boolean>;
};

/** Why: whoever it concerns reads these words, so there is no going on without them. */
export function ReasonDialog({ asking, onClose }: { asking: Asking | null; onClose: () => void }) {
  return (
    <Dialog title={asking?.title ?? ''} open={asking !== null} onClose={onClose}>
      {asking && <Reason key={asking.about} asking={asking} onClose={onClose} />}
    </Dialog>
  );
}

function Reason({ asking, onClose }: { asking: Asking; onClose: () => void }) {
  const { draft, change, drop } = useDraft(`reason:${asking.about}`, { reason: '' });
  // One that was chosen by its key takes the place of nothing that was written before, until it is changed.
  const [chosen, setChosen] = useState(asking.given);
  const reason = chosen ?? draft.reason;
  const setReason = (text: string) => {
    setChosen(undefined);
    change({ reason: text });
  };
  const given = reason.trim();
  return (
    <form
      className="form-stack reason-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (seenLength(given) < REASON_MIN) return;
        onClose();
        void asking.onReason(given).then((isKept) => isKept && drop());
      }}
      onKeyDown={(event) => {
        const preset = asking.presets[Number(event.key) - 1];
        if (event.target instanceof HTMLTextAreaElement || preset === undefined) return;
        event.preventDefault();
        setReason(preset);
      }}
    >
      <div className="reason-presets">
        {asking.presets.map((preset, index) => (
          <button
            key={preset}
            type="button"
            className="reason-preset"
            aria-pressed={given === preset}
            onClick={() => setReason(preset)}
          >
            <kbd>{index + 1}</kbd> {preset}
          </button>
        ))}
      </div>
      <TextArea
        label={m.leader_reason()}
        hint={asking.hint}
        value={reason}
        maxLength={DECISION_REASON_MAX}
        rows={3}
        onValue={setReason}
      />
      <div className="actions">
        <Button type="submit" kind="no" disabledReason={seenLength(given) < REASON_MIN ? m.leader_say_why() : null}>
          {asking.act}
        </Button>
        <Button kind="words" onClick={onClose}>
          {m.leader_cancel()}
        </Button>
      </div>
    </form>
  );
}
