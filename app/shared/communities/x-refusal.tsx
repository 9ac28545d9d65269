import { useSearch } from '../../lib/search.ts';
import { m } from '../../paraglide/messages.js';
import { Quote } from '../../ui/card.tsx';

/** The server redirects with `?x=<reason>` when linking X could not start; this shows why. */
export function XRefusal() {
  const [{ x: reason }] = useSearch('/profile-accounts');
  if (reason === undefined) return null;
  return <Quote lead={m.member_x_not_begun()}>{wordsFor(reason)}</Quote>;
}

function wordsFor(reason: string): string {
  if (reason === 'X_RELINK_LOCKED') return m.member_x_refusal_locked();
  if (reason === 'TELEGRAM_SIGN_IN_TOO_OLD') return m.member_x_refusal_old_sign_in();
  if (reason === 'X_NOT_CONFIGURED') return m.member_x_refusal_not_set_up();
  if (reason === 'NOT_SIGNED_IN') return m.member_x_refusal_signed_out();
  return m.member_x_refusal_other({ reason });
}
