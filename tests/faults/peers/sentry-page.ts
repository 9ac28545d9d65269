/** A page that reports through @sentry/browser with its offline transport, as its documentation sets it up. */
import { captureException, flush, init, makeBrowserOfflineTransport, makeFetchTransport } from '@sentry/browser';

init({
  dsn: `${location.protocol}//public@${location.host}/1`,
  // Also what an earlier page left behind is sent.
  transport: (options) => makeBrowserOfflineTransport(makeFetchTransport)({ ...options, flushAtStartup: true }),
});
Object.assign(globalThis, {
  raise: async (names: string[]) => {
    for (const name of names) captureException(new Error(name));
    await flush(500);
  },
});
