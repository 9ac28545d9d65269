import * as z from 'zod/mini';
import { Claim, ClaimState, ClaimStep } from './claims.ts';
import { after, uuid, whole, worded } from './fields.ts';
import {
  CLAIM_VERSION_MAX,
  DECISION_REASON_MAX,
  DECISIONS_AT_ONCE,
  LARGE_BODY_BYTES,
  SAVED_REPLIES_MAX,
  SEARCH_MAX,
} from './limits.ts';
import { MemberDetail } from './members.ts';
import { PaperLine } from './quiz.ts';
import { command, type Declaration, type RouteKey, read } from './route.ts';
import { Task, TaskAsk, TaskKind } from './tasks.ts';

export const ReviewItem = z.object({
  claim: Claim,
  task: Task,
  /** The question in the order in which the member saw it. */
  ask: TaskAsk,
  /**
   * The right options of a quiz. Null for other kinds, and for moderators who have not passed the quiz themselves,
   * because they may still take it. The member's answers are withheld from them, too.
   */
  right: z.nullable(z.array(z.object({ questionId: z.string(), optionIds: z.array(z.string()) }))),
  /** For a quiz that draws from a pack: this member's questions and answers, withheld like `right`. */
  paper: z.optional(z.array(PaperLine)),
  history: z.array(ClaimStep),
  member: z.object({
    id: z.string(),
    displayName: z.string(),
    telegramUsername: z.nullable(z.string()),
    twitterUsername: z.nullable(z.string()),
    joinedAt: z.string(),
    approved: z.number(),
    /** By a person: an automatic check that failed is no rejection. */
    rejected: z.number(),
  }),
});
export type ReviewItem = z.infer<typeof ReviewItem>;

export const Decision = z.enum(['approve', 'reject', 'request_changes']);
export type Decision = z.infer<typeof Decision>;
const decision = {
  decision: Decision,
  reason: z.optional(worded(3, DECISION_REASON_MAX)),
  /**
   * `version` of the claim that the reviewer saw; absent: the first one. A decision about another version than the
   * current one is a conflict (409) and changes nothing.
   */
  version: z.optional(whole(1, CLAIM_VERSION_MAX)),
};

export const NewDecision = z.strictObject(decision);
export type NewDecision = z.infer<typeof NewDecision>;

/** Decisions of a bulk are independent: one that lost a race does not block the others. */
export const BulkResult = z.object({
  claimId: z.string(),
  /** `changed`: it still waits, as another version than the decided one. */
  outcome: z.enum(['decided', 'already_decided', 'changed', 'own_claim', 'not_found']),
  /** The claim as it is now, where there is one. */
  claim: z.nullable(Claim),
});
export type BulkResult = z.infer<typeof BulkResult>;

/** What waits, by task, as filters of the queue. */
export const WaitingOfTask = z.object({
  taskId: z.string(),
  title: z.string(),
  kind: TaskKind,
  answers: z.number(),
  appeals: z.number(),
});
export type WaitingOfTask = z.infer<typeof WaitingOfTask>;

/** What a reviewer considers about a member beside the answer. */
export const MemberRecord = z.object({
  id: z.string(),
  displayName: z.string(),
  joinedAt: z.nullable(z.string()),
  points: z.number(),
  approved: z.number(),
  /** By a person. */
  rejected: z.number(),
  appeals: z.number(),
  /** The last decisions of people about their claims, the latest last. */
  last: z.array(
    z.object({
      claimId: z.string(),
      task: z.string(),
      state: z.enum(['approved', 'rejected', 'reversed']),
      at: z.string(),
      reason: z.nullable(z.string()),
    }),
  ),
  /** Null for moderators: they compete with the members that it rates. */
  trust: z.nullable(MemberDetail.shape.trust),
});
export type MemberRecord = z.infer<typeof MemberRecord>;

const reply = worded(3, DECISION_REASON_MAX);
const replies = z.array(reply).check(z.maxLength(SAVED_REPLIES_MAX));
/** Words that a review offers, by the decision that they explain. */
export const SavedReplies = z.strictObject({ reject: replies, request_changes: replies });
export type SavedReplies = z.infer<typeof SavedReplies>;

export const reviewRoutes = {
  'GET /api/communities/:communityId/review': read(
    'moderator',
    'Claims that wait for me, the oldest first; open appeals before them',
    {
      scope: 'read:claims',
      query: z.object({
        after,
        taskId: z.optional(uuid),
        state: z.optional(ClaimState),
        /** Filters of what waits: one kind of task, open appeals only, text in a member's name or a task's title. */
        kind: z.optional(TaskKind),
        only: z.optional(z.literal('appeals')),
        search: z.optional(z.string().check(z.maxLength(SEARCH_MAX))),
      }),
      output: z.object({
        items: z.array(ReviewItem),
        next: z.nullable(z.string()),
        /** All that waits for me, whatever this page was narrowed to. */
        waiting: z.number(),
        /** The same by task. Copies from earlier builds lack it. */
        byTask: z.optional(z.array(WaitingOfTask)),
      }),
    },
  ),
  'POST /api/communities/:communityId/claims/:claimId/decision': command(
    'moderator',
    'Approve, reject or send back a claim; decides an open appeal',
    { scope: 'write:claims', body: NewDecision, output: Claim, perMinute: 240 },
  ),
  'POST /api/communities/:communityId/decisions': command('moderator', 'Decide several claims at once', {
    scope: 'write:claims',
    body: z.strictObject({
      decisions: z
        .array(z.strictObject({ claimId: uuid, ...decision }))
        .check(z.minLength(1), z.maxLength(DECISIONS_AT_ONCE)),
    }),
    bodyBytes: LARGE_BODY_BYTES,
    output: z.object({ results: z.array(BulkResult) }),
  }),
  'GET /api/communities/:communityId/claims/:claimId/similar': read(
    'moderator',
    'Other answers to the same task that are like this one',
    {
      output: z.array(
        z.object({
          claim: Claim,
          displayName: z.string(),
          /** 0 to 1; 1 is the same. */
          likeness: z.number(),
        }),
      ),
    },
  ),
  'GET /api/communities/:communityId/members/:userId/record': read(
    'moderator',
    'What came of the claims that a member sent before',
    { output: MemberRecord },
  ),
  'GET /api/communities/:communityId/saved-replies': read(
    'moderator',
    'Replies that a review offers; null until leaders have written their own',
    { output: z.nullable(SavedReplies) },
  ),
  'PUT /api/communities/:communityId/saved-replies': command('leader', 'Write the replies that a review offers', {
    body: SavedReplies,
    output: SavedReplies,
  }),
  'POST /api/communities/:communityId/claims/:claimId/reversal': command(
    'leader',
    'Take an approval back, with its points',
    { body: z.strictObject({ reason: worded(3, DECISION_REASON_MAX) }), output: Claim },
  ),
} as const satisfies Record<RouteKey, Declaration>;
