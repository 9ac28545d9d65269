import { useOnline } from '../lib/online.ts';
import { m } from '../paraglide/messages.js';
import { Button, ButtonLink } from './button.tsx';

/** Leads to a file that the server makes when it is asked for; without a connection it says what it needs. */
export function ExportLink({ to, label, children }: { to: string; label?: string; children: string }) {
  const online = useOnline();
  return online ? (
    <ButtonLink kind="edge" icon="export" to={to} download {...(label && { 'aria-label': label })}>
      {children}
    </ButtonLink>
  ) : (
    <Button kind="edge" icon="export" disabledReason={m.leader_needs_connection()}>
      {children}
    </Button>
  );
}
