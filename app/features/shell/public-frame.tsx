import type { Target } from '../../lib/target.ts';
import '../../ui/public-frame.css';
import type { ReactNode } from 'react';
import { product } from '../../lib/product.ts';
import { m } from '../../paraglide/messages.js';
import { Anchor, SignInLink } from '../../ui/button.tsx';
import { Logo } from '../../ui/icon.tsx';
import { useAuthState } from '../gate/use-auth-state.ts';

/** Header and footer of public pages. */
export function PublicFrame({ children }: { children: ReactNode }) {
  // A person with a revoked membership is signed in, so signing in again changes nothing. The same holds while the
  // state is unknown.
  const isShutOut = ['revoked', 'unknown'].includes(useAuthState());
  return (
    <>
      <header className="public-head">
        <Anchor className="wordmark" to="/">
          <Logo />
          {product.name}
        </Anchor>
        {!isShutOut && <SignInLink kind="words">{m.shell_sign_in_short()}</SignInLink>}
      </header>
      <div className="public-main">{children}</div>
      <footer className="public-foot">
        <nav aria-label={m.shell_footer()}>
          <ul>
            <FootLink to="/learn-more">{m.shell_learn_more()}</FootLink>
            <FootLink to="/how-to-use">{m.shell_how_to_use()}</FootLink>
            <FootLink to="/explore-communities">{m.shell_explore()}</FootLink>
            <FootLink to="/partnerships">{m.shell_partnerships()}</FootLink>
            <FootLink to="/community-guidelines">{m.shell_guidelines()}</FootLink>
            <FootLink to="/privacy-policy">{m.shell_privacy()}</FootLink>
            <FootLink to="/terms">{m.shell_terms()}</FootLink>
            <FootLink to="/cookie-policy">{m.shell_cookies()}</FootLink>
          </ul>
        </nav>
      </footer>
    </>
  );
}

function FootLink(props: Target & { children: ReactNode }) {
  return (
    <li>
      <Anchor {...props} />
    </li>
  );
}
