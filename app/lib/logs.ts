import { BOOT_KEYS } from '../../server/contract/boot-keys.ts';
import { describe, engineOf } from '../../worker/describe.ts';
import { newId } from '../../worker/ids.ts';
import { scrub } from '../../worker/scrub.ts';
import { connection, local, notifications } from './browser.ts';
import { device } from './device.ts';

declare const __BUILD__: string;

/** The specification's endpoint for one entry: the fallback when this page has no device worker. */
const SINGLE = '/api/debug/client-logs';

/** Set while an entry is built, so an error of the logging itself is never logged. */
let busy = false;
let offlineSince: string | null = null;

function append(kind: 'error' | 'debug', make: () => Record<string, unknown>): void {
  if (busy) return;
  busy = true;
  try {
    // Scrubbing yields plain JSON, which every channel can carry.
    const data = scrub({ context: context(), ...make() }) as Record<string, unknown>;
    void device.appendLog(kind, data, newId()).catch(() => postAlone(kind, data));
  } catch {
    // An entry that cannot be built is not worth a second one.
  } finally {
    busy = false;
  }
}

/** When no worker can store it, the page sends it once itself. */
function postAlone(type: 'error' | 'debug', data: Record<string, unknown>): void {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ type, data });
  void fetch(SINGLE, { method: 'POST', credentials: 'include', headers, body, keepalive: true }).catch(() => undefined);
}

/** Identifies this page load, so the breadcrumbs of an error come from one page. */
const VISIT = newId();

/** The circumstances of an entry, without anything that names a person. */
function context(): Record<string, unknown> {
  return {
    build: __BUILD__,
    visit: VISIT,
    route: location.pathname,
    community: communityOf(location.pathname),
    displayMode: displayMode(),
    visibility: document.visibilityState,
    pushPermission: notifications()?.permission ?? 'unsupported',
    connection: { online: navigator.onLine, type: connection()?.effectiveType ?? null, offlineSince },
    device: {
      engine: engineOf(navigator.userAgent),
      lang: navigator.language,
      viewport: `${innerWidth}x${innerHeight}@${devicePixelRatio}`,
    },
  };
}
const displayMode = (): string =>
  ['standalone', 'minimal-ui', 'fullscreen'].find((mode) => matchMedia(`(display-mode: ${mode})`).matches) ?? 'browser';

/** The community in an address: `/community/{id}…`, `/{name}/dashboard` or `/{name}/admin`. */
function communityOf(path: string): string | null {
  const [first, second] = path.split('/').filter(Boolean);
  if (first === 'community') return second ?? null;
  return second === 'dashboard' || second === 'admin' ? (first ?? null) : null;
}

/** The page's breadcrumbs; none until their recorder has loaded. */
let trail: () => readonly unknown[] = () => [];
/** Attaches the answer of `take` to each error from now on. */
export function bringTrail(take: typeof trail): void {
  trail = take;
}

/** Logs an error for operators through the device's outbox. `source` names the part of the product that noticed it. */
export function logError(thrown: unknown, source: string, additionalData?: unknown, at = new Date()): void {
  append('error', () => ({
    ...describe(thrown, additionalData),
    source,
    timestamp: at.toISOString(),
    url: location.origin + location.pathname,
    userAgent: navigator.userAgent,
    ...(trail().length > 0 && { breadcrumbs: trail() }),
  }));
}

/** Leaves a breadcrumb for a later error. Never include what a person typed. */
export function log(action: string, data?: unknown, source = 'app'): void {
  append('debug', () => ({ action, data: data ?? null, source, timestamp: new Date().toISOString() }));
}

/** Logs every uncaught error and rejection from now on, and those that `/boot.js` caught before. Call once. */
export function captureErrors(): void {
  addEventListener('error', onError, true);
  addEventListener('unhandledrejection', ({ reason }) => logError(reason, 'window.unhandledrejection'));
  // A chunk of the build failed to load. A handler that reloads the page prevents the default.
  addEventListener('vite:preloadError', ({ payload }) => logError(payload, 'chunk'));
  if (!navigator.onLine) offlineSince = new Date().toISOString();
  addEventListener('offline', () => {
    offlineSince = new Date().toISOString();
    log('offline');
  });
  addEventListener('online', () => {
    log('online', { since: offlineSince });
    offlineSince = null;
  });
  takeEarly();
}

function onError(event: Event): void {
  if (event instanceof ErrorEvent) {
    const { error, message, filename, lineno, colno } = event;
    logError(error ?? message, 'window.error', { file: filename, line: lineno, column: colno });
  } else if (event.target instanceof HTMLScriptElement || event.target instanceof HTMLLinkElement) {
    const { target } = event;
    const url = target instanceof HTMLScriptElement ? target.src : target.href;
    logError(`Could not load ${url}`, 'resource');
  }
}

type Early = { thrown: unknown; source: string; at: number };
/** Errors that `/boot.js` caught before this module loaded: `take` returns them and ends its listening. */
type Boot = { take(): { early: Early[]; missed: number } };

function takeEarly(): void {
  const { musterBoot } = globalThis as { musterBoot?: Boot };
  const { early = [], missed = 0 } = musterBoot?.take() ?? {};
  for (const { thrown, source, at } of early) logError(thrown, source, undefined, new Date(at));
  if (missed > 0) log('early.missed', { count: missed });
  // Written by the start that failed, perhaps by another build.
  for (const data of failedStarts()) append('error', () => data);
}
function failedStarts(): Record<string, unknown>[] {
  const text = local.get(BOOT_KEYS.early);
  local.set(BOOT_KEYS.early, null);
  try {
    const left: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(left) ? left.filter((one) => typeof one?.message === 'string') : [];
  } catch {
    return [];
  }
}
