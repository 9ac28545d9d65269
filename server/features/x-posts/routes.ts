import { HttpError } from '../../base/http-error.ts';
import { postIn } from '../../contract/x-post.ts';
import type { Handlers } from '../../http/handler.ts';

/** Visitors may use this: however many do, at most this many wait for X at a time. */
const MOST_AT_ONCE = 8;
const queue = () => ({ running: 0 });

export const xPostHandlers = {
  'GET /api/x/intents': ({ runtime }) => ({ json: runtime.x.intents }),

  async 'POST /api/x/post-checks'({ runtime, body }) {
    const { handle = '', postId = '' } = postIn(body.url) ?? {};
    const waiting = runtime.own(queue);
    if (waiting.running >= MOST_AT_ONCE)
      throw new HttpError(503, 'X_BUSY', 'Many posts are being read just now. Please try again in a moment.', {
        retryAfterSeconds: 5,
      });
    waiting.running += 1;
    try {
      const post = await runtime.x.publicPost({ handle, postId });
      if (post === null) return { json: { found: false, author: null, hasCode: false } };
      return { json: { found: true, author: post.author, hasCode: post.text.includes(body.code) } };
    } finally {
      waiting.running -= 1;
    }
  },
} satisfies Handlers;
