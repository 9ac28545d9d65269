import * as z from 'zod/mini';
import { instant, trimmed } from '../../contract/fields.ts';
import {
  postIn,
  X_ABOUT_MAX,
  X_HANDLE,
  X_HASHTAG,
  X_PASTE_MAX,
  X_POST,
  X_TEXT_MAX,
  type XKind,
} from '../../contract/x-post.ts';

/** Up to `X_PASTE_MAX` as pasted, stored as `X_POST`; text without a post stays unchanged, for the error message. */
export const pastedPost = z.string().check(
  z.maxLength(X_PASTE_MAX),
  z.overwrite((text) => postIn(text)?.url ?? text.trim()),
);

const post = pastedPost.check(z.regex(X_POST, 'must be the address of a post at x.com'));
const about = trimmed(0, X_ABOUT_MAX);
const ofPost = <K extends XKind>(kind: K) => z.strictObject({ kind: z.literal(kind), post, about });

const done = <K extends XKind>(kind: K) =>
  z.strictObject({
    kind: z.literal(kind),
    /** When the member says they did it. */
    doneAt: instant,
  });
const linked = <K extends XKind>(kind: K) =>
  z.strictObject({
    kind: z.literal(kind),
    /** Address of the member's own post. */
    url: pastedPost.check(z.minLength(1)),
  });

/** What a leader sets is what a member is shown: there is nothing to hide. */
const shapeOf = <S extends z.ZodMiniType, E extends z.ZodMiniType>(setup: S, evidence: E) => ({
  setup,
  ask: setup,
  evidence,
});
const Follow = z.strictObject({
  kind: z.literal('x_follow'),
  /** Without @. */
  handle: z.string().check(z.regex(X_HANDLE, 'must be a name at X, without @')),
});
const Post = z.strictObject({
  kind: z.literal('x_post'),
  /** Proposed to the member, who may change it. */
  text: trimmed(0, X_TEXT_MAX),
  /** Without #; empty: none is required. */
  hashtag: z.string().check(z.refine((tag) => tag === '' || X_HASHTAG.test(tag), 'must be a hashtag, without #')),
  about,
});
export const xFollowShape = shapeOf(Follow, done('x_follow'));
export const xLikeShape = shapeOf(ofPost('x_like'), done('x_like'));
export const xRepostShape = shapeOf(ofPost('x_repost'), done('x_repost'));
export const xReplyShape = shapeOf(ofPost('x_reply'), linked('x_reply'));
export const xQuoteShape = shapeOf(ofPost('x_quote'), linked('x_quote'));
export const xPostShape = shapeOf(Post, linked('x_post'));
