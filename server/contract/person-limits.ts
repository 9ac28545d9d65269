/** Numbers about a person's own data, as those of `limits.ts`. */

/** From the wish to be erased to its end; signing in cancels it until then. */
export const ERASURE_WAIT_DAYS = 7;
/** That an erasure was cancelled is said for so long, or until its person has read it. */
export const ERASURE_NOTICE_DAYS = 30;
/** What a device sends again after so long is taken for new: it is then too late to open or wake anything. */
export const LOG_IDS_KEPT_DAYS = 180;
