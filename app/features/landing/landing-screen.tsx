import './landing-screen.css';
import { useEffect } from 'react';
import { START_PATH } from '../../../server/contract/start-path.ts';
import { useOnline } from '../../lib/online.ts';
import { product } from '../../lib/product.ts';
import { m } from '../../paraglide/messages.js';
import { Anchor, Button, ButtonLink, OutButton, signInUrl, useCookies } from '../../ui/button.tsx';
import { Logo, Mark, type MarkState } from '../../ui/icon.tsx';
import { Sample } from './sample.tsx';
import { SignInFailure } from './sign-in-failure.tsx';

/** Pages that a sign-in does not return to: it leads to Today. */
const NO_RETURN = new Set(['/', '/logout']);

/** Where a sign-in returns to: here, without an earlier failure's parameter. */
function comeBackTo(): string {
  const { pathname, search } = globalThis.location;
  if (NO_RETURN.has(pathname)) return START_PATH;
  const query = new URLSearchParams(search);
  query.delete('sign-in');
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

/** What it is, a working sample, and the sign-in. It has its own header and footer. */
export function LandingScreen() {
  const online = useOnline();
  const hasCookies = useCookies();
  const missing = hasCookies ? m.public_reason_connection() : m.shell_cookies_first();
  const mayStart = online && hasCookies;
  useEffect(() => {
    document.title = `${m.public_landing_title()} · ${product.name}`;
  }, []);
  const start = signInUrl(comeBackTo());
  return (
    <div className="landing">
      <header className="landing-head landing-wrap">
        <Anchor className="wordmark" to="/" aria-label={m.public_home({ product: product.name })}>
          <Logo />
          {product.name}
        </Anchor>
        <nav className="flex-row only-wide" aria-label={m.public_nav_pages()}>
          <ButtonLink kind="words" to="/learn-more">
            {m.shell_learn_more()}
          </ButtonLink>
          <Anchor className="button button--words" to="/how-to-use" hash="leaders">
            {m.public_landing_for_leaders()}
          </Anchor>
        </nav>
        {mayStart && (
          <OutButton kind="words" href={start}>
            {m.shell_sign_in_short()}
          </OutButton>
        )}
      </header>
      <main id="main" tabIndex={-1}>
        <div className="landing-hero">
          <Gate />
          <div className="landing-wrap landing-hero__columns">
            <div>
              <SignInFailure />
              <h1>
                <span>{m.public_landing_h1_1()}</span> <span>{m.public_landing_h1_2()}</span>{' '}
                <span>{m.public_landing_h1_3()}</span>
              </h1>
              <p className="landing-hero__lead">{m.public_landing_lead({ device: m.public_device_phone() })}</p>
              <div className="actions">
                {mayStart ? (
                  <OutButton kind="cross" size="lg" href={start}>
                    {m.shell_get_started()}
                  </OutButton>
                ) : (
                  <Button kind="cross" size="lg" disabledReason={missing}>
                    {m.shell_get_started()}
                  </Button>
                )}
                <OutButton kind="edge" size="lg" href="/demo">
                  {m.public_try_demo()}
                </OutButton>
              </div>
              <p className="text-tiny landing-hero__small">{small(online, hasCookies)}</p>
            </div>
            <Sample />
          </div>
        </div>
        <div className="landing-wrap landing-section">
          <h2 className="landing-section__title">{m.public_life_title()}</h2>
          <p className="text-muted landing-section__measure">{m.public_life_lead()}</p>
          <ol className="life-steps">
            <Stage
              state="pencil"
              title={m.public_life_saved()}
              line={m.public_life_saved_line({ device: m.public_device_phone() })}
            />
            <Stage state="received" title={m.public_life_received()} line={m.public_life_received_line()} />
            <Stage state="ink" title={m.public_life_counted()} line={m.public_life_counted_line()} />
            <Stage state="refused" title={m.public_life_refused()} line={m.public_life_refused_line()} />
          </ol>
          <div className="way-cards">
            <div className="card">
              <h2>{m.public_card_members()}</h2>
              <p className="text-muted">{m.public_card_members_line()}</p>
              <Anchor className="text-link touch-target" to="/how-to-use" hash="members">
                {m.public_card_members_link()}
              </Anchor>
            </div>
            <div className="card">
              <h2>{m.public_card_leaders()}</h2>
              <p className="text-muted">{m.public_card_leaders_line()}</p>
              <Anchor className="text-link touch-target" to="/how-to-use" hash="leaders">
                {m.public_card_leaders_link()}
              </Anchor>
            </div>
            <div className="card">
              <h2>{m.public_card_yours()}</h2>
              <p className="text-muted">{m.public_card_yours_line()}</p>
              <Anchor className="text-link touch-target" to="/privacy-policy">
                {m.public_card_yours_link()}
              </Anchor>
            </div>
          </div>
          <div className="actions landing-more">
            <ButtonLink kind="edge" to="/learn-more">
              {m.shell_learn_more()}
            </ButtonLink>
            <ButtonLink kind="words" to="/explore-communities">
              {m.public_look_around()}
            </ButtonLink>
          </div>
        </div>
      </main>
      <footer className="landing-wrap landing-foot">
        <span className="wordmark">
          <Logo size={24} />
          {product.name}
        </span>
        <nav aria-label={m.public_footer_pages()}>
          <Anchor to="/community-guidelines">{m.public_guidelines()}</Anchor>
          <Anchor to="/privacy-policy">{m.shell_privacy()}</Anchor>
          <Anchor to="/terms">{m.shell_terms()}</Anchor>
          <Anchor to="/cookie-policy">{m.shell_cookies()}</Anchor>
        </nav>
      </footer>
    </div>
  );
}

function small(online: boolean, hasCookies: boolean): string {
  if (!hasCookies) return m.public_landing_small_cookies();
  return online ? m.public_landing_small() : m.public_landing_small_offline();
}

function Stage({ state, title, line }: { state: MarkState; title: string; line: string }) {
  return (
    <li>
      <Mark state={state} />
      <h3>{title}</h3>
      <p className="text-small text-muted">{line}</p>
    </li>
  );
}

/** The five-bar gate behind the hero; only the cross is lit. */
function Gate() {
  return (
    <svg
      className="landing-hero__tally"
      viewBox="0 0 38 32"
      fill="none"
      strokeLinecap="round"
      strokeWidth="4.4"
      aria-hidden="true"
    >
      <path d="M6.4 4.5L5.2 27.5M14.6 4L15 28M23.4 4.6L22.6 27.4M31.4 4.2L31.8 27.8" stroke="var(--board-2)" />
      <path d="M2.5 23.4L35.4 9.2" stroke="var(--cross)" />
    </svg>
  );
}
