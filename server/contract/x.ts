import * as z from 'zod/mini';
import { READ, trimmed } from './fields.ts';
import type { Declaration, RouteKey } from './route.ts';
import { X_POST } from './x-post.ts';

export const PostCheck = z.object({
  /** X shows such a post to everybody. */
  found: z.boolean(),
  /** Whose it is, without @. */
  author: z.nullable(z.string()),
  /** Whether the code stands in its text. */
  hasCode: z.boolean(),
});
export type PostCheck = z.infer<typeof PostCheck>;

export const xRoutes = {
  'GET /api/x/intents': {
    ...READ,
    access: 'public',
    summary: 'Where X opens a post that is written for somebody; its text goes into the query `text`',
    output: z.object({ post: z.string() }),
    perMinute: 60,
  },
  'POST /api/x/post-checks': {
    access: 'public',
    summary: 'Reads a public post once, to show how a proof works; nothing is kept and nobody is counted',
    body: z.strictObject({
      url: trimmed(1, 300).check(z.regex(X_POST, 'must be the address of a post at x.com')),
      code: z.string().check(z.regex(/^[A-Z0-9]{6}$/, 'must be six capital letters and digits')),
    }),
    output: PostCheck,
    cache: 'no-store',
    perMinute: 10,
  },
} as const satisfies Record<RouteKey, Declaration>;
