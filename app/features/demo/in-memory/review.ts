import { HttpError } from '../../../../server/base/http-error.ts';
import type { Claim } from '../../../../server/contract/claims.ts';
import { RECORD_SHOWN, REVIEW_PAGE, SIMILAR_FROM, SIMILAR_SHOWN } from '../../../../server/contract/limits.ts';
import type { BulkResult, NewDecision, ReviewItem, WaitingOfTask } from '../../../../server/contract/review.ts';
import { type Decided, decide, forReviewer, reasonOf, reverse, waitsFor } from '../../../../server/domain/deciding.ts';
import { whyFull } from '../../../../server/domain/gate.ts';
import { BULK_OUTCOMES, decidedWords } from '../../../../server/domain/review-rules.ts';
import { setupOf, taskOf } from '../../../../server/domain/task-row.ts';
import { likeness, prose } from '../../../../server/domain/text.ts';
import { kindOf } from '../../../../server/kinds/kinds.ts';
import type { AnswersFor } from './answers.ts';
import { shownClaim, shownToReviewer } from './claim-shown.ts';
import { findClaim } from './claims.ts';
import { askOfTask, factsOf, findTask } from './tasks.ts';
import {
  type Asker,
  audit,
  type Community,
  membershipOf,
  note,
  notify,
  recordClaim,
  roleIn,
  type StoredClaim,
  type World,
} from './world.ts';

const isAppeal = ({ appeal }: StoredClaim): boolean => appeal?.outcome === 'open';
const since = (claim: StoredClaim): string => (isAppeal(claim) && claim.appeal ? claim.appeal.at : claim.submittedAt);

const decidable = (world: World, claim: StoredClaim) => ({
  claim: shownClaim(world, claim),
  memberId: claim.userId,
  deciderId: claim.deciderId,
});
const reviewersOf = ({ members }: Community): string[] =>
  members.filter(({ role }) => role !== 'member').map(({ userId }) => userId);

/** This reviewer's queue: appeals first, then the longest waiting. */
export function waitingFor({ world, me }: Asker, community: Community): StoredClaim[] {
  const reviewers = reviewersOf(community);
  return world
    .claimsOf(community.id)
    .filter((claim) => waitsFor(decidable(world, claim), me.id, reviewers))
    .sort((a, b) => Number(isAppeal(b)) - Number(isAppeal(a)) || since(a).localeCompare(since(b)));
}

/** As `waitingFor`, by task; the one with the longest waiting first. */
function byTask(world: World, waiting: readonly StoredClaim[]): WaitingOfTask[] {
  const oldest = waiting.toSorted((a, b) => a.submittedAt.localeCompare(b.submittedAt));
  const ids = new Set(oldest.map(({ taskId }) => taskId));
  return world.tasks
    .filter(({ id }) => ids.has(id))
    .sort((a, b) => [...ids].indexOf(a.id) - [...ids].indexOf(b.id))
    .map(({ id: taskId, title, kind }) => {
      const claims = waiting.filter((claim) => claim.taskId === taskId);
      const appeals = claims.filter(isAppeal).length;
      return { taskId, title, kind, answers: claims.length - appeals, appeals };
    });
}

export function reviewItem({ world, me, now }: Asker, community: Community, claim: StoredClaim): ReviewItem {
  const task = findTask(world, community, claim.taskId);
  const setup = setupOf(task);
  const past = world.claimsOf(community.id).filter(({ userId }) => userId === claim.userId);
  const role = roleIn(community, me.id);
  const hasPassed = world.claims.some(
    ({ taskId, userId, state }) => taskId === task.id && userId === me.id && state === 'approved',
  );
  const member = world.personOf(claim.userId);
  const { history, ...shown } = forReviewer({ ...shownClaim(world, claim), history: claim.history }, role, hasPassed);
  return {
    claim: shown,
    task: taskOf(task, now),
    ask: askOfTask(setup),
    right: role === 'leader' || hasPassed ? (kindOf(setup.kind).right?.(setup) ?? null) : null,
    history,
    member: {
      id: claim.userId,
      displayName: member?.name ?? '',
      telegramUsername: member?.handle ?? null,
      twitterUsername: member?.handle ?? null,
      joinedAt: membershipOf(community, claim.userId)?.joinedAt ?? claim.submittedAt,
      approved: past.filter(({ state }) => state === 'approved').length,
      rejected: past.filter(({ state, deciderId }) => state === 'rejected' && deciderId !== null).length,
    },
  };
}

export function notifyMember(asker: Asker, community: Community, claim: StoredClaim): void {
  const title = asker.world.titleOf(claim.taskId) ?? '';
  const path = `/engagement-complete?community=${community.slug}&task=${claim.taskId}`;
  notify(asker, [claim], { topic: 'review', title, body: decidedWords(claim.state), path });
}

/** Records a decision: history, audit log, notification, then points. */
function settle(asker: Asker, community: Community, claim: StoredClaim, { outcome, ...decided }: Decided): Claim {
  const { world, me } = asker;
  const { state: from } = claim;
  Object.assign(claim, decided, { deciderId: me.id });
  note(asker, claim, outcome.kind, from, { reason: decided.reason });
  audit(asker, community, outcome.action, world.nameOf(claim.userId), decided.reason);
  notifyMember(asker, community, claim);
  if (outcome.to === 'approved') recordClaim(asker, claim, 'award', me.id);
  if (outcome.to === 'reversed') recordClaim(asker, claim, 'reverse', me.id);
  return shownToReviewer(asker, community, claim);
}

export function decideClaim(asker: Asker, community: Community, claimId: string, input: NewDecision): Claim {
  const { world, me, now } = asker;
  reasonOf(input);
  const claim = findClaim(world, community, claimId);
  const task = findTask(world, community, claim.taskId);
  const member = world.personOf(claim.userId);
  const { coolDownMinutes } = task;
  const facts = {
    ...decidable(world, claim),
    shown: shownToReviewer(asker, community, claim),
    coolDownMinutes,
    reviewerId: me.id,
    reviewers: reviewersOf(community),
    full: member && whyFull(task, factsOf({ world, me: member, now }, community)),
  };
  return settle(asker, community, claim, decide(facts, input, now));
}

export const reviewAnswers = {
  'GET /api/communities/:communityId/review': ({
    asker,
    community,
    query: { taskId, state, kind, only, search = '' },
  }) => {
    const waiting = waitingFor(asker, community);
    const wanted =
      state === undefined
        ? waiting
        : asker.world
            .claimsOf(community.id)
            .filter((claim) => claim.state === state && claim.userId !== asker.me.id)
            .toReversed();
    const words = search.trim().toLowerCase();
    const items = wanted
      .filter((claim) => (taskId === undefined || claim.taskId === taskId) && (only === undefined || isAppeal(claim)))
      .map((claim) => reviewItem(asker, community, claim))
      .filter(
        ({ task, member }) =>
          (kind === undefined || task.kind === kind) &&
          `${task.title}\n${member.displayName}`.toLowerCase().includes(words),
      )
      .slice(0, REVIEW_PAGE);
    return { items, next: null, waiting: waiting.length, byTask: byTask(asker.world, waiting) };
  },

  'GET /api/communities/:communityId/members/:userId/record': ({ asker: { world }, community, params: { userId } }) => {
    const sent = world.claimsOf(community.id).filter((claim) => claim.userId === userId);
    const decided = sent.filter(({ deciderId, appeal }) => deciderId !== null && appeal?.outcome !== 'open');
    const last = decided
      .flatMap(({ id, taskId, state, decidedAt, reason }) =>
        state === 'approved' || state === 'rejected' || state === 'reversed'
          ? [{ claimId: id, task: world.titleOf(taskId) ?? '', state, at: decidedAt ?? '', reason }]
          : [],
      )
      .sort((a, b) => a.at.localeCompare(b.at))
      .slice(-RECORD_SHOWN);
    return {
      id: userId,
      displayName: world.nameOf(userId) ?? '',
      joinedAt: membershipOf(community, userId)?.joinedAt ?? null,
      points: world.pointsOf(userId, community.id),
      approved: sent.filter(({ state }) => state === 'approved').length,
      rejected: sent.filter(({ state, deciderId }) => state === 'rejected' && deciderId !== null).length,
      appeals: sent.filter(({ appeal }) => appeal !== null).length,
      last,
      trust: null,
    };
  },

  'GET /api/communities/:communityId/saved-replies': ({ asker: { world }, community }) =>
    world.replies.get(community.id) ?? null,

  'POST /api/communities/:communityId/claims/:claimId/decision': ({ asker, community, params, body }) =>
    decideClaim(asker, community, params.claimId, body),

  'POST /api/communities/:communityId/decisions': ({ asker, community, body }) => ({
    results: body.decisions.map(({ claimId, ...decision }): BulkResult => {
      try {
        return { claimId, outcome: 'decided', claim: decideClaim(asker, community, claimId, decision) };
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        const outcome = BULK_OUTCOMES[error.reason];
        if (!outcome) throw error;
        const claim =
          outcome === 'not_found'
            ? null
            : shownToReviewer(asker, community, findClaim(asker.world, community, claimId));
        return { claimId, outcome, claim };
      }
    }),
  }),

  'GET /api/communities/:communityId/claims/:claimId/similar': ({ asker: { world }, community, params }) => {
    const claim = findClaim(world, community, params.claimId);
    const text = claim.evidence?.kind === 'submit_text' ? claim.evidence.text : null;
    return world
      .claimsOf(community.id)
      .filter(({ id, taskId }) => id !== claim.id && taskId === claim.taskId)
      .flatMap((other) =>
        text !== null && other.evidence?.kind === 'submit_text'
          ? [
              {
                claim: shownClaim(world, other),
                displayName: world.nameOf(other.userId) ?? '',
                likeness: likeness(text, other.evidence.text),
              },
            ]
          : [],
      )
      .filter((found) => found.likeness >= SIMILAR_FROM)
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, SIMILAR_SHOWN);
  },
} satisfies AnswersFor<'moderator'>;

export const reviewAnswersForLeaders = {
  'PUT /api/communities/:communityId/saved-replies': ({ asker, community, body }) => {
    asker.world.replies.set(community.id, body);
    audit(asker, community, 'replies.changed', null);
    return body;
  },

  'POST /api/communities/:communityId/claims/:claimId/reversal': ({ asker, community, params, body }) => {
    const { world, me, now } = asker;
    const reason = prose('reason', body.reason);
    const claim = findClaim(world, community, params.claimId);
    return settle(asker, community, claim, reverse(decidable(world, claim), me.id, reason, now));
  },
} satisfies AnswersFor<'leader'>;
