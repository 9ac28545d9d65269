import * as z from 'zod/mini';

import { type Declaration, type RouteKey, read } from './route.ts';
import { TaskKind } from './tasks.ts';

/**
 * What a leader needs in the morning, in one answer: what waits and for how long, who was active, whose streak ends.
 */
export const Morning = z.object({
  asOf: z.string(),
  /** Claims and appeals that wait for the asker. */
  waiting: z.number(),
  /** Since when the longest waiting has waited. */
  oldestAt: z.nullable(z.string()),
  appeals: z.object({
    count: z.number(),
    oldestAt: z.nullable(z.string()),
    /** The longest waiting first; no more than the screen shows. */
    items: z.array(
      z.object({
        claimId: z.string(),
        task: z.string(),
        displayName: z.string(),
        text: z.string(),
        at: z.string(),
      }),
    ),
  }),
  /** Waiting answers by task, the longest waiting first. */
  tasks: z.array(
    z.object({
      taskId: z.string(),
      title: z.string(),
      kind: TaskKind,
      count: z.number(),
      oldestAt: z.string(),
      /** Names, the longest waiting first; as many as the screen shows. */
      names: z.array(z.string()),
    }),
  ),
  /** Members who sent something in the last seven days and in the seven before, in days of the UTC calendar. */
  activity: z.object({
    members: z.number(),
    active: z.number(),
    before: z.number(),
    days: z.array(z.object({ day: z.string(), people: z.number() })),
  }),
  /** Streaks that end when their member's day does: nothing counted today, and no freeze or repair is left. The longest first. */
  streaks: z.object({
    count: z.number(),
    items: z.array(
      z.object({
        userId: z.string(),
        displayName: z.string(),
        days: z.number(),
        /** Title of the task whose waiting answer of today would extend it. */
        keptBy: z.nullable(z.string()),
      }),
    ),
  }),
});
export type Morning = z.infer<typeof Morning>;

export const morningRoutes = {
  'GET /api/communities/:communityId/morning': read(
    'moderator',
    'What waits and since when, appeals, activity of the last week, streaks at risk',
    { output: Morning },
  ),
} as const satisfies Record<RouteKey, Declaration>;
