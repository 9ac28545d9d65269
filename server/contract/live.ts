import * as z from 'zod/mini';
import { type Declaration, type RouteKey, route } from './route.ts';

/**
 * What may have changed: `board` a board and everyone's points, `review` what waits for review and members' answers,
 * `dashboard` tasks, announcements and seasons, `desk` the administrators' data.
 */
export const ChangeTopic = z.enum(['board', 'review', 'dashboard', 'desk']);
export type ChangeTopic = z.infer<typeof ChangeTopic>;

/** Data of a `change`; its id is the event's. It says where to look, never what is there. */
export const Change = z.object({ topics: z.array(ChangeTopic) });
export type Change = z.infer<typeof Change>;

const STREAM = {
  stream: ['text/event-stream'],
  live: true,
  cache: 'no-store',
  perMinute: 120,
  /** The last received event, for a new stream; a browser sends it as `Last-Event-ID` when it reconnects. */
  query: z.object({ after: z.optional(z.string().check(z.regex(/^\d{1,18}$/, 'must be the id of an event'))) }),
} as const;

export const liveRoutes = {
  'GET /api/live': route(
    'user',
    'Changes of the board of the instance, and for staff of their desk, as server-sent events',
    { ...STREAM },
  ),
  'GET /api/communities/:communityId/live': route(
    'member',
    'Changes in a community that I may see, as server-sent events',
    { ...STREAM },
  ),
} as const satisfies Record<RouteKey, Declaration>;
