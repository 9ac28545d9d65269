import { describe } from './describe.ts';

/** Rendering engine by user agent. On iOS every browser is WebKit, whatever its name. */
export function engineOf(userAgent: string): string {
  if (/\bFirefox\//.test(userAgent)) return 'Gecko';
  if (/Chrom(e|ium)\//.test(userAgent)) return 'Chromium';
  return /AppleWebKit\//.test(userAgent) ? 'WebKit' : 'other';
}

type Scope = Pick<WorkerGlobalScope, 'addEventListener' | 'location' | 'navigator'>;

/**
 * Reports every uncaught error and rejection of a worker.
 * @param source part of the product that failed
 * @param append stores a log entry; it never throws, so a failure here cannot loop
 */
export function captureWorkerErrors(
  scope: Scope,
  source: string,
  build: string,
  append: (data: Record<string, unknown>) => void,
): void {
  const keep = (thrown: unknown, additionalData?: object) =>
    append({
      ...describe(thrown, additionalData),
      source,
      timestamp: new Date().toISOString(),
      url: scope.location.origin + scope.location.pathname,
      userAgent: scope.navigator.userAgent,
      context: {
        build,
        connection: { online: scope.navigator.onLine },
        device: { engine: engineOf(scope.navigator.userAgent), lang: scope.navigator.language },
      },
    });
  scope.addEventListener('error', (event) => {
    const { error, message, filename, lineno, colno } = event as ErrorEvent;
    keep(error ?? message, { file: filename, line: lineno, column: colno });
  });
  scope.addEventListener('unhandledrejection', (event) => keep((event as PromiseRejectionEvent).reason));
}
