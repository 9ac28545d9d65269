import './reason-dialog.css';
import { useRef, useState } from 'react';
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
  /** False: it loses nothing. */
  isGrave?: boolean;
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

/** A preset takes the place of another one, and stands behind what was typed. */
function withPreset(reason: string, preset: string, presets: readonly string[]): string {
  const typed = reason.trimEnd();
  if (typed === '' || presets.includes(typed)) return preset;
  return typed.endsWith(preset) ? reason : `${typed} ${preset}`;
}

function Reason({ asking, onClose }: { asking: Asking; onClose: () => void }) {
  const { draft, change, drop } = useDraft(`reason:${asking.about}`, { reason: '' });
  // A preset that was chosen by its key stands behind what was written before, and is kept once it is changed.
  const [chosen, setChosen] = useState(() =>
    asking.given === undefined ? undefined : withPreset(draft.reason, asking.given, asking.presets),
  );
  const reason = chosen ?? draft.reason;
  const setReason = (text: string) => {
    setChosen(undefined);
    change({ reason: text });
  };
  // On a phone it would bring up the keyboard, over the reasons to choose from.
  const [hasKeys] = useState(() => !matchMedia('(pointer: coarse)').matches);
  const field = useRef<HTMLTextAreaElement>(null);
  const given = reason.trim();
  /** Writing goes on behind it: the focus is never on a button, where letters are lost. */
  const choose = (preset: string) => {
    setReason(withPreset(reason, preset, asking.presets));
    if (hasKeys) field.current?.focus();
  };
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
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          event.currentTarget.requestSubmit();
          return;
        }
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const preset = reason === '' ? asking.presets[Number(event.key) - 1] : undefined;
        if (preset !== undefined) {
          event.preventDefault();
          choose(preset);
        } else if (event.key.length === 1 && event.key !== ' ' && event.target !== field.current) {
          // The letter itself goes where the focus is by then.
          field.current?.focus();
        }
      }}
    >
      <div className="reason-presets">
        {asking.presets.map((preset, index) => (
          <button
            key={preset}
            type="button"
            className="reason-preset"
            aria-pressed={given === preset}
            onClick={() => choose(preset)}
          >
            <kbd>{index + 1}</kbd> {preset}
          </button>
        ))}
      </div>
      <TextArea
        label={m.leader_reason()}
        hint={asking.hint}
        ref={field}
        autoFocus={hasKeys}
        value={reason}
        maxLength={DECISION_REASON_MAX}
        rows={3}
        onValue={setReason}
      />
      <div className="actions">
        <Button
          type="submit"
          kind={asking.isGrave === false ? 'ink' : 'no'}
          disabledReason={seenLength(given) < REASON_MIN ? m.leader_say_why() : null}
        >
          {asking.act}
        </Button>
        <Button kind="words" onClick={onClose}>
          {m.leader_cancel()}
        </Button>
      </div>
    </form>
  );
}
