/** What the service worker tells every page, over the BroadcastChannel DEVICE_CHANNEL. */
export type SwBroadcast =
  /** A page was answered from the cache, and the server has answered since: read `url` again, with KEPT_ONLY_HEADER. */
  | { type: 'READ_REFRESHED'; url: string; at: number }
  /** The session ended elsewhere: every page forgets the member. */
  | { type: 'SIGNED_OUT' }
  /** The server has refused the member's reads: every page drops what it shows and asks for the user again. Told once. */
  | { type: 'MEMBERSHIP_REVOKED' };

/** One-shot requests of a page; each is answered on its own MessageChannel port. */
export type SwRequest =
  | { type: 'SKIP_WAITING' }
  | { type: 'BUILD' }
  /** A page that nobody controls, though there is a worker at work: it was on its way when that one took over. */
  | { type: 'CLAIM' }
  /** Drop the private partitions (sign-out, 401, revoked). */
  | { type: 'PURGE_PRIVATE' }
  /** Drop every cache (update of a build whose files are gone). */
  | { type: 'PURGE_ALL' }
  /** The page has time to spare: keep the parts of this build that the first screen did without. */
  | { type: 'KEEP_REST' }
  /** Send what is due, and `held` acts of a page that goes. */
  | { type: 'DRAIN'; held?: string[] };
export type SwAnswer = { ok: true; build?: string } | { ok: false; error: string };

/** What the service worker tells one page, by `postMessage`. */
export type SwClientMessage =
  /** A notification was pressed: show its screen, a path of this app. */
  { type: 'OPEN'; path: string };

/**
 * Where the system's share sheet posts to (manifest, `share_target`), and the name of what lies there until a page takes
 * it: forms, as they came, in a cache of this name.
 */
export const SHARED = '/share';
/** As much waits there at most. */
export const SHARED_MOST = 10;

/** Header on an answer served from the device: epoch milliseconds at which the server gave it. */
export const CACHED_AT_HEADER = 'x-muster-cached-at';
/** Request header `1`: the reader waits for the server, because what they did has just changed the answer. */
export const FRESH_HEADER = 'x-muster-fresh';
/**
 * Request header `1`: the device's copy or, where there is none, an empty 204. The server is not asked, so a first paint
 * costs no second request, and news of a fresher copy never cause one.
 */
export const KEPT_ONLY_HEADER = 'x-muster-kept-only';
/**
 * `Server-Timing` of a page that was asked for without a session's cookie: the one header of its own answer that a page may
 * read. With neither this cookie nor a hint of a member no session can be, and nobody need be asked for.
 */
export const VISITOR_MARK = 'visitor';
/**
 * Cookie that a page may read and that stands beside the session's, which it may not. It proves nothing: its value only
 * tells one session of this browser from the next. On https no other host of the domain can set one of this name.
 */
export const signedInCookie = (isSecure: boolean): string => `${isSecure ? '__Host-' : ''}signed-in`;
/** Answer header: id of the member whom a private answer is for. Names the partition it is kept in. */
export const MEMBER_HEADER = 'x-muster-member';
/** Answer header: build that the server runs. */
export const BUILD_HEADER = 'x-muster-build';
/** BroadcastChannel between the tabs and workers of one device. */
export const DEVICE_CHANNEL = 'muster-device';
