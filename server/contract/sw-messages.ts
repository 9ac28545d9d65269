/** Messages of the service worker to all pages, over the BroadcastChannel DEVICE_CHANNEL. */
export type SwBroadcast =
  /** A page was answered from the cache, and the server has answered since: read `url` again, with CACHED_ONLY_HEADER. */
  | { type: 'READ_REFRESHED'; url: string; at: number }
  /** The session ended elsewhere: every page forgets the member. */
  | { type: 'SIGNED_OUT' }
  /** The server has refused the member's reads: every page drops what it shows and asks for the user again. Told once. */
  | { type: 'MEMBERSHIP_REVOKED' };

/** Requests of a page; each is answered once on its own MessageChannel port. */
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

/** Messages of the service worker to one page, by `postMessage`. */
export type SwClientMessage =
  /** A notification was pressed: show its screen, a path of this app. */
  { type: 'OPEN'; path: string };

/**
 * Where the system's share sheet posts to (manifest, `share_target`), and the name of the cache that holds the posted
 * forms until a page takes them.
 */
export const SHARED = '/share';
/** Most forms that wait there. */
export const SHARED_MOST = 10;

/** Header on an answer served from the device: epoch milliseconds at which the server gave it. */
export const CACHED_AT_HEADER = 'x-muster-cached-at';
/** Request header `1`: the reader waits for the server, because what they did has just changed the answer. */
export const FRESH_HEADER = 'x-muster-fresh';
/**
 * Request header `1`: the device's copy or, where there is none, an empty 204. The server is not called, so a first
 * paint costs no second request, and a broadcast of a fresher copy never causes one.
 */
export const CACHED_ONLY_HEADER = 'x-muster-kept-only';
/**
 * `Server-Timing` of a page that was requested without a session cookie: the only header of its own answer that a page
 * can read. Without this cookie and without a hint of a member there is no session, so the user need not be read.
 */
export const VISITOR_MARK = 'visitor';
/**
 * Cookie beside the session's that a page can read. It proves nothing: its value only distinguishes sessions of this
 * browser. On https no other host of the domain can set one of this name.
 */
export const signedInCookie = (isSecure: boolean): string => `${isSecure ? '__Host-' : ''}signed-in`;
/** Answer header: id of the member whom a private answer is for. It names the cache partition. */
export const MEMBER_HEADER = 'x-muster-member';
/** Answer header: build that the server runs. */
export const BUILD_HEADER = 'x-muster-build';
/** BroadcastChannel between the tabs and workers of one device. */
export const DEVICE_CHANNEL = 'muster-device';
