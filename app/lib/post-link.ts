import { type NoPost, whyNoPost } from '../../server/contract/x-post.ts';
import { m } from '../paraglide/messages.js';

const WORDS: Record<NoPost, () => string> = {
  not_x: m.xtask_link_wrong,
  short: m.xtask_link_short,
  no_post: m.xtask_link_no_post,
  several: m.xtask_link_several,
};

/** Why a text is not a link to a post on X; null when it is one. */
export function postLinkProblem(text: string): string | null {
  const why = whyNoPost(text);
  return why === null ? null : WORDS[why]();
}
