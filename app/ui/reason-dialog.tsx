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

/** What is asked about, and in which words. */
export type Asking = {
  /** What is decided, by the name under which a reason is kept on this device until it is on its way. */
  about: string;
  title: string;
  act: string;
  hint: string;
  presets: readonly string[];
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

/** The words themselves, in a dialog or beside what they are about. `onEdit`: who may write other replies. */
export function Reason(props: { asking: Asking; onClose: () => void; onEdit?: () => void }) {
  const { asking, onClose } = props;
  const { draft, change, drop } = useDraft(`reason:${asking.about}`, { reason: '' });
  const { reason } = draft;
  const setReason = (text: string) => change({ reason: text });
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
        if (event.key === 'Escape') {
          // It closes these words, and clears no selection.
          event.stopPropagation();
          onClose();
        }
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
          {asking.act}
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
