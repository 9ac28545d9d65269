import * as z from 'zod/mini';
import { BoardPeriod, BoardState } from './boards.ts';
import { EMBED_BUCKETS, EMBED_ROWS_MAX } from './open-limits.ts';
import { type Declaration, type RouteKey, route } from './route.ts';

/** A community as other sites see it, once its leader has switched that on. */
export const PublicCommunity = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  languages: z.array(z.string()),
  members: z.number(),
  openTasks: z.number(),
  /** Its page, where people join. */
  url: z.string(),
  asOf: z.string(),
});
export type PublicCommunity = z.infer<typeof PublicCommunity>;

export const PublicBoard = z.object({
  community: z.object({ slug: z.string(), name: z.string(), url: z.string() }),
  period: BoardPeriod,
  /** For the period `season`. */
  season: z.nullable(z.string()),
  /** `hidden`: there are no rows for others than leaders. */
  state: BoardState,
  asOf: z.string(),
  /** Shared on ties (1, 2, 2, 4). */
  rows: z.array(z.object({ rank: z.number(), name: z.string(), points: z.number() })),
});
export type PublicBoard = z.infer<typeof PublicBoard>;

const rows = z.optional(z.string().check(z.regex(/^\d{1,2}$/, `must be 1 to ${EMBED_ROWS_MAX}`)));
const theme = z.optional(z.enum(['light', 'dark']));
const OPEN = { cache: 'public', perMinute: 120, buckets: EMBED_BUCKETS } as const;
const PAGE = { ...OPEN, anySite: 'frame', fileTypes: ['text/html'] } as const;

export const embedRoutes = {
  'GET /api/public/communities/:communityId': route('public', 'A community that may be shown elsewhere', {
    ...OPEN,
    anySite: 'read',
    output: PublicCommunity,
  }),
  'GET /api/public/communities/:communityId/board': route('public', 'Its board: the first rows of a period', {
    ...OPEN,
    anySite: 'read',
    query: z.object({ period: z.optional(BoardPeriod), rows }),
    output: PublicBoard,
  }),
  'GET /api/embed/:communityId/card': route('public', 'The community as a page for a frame on another site', {
    ...PAGE,
    query: z.object({ theme }),
  }),
  'GET /api/embed/:communityId/board': route('public', 'Its board as a page for a frame on another site', {
    ...PAGE,
    query: z.object({ theme, period: z.optional(BoardPeriod), rows }),
  }),
  'GET /api/communities/:communityId/card': route(
    'public',
    'The picture of a public community that previews of links show',
    { ...OPEN, anySite: 'read', fileTypes: ['image/png'] },
  ),
} as const satisfies Record<RouteKey, Declaration>;
