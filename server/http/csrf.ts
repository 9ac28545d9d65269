import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from '../base/http-error.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a state-changing request that another site could have caused (threat model, row B3):
 * `Sec-Fetch-Site` must be `same-origin`; where a client does not send it, `Origin` must be our public origin;
 * a client that sends neither (a script, not a browser) may go on only without a cookie.
 */
export function checkOrigin(method: string, headers: IncomingHttpHeaders, publicOrigin: string): void {
  if (SAFE.has(method)) return;
  const site = headers['sec-fetch-site'];
  const allowed =
    site !== undefined
      ? site === 'same-origin'
      : headers.origin !== undefined
        ? headers.origin === publicOrigin
        : headers.cookie === undefined;
  if (!allowed) {
    throw new HttpError(403, 'CROSS_SITE', 'This request did not come from this site, so nothing was done.');
  }
}
