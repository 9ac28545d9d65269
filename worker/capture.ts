import { describe } from './describe.ts';

/** Rendering engine by its user agent; every WebKit on iOS says that it is one, whatever the browser is called. */
export function engineOf(userAgent: string): string {
  if (/\bFirefox\//.test(userAgent)) return 'Gecko';
  if (/Chrom(e|ium)\//.test(userAgent)) return 'Chromium';
  return /AppleWebKit\//.test(userAgent) ? 'WebKit' : 'other';
}

type Scope = Pick<WorkerGlobalScope, 'addEventListener' | 'location' | 'navigator'>;

/**
 * Hears every uncaught error and rejection of a worker.
 * @param source which part of the product it is
 * @param append keeps a log entry; never throws, so that nothing here becomes a loop
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
