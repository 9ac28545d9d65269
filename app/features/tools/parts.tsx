import './tools.css';
import { type ReactNode, useCallback, useState } from 'react';
import { copyText } from '../../lib/browser.ts';
import { m } from '../../paraglide/messages.js';
import { Button, type ButtonKind } from '../../ui/button.tsx';
import { Chip } from '../../ui/card.tsx';
import { Dialog } from '../../ui/sheet.tsx';
import { toast } from '../../ui/toast.tsx';

/** Copies a text and confirms on the button; when the browser refuses, it says what to do instead. */
export function CopyButton(props: {
  text: string;
  kind?: ButtonKind;
  /** An accessible name, where the text names no object. */
  label?: string;
  disabledReason?: string | null;
  children: ReactNode;
}) {
  const [copied, setCopied] = useState<string | null>(null);
  const isCopied = copied === props.text;
  const copy = async () => {
    if (await copyText(props.text)) setCopied(props.text);
    else toast({ icon: 'warning', title: m.tools_copy_by_hand() });
  };
  return (
    <>
      <Button
        kind={props.kind ?? 'edge'}
        icon={isCopied ? 'check' : 'copy'}
        disabledReason={props.disabledReason}
        {...(props.label && !isCopied && { 'aria-label': props.label })}
        onClick={() => void copy()}
      >
        {isCopied ? m.tools_copied() : props.children}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? m.tools_copied() : ''}
      </span>
    </>
  );
}

/** Under a form with a draft: that it is stored, and a button to delete it. */
export function StoredNote(props: {
  isEmpty: boolean;
  /** A button beside it sends the text to a model. */
  asksModel?: boolean;
  onClear: () => void;
}) {
  const [asking, setAsking] = useState(false);
  const close = useCallback(() => setAsking(false), []);
  return (
    <div className="tool-foot">
      <p className="text-tiny text-muted">{props.asksModel ? m.tools_kept_model() : m.tools_kept()}</p>
      {!props.isEmpty && (
        <Button kind="words" icon="discard" onClick={() => setAsking(true)}>
          {m.tools_clear()}
        </Button>
      )}
      <Dialog title={m.tools_clear_title()} open={asking} onClose={close}>
        <p>{m.tools_clear_line()}</p>
        <div className="actions">
          <Button
            kind="no"
            onClick={() => {
              props.onClear();
              close();
            }}
          >
            {m.tools_clear()}
          </Button>
          <Button kind="words" onClick={close}>
            {m.tools_keep()}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

/** Says that a tool is for leaders. */
export function ForLeaders({ children }: { children: ReactNode }) {
  return (
    <div className="tool-lead">
      <Chip icon="shield">{m.tools_for_leaders()}</Chip>
      <p className="text-small text-muted">{children}</p>
    </div>
  );
}
