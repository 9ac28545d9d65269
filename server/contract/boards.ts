import * as z from 'zod/mini';
import { uuid, worded } from './fields.ts';
import { DECISION_REASON_MAX } from './limits.ts';
import { command, type Declaration, type RouteKey, read, route } from './route.ts';
import { SeasonSummary } from './seasons.ts';

export const BoardPeriod = z.enum(['today', 'week', 'month', 'season', 'all']);
export type BoardPeriod = z.infer<typeof BoardPeriod>;
export const BoardRow = z.object({
  /** Ties share a rank (1, 2, 2, 4). Rows are in order of points, then who reached them first, then id. */
  rank: z.number(),
  userId: z.string(),
  displayName: z.string(),
  points: z.number(),
  reachedAt: z.string(),
  me: z.boolean(),
});
export type BoardRow = z.infer<typeof BoardRow>;
/** `hidden`: only leaders see rows. `frozen`: rows are as of `asOf` until a leader unfreezes them. */
export const BoardState = z.enum(['open', 'hidden', 'frozen']);
export type BoardState = z.infer<typeof BoardState>;
export const Leaderboard = z.object({
  scope: z.enum(['community', 'instance']),
  /** Null on the instance's board. */
  communityId: z.nullable(z.string()),
  period: BoardPeriod,
  season: z.nullable(SeasonSummary),
  state: BoardState,
  asOf: z.string(),
  members: z.number(),
  top: z.array(BoardRow),
  /** My row and those around it; empty when I have no points in the period or do not compete. */
  around: z.array(BoardRow),
  me: z.nullable(BoardRow),
  /** Points of my claims in review; never part of the total. */
  pendingPoints: z.number(),
  leaders: z.array(z.string()),
});
export type Leaderboard = z.infer<typeof Leaderboard>;

/** A public community, as administrators choose which of them count on the instance's board. */
export const CountedCommunity = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  members: z.number(),
  counts: z.boolean(),
});
export type CountedCommunity = z.infer<typeof CountedCommunity>;

export const boardRoutes = {
  'GET /api/leaderboard': read('user', 'The board of the whole instance', {
    query: z.object({ period: z.optional(z.enum(['today', 'week', 'month', 'all'])) }),
    output: Leaderboard,
  }),
  'GET /api/communities/:communityId/leaderboard': read(
    'public',
    'The board of a period; of the running or latest season, or the one named',
    {
      scope: 'read:board',
      query: z.object({ period: z.optional(BoardPeriod), seasonId: z.optional(uuid) }),
      output: Leaderboard,
    },
  ),
  'PUT /api/communities/:communityId/board': command('leader', 'Show, hide or freeze the board', {
    body: z.strictObject({ state: BoardState }),
    output: z.object({ state: BoardState, since: z.string() }),
  }),
  'GET /api/admin/instance-board': route(
    'admin',
    'Public communities, and which of them count on the board of the instance',
    { output: z.array(CountedCommunity), cache: 'no-store', perMinute: 120 },
  ),
  'PUT /api/admin/instance-board': command(
    'admin',
    'Let a community count on the board of the instance from now on, or not',
    {
      body: z.strictObject({ communityId: uuid, counts: z.boolean(), reason: worded(3, DECISION_REASON_MAX) }),
      output: CountedCommunity,
    },
  ),
} as const satisfies Record<RouteKey, Declaration>;
