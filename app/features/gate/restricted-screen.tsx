import './restricted-screen.css';
import '../../ui/public-frame.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { Suspension } from '../../../server/contract/people.ts';
import type { MembershipStatus } from '../../../server/contract/user.ts';
import { stampTime } from '../../lib/format.ts';
import { call, type HttpError, isSuspended } from '../../lib/http.ts';
import { product } from '../../lib/product.ts';
import { read, userQuery } from '../../lib/query.ts';
import { clearCachedData } from '../../lib/session.ts';
import { m } from '../../paraglide/messages.js';
import { Button, OutButton, signInUrl } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import { Logo } from '../../ui/icon.tsx';
import { State } from '../../ui/states.tsx';
import { WayOut } from './way-out.tsx';

/** The last check's result. Stored outside the screen, which remounts while the user is read again. */
let spoken: string | null = null;

/** Shown to a person who may not use the instance now: out of the required channel, or suspended. */
export function RestrictedScreen() {
  const { error } = useQuery(userQuery);
  return isSuspended(error) ? <Suspended error={error} /> : <Revoked />;
}

/** Why and until when, in the administrator's words. */
function Suspended({ error }: { error: HttpError }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { until, reason } = error.details as Pick<Suspension, 'until' | 'reason'>;
  return (
    <Frame>
      <State
        heading="h1"
        illustration="gate"
        title={m.shell_suspended_title()}
        actions={
          <Button
            busy={busy}
            onClick={() => {
              setBusy(true);
              void clearCachedData(client).finally(() => setBusy(false));
            }}
          >
            {m.shell_suspended_again()}
          </Button>
        }
      >
        <p>{until ? m.shell_suspended_until({ time: stampTime(until) }) : m.shell_suspended_open()}</p>
        {reason && <Quote lead={m.shell_suspended_reason()}>{reason}</Quote>}
        <p>{m.shell_suspended_ask()}</p>
        <p>
          <a className="text-link touch-target" href="/api/user/data/archive" download>
            {m.shell_suspended_data()}
          </a>
        </p>
      </State>
      <WayOut user={null} />
    </Frame>
  );
}

/** Specification, section 2: the membership of the required channel was revoked. */
function Revoked() {
  const client = useQueryClient();
  const title = m.shell_restricted_title();
  const membership = useQuery({ ...read('GET /api/auth/membership'), staleTime: 0 });
  const [busy, setBusy] = useState(false);
  async function tryAgain(): Promise<void> {
    setBusy(true);
    spoken = await call('POST /api/auth/membership/check').then(wordsFor, () => m.shell_restricted_offline());
    // Whatever the check answered, the gate decides by the user alone.
    await clearCachedData(client);
    setBusy(false);
  }

  return (
    <Frame>
      <State
        heading="h1"
        illustration="gate"
        title={title}
        actions={
          <>
            <Button busy={busy} onClick={() => void tryAgain()}>
              {m.shell_restricted_try()}
            </Button>
            <Button kind="edge" onClick={() => location.reload()}>
              {m.shell_restricted_refresh()}
            </Button>
            <OutButton kind="words" href={signInUrl('/')}>
              {m.shell_get_started()}
            </OutButton>
          </>
        }
        note={
          <span className="restricted-screen__source">{membership.data && <Source status={membership.data} />}</span>
        }
      >
        <p>{m.shell_restricted_line()}</p>
        <p>
          {m.shell_restricted_suggestion()} {m.shell_restricted_kept()}
        </p>
        {spoken && <p role="status">{spoken}</p>}
      </State>
      <WayOut user={null} />
    </Frame>
  );
}

/** Both screens are outside the member's frame. */
function Frame({ children }: { children: ReactNode }) {
  const title = m.shell_restricted_title();
  useEffect(() => {
    document.title = `${title} · ${product.name}`;
  }, [title]);
  return (
    <>
      <header className="public-head">
        <span className="wordmark">
          <Logo />
          {product.name}
        </span>
      </header>
      <main id="main" tabIndex={-1} className="full-height restricted-screen">
        {children}
      </main>
    </>
  );
}

/** A failed check is no verdict. Nothing is shown when the person is back in. */
function wordsFor(status: MembershipStatus): string | null {
  if (!status.asked) return m.shell_restricted_unasked();
  return status.state === 'left' || status.state === 'kicked' ? m.shell_restricted_still() : null;
}

/** Which channel, whose answer, and when. */
function Source({ status }: { status: MembershipStatus }) {
  const channel = status.channelTitle ?? m.shell_restricted_channel();
  const words = status.checkedAt
    ? m.shell_restricted_told({ channel, time: stampTime(status.checkedAt) })
    : m.shell_restricted_told_never({ channel });
  if (!status.rejoinUrl) return words;
  return (
    <>
      {words}
      <br />
      <a className="text-link touch-target" href={status.rejoinUrl} rel="noreferrer">
        {m.shell_restricted_open_channel()}
      </a>
    </>
  );
}
