import type { TaskSetup } from '../../contract/tasks.ts';
import { postedAt, postIdOf, type XKind } from '../../contract/x-post.ts';

type SetupOf<K extends TaskSetup['kind']> = Extract<TaskSetup, { kind: K }>;
export type PostSetup = SetupOf<'x_reply'> | SetupOf<'x_quote'> | SetupOf<'x_post'>;

/** Public content of a post: read, never stored. */
export type Shown = { author: string; text: string } | null;
type PostCheck = { setup: PostSetup; postId: string; handle: string; since: Date };

const isTagged = (text: string, hashtag: string): boolean =>
  (text.match(/#[\p{L}\p{N}_]+/gu) ?? []).some((tag) => tag.slice(1).toLowerCase() === hashtag.toLowerCase());

/** Why a member's post does not fit the task, in words for them; null where it may. */
export function whyNotPost(shown: Shown, { setup, postId, handle, since }: PostCheck): string | null {
  if (shown === null) return 'X shows no such post publicly. It may be gone, or its account is private.';
  if (shown.author.toLowerCase() !== handle.toLowerCase())
    return `This post is by @${shown.author}; your linked account is @${handle}.`;
  if (postedAt(postId) < since.getTime()) return 'This post is older than the task.';
  if (setup.kind === 'x_post')
    return setup.hashtag === '' || isTagged(shown.text, setup.hashtag)
      ? null
      : `#${setup.hashtag} is not in this post.`;
  return BigInt(postId) > BigInt(postIdOf(setup.post))
    ? null
    : 'This post is older than the one that it should be about.';
}

/** X's price per row in thousandths of a dollar, and rows per request: the latest only, because X bills each row. */
export const X_LOOKS = {
  follow: { rows: 20, price: 10 },
  like: { rows: 50, price: 1 },
  repost: { rows: 20, price: 10 },
} as const;
export const X_POST_PRICE = 5;

/** X's API names of the tasks' actions. */
export const X_API_NAMES = { x_follow: 'follow', x_like: 'like', x_repost: 'repost' } as const;
export const isLook = (kind: XKind): kind is keyof typeof X_API_NAMES => Object.hasOwn(X_API_NAMES, kind);
export const costOf = (kind: keyof typeof X_LOOKS): number => X_LOOKS[kind].rows * X_LOOKS[kind].price;

const WORDS = {
  follow: { yes: 'X shows that you follow the account', no: 'X does not show that you follow the account.' },
  like: { yes: 'X shows your like', no: 'X does not show your like.' },
  repost: { yes: 'X shows your repost', no: 'X does not show your repost.' },
} as const;

export type Outcome = { ok: true; note: string } | { ok: false; note: string } | { review: string };

/** What a page of X's rows means: an action that is not among the latest may be further back, so a person decides. */
export function outcomeOf(kind: keyof typeof X_LOOKS, look: { seen: boolean; more: boolean } | null): Outcome {
  if (look === null) return { review: 'X does not let this account be asked. A reviewer decides.' };
  if (look.seen) return { ok: true, note: WORDS[kind].yes };
  if (!look.more) return { ok: false, note: WORDS[kind].no };
  return { review: `Not among the latest ${X_LOOKS[kind].rows} that X shows. A reviewer decides.` };
}
