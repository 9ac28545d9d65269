import * as z from 'zod/mini';
import { Badge } from './badges.ts';
import { CommunityRole, CommunitySummary } from './community.ts';
import { after, Done, pageOf, trimmed, worded } from './fields.ts';
import { APPLICATION_TEXT_MAX, DECISION_REASON_MAX, INVITE_CODE_MAX, LINK_MAX, SEARCH_MAX } from './limits.ts';
import { command, type Declaration, type RouteKey, read, route } from './route.ts';

export const Member = z.object({
  id: z.string(),
  displayName: z.string(),
  telegramUsername: z.nullable(z.string()),
  twitterUsername: z.nullable(z.string()),
  role: CommunityRole,
  joinedAt: z.string(),
  points: z.number(),
  lastActiveAt: z.nullable(z.string()),
});
export type Member = z.infer<typeof Member>;

/** One signal for or against trust, with its effect on the score. There is no hidden verdict. */
export const TrustSignal = z.object({
  code: z.enum([
    'account_age',
    'membership_age',
    'x_linked',
    'approved_share',
    'reversals',
    'pace',
    'likeness',
    'invited_burst',
  ]),
  effect: z.number(),
  note: z.string(),
});
export type TrustSignal = z.infer<typeof TrustSignal>;

export const MemberDetail = z.extend(Member, {
  approved: z.number(),
  rejected: z.number(),
  reversed: z.number(),
  invitedBy: z.nullable(z.string()),
  badges: z.array(Badge),
  /** 0 to 100, advisory: gates rewards, never access. */
  trust: z.object({ score: z.number(), signals: z.array(TrustSignal) }),
});
export type MemberDetail = z.infer<typeof MemberDetail>;

export const Invite = z.object({
  code: z.string(),
  url: z.string(),
  /** Points with which an invitee counts. */
  threshold: z.number(),
  qualified: z.number(),
  invited: z.array(z.object({ displayName: z.string(), joinedAt: z.string(), qualified: z.boolean() })),
});
export type Invite = z.infer<typeof Invite>;

const inviteCode = trimmed(4, INVITE_CODE_MAX);

export const Application = z.object({
  id: z.string(),
  state: z.enum(['submitted', 'approved', 'rejected']),
  about: z.string(),
  plan: z.string(),
  link: z.nullable(z.string()),
  submittedAt: z.string(),
  decidedAt: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});
export type Application = z.infer<typeof Application>;
export const LeaderApplication = z.object({
  /** Each line of the checklist; all met: no application is needed. */
  eligibility: z.array(
    z.object({ what: z.enum(['telegram_username', 'x_linked', 'verified', 'in_channel']), met: z.boolean() }),
  ),
  mayLead: z.boolean(),
  application: z.nullable(Application),
});
export type LeaderApplication = z.infer<typeof LeaderApplication>;

const reason = worded(3, DECISION_REASON_MAX);

export const memberRoutes = {
  'GET /api/communities/:communityId/members': read('moderator', 'Members, by name or handle and role', {
    scope: 'read:members',
    query: z.object({
      after,
      search: z.optional(z.string().check(z.maxLength(SEARCH_MAX))),
      role: z.optional(CommunityRole),
      order: z.optional(z.enum(['points', 'joined', 'name'])),
    }),
    output: z.object({ items: z.array(Member), next: z.nullable(z.string()), total: z.number() }),
  }),
  'GET /api/communities/:communityId/members/:userId': read('leader', 'One member with the signals of trust', {
    scope: 'read:members',
    output: MemberDetail,
  }),
  'PUT /api/communities/:communityId/members/:userId/role': command('leader', 'Change a role; the last leader stays', {
    body: z.strictObject({ role: CommunityRole }),
    output: Member,
  }),
  'POST /api/communities/:communityId/members/:userId/removal': command(
    'leader',
    'Remove a member, with a reason; the ledger stays',
    { body: z.strictObject({ reason }), output: Done },
  ),
  'GET /api/communities/:communityId/invite': read('member', 'My invite link and whom it brought', { output: Invite }),
  'GET /api/invites': read('public', 'Where an invite code leads', {
    query: z.object({ code: inviteCode }),
    output: z.object({ community: CommunitySummary, invitedBy: z.string() }),
    perMinute: 30,
  }),
  'POST /api/invites/accept': command('verified', 'Join with an invite code, private communities too', {
    body: z.strictObject({ code: inviteCode }),
    output: CommunitySummary,
    perMinute: 20,
  }),
  'GET /api/user/leader-application': read('user', 'Whether I may lead, and how my application stands', {
    output: LeaderApplication,
  }),
  'POST /api/user/leader-application': command('user', 'Apply to lead', {
    body: z.strictObject({
      about: worded(20, APPLICATION_TEXT_MAX),
      plan: worded(20, APPLICATION_TEXT_MAX),
      link: z.optional(trimmed(8, LINK_MAX)),
    }),
    output: LeaderApplication,
    status: 201,
    perMinute: 10,
  }),
  'GET /api/admin/leader-applications': route('admin', 'Applications to lead, those that wait first', {
    query: z.object({ after }),
    output: pageOf(z.extend(Application, { userId: z.string(), displayName: z.string() })),
    cache: 'no-store',
    perMinute: 60,
  }),
  'POST /api/admin/leader-applications/:applicationId/decision': command(
    'admin',
    'Approve an application, which verifies the account by hand, or reject it',
    { body: z.strictObject({ decision: z.enum(['approve', 'reject']), reason }), output: Application },
  ),
} as const satisfies Record<RouteKey, Declaration>;
