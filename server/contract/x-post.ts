/** The stored address of a public post. `postIn` turns pasted text into it. */
export const X_POST = /^https:\/\/x\.com\/(\w{1,15})\/status\/(\d{1,20})$/;

/** Hosts of X and of mirrors with the same paths, which people share as often. */
const X_HOST = String.raw`(?:(?:www|mobile|m)\.)?(?:x|twitter)\.com`;
const MIRRORS = String.raw`(?:[a-z0-9-]{1,20}\.)?(?:(?:fx|vx)twitter|fixupx|fixvx|twittpr|xcancel|twiiit)\.com|nitter(?:\.[a-z0-9-]{1,30}){1,4}`;
// Not as a part of another name or path.
const HOST = String.raw`(?<![\w./@-])(?:(?:https?:)?\/\/)?(?:${X_HOST}|${MIRRORS})(?::\d{1,5})?`;
const POSTS = new RegExp(String.raw`${HOST}\/(?:#!\/)?(?:i\/web|@?(\w{1,15}))\/status(?:es)?\/(\d{1,20})(?!\w)`, 'gi');
const ANY_PAGE = new RegExp(String.raw`${HOST}(?:[/\s]|$)`, 'i');
const PROFILE = new RegExp(String.raw`^${HOST}\/(?:#!\/)?@?(\w{1,15})\/?(?:[?#].*)?$`, 'i');
/** Invisible marks that are copied along. */
const unmarked = (text: string): string => text.replace(/\p{Cf}/gu, '').trim();

export type XPost = { handle: string; postId: string; url: string };
/** Why no post is found: no address of X, a shortened one, one of another page there, or several posts. */
export type NoPost = 'not_x' | 'short' | 'no_post' | 'several';

function search(text: string): XPost | NoPost {
  const plain = unmarked(text);
  const [first, ...others] = [...plain.matchAll(POSTS)].map(([, handle = 'i', postId = '']) => ({ handle, postId }));
  if (first === undefined)
    return /(?<![\w.-])t\.co\//i.test(plain) ? 'short' : ANY_PAGE.test(plain) ? 'no_post' : 'not_x';
  if (others.some(({ postId }) => postId !== first.postId)) return 'several';
  // X only reads the number, so `i` works for any account.
  return { ...first, url: `https://x.com/${first.handle}/status/${first.postId}` };
}

/**
 * The post that a text is about, however its address was copied: without `https://`, from the mobile page or a mirror,
 * without a name (`/i/web/status/…`), within other words, or with tracking parameters. Null: there is none, or several.
 */
export function postIn(text: string): XPost | null {
  const found = search(text);
  return typeof found === 'string' ? null : found;
}
/** What is wrong with a text that `postIn` finds no post in. */
export function whyNoPost(text: string): NoPost | null {
  const found = search(text);
  return typeof found === 'string' ? found : null;
}
/** The post's id; empty where there is none. */
export const postIdOf = (text: string): string => postIn(text)?.postId ?? '';

/** A name at X as people write it: with @, or as the address of its page. Null: it is none. */
export function handleOf(text: string): string | null {
  const plain = unmarked(text);
  const name = PROFILE.exec(plain)?.[1] ?? plain.replace(/^@/, '');
  return X_HANDLE.test(name) ? name : null;
}

/** Longest text that is accepted for the address of a post. */
export const X_PASTE_MAX = 2_000;
/** Tasks at X. They are support: 0 points unless the environment and an administrator allow more. */
export const X_KINDS = ['x_follow', 'x_like', 'x_repost', 'x_reply', 'x_quote', 'x_post'] as const;
export type XKind = (typeof X_KINDS)[number];
export const isXKind = (kind: string): kind is XKind => (X_KINDS as readonly string[]).includes(kind);

/** A leader's own words about the post: the post's text is never stored. */
export const X_ABOUT_MAX = 280;
export const X_TEXT_MAX = 280;
export const X_HANDLE = /^\w{1,15}$/;
/** As in `#RidgeWalk`, without the sign: letters, digits and _, not digits alone. */
export const X_HASHTAG = /^(?=.*\p{L})[\p{L}\p{N}_]{1,50}$/u;

/** X's first moment, from which the numbers of its posts count milliseconds (22 bits to the left). */
const X_EPOCH_MS = 1_288_834_974_657n;
/** When a post was written, ms since 1970, from its id. */
export const postedAt = (postId: string): number => Number((BigInt(postId) >> 22n) + X_EPOCH_MS);
/** The smallest number of a post of that moment. */
export const postIdAt = (ms: number): bigint => (BigInt(ms) - X_EPOCH_MS) << 22n;
