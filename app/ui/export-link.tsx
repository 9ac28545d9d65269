import { useOnline } from '../lib/online.ts';
import { m } from '../paraglide/messages.js';
import { Button, type ButtonKind, OutButton } from './button.tsx';

/** Downloads a file that the server generates on request; offline, it says what it needs. */
export function ExportLink(props: { to: string; label?: string; kind?: ButtonKind; children: string }) {
  const { to, label, kind = 'edge', children } = props;
  const online = useOnline();
  return online ? (
    <OutButton kind={kind} icon="export" href={to} download {...(label && { 'aria-label': label })}>
      {children}
    </OutButton>
  ) : (
    <Button kind={kind} icon="export" disabledReason={m.leader_needs_connection()}>
      {children}
    </Button>
  );
}
