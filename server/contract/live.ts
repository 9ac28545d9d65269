import * as z from 'zod/mini';
import type { Declaration, RouteKey } from './route.ts';

/**
 * What may look different now: `board` a board and everybody's points, `review` what waits for reviewers, and what members have
 * done, `dashboard` tasks, announcements and seasons, `desk` what administrators look at.
 */
export const ChangeTopic = z.enum(['board', 'review', 'dashboard', 'desk']);
export type ChangeTopic = z.infer<typeof ChangeTopic>;

/** The data of a `change`; its id is that of the event. It says where to look, never what is there. */
export const Change = z.object({ topics: z.array(ChangeTopic) });
export type Change = z.infer<typeof Change>;

const STREAM = {
  stream: ['text/event-stream'],
  live: true,
  cache: 'no-store',
  perMinute: 120,
  /** The last event that was heard of, where a stream begins anew; a browser sends it itself as `Last-Event-ID`. */
  query: z.object({ after: z.optional(z.string().check(z.regex(/^\d{1,18}$/, 'must be the id of an event'))) }),
} as const;

export const liveRoutes = {
  'GET /api/live': {
    access: 'user',
    summary: 'Changes of the board of the instance, and for staff of their desk, as server-sent events',
    ...STREAM,
  },
  'GET /api/communities/:communityId/live': {
    access: 'member',
    summary: 'Changes in a community that I may see, as server-sent events',
    ...STREAM,
  },
} as const satisfies Record<RouteKey, Declaration>;
