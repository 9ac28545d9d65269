import './way-out.css';
import type { User } from '../../../server/contract/user.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ThemeChoice } from '../../ui/theme-choice.tsx';

/**
 * Available whatever an account lacks: the theme, help, and switching accounts.
 * @param user the signed-in user, if the server still names one
 */
export function WayOut({ user }: { user: User | null }) {
  const handle = user?.telegramUsername ? `@${user.telegramUsername}` : null;
  const who = [user?.displayName, handle].filter(Boolean).join(', ');
  return (
    <section className="way-out" aria-labelledby="way-out-title">
      <Card className="way-out__theme">
        <h2 className="way-out__heading">{m.shell_theme()}</h2>
        <ThemeChoice />
      </Card>
      <p>
        <b id="way-out-title">{m.shell_way_out()}</b>{' '}
        {who && <span className="text-small text-muted">{m.shell_way_out_who({ who })}</span>}
      </p>
      <div className="actions">
        <ButtonLink kind="edge" icon="sign-out" to="/logout">
          {m.shell_way_out_sign_out()}
        </ButtonLink>
        <ButtonLink kind="words" icon="info" to="/how-to-use">
          {m.shell_how_to_use()}
        </ButtonLink>
      </div>
    </section>
  );
}
