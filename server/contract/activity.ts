import * as z from 'zod/mini';
import { BadgeCode } from './badges.ts';
import { after, pageOf } from './fields.ts';
import { type Declaration, type RouteKey, read } from './route.ts';

/** A member's recent activity: an approved answer, joining, or a badge. */
export const Activity = z.object({
  id: z.string(),
  kind: z.enum(['counted', 'joined', 'badge']),
  at: z.string(),
  userId: z.string(),
  displayName: z.string(),
  me: z.boolean(),
  /** Title of the task of what was approved. */
  task: z.nullable(z.string()),
  /** The level that was reached by it. */
  level: z.nullable(z.number()),
  badge: z.nullable(BadgeCode),
});
export type Activity = z.infer<typeof Activity>;
export const ActivityPage = pageOf(Activity);
export type ActivityPage = z.infer<typeof ActivityPage>;

export const activityRoutes = {
  'GET /api/communities/:communityId/activity': read(
    'public',
    'Who did what lately, the latest first; in private communities for members',
    { query: z.object({ after }), output: ActivityPage },
  ),
} as const satisfies Record<RouteKey, Declaration>;
