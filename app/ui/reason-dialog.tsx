import './reason-dialog.css';
import { useRef, useState } from 'react';
import { DECISION_REASON_MAX } from '../../server/contract/limits.ts';
import { seenLength } from '../../server/contract/seen-length.ts';
import { useDraft } from '../lib/drafts.ts';
import { number } from '../lib/format.ts';
import { m } from '../paraglide/messages.js';
import { Button } from './button.tsx';
import { TextArea } from './field.tsx';
import { KeyHint } from './key-hint.tsx';
import { Dialog } from './sheet.tsx';

export const REASON_MIN = 3;

/** The subject of the question, and its words. */
export type Asking = {
  /** Name of the reason's draft on this device until it is sent. */
  about: string;
  title: string;
  action: string;
  hint: string;
  presets: readonly string[];
  /** False when nothing is lost. */
  isGrave?: boolean;
  /** Answers whether the reason was sent. */
  onReason: (reason: string) => Promise<boolean>;
};

/** Asks for a reason, which the member concerned will read, so it is required. */
export function ReasonDialog({ asking, onClose }: { asking: Asking | null; onClose: () => void }) {
  return (
    <Dialog title={asking?.title ?? ''} open={asking !== null} onClose={onClose}>
      {asking && <Reason key={asking.about} asking={asking} onClose={onClose} />}
    </Dialog>
  );
}

/** Replaces another preset, or is appended to typed text. */
function withPreset(reason: string, preset: string, presets: readonly string[]): string {
  const typed = reason.trimEnd();
  if (typed === '' || presets.includes(typed)) return preset;
  return typed.endsWith(preset) ? reason : `${typed} ${preset}`;
}

/** The reason's fields, in a dialog or beside their subject. `onEdit`: for people who may edit the replies. */
export function Reason(props: { asking: Asking; onClose: () => void; onEdit?: () => void }) {
  const { asking, onClose } = props;
  const { draft, change, drop } = useDraft(`reason:${asking.about}`, { reason: '' });
  const { reason } = draft;
  const setReason = (text: string) => change({ reason: text });
  // On a phone the focus would open the keyboard over the presets.
  const [hasKeys] = useState(() => !matchMedia('(pointer: coarse)').matches);
  const field = useRef<HTMLTextAreaElement>(null);
  const given = reason.trim();
  /** The focus returns to the field, so typing continues; on a button letters would be lost. */
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
        void asking.onReason(given).then((isSent) => isSent && drop());
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          event.currentTarget.requestSubmit();
          return;
        }
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === 'Escape') {
          // Escape closes this form only, and keeps the selection.
          event.stopPropagation();
          onClose();
        }
        const preset = reason === '' ? asking.presets[Number(event.key) - 1] : undefined;
        if (preset !== undefined) {
          event.preventDefault();
          choose(preset);
        } else if (event.key.length === 1 && event.key !== ' ' && event.target !== field.current) {
          // The typed letter goes to the newly focused field.
          field.current?.focus();
        }
      }}
    >
      <TextArea
        label={m.leader_reason()}
        hint={
          hasKeys && asking.presets.length > 0
            ? `${asking.hint} ${m.leader_reason_keys({ n: number(asking.presets.length) })}`
            : asking.hint
        }
        ref={field}
        autoFocus={hasKeys}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        value={reason}
        maxLength={DECISION_REASON_MAX}
        rows={3}
        onValue={setReason}
      />
      <div className="reason-presets">
        {asking.presets.map((preset, index) => (
          <button
            key={preset}
            type="button"
            className="reason-preset"
            aria-pressed={given === preset}
            onClick={() => choose(preset)}
          >
            <KeyHint keys={String(index + 1)} />
            <span>{preset}</span>
          </button>
        ))}
      </div>
      <div className="actions">
        <Button
          type="submit"
          kind={asking.isGrave === false ? 'ink' : 'no'}
          disabledReason={seenLength(given) < REASON_MIN ? m.leader_say_why() : null}
        >
          {asking.action}
          {seenLength(given) >= REASON_MIN && <KeyHint keys="Ctrl ↵" />}
        </Button>
        <Button kind="words" onClick={onClose}>
          {m.leader_cancel()}
          <KeyHint keys="Esc" />
        </Button>
        {props.onEdit && (
          <Button kind="words" onClick={props.onEdit}>
            {m.leader_replies_edit()}
          </Button>
        )}
      </div>
    </form>
  );
}
