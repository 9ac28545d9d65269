import * as z from 'zod/mini';
import {
  COMMUNITY_DESCRIPTION_MAX,
  COMMUNITY_NAME_MAX,
  COMMUNITY_RULES_MAX,
  COMMUNITY_TAGS_MAX,
  DECISION_REASON_MAX,
  SLUG_MAX,
  SLUG_MIN,
  SUBMISSION_TEXT_MAX,
  TASK_INSTRUCTIONS_MAX,
  TASK_POINTS_MAX,
  TASK_TITLE_MAX,
} from './limits.ts';

export const CommunityRole = z.enum(['leader', 'moderator', 'member']);
export type CommunityRole = z.infer<typeof CommunityRole>;

export const CommunitySummary = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  languages: z.array(z.string()),
  visibility: z.enum(['public', 'private']),
  members: z.number(),
  openTasks: z.number(),
  /** The asker's role there, null for a stranger or somebody signed out. */
  role: z.nullable(CommunityRole),
});
export type CommunitySummary = z.infer<typeof CommunitySummary>;

/** One of the asker's own communities: what the selector and `/communities` show. */
export const MyCommunity = z.extend(CommunitySummary, {
  points: z.number(),
  rank: z.nullable(z.number()),
  /** Tasks open to me now. */
  todo: z.number(),
  /** My claims that wait for a reviewer. */
  waiting: z.number(),
  /** Claims of others that wait for me, where I may review. */
  toReview: z.number(),
});
export type MyCommunity = z.infer<typeof MyCommunity>;

export const TaskKind = z.enum(['check_in', 'submit_text']);
export type TaskKind = z.infer<typeof TaskKind>;
export const Recurrence = z.enum(['once', 'daily', 'weekly']);
export type Recurrence = z.infer<typeof Recurrence>;

export const ClaimState = z.enum(['submitted', 'approved', 'rejected', 'reversed']);
export type ClaimState = z.infer<typeof ClaimState>;

/** A claim as its member sees it: what was checked, when, by whom, and why it failed. */
export const Claim = z.object({
  id: z.string(),
  taskId: z.string(),
  /** `once`, `2026-11-21` or `2026-W47`: the (member, task, period) key of the ledger. */
  period: z.string(),
  state: ClaimState,
  points: z.number(),
  text: z.nullable(z.string()),
  submittedAt: z.string(),
  decidedAt: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});
export type Claim = z.infer<typeof Claim>;

export const Task = z.object({
  id: z.string(),
  kind: TaskKind,
  title: z.string(),
  instructions: z.string(),
  points: z.number(),
  recurrence: Recurrence,
  status: z.enum(['live', 'archived']),
});
export type Task = z.infer<typeof Task>;
/** A task with the asker's claim in the current period, if any. */
export const TaskWithClaim = z.extend(Task, { claim: z.nullable(Claim) });
export type TaskWithClaim = z.infer<typeof TaskWithClaim>;

export const BoardPeriod = z.enum(['today', 'week', 'month', 'season', 'all']);
export type BoardPeriod = z.infer<typeof BoardPeriod>;
export const BoardRow = z.object({
  /** Shared on ties (1, 2, 2, 4); rows stand in order: points, who got there first, id. */
  rank: z.number(),
  userId: z.string(),
  displayName: z.string(),
  points: z.number(),
  reachedAt: z.string(),
  me: z.boolean(),
});
export type BoardRow = z.infer<typeof BoardRow>;
export const Leaderboard = z.object({
  communityId: z.string(),
  period: BoardPeriod,
  asOf: z.string(),
  members: z.number(),
  top: z.array(BoardRow),
  /** My row and those around it; empty when I have no points in the period or do not compete. */
  around: z.array(BoardRow),
  me: z.nullable(BoardRow),
  /** Points of my claims that a reviewer still holds: never added to the total. */
  pendingPoints: z.number(),
  leaders: z.array(z.string()),
});
export type Leaderboard = z.infer<typeof Leaderboard>;

export const CommunityDetail = z.extend(CommunitySummary, {
  rules: z.string(),
  xHandle: z.nullable(z.string()),
  createdAt: z.string(),
  leaders: z.array(z.string()),
  sampleTasks: z.array(Task),
  top: z.array(BoardRow),
});
export type CommunityDetail = z.infer<typeof CommunityDetail>;

/** `/community/{id}/dashboard` in one answer, so that one cached copy is the whole screen. */
export const Dashboard = z.object({
  community: CommunitySummary,
  asOf: z.string(),
  points: z.number(),
  rank: z.nullable(z.number()),
  ranked: z.number(),
  streakDays: z.number(),
  countedToday: z.boolean(),
  pendingPoints: z.number(),
  tasks: z.array(TaskWithClaim),
  around: z.array(BoardRow),
  reviewers: z.array(z.string()),
});
export type Dashboard = z.infer<typeof Dashboard>;

export const ReviewItem = z.object({
  claim: Claim,
  task: Task,
  member: z.object({
    id: z.string(),
    displayName: z.string(),
    telegramUsername: z.nullable(z.string()),
    twitterUsername: z.nullable(z.string()),
    joinedAt: z.string(),
    approved: z.number(),
    rejected: z.number(),
  }),
});
export type ReviewItem = z.infer<typeof ReviewItem>;

/** `/community/{id}/admin` for who may lead or review there. */
export const CommunityAdmin = z.object({
  community: CommunitySummary,
  tasks: z.array(Task),
  queue: z.array(ReviewItem),
  waiting: z.number(),
  people: z.array(
    z.object({
      id: z.string(),
      displayName: z.string(),
      role: CommunityRole,
      joinedAt: z.string(),
      points: z.number(),
    }),
  ),
});
export type CommunityAdmin = z.infer<typeof CommunityAdmin>;

const trimmed = (min: number, max: number) => z.string().check(z.trim(), z.minLength(min), z.maxLength(max));

export const NewCommunity = z.strictObject({
  name: trimmed(2, COMMUNITY_NAME_MAX),
  slug: z.string().check(z.minLength(SLUG_MIN), z.maxLength(SLUG_MAX)),
  description: trimmed(0, COMMUNITY_DESCRIPTION_MAX),
  rules: z.optional(trimmed(0, COMMUNITY_RULES_MAX)),
  tags: z.optional(z.array(trimmed(1, 24)).check(z.maxLength(COMMUNITY_TAGS_MAX))),
  languages: z.optional(z.array(z.string().check(z.regex(/^[a-z]{2,3}$/))).check(z.maxLength(COMMUNITY_TAGS_MAX))),
  visibility: z.optional(z.enum(['public', 'private'])),
});
export type NewCommunity = z.infer<typeof NewCommunity>;

export const NewTask = z.strictObject({
  kind: TaskKind,
  title: trimmed(3, TASK_TITLE_MAX),
  instructions: trimmed(0, TASK_INSTRUCTIONS_MAX),
  points: z.int().check(z.gte(0), z.lte(TASK_POINTS_MAX)),
  recurrence: Recurrence,
});
export type NewTask = z.infer<typeof NewTask>;

export const TaskChange = z.strictObject({
  title: z.optional(trimmed(3, TASK_TITLE_MAX)),
  instructions: z.optional(trimmed(0, TASK_INSTRUCTIONS_MAX)),
  status: z.optional(z.enum(['live', 'archived'])),
});
export type TaskChange = z.infer<typeof TaskChange>;

export const NewClaim = z.strictObject({
  /** What the member wrote; required by `submit_text`, refused by `check_in`. */
  text: z.optional(trimmed(1, SUBMISSION_TEXT_MAX)),
  /** Device time of the act, ISO 8601; advisory (offline claims). */
  actedAt: z.optional(z.iso.datetime({ offset: true })),
});
export type NewClaim = z.infer<typeof NewClaim>;

export const NewDecision = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  reason: z.optional(trimmed(3, DECISION_REASON_MAX)),
});
export type NewDecision = z.infer<typeof NewDecision>;
