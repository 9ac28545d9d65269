import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { product } from '../lib/product.ts';
import { m } from '../paraglide/messages.js';
import { ButtonLink } from './button.tsx';
import { State } from './states.tsx';

export function NotFoundScreen() {
  const { pathname } = useLocation();
  const title = m.shell_not_found_title();
  useEffect(() => {
    document.title = `${title} · ${product.name}`;
  }, [title]);
  return (
    <main id="main" tabIndex={-1} className="full-height">
      <State
        heading="h1"
        illustration="empty"
        title={title}
        actions={
          <>
            <ButtonLink to="/">{m.shell_not_found_home()}</ButtonLink>
            <ButtonLink kind="edge" to="/explore-communities">
              {m.shell_explore()}
            </ButtonLink>
          </>
        }
      >
        <p className="break-anywhere">{m.shell_not_found_line({ path: pathname })}</p>
      </State>
    </main>
  );
}
