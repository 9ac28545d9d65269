import { scrub } from '../../worker/scrub.ts';
import { device } from './device.ts';

/** Set while an entry is being made, so that an error of the logging itself is never logged. */
let busy = false;

function append(kind: 'error' | 'debug', make: () => Record<string, unknown>): void {
  if (busy) return;
  busy = true;
  try {
    // Scrubbed here already: what it makes is plain JSON, which every channel can carry.
    void device.appendLog(kind, scrub(make()) as Record<string, unknown>).catch(() => undefined);
  } catch {
    // A log entry that cannot be made is not worth a second one.
  } finally {
    busy = false;
  }
}

const messageOf = (thrown: unknown): string => {
  if (thrown instanceof Error) return `${thrown.name}: ${thrown.message}`;
  return typeof thrown === 'string' ? thrown : (JSON.stringify(scrub(thrown)) ?? String(thrown));
};

/** Sends an error to ops, by way of the device. `source` says which part of the product noticed it. */
export function logError(thrown: unknown, source: string, additionalData?: unknown): void {
  append('error', () => ({
    message: messageOf(thrown),
    stack: thrown instanceof Error ? (thrown.stack ?? null) : null,
    source,
    timestamp: new Date().toISOString(),
    url: location.origin + location.pathname,
    userAgent: navigator.userAgent,
    ...(additionalData === undefined ? {} : { additionalData }),
  }));
}

/** Notes something worth knowing that is no error. */
export function log(action: string, data?: unknown, source = 'app'): void {
  append('debug', () => ({ action, data: data ?? null, source, timestamp: new Date().toISOString() }));
}

/** Hears every uncaught error and rejection of the page from now on. */
export function captureErrors(): void {
  addEventListener('error', (event) => {
    if (!(event instanceof ErrorEvent)) return;
    logError(event.error ?? event.message, 'window.error', {
      file: event.filename,
      line: event.lineno,
      column: event.colno,
    });
  });
  addEventListener('unhandledrejection', (event) => logError(event.reason, 'window.unhandledrejection'));
}
