import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { HttpError, isNetworkFailure, isShutOut, isSuspended, statusOf } from '../lib/http.ts';
import { serverWords } from '../lib/server-words.ts';
import { m } from '../paraglide/messages.js';
import { Button, ButtonLink, SignInLink } from './button.tsx';
import { Mark } from './icon.tsx';
import { Illustration, type IllustrationName } from './illustration.tsx';

const SKELETON_AFTER_MS = 300;
/** A read unanswered for this long counts as offline: no skeleton lasts for ever. */
const AWAY_AFTER_MS = 10_000;
/** A slower read says that it is slow. */
const WAITING_AFTER_MS = 4_000;
/** How long an empty screen waits before it retries, milliseconds. */
const RETRY_AFTER_MS = 5_000;

/** One full-height message: illustration, heading, sentence, actions. */
export function State(props: {
  illustration?: IllustrationName;
  title: string;
  /** `h1` only when the state fills the screen. */
  heading?: 'h1' | 'h2';
  children?: ReactNode;
  actions?: ReactNode;
  note?: ReactNode;
}) {
  const Heading = props.heading ?? 'h2';
  return (
    <div className="state">
      {props.illustration && <Illustration name={props.illustration} />}
      <Heading>{props.title}</Heading>
      {props.children}
      {props.actions && <div className="actions">{props.actions}</div>}
      {props.note && <span className="text-tiny text-muted">{props.note}</span>}
    </div>
  );
}

/** The real layout with slots and bars, shown after 300 ms: a quick answer shows no skeleton. */
export function Skeleton({ rows = 3 }: { rows?: number }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const widths = ['62%', '48%', '70%'];
  return (
    <div
      className="stack still-loading"
      role="status"
      aria-label={m.shell_loading()}
      style={{ visibility: shown ? 'visible' : 'hidden' }}
    >
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((row, index) => (
        <div key={row} className="task-card" aria-hidden="true">
          <Mark state="slot" />
          <div className="skeleton-lines">
            <div className="skeleton-bar" style={{ inlineSize: widths[index % 3] }} />
            <div className="skeleton-bar skeleton-bar--thin" />
          </div>
          <div className="skeleton-bar skeleton-bar--points" />
        </div>
      ))}
    </div>
  );
}

/** The logo draws itself; only when there is nothing else to show. */
export function Loader({ label }: { label?: string }) {
  return (
    <div className="state" role="status">
      <svg
        className="loader"
        width="88"
        height="74"
        viewBox="0 0 38 32"
        fill="none"
        strokeWidth="4.4"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M6.4 4.5L5.2 27.5" stroke="var(--ink)" />
        <path d="M14.6 4L15 28" stroke="var(--ink)" />
        <path d="M23.4 4.6L22.6 27.4" stroke="var(--ink)" />
        <path d="M31.4 4.2L31.8 27.8" stroke="var(--ink)" />
        <path className="loader__cross" d="M2.5 23.4L35.4 9.2" stroke="var(--cross)" />
      </svg>
      <p className="text-small">{label ?? m.shell_loading()}</p>
    </div>
  );
}

/** Empty state: why, and one action. */
export function Empty(props: { title: string; line?: ReactNode; action?: ReactNode; illustration?: IllustrationName }) {
  return (
    <State illustration={props.illustration ?? 'empty'} title={props.title} actions={props.action}>
      {props.line && <p>{props.line}</p>}
    </State>
  );
}

/** What failed, what is safe, Try again, and the code with its request id. */
export function Failed(props: {
  error: unknown;
  onRetry?: (() => unknown) | undefined;
  title?: string;
  line?: ReactNode;
}) {
  const { error } = props;
  return (
    <State
      illustration="broken"
      title={props.title ?? m.shell_failed_title()}
      actions={
        props.onRetry && (
          <Button icon="retry" onClick={() => props.onRetry?.()}>
            {m.shell_try_again()}
          </Button>
        )
      }
    >
      <p>
        {props.line ??
          (error instanceof HttpError
            ? serverWords(error)
            : error instanceof Error && error.message
              ? error.message
              : m.shell_failed_line())}
      </p>
      {error instanceof HttpError && <ErrorCode error={error} />}
    </State>
  );
}

/** `500 LIST_FAILED req 41d8-02be`. */
export function ErrorCode({ error }: { error: { status: number; reason: string; requestId: string | null } }) {
  return (
    <span className="error-code">
      <span>{error.status}</span>
      <span>{error.reason}</span>
      {error.requestId && <span>{m.shell_request_id({ id: error.requestId })}</span>}
    </span>
  );
}

/** Offline without a copy on this device: what is safe, and that the screen will load automatically. */
export function OfflineEmpty({
  title = m.shell_offline_title(),
  line = m.shell_offline_line(),
  onRetry,
  heading = 'h2',
}: {
  title?: string;
  line?: string;
  onRetry?: (() => unknown) | undefined;
  heading?: 'h1' | 'h2';
}) {
  const [pressed, setPressed] = useState(false);
  const press = () => {
    setPressed(true);
    void Promise.resolve(onRetry?.()).finally(() => setPressed(false));
  };
  return (
    <State
      heading={heading}
      illustration="apart"
      title={title}
      note={m.shell_offline_note()}
      actions={
        onRetry && (
          <Button kind="edge" icon="retry" busy={pressed} onClick={press}>
            {m.shell_try_again()}
          </Button>
        )
      }
    >
      <p>{line}</p>
    </State>
  );
}

/** Says who has access, and how to get it. `signIn` offers Telegram sign-in, returning to this page. */
export function Forbidden(props: { title?: string; line?: ReactNode; signIn?: boolean; action?: ReactNode }) {
  const signIn = props.signIn === true;
  return (
    <State
      illustration="gate"
      title={props.title ?? (signIn ? m.shell_signed_out_title() : m.shell_forbidden_title())}
      actions={
        props.action ??
        (signIn ? (
          <SignInLink />
        ) : (
          <ButtonLink kind="edge" to="/communities">
            {m.shell_to_communities()}
          </ButtonLink>
        ))
      }
    >
      <p>{props.line ?? (signIn ? m.shell_signed_out_line() : m.shell_forbidden_line())}</p>
    </State>
  );
}

/** A read refused because the member left the required channel: what happened, and a button to check again. */
function ShutOut() {
  return (
    <Forbidden
      title={m.shell_restricted_title()}
      line={m.shell_restricted_line()}
      action={<ButtonLink to="/channel-removed">{m.shell_restricted_channel()}</ButtonLink>}
    />
  );
}

type Read<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;

const OnDevice = lazy(() =>
  import('./on-device.tsx').then(
    (part) => ({ default: part.OnDevice }),
    () => ({ default: () => null }),
  ),
);
/** Offers what can be opened now instead. */
const Elsewhere = () => (
  <Suspense fallback={null}>
    <OnDevice />
  </Suspense>
);

/** Shown below a long-lasting skeleton: the server is slow, and what can be opened now. */
function StillWaiting() {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), WAITING_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="still-waiting">
      <p className="text-small text-muted" role="status">
        {isLong && m.shell_still_waiting()}
      </p>
      {isLong && <Elsewhere />}
    </div>
  );
}

/**
 * Whether a read without data counts as offline: it failed that way, or has waited for long. It is retried at
 * intervals, because a connection that returns beyond this device's own link raises no event.
 */
function useAway({ data, error, refetch }: Read<unknown>): boolean {
  const isWaiting = data === undefined && !error;
  const hasFailed = data === undefined && isNetworkFailure(error);
  const [wasAway, setAway] = useState(false);
  const isAway = hasFailed || (isWaiting && wasAway);
  useEffect(() => {
    if (!isWaiting) return setAway(hasFailed);
    const timer = setTimeout(() => setAway(true), AWAY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, hasFailed]);
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => {
      if (navigator.onLine && document.visibilityState === 'visible') void refetch();
    }, RETRY_AFTER_MS);
    return () => clearInterval(timer);
  }, [isAway, refetch]);
  return isAway;
}

/**
 * Draws a read's state: its data as soon as there is any, however old; else skeleton, sign-in, forbidden, offline or
 * failure. A failed refresh never removes content from the screen.
 */
export function Reading<T>(props: {
  query: Read<T>;
  skeleton?: ReactNode;
  /** Replaces the plain texts for a 403 or 404 that this screen can explain. */
  forbidden?: ReactNode;
  missing?: ReactNode;
  /** Replaces the text about a missing copy where there never is one. */
  away?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { data, error, refetch } = props.query;
  const isAway = useAway(props.query);
  if (data !== undefined) return props.children(data);
  if (isAway)
    return props.away !== undefined ? (
      props.away
    ) : (
      <>
        <OfflineEmpty onRetry={refetch} />
        <Elsewhere />
      </>
    );
  if (!error)
    return (
      <>
        {props.skeleton ?? <Skeleton />}
        <StillWaiting />
      </>
    );
  if (isSuspended(error)) return <Forbidden title={m.shell_suspended_title()} line={serverWords(error)} />;
  if (isShutOut(error)) return <ShutOut />;
  const status = statusOf(error);
  if (status === 401) return <Forbidden signIn />;
  if (status === 403)
    return props.forbidden ?? <Forbidden line={error instanceof HttpError ? serverWords(error) : error.message} />;
  if (status === 404 && props.missing !== undefined) return props.missing;
  return <Failed error={error} onRetry={refetch} />;
}
