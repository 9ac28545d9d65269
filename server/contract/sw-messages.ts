/** What the service worker tells every page. */
export type SwBroadcast =
  /** A new worker waits; `build` is its build. */
  | { type: 'UPDATE_READY'; build: string }
  /** A cached read was refreshed and differs: pages showing it may refresh from the cache, never from the network. */
  | { type: 'READ_REFRESHED'; url: string; at: number }
  /** The outbox or the log queue changed on this device. */
  | { type: 'OUTBOX_CHANGED' }
  /** The session ended elsewhere: every page forgets the member. */
  | { type: 'SIGNED_OUT' };

/** One-shot requests of a page; each is answered on its own MessageChannel port. */
export type SwRequest =
  | { type: 'SKIP_WAITING' }
  | { type: 'BUILD' }
  /** Drop the private partitions (sign-out, 401, revoked). */
  | { type: 'PURGE_PRIVATE' }
  /** Drop every cache (update of a build whose files are gone). */
  | { type: 'PURGE_ALL' }
  | { type: 'DRAIN' };
export type SwAnswer = { ok: true; build?: string } | { ok: false; error: string };

/** Header on an answer served from the device: epoch milliseconds at which the server gave it. */
export const CACHED_AT_HEADER = 'x-muster-cached-at';
/** BroadcastChannel between the tabs and workers of one device. */
export const DEVICE_CHANNEL = 'muster-device';
