/** Tasks as leaders set them and as members see them. What differs by kind is in `server/kinds`. */
import * as z from 'zod/mini';
import { TaskAsk, TaskKind, TaskSetup } from '../kinds/shapes.ts';
import { Claim } from './claims.ts';
import { after, Done, instant, pageOf, trimmed, uuid, whole, worded } from './fields.ts';
import {
  CONDITIONS_PER_GROUP,
  DECISION_REASON_MAX,
  LARGE_BODY_BYTES,
  TASK_CAP_MAX,
  TASK_COOL_DOWN_MAX_MINUTES,
  TASK_INSTRUCTIONS_MAX,
  TASK_POINTS_MAX,
  TASK_TITLE_MAX,
  TASKS_PER_COMMUNITY,
  TOTAL_POINTS_MAX,
} from './limits.ts';
import { command, type Declaration, type RouteKey, read } from './route.ts';

export { TaskAsk, TaskKind, TaskSetup };
export const Recurrence = z.enum(['once', 'daily', 'weekly', 'monthly']);
export type Recurrence = z.infer<typeof Recurrence>;
/** `scheduled` is a live task that opens later; it is derived from `opensAt`. */
export const TaskStatus = z.enum(['draft', 'scheduled', 'live', 'archived']);
export type TaskStatus = z.infer<typeof TaskStatus>;

const clock = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, as 22:00'));
/** Hours in which a task is open, on the member's own clock. `days` are ISO weekdays, 1 is Monday. */
export const Window = z.strictObject({
  days: z.array(whole(1, 7)).check(z.minLength(1), z.maxLength(7)),
  from: clock,
  /** Not later than `from`: until then on the next day. */
  until: clock,
});
export type Window = z.infer<typeof Window>;

export const Schedule = z.strictObject({
  opensAt: z.nullable(instant),
  closesAt: z.nullable(instant),
  window: z.nullable(Window),
});
export type Schedule = z.infer<typeof Schedule>;

export const Caps = z.strictObject({
  /** Approved and waiting claims of all members together. */
  total: z.nullable(whole(1, TASK_CAP_MAX)),
  /** Approved and waiting claims of one member over all periods. */
  member: z.nullable(whole(1, TASK_CAP_MAX)),
  /** Wait after a failed try. */
  coolDownMinutes: whole(0, TASK_COOL_DOWN_MAX_MINUTES),
});
export type Caps = z.infer<typeof Caps>;

export const Condition = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('level'), atLeast: whole(1, 1_000) }),
  z.strictObject({ is: z.literal('points'), atLeast: whole(1, TOTAL_POINTS_MAX) }),
  z.strictObject({ is: z.literal('role'), role: z.enum(['member', 'moderator']) }),
  z.strictObject({ is: z.literal('task'), taskId: uuid }),
  z.strictObject({ is: z.literal('date'), from: z.nullable(instant), until: z.nullable(instant) }),
]);
export type Condition = z.infer<typeof Condition>;
const group = <S extends z.ZodMiniType>(of: S) =>
  z.strictObject({
    match: z.enum(['all', 'any']),
    of: z.array(of).check(z.minLength(1), z.maxLength(CONDITIONS_PER_GROUP)),
  });
/** AND and OR in two levels, which any such rule can be written in. */
export const Conditions = group(z.union([Condition, group(Condition)]));
export type Conditions = z.infer<typeof Conditions>;

/** A task as every member who may see it gets it. */
export const Task = z.object({
  id: z.string(),
  kind: TaskKind,
  title: z.string(),
  instructions: z.string(),
  points: z.number(),
  recurrence: Recurrence,
  status: TaskStatus,
  schedule: Schedule,
  caps: Caps,
  conditions: z.nullable(Conditions),
});
export type Task = z.infer<typeof Task>;

/** What blocks a task for a member, now. */
export const Gate = z.object({
  open: z.boolean(),
  reason: z.nullable(
    z.enum(['conditions', 'not_open_yet', 'closed', 'window', 'cool_down', 'cap', 'member_cap', 'leader', 'granted']),
  ),
  /** When it opens, where that is known. */
  opensAt: z.nullable(z.string()),
  /**
   * Each condition as a step of the path, with the other task's title. A task that is over and that the member has not
   * done is left out, because it can no longer be done.
   */
  path: z.array(z.object({ condition: Condition, met: z.boolean(), title: z.nullable(z.string()) })),
});
export type Gate = z.infer<typeof Gate>;

/** A task with the asker's claim in the current period, if any. */
export const TaskWithClaim = z.extend(Task, { ask: TaskAsk, gate: Gate, claim: z.nullable(Claim) });
export type TaskWithClaim = z.infer<typeof TaskWithClaim>;

/** A task as its leaders edit it. */
export const LeaderTask = z.extend(Task, {
  /** Null for moderators: they compete, and a quiz holds its answers. */
  setup: z.nullable(TaskSetup),
  createdAt: z.string(),
  /** Claims of all time, by where they ended. */
  claims: z.object({ waiting: z.number(), approved: z.number(), rejected: z.number() }),
  /** Season whose rules hold it fast, if any. */
  lockedBy: z.nullable(z.string()),
});
export type LeaderTask = z.infer<typeof LeaderTask>;

export const NewTask = z.strictObject({
  setup: TaskSetup,
  title: worded(3, TASK_TITLE_MAX),
  instructions: trimmed(0, TASK_INSTRUCTIONS_MAX),
  points: whole(0, TASK_POINTS_MAX),
  recurrence: Recurrence,
  /** `live` when absent. */
  status: z.optional(z.enum(['draft', 'live'])),
  schedule: z.optional(Schedule),
  caps: z.optional(Caps),
  conditions: z.optional(z.nullable(Conditions)),
});
export type NewTask = z.infer<typeof NewTask>;

/** A draft changes in everything but its kind; what claims were made for stays: setup, points and recurrence. */
export const TaskChange = z.strictObject({
  setup: z.optional(TaskSetup),
  title: z.optional(worded(3, TASK_TITLE_MAX)),
  instructions: z.optional(trimmed(0, TASK_INSTRUCTIONS_MAX)),
  points: z.optional(whole(0, TASK_POINTS_MAX)),
  recurrence: z.optional(Recurrence),
  status: z.optional(z.enum(['draft', 'live', 'archived'])),
  schedule: z.optional(Schedule),
  caps: z.optional(Caps),
  conditions: z.optional(z.nullable(Conditions)),
});
export type TaskChange = z.infer<typeof TaskChange>;

export const PollResult = z.object({
  votes: z.number(),
  /** Null until the asker has voted. Of a scale the ids are its numbers. */
  counts: z.nullable(z.array(z.object({ optionId: z.string(), votes: z.number() }))),
});
export type PollResult = z.infer<typeof PollResult>;

/** A steward's device makes codes offline with this. */
export const EventKey = z.object({
  taskId: z.string(),
  title: z.string(),
  /** Ed25519, PKCS #8, base64url. */
  privateKey: z.string(),
  publicKey: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
});
export type EventKey = z.infer<typeof EventKey>;

export const taskRoutes = {
  'GET /api/communities/:communityId/tasks': read('moderator', 'All tasks as leaders see them, drafts included', {
    query: z.object({ after, status: z.optional(TaskStatus) }),
    output: pageOf(LeaderTask),
  }),
  'POST /api/communities/:communityId/tasks': command('leader', 'Add a task', {
    body: NewTask,
    bodyBytes: LARGE_BODY_BYTES,
    output: Task,
    status: 201,
  }),
  'PUT /api/communities/:communityId/task-order': command(
    'leader',
    'Put tasks in an order; those that are not named come after them, the oldest first',
    { body: z.strictObject({ taskIds: z.array(uuid).check(z.maxLength(TASKS_PER_COMMUNITY)) }), output: Done },
  ),
  'GET /api/communities/:communityId/tasks/:taskId': read('member', 'One task with my claim', {
    output: TaskWithClaim,
  }),
  'PATCH /api/communities/:communityId/tasks/:taskId': command('leader', 'Change, publish or archive a task', {
    body: TaskChange,
    bodyBytes: LARGE_BODY_BYTES,
    output: Task,
  }),
  'POST /api/communities/:communityId/tasks/:taskId/copies': command('leader', 'Copy a task as a draft', {
    output: Task,
    status: 201,
  }),
  'GET /api/communities/:communityId/tasks/:taskId/preview': read('moderator', 'The task as a member would see it', {
    output: TaskWithClaim,
  }),
  'POST /api/communities/:communityId/tasks/:taskId/grants': command('leader', 'Give a member a manual task', {
    body: z.strictObject({ userId: uuid, reason: worded(3, DECISION_REASON_MAX) }),
    output: Claim,
    status: 201,
  }),
  'GET /api/communities/:communityId/tasks/:taskId/poll': read(
    'member',
    'How a poll or a scale stands, for its leaders and for who has voted',
    { output: PollResult },
  ),
  'GET /api/communities/:communityId/tasks/:taskId/event-key': read(
    'moderator',
    'What a steward needs to show codes offline',
    { output: EventKey, perMinute: 30 },
  ),
} as const satisfies Record<RouteKey, Declaration>;
