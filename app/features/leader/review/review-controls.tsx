import '../../../ui/desk.css';
import './review.css';
import { useEffect, useRef } from 'react';
import { CONFIRM_ABOVE } from '../../../../server/contract/limits.ts';
import type { ReviewItem } from '../../../../server/contract/review.ts';
import type { OutboxEntry } from '../../../lib/device.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Hatch } from '../../../ui/icon.tsx';
import { KeyHint } from '../../../ui/key-hint.tsx';
import { Dialog } from '../../../ui/sheet.tsx';
import { PendingList } from '../parts/pending.tsx';
import { isAppeal } from './review-queue.ts';
import type { Explained } from './saved-replies.tsx';

/** What deciding several at once means, while some are selected. */
export function Together(props: { count: number; of: number; onAll: () => void; onClear: () => void }) {
  const { count, of } = props;
  return (
    <Card className="stack">
      <h3>{m.leader_together()}</h3>
      <ul className="text-small text-muted">
        <li>{m.leader_together_appeals()}</li>
        <li>{m.leader_together_asks({ n: number(CONFIRM_ABOVE) })}</li>
        <li>{m.leader_together_undo()}</li>
      </ul>
      {count < of && (
        <Button kind="edge" aria-keyshortcuts="Shift+X" onClick={props.onAll}>
          {m.leader_mark_all_n({ n: number(of) })}
        </Button>
      )}
      <Button kind={count < of ? 'words' : 'edge'} aria-keyshortcuts="Escape" onClick={props.onClear}>
        {m.leader_mark_none()}
        <KeyHint keys="Esc" />
      </Button>
    </Card>
  );
}

/** Progress, and links to the previous and next claim. */
export function Progress(props: {
  decided: number;
  at: number;
  of: number;
  onStep: (by: 1 | -1) => void;
  onList: () => void;
  onKeys: () => void;
}) {
  const { decided, of } = props;
  const total = of + decided;
  return (
    <div className="flex-row progress-line">
      <div className="flex-grow">
        <Hatch
          done={0}
          pencil={decided / total}
          label={m.leader_progress({ done: number(decided), total: number(total) })}
        />
      </div>
      <span className="text-small numeric" role="status">
        {m.leader_position({ at: number(props.at), of: number(of) })}
      </span>
      <IconButton icon="back" aria-keyshortcuts="K" label={m.leader_previous()} onClick={() => props.onStep(-1)} />
      <IconButton icon="forward" aria-keyshortcuts="J" label={m.leader_next()} onClick={() => props.onStep(1)} />
      <IconButton icon="inbox" className="only-phone" label={m.leader_list()} onClick={props.onList} />
      <Button kind="words" className="only-wide progress-line__keys" aria-keyshortcuts="?" onClick={props.onKeys}>
        {m.leader_all_keys()}
        <KeyHint keys="?" />
      </Button>
    </div>
  );
}

/** Decision buttons for the open claim or `count` selected ones; an appeal is granted or refused. */
export function DecisionButtons(props: {
  about: readonly ReviewItem[];
  count: number;
  onApprove: () => void;
  onAsk: (decision: Explained) => void;
}) {
  const n = number(props.count);
  const several = props.count > 0;
  const shift = several ? 'Shift+' : '';
  const hint = (key: string) => <KeyHint keys={several ? `⇧${key}` : key} />;
  return (
    <div className="decision-bar">
      <Button size="lg" icon="check" aria-keyshortcuts={`${shift}A`} onClick={props.onApprove}>
        {several ? m.leader_approve_n({ n }) : m.leader_approve()}
        {hint('A')}
      </Button>
      {!props.about.some(isAppeal) && (
        <Button kind="edge" size="lg" aria-keyshortcuts={`${shift}C`} onClick={() => props.onAsk('request_changes')}>
          {several ? m.leader_changes_n({ n }) : m.leader_changes()}
          {hint('C')}
        </Button>
      )}
      <Button kind="no" size="lg" aria-keyshortcuts={`${shift}R`} onClick={() => props.onAsk('reject')}>
        {several ? m.leader_reject_n({ n }) : m.leader_reject()}
        {hint('R')}
      </Button>
    </div>
  );
}

const KEYS = [
  ['J', m.leader_key_next],
  ['K', m.leader_key_previous],
  ['A', m.leader_key_approve],
  ['C', m.leader_key_changes],
  ['R', m.leader_key_reject],
  ['N', m.leader_key_next_same],
  ['Space', m.leader_key_enlarge],
  ['F', m.leader_key_full],
  ['Z', m.leader_key_undo],
  ['X', m.leader_key_mark],
  ['⇧ X', m.leader_key_mark_all],
  ['⇧ A, C, R', m.leader_key_marked],
  ['/', m.leader_key_search],
  ['1–8', m.leader_key_preset],
  ['Ctrl ↵', m.leader_key_send],
  ['Esc', m.leader_key_close],
  ['?', m.leader_key_help],
] as const;
export function Keys() {
  return (
    <dl className="review-keys">
      {KEYS.map(([key, words]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{words()}</dd>
        </div>
      ))}
    </dl>
  );
}

/** After the last claim its buttons disappear with the focus, which moves to the empty state. */
export function useFocusWhenEmptied(isEmpty: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const wasEmpty = useRef(isEmpty);
  useEffect(() => {
    if (isEmpty && !wasEmpty.current && document.activeElement === document.body) element.current?.focus();
    wasEmpty.current = isEmpty;
  }, [isEmpty]);
  return element;
}

/** This device's decisions that the server does not have yet, in pencil; refused ones with their reason. */
export function Decided({ entries }: { entries: readonly OutboxEntry[] }) {
  return (
    <div className="stack-medium decided-list">
      {entries.length > 0 && (
        <Card>
          <h3>{m.leader_decided()}</h3>
          <PendingList entries={entries} />
        </Card>
      )}
      <p className="text-small text-muted own-note">{m.leader_own_claims()}</p>
    </div>
  );
}

/** Asks for confirmation before many are approved together. */
export function SureDialog(props: { count: number; open: boolean; onClose: () => void; onSure: () => void }) {
  const n = number(props.count);
  return (
    <Dialog title={m.leader_approve_sure({ n })} open={props.open} onClose={props.onClose}>
      <p className="dialog__line">{m.leader_approve_sure_line({ n })}</p>
      <div className="actions">
        <Button icon="check" onClick={props.onSure}>
          {m.leader_approve_n({ n })}
        </Button>
        <Button kind="words" data-focus onClick={props.onClose}>
          {m.leader_cancel()}
        </Button>
      </div>
    </Dialog>
  );
}
