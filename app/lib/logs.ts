import { BOOT_KEYS } from '../../server/contract/boot-keys.ts';
import { describe, engineOf } from '../../worker/describe.ts';
import { newId } from '../../worker/ids.ts';
import { scrub } from '../../worker/scrub.ts';
import { local, notifications } from './browser.ts';
import { device } from './device.ts';

declare const __BUILD__: string;

/** The specification's single form: the way out when this page has no device worker. */
const SINGLE = '/api/debug/client-logs';

/** Set while an entry is being made, so that an error of the logging itself is never logged. */
let busy = false;
let offlineSince: string | null = null;

function append(kind: 'error' | 'debug', make: () => Record<string, unknown>): void {
  if (busy) return;
  busy = true;
  try {
    // Scrubbed here already: what it makes is plain JSON, which every channel can carry.
    const data = scrub({ context: context(), ...make() }) as Record<string, unknown>;
    void device.appendLog(kind, data, newId()).catch(() => postAlone(kind, data));
  } catch {
    // A log entry that cannot be made is not worth a second one.
  } finally {
    busy = false;
  }
}

/** Where nobody answers who could keep it, it is sent once, from here. */
function postAlone(type: 'error' | 'debug', data: Record<string, unknown>): void {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ type, data });
  void fetch(SINGLE, { method: 'POST', credentials: 'include', headers, body, keepalive: true }).catch(() => undefined);
}

/** Names this page among those of its device, so that what led up to an error is of one page. It ends with it. */
const VISIT = newId();

/** Under which circumstances it happened; nothing that names a person. */
function context(): Record<string, unknown> {
  const { connection } = navigator as { connection?: { effectiveType?: string; saveData?: boolean } };
  return {
    build: __BUILD__,
    visit: VISIT,
    route: location.pathname,
    community: communityOf(location.pathname),
    displayMode: displayMode(),
    visibility: document.visibilityState,
    pushPermission: notifications()?.permission ?? 'unsupported',
    connection: { online: navigator.onLine, type: connection?.effectiveType ?? null, offlineSince },
    device: {
      engine: engineOf(navigator.userAgent),
      lang: navigator.language,
      viewport: `${innerWidth}x${innerHeight}@${devicePixelRatio}`,
    },
  };
}
const displayMode = (): string =>
  ['standalone', 'minimal-ui', 'fullscreen'].find((mode) => matchMedia(`(display-mode: ${mode})`).matches) ?? 'browser';

/** The community that an address is of: `/community/{id}…`, `/{name}/dashboard` or `/{name}/admin`. */
function communityOf(path: string): string | null {
  const [first, second] = path.split('/').filter(Boolean);
  if (first === 'community') return second ?? null;
  return second === 'dashboard' || second === 'admin' ? (first ?? null) : null;
}

/** What led up to now, as the page remembers it; nothing until its recorder has come. */
let trail: () => readonly unknown[] = () => [];
/** From now on each error brings along what this answers. */
export function bringTrail(take: typeof trail): void {
  trail = take;
}

/** Sends an error to ops, by way of the device. `source` says which part of the product noticed it. */
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

/** Leaves a breadcrumb: something worth knowing, should an error come after it. Never what a person typed. */
export function log(action: string, data?: unknown, source = 'app'): void {
  append('debug', () => ({ action, data: data ?? null, source, timestamp: new Date().toISOString() }));
}

/** Hears every uncaught error and rejection of the page from now on, and what was thrown before. Call once. */
export function captureErrors(): void {
  addEventListener('error', onError, true);
  addEventListener('unhandledrejection', ({ reason }) => logError(reason, 'window.unhandledrejection'));
  // A part of the build that does not come. Who mends that by a reload says so by preventing the default.
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
/** What `/boot.js` heard before this module did: `take` gives it and ends its listening. */
type Boot = { take(): { early: Early[]; missed: number } };

function takeEarly(): void {
  const { musterBoot } = globalThis as { musterBoot?: Boot };
  const { early = [], missed = 0 } = musterBoot?.take() ?? {};
  for (const { thrown, source, at } of early) logError(thrown, source, undefined, new Date(at));
  if (missed > 0) log('early.missed', { count: missed });
  // As the start that failed wrote it: it may have been of another build.
  for (const data of leftBehind()) append('error', () => data);
}
function leftBehind(): Record<string, unknown>[] {
  const text = local.get(BOOT_KEYS.early);
  local.set(BOOT_KEYS.early, null);
  try {
    const left: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(left) ? left.filter((one) => typeof one?.message === 'string') : [];
  } catch {
    return [];
  }
}
