import * as z from 'zod/mini';
import { Done, instant, trimmed, uuid, whole, worded } from './fields.ts';
import {
  REWARD_DESCRIPTION_MAX,
  REWARD_NAME_MAX,
  REWARD_PLACES_MAX,
  SEASON_GRACE_MAX_HOURS,
  SEASON_NAME_MAX,
  SEASON_RULES_MAX,
  TASKS_PER_COMMUNITY,
  TOTAL_POINTS_MAX,
} from './limits.ts';
import { command, type Declaration, download, type RouteKey, read } from './route.ts';

/** Rules are locked from `live` on; in `grace` only actions from before the end count; `frozen` never changes. */
export const SeasonState = z.enum(['draft', 'live', 'grace', 'frozen']);
export type SeasonState = z.infer<typeof SeasonState>;
export const SeasonSummary = z.object({
  id: z.string(),
  name: z.string(),
  state: SeasonState,
  startsAt: z.nullable(z.string()),
  endsAt: z.string(),
  /** When it freezes. */
  graceUntil: z.string(),
});
export type SeasonSummary = z.infer<typeof SeasonSummary>;

/** Who gets a reward, by the season's frozen results. */
export const RewardRule = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('all'), minPoints: whole(1, TOTAL_POINTS_MAX) }),
  z.strictObject({
    type: z.literal('first_come'),
    minPoints: whole(1, TOTAL_POINTS_MAX),
    places: whole(1, REWARD_PLACES_MAX),
  }),
  z.strictObject({
    type: z.literal('raffle'),
    minPoints: whole(1, TOTAL_POINTS_MAX),
    places: whole(1, REWARD_PLACES_MAX),
    tickets: z.enum(['one_each', 'by_points']),
  }),
  z.strictObject({ type: z.literal('top_n'), places: whole(1, REWARD_PLACES_MAX) }),
  z.strictObject({ type: z.literal('top_percent'), percent: whole(1, 100) }),
]);
export type RewardRule = z.infer<typeof RewardRule>;

export const Reward = z.object({
  id: z.string(),
  seasonId: z.string(),
  name: z.string(),
  description: z.string(),
  rule: RewardRule,
  /** Trust that a winner needs; null: none. */
  minTrust: z.nullable(z.number()),
  /** SHA-256 of the raffle's seed, hex, published when the season goes live. */
  seedHash: z.nullable(z.string()),
  drawnAt: z.nullable(z.string()),
});
export type Reward = z.infer<typeof Reward>;

/** A draw with everything to verify it: seed, method, entrants in order, winners. */
export const RewardDetail = z.extend(Reward, {
  seed: z.nullable(z.string()),
  method: z.nullable(z.string()),
  entrants: z.number(),
  /** SHA-256 of the ordered entrants, hex. */
  entrantsHash: z.nullable(z.string()),
  winners: z.array(
    z.object({ place: z.number(), userId: z.string(), displayName: z.string(), points: z.number(), me: z.boolean() }),
  ),
});
export type RewardDetail = z.infer<typeof RewardDetail>;

export const Season = z.extend(SeasonSummary, {
  rules: z.string(),
  graceHours: z.number(),
  /** Tasks that count; empty: all. */
  taskIds: z.array(z.string()),
  rewards: z.array(Reward),
});
export type Season = z.infer<typeof Season>;

export const NewSeason = z.strictObject({
  name: worded(2, SEASON_NAME_MAX),
  rules: trimmed(0, SEASON_RULES_MAX),
  /** Null: when the leader starts it. */
  startsAt: z.nullable(instant),
  endsAt: instant,
  graceHours: whole(0, SEASON_GRACE_MAX_HOURS),
  taskIds: z.array(uuid).check(z.maxLength(TASKS_PER_COMMUNITY)),
});
export type NewSeason = z.infer<typeof NewSeason>;
export const SeasonChange = z.partial(NewSeason);
export type SeasonChange = z.infer<typeof SeasonChange>;

export const NewReward = z.strictObject({
  name: worded(2, REWARD_NAME_MAX),
  description: trimmed(0, REWARD_DESCRIPTION_MAX),
  rule: RewardRule,
  minTrust: z.nullable(whole(1, 100)),
});
export type NewReward = z.infer<typeof NewReward>;

export const seasonRoutes = {
  'GET /api/communities/:communityId/seasons': read('public', 'Seasons, the latest first; drafts only for who leads', {
    output: z.array(Season),
  }),
  'POST /api/communities/:communityId/seasons': command('leader', 'Plan a season', {
    body: NewSeason,
    output: Season,
    status: 201,
  }),
  'GET /api/communities/:communityId/seasons/:seasonId': read('public', 'One season with its rewards', {
    output: Season,
  }),
  'PATCH /api/communities/:communityId/seasons/:seasonId': command('leader', 'Change a season that is not live yet', {
    body: SeasonChange,
    output: Season,
  }),
  'DELETE /api/communities/:communityId/seasons/:seasonId': command('leader', 'Drop a draft', { output: Done }),
  'POST /api/communities/:communityId/seasons/:seasonId/start': command(
    'leader',
    'Lock the rules and go live; one season at a time',
    { output: Season },
  ),
  'POST /api/communities/:communityId/seasons/:seasonId/end': command(
    'leader',
    'End a live season now; its grace begins',
    { output: Season },
  ),
  'POST /api/communities/:communityId/seasons/:seasonId/rewards': command('leader', 'Add a reward to a draft', {
    body: NewReward,
    output: Reward,
    status: 201,
  }),
  'GET /api/communities/:communityId/rewards/:rewardId': read('public', 'A reward and its draw', {
    output: RewardDetail,
  }),
  'PATCH /api/communities/:communityId/rewards/:rewardId': command('leader', 'Change a reward of a draft', {
    body: z.partial(NewReward),
    output: Reward,
  }),
  'DELETE /api/communities/:communityId/rewards/:rewardId': command('leader', 'Drop a reward of a draft', {
    output: Done,
  }),
  'POST /api/communities/:communityId/rewards/:rewardId/draw': command(
    'leader',
    'Draw the winners of a frozen season, once',
    { output: RewardDetail },
  ),
  'GET /api/communities/:communityId/rewards/:rewardId/draw': download(
    'public',
    'A raffle with its entrants and seed, computed again by `muster raffle verify <file>`',
    { fileTypes: ['application/json'] },
  ),
  'GET /api/communities/:communityId/rewards/:rewardId/winners': download('leader', 'The winners as CSV', {
    fileTypes: ['text/csv'],
  }),
} as const satisfies Record<RouteKey, Declaration>;
