import * as z from 'zod/mini';
import { type ApiCall, bearer, understood, xId } from './ask.ts';
import type { X } from './x.ts';

/** A page of users or posts (docs.x.com); `data` is absent when empty. */
const Page = z.object({
  data: z.optional(z.array(z.object({ id: xId, username: z.optional(z.string()) }))),
  meta: z.optional(z.object({ next_token: z.optional(z.string()) })),
});
const Post = z.object({
  data: z.optional(
    z.object({
      id: xId,
      referenced_tweets: z.optional(z.array(z.object({ type: z.string(), id: xId }))),
    }),
  ),
});

/** What tasks are checked by: one page each, for X bills every row of it. */
export function createLooks(callApi: ApiCall): Pick<X, 'look' | 'answersOf'> {
  return {
    async look(access, { kind, xUserId, target, rows }) {
      const path =
        kind === 'follow'
          ? `/2/users/${xUserId}/following`
          : kind === 'like'
            ? `/2/users/${xUserId}/liked_tweets`
            : `/2/tweets/${target}/retweeted_by`;
      const answer = await callApi(`${path}?max_results=${rows}`, bearer(access));
      if ('refused' in answer) return null;
      const { data = [], meta } = understood(Page, answer.json);
      const name = target.toLowerCase();
      const seen = data.some(({ id, username }) =>
        kind === 'follow' ? username?.toLowerCase() === name : id === (kind === 'like' ? target : xUserId),
      );
      return { seen, more: meta?.next_token !== undefined, rows: data.length };
    },

    async answersOf(access, postId) {
      const answer = await callApi(`/2/tweets/${postId}?tweet.fields=referenced_tweets`, bearer(access));
      if ('refused' in answer) return null;
      const { data } = understood(Post, answer.json);
      if (!data) return null;
      const of = (type: string) =>
        (data.referenced_tweets ?? []).filter((one) => one.type === type).map(({ id }) => id);
      return { repliedTo: of('replied_to'), quoted: of('quoted') };
    },
  };
}
