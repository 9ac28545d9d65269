/** Numbers of what strangers and open screens cost: embeds, cards, streams (`limits.ts` has those of all else). */

/** Requests for embeds, cards and the public API, in the process's memory. */
export const EMBED_BUCKETS = {
  address: { burst: 120, perSecond: 2 },
  session: { burst: 120, perSecond: 2 },
  instance: { burst: 1_000, perSecond: 200 },
} as const;
export const EMBED_ROWS_MAX = 50;
/** What an embed shows is read this often at most. */
export const EMBED_CACHE_MS = 10_000;
/** Drawn cards that are cached, and cards that may wait to be drawn. */
export const CARDS_CACHED = 200;
export const CARDS_WAITING_MAX = 20;

/** Streams that open screens follow, one for each tab: of a person, and of a process. */
export const LIVE_PER_PERSON = 12;
export const LIVE_PER_PROCESS = 2_000;
/** From a change's commit to its broadcast in every process. */
export const LIVE_BROADCAST_EVERY_MS = 400;
/** A stream ends after this time and reconnects; changes are stored this long for clients that were away. */
export const LIVE_STREAM_MS = 30 * 60_000;
export const LIVE_RETENTION_MS = 10 * 60_000;
