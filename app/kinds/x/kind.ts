import type { XKind } from '../../../server/contract/x-post.ts';
import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

const onX = <K extends XKind>(word: () => string): Kind<K> => ({
  word,
  pace: 'when-checked',
  needsConnection: () => true,
});

export const xFollow = onX<'x_follow'>(m.xtask_kind_follow);
export const xLike = onX<'x_like'>(m.xtask_kind_like);
export const xRepost = onX<'x_repost'>(m.xtask_kind_repost);
export const xReply = onX<'x_reply'>(m.xtask_kind_reply);
export const xQuote = onX<'x_quote'>(m.xtask_kind_quote);
export const xPost = onX<'x_post'>(m.xtask_kind_post);
