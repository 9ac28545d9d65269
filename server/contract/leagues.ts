import * as z from 'zod/mini';
import { BoardRow } from './boards.ts';

import { type Declaration, type RouteKey, read } from './route.ts';

/** A week's result for a member: so far, and final once settled. */
export const LeagueMove = z.enum(['rise', 'stay', 'fall']);
export type LeagueMove = z.infer<typeof LeagueMove>;
/** Why a member takes no part. */
export type LeagueApart = 'leader' | 'hidden' | 'away';

export const LeagueRow = z.extend(BoardRow, { move: LeagueMove });
export type LeagueRow = z.infer<typeof LeagueRow>;

/** A week's group. Its phase follows from its times, also in a cached copy. */
export const LeagueGroup = z.object({
  /** Its Monday. */
  week: z.string(),
  endsAt: z.string(),
  /** Until then late answers of the week still count; then it is settled and the next groups are made. */
  settlesAt: z.string(),
  /** Mine, the first being the lowest. */
  division: z.number(),
  isNew: z.boolean(),
  members: z.number(),
  /** How many rise, and fall at least. */
  moves: z.number(),
  /** In order; only members with points. */
  rows: z.array(LeagueRow),
  /** Members without points. */
  idle: z.number(),
  /** What the week would come to for me. */
  move: LeagueMove,
  /** My points of the week after, once it has begun. */
  next: z.nullable(z.number()),
});
export type LeagueGroup = z.infer<typeof LeagueGroup>;

/**
 * `closed`: leaders hide the board. `leader`, `hidden`: I take no part. `waiting`: my first group is made at
 * `startsAt`.
 */
export const League = z.object({
  state: z.enum(['off', 'closed', 'leader', 'hidden', 'waiting', 'playing']),
  asOf: z.string(),
  startsAt: z.nullable(z.string()),
  group: z.nullable(LeagueGroup),
  /** My last week that is settled, and the division that came of it. */
  last: z.nullable(
    z.object({
      week: z.string(),
      move: LeagueMove,
      division: z.number(),
      rank: z.nullable(z.number()),
      of: z.number(),
    }),
  ),
});
export type League = z.infer<typeof League>;

export const leagueRoutes = {
  'GET /api/communities/:communityId/league': read(
    'member',
    'My group of the week, and who rises and falls as it is now',
    { output: League },
  ),
} as const satisfies Record<RouteKey, Declaration>;
