/** A public post, as people copy its address: `https://x.com/name/status/1234567890`. */
export const X_POST = /^https:\/\/(?:www\.|mobile\.)?(?:x|twitter)\.com\/(\w{1,15})\/status\/(\d{1,20})(?:[/?#].*)?$/i;

/** Tasks at X. They are support: they give 0 points unless the environment and an administrator say otherwise. */
export const X_KINDS = ['x_follow', 'x_like', 'x_repost', 'x_reply', 'x_quote', 'x_post'] as const;
export type XKind = (typeof X_KINDS)[number];
export const isXKind = (kind: string): kind is XKind => (X_KINDS as readonly string[]).includes(kind);

/** What a leader says of the post in their own words: the post's own are never kept. */
export const X_ABOUT_MAX = 280;
export const X_TEXT_MAX = 280;
export const X_LINK_MAX = 300;
export const X_HANDLE = /^\w{1,15}$/;
/** As `#RidgeWalk`, without the sign: letters, digits and _, not digits alone. */
export const X_HASHTAG = /^(?=.*\p{L})[\p{L}\p{N}_]{1,50}$/u;

/** X's first moment, from which the numbers of its posts count milliseconds (22 bits to the left). */
const X_EPOCH_MS = 1_288_834_974_657n;
/** When a post was written, ms since 1970, as its number says. */
export const postedAt = (postId: string): number => Number((BigInt(postId) >> 22n) + X_EPOCH_MS);
/** The smallest number of a post of that moment. */
export const postIdAt = (ms: number): bigint => (BigInt(ms) - X_EPOCH_MS) << 22n;
/** The number in a post's address; empty where it is none. */
export const postIdOf = (address: string): string => X_POST.exec(address)?.[2] ?? '';
