/** The numbers of the administrators' desk and of what arrives at it; all others are in `limits.ts`. Units are in the names. */

/** A link to the first administrator may be opened for so long. */
export const ADMIN_LINK_MS = 30 * 60_000;

// Partnership requests
export const PARTNERSHIP_NAME_MAX = 120;
export const PARTNERSHIP_CONTACT_MAX = 200;
export const PARTNERSHIP_MESSAGE_MIN = 20;
export const PARTNERSHIP_MESSAGE_MAX = 2_000;
export const PARTNERSHIPS_PAGE = 50;
/**
 * Requests in 24 hours: per address, per account, and by all visitors together. The first of each address is always
 * accepted, so a few addresses cannot lock out everyone else.
 */
export const PARTNERSHIPS_A_DAY = { address: 5, account: 3, strangers: 100, firsts: 400 } as const;
/** Requests of strangers that may wait for an answer at once. */
export const PARTNERSHIPS_WAITING_MAX = 500;
/** After the last decision; an unanswered request is stored as long. */
export const PARTNERSHIP_RETENTION_DAYS = 365;
/** Own requests that a person is shown. */
export const PARTNERSHIPS_SHOWN = 20;

// The page of a person
/** What trust begins with, 0 to 100; signals move it up or down. */
export const TRUST_START = 50;
/** Communities of an account whose trust its page adds up. */
export const TRUST_SHOWN = 5;
/** Former names that are shown. */
export const FORMER_NAMES_SHOWN = 20;
