import type { ReactNode } from 'react';
import { errorText } from '../../lib/refusal-words.ts';
import { m } from '../../paraglide/messages.js';
import { Button, type ButtonKind } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Dialog } from '../../ui/sheet.tsx';
import { type Command, useNeedsConnection } from './use-command.ts';

/** Why a command failed; nothing while it may still succeed. */
export function Refused({ error }: { error: Error | null }) {
  return error === null ? null : <Quote lead={m.member_not_done()}>{errorText(error)}</Quote>;
}

/** A button that sends a command, and shows next to it why it is not possible. */
export function CommandButton<Body, Result>(props: {
  command: Command<Body, Result>;
  body: NoInfer<Body>;
  kind?: ButtonKind;
  icon?: IconName;
  label?: string;
  children: ReactNode;
}) {
  const offline = useNeedsConnection();
  return (
    <Button
      {...(props.kind && { kind: props.kind })}
      {...(props.icon && { icon: props.icon })}
      {...(props.label && { 'aria-label': props.label })}
      busy={props.command.isPending}
      disabledReason={offline}
      onClick={() => props.command.mutate(props.body)}
    >
      {props.children}
    </Button>
  );
}

/** Asks for confirmation before a loss, naming what will be lost. */
export function Confirm<Body, Result>(props: {
  title: string;
  line: string;
  action: string;
  cancel: string;
  open: boolean;
  onClose: () => void;
  command: Command<Body, Result>;
  body: NoInfer<Body>;
}) {
  return (
    <Dialog title={props.title} open={props.open} onClose={props.onClose}>
      <p className="text-small text-muted dialog__line">{props.line}</p>
      <Refused error={props.command.error} />
      <div className="actions">
        <CommandButton kind="no" command={props.command} body={props.body}>
          {props.action}
        </CommandButton>
        <Button kind="words" onClick={props.onClose}>
          {props.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
