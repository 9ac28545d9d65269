import { type NoPost, whyNoPost } from '../../server/contract/x-post.ts';
import { m } from '../paraglide/messages.js';

const WORDS: Record<NoPost, () => string> = {
  not_x: m.xtask_link_wrong,
  short: m.xtask_link_short,
  no_post: m.xtask_link_no_post,
  several: m.xtask_link_several,
};

/** What is wrong with a text that should hold the link to a post at X; null where it holds one. */
export function postLinkProblem(text: string): string | null {
  const why = whyNoPost(text);
  return why === null ? null : WORDS[why]();
}
