import { HttpError } from '../../../../server/base/http-error.ts';
import type { Claim } from '../../../../server/contract/claims.ts';
import { RECORD_SHOWN, REVIEW_PAGE, SIMILAR_FROM, SIMILAR_SHOWN } from '../../../../server/contract/limits.ts';
import type { BulkResult, NewDecision, ReviewItem } from '../../../../server/contract/review.ts';
import { whyFull } from '../../../../server/domain/gate.ts';
import {
  ACTORS,
  alreadyDecided,
  decidedWords,
  GRANTED,
  OUTCOMES,
  type Outcome,
  placeTaken,
  REFUSED,
  refuseUnseen,
} from '../../../../server/domain/review-rules.ts';
import { setupOf, taskOf } from '../../../../server/domain/task-row.ts';
import { likeness, prose } from '../../../../server/domain/text.ts';
import { retryAfter } from '../../../../server/domain/tries.ts';
import type { AnswersFor } from './answers.ts';
import { shownClaim } from './claim-shown.ts';
import { award, findClaim } from './claims.ts';
import { askOfTask, factsOf, findTask } from './tasks.ts';
import {
  type Asker,
  audit,
  type Community,
  claimsOf,
  membershipOf,
  nameOf,
  note,
  notify,
  personOf,
  pointsOf,
  record,
  roleIn,
  type StoredClaim,
  titleOf,
} from './world.ts';

const isAppeal = ({ appeal }: StoredClaim): boolean => appeal?.outcome === 'open';
const since = (claim: StoredClaim): string => (isAppeal(claim) && claim.appeal ? claim.appeal.at : claim.submittedAt);

/** Who else could hear an appeal than this reviewer. */
const othersThan = (community: Community, me: string, claim: StoredClaim): boolean =>
  community.members.some(({ userId, role }) => role !== 'member' && userId !== me && userId !== claim.userId);

/** What waits for this reviewer: never one's own, nor an appeal against one's own word while others could hear it. */
export function waitingFor({ world, me }: Asker, community: Community): StoredClaim[] {
  return claimsOf(world, community.id)
    .filter(
      (claim) =>
        claim.userId !== me.id &&
        (claim.state === 'submitted' ||
          claim.state === 'checking' ||
          (isAppeal(claim) && (claim.deciderId !== me.id || !othersThan(community, me.id, claim)))),
    )
    .sort((a, b) => Number(isAppeal(b)) - Number(isAppeal(a)) || since(a).localeCompare(since(b)));
}

export function reviewItem({ world, me, now }: Asker, community: Community, claim: StoredClaim): ReviewItem {
  const task = findTask(world, community, claim.taskId);
  const setup = setupOf(task);
  const past = claimsOf(world, community.id).filter(({ userId }) => userId === claim.userId);
  const mayKnow = roleIn(community, me.id) === 'leader';
  const member = personOf(world, claim.userId);
  return {
    claim: shownClaim(world, claim),
    task: taskOf(task, now),
    ask: askOfTask(setup),
    right:
      setup.kind === 'quiz' && mayKnow
        ? setup.questions.map(({ id, correct }) => ({ questionId: id, optionIds: correct }))
        : null,
    history: claim.history,
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

/** History, audit and word to the member, then the award. */
function afterwards(
  asker: Asker,
  community: Community,
  step: Outcome & { claim: StoredClaim; reason: string | null; from: Claim['state'] },
): Claim {
  const { world, me, now } = asker;
  const { claim, kind, action, reason, from } = step;
  note(world, claim, { kind, at: now, actorId: me.id, reason }, from, ACTORS);
  audit(asker, { communityId: community.id, action, subject: nameOf(world, claim.userId), reason });
  notify(
    world,
    {
      userId: claim.userId,
      topic: 'review',
      title: findTask(world, community, claim.taskId).title,
      body: decidedWords(claim.state),
      path: `/engagement-complete?community=${community.slug}&task=${claim.taskId}`,
    },
    now,
  );
  if (step.to === 'approved') award(asker, claim, me.id);
  return shownClaim(world, claim);
}

/** Decides a claim that waits, or the appeal against its rejection, by the server's own rules. */
function decide(asker: Asker, community: Community, claimId: string, input: NewDecision): Claim {
  const { world, me, now } = asker;
  const reason = input.reason ? prose('reason', input.reason) : null;
  if (reason === null && input.decision !== 'approve')
    throw new HttpError(422, 'REASON_REQUIRED', 'Say why: the member reads it and may try again.');
  const claim = findClaim(world, community, claimId);
  if (claim.userId === me.id) throw new HttpError(403, 'OWN_CLAIM', 'This claim is your own: someone else reviews it.');
  const appealOutcome = claim.appeal?.outcome ?? null;
  refuseUnseen({ ...claim, appealOutcome }, input, shownClaim(world, claim));
  const from = claim.state;
  const decided = { decidedAt: now.toISOString(), deciderId: me.id, reason };
  if (isAppeal(claim) && claim.appeal) {
    if (claim.deciderId === me.id && othersThan(community, me.id, claim))
      throw new HttpError(403, 'OWN_DECISION', 'You rejected this: someone else hears the appeal.');
    if (input.decision === 'request_changes')
      throw new HttpError(422, 'NOT_FOR_APPEALS', 'Grant the appeal or refuse it: there is nothing left to change.');
    const outcome = input.decision === 'approve' ? GRANTED : REFUSED;
    if (outcome === GRANTED) refuseSpent(asker, community, claim);
    Object.assign(claim, decided, {
      state: outcome.to,
      appeal: { ...claim.appeal, outcome: outcome === GRANTED ? 'granted' : 'refused' },
      retryAt: outcome === GRANTED ? null : claim.retryAt,
    });
    return afterwards(asker, community, { claim, ...outcome, reason, from });
  }
  const outcome = OUTCOMES[input.decision];
  const { coolDownMinutes } = findTask(world, community, claim.taskId);
  Object.assign(claim, decided, {
    state: outcome.to,
    retryAt: outcome.to === 'rejected' ? (retryAfter(coolDownMinutes, now)?.toISOString() ?? null) : null,
    checks: [...claim.checks, { what: 'review', at: now.toISOString(), ok: outcome.to === 'approved', note: null }],
  });
  return afterwards(asker, community, { claim, ...outcome, reason, from });
}

/** What was rejected held no place: a later claim may have taken it. */
function refuseSpent({ world, now }: Asker, community: Community, claim: StoredClaim): void {
  const member = personOf(world, claim.userId);
  const full =
    member && whyFull(findTask(world, community, claim.taskId), factsOf({ world, me: member, now }, community));
  if (full) throw placeTaken(full.reason);
}

const BULK: Partial<Record<string, BulkResult['outcome']>> = {
  CLAIM_CHANGED: 'changed',
  OWN_CLAIM: 'own_claim',
  OWN_DECISION: 'own_claim',
  NOT_FOUND: 'not_found',
};

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
        : claimsOf(asker.world, community.id)
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
    return { items, next: null, waiting: waiting.length };
  },

  'GET /api/communities/:communityId/members/:userId/record': ({ asker: { world }, community, params: { userId } }) => {
    const sent = claimsOf(world, community.id).filter((claim) => claim.userId === userId);
    const decided = sent.filter(({ deciderId, appeal }) => deciderId !== null && appeal?.outcome !== 'open');
    const last = decided
      .flatMap(({ id, taskId, state, decidedAt, reason }) =>
        state === 'approved' || state === 'rejected' || state === 'reversed'
          ? [{ claimId: id, task: titleOf(world, taskId) ?? '', state, at: decidedAt ?? '', reason }]
          : [],
      )
      .sort((a, b) => a.at.localeCompare(b.at))
      .slice(-RECORD_SHOWN);
    return {
      id: userId,
      displayName: nameOf(world, userId) ?? '',
      joinedAt: membershipOf(community, userId)?.joinedAt ?? null,
      points: pointsOf(world, userId, community.id),
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
    decide(asker, community, params.claimId, body),

  'POST /api/communities/:communityId/decisions': ({ asker, community, body }) => ({
    results: body.decisions.map(({ claimId, ...decision }): BulkResult => {
      try {
        return { claimId, outcome: 'decided', claim: decide(asker, community, claimId, decision) };
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        return { claimId, outcome: BULK[error.reason] ?? 'already_decided', claim: null };
      }
    }),
  }),

  'GET /api/communities/:communityId/claims/:claimId/similar': ({ asker: { world }, community, params }) => {
    const claim = findClaim(world, community, params.claimId);
    const text = claim.evidence?.kind === 'submit_text' ? claim.evidence.text : null;
    return claimsOf(world, community.id)
      .filter(({ id, taskId }) => id !== claim.id && taskId === claim.taskId)
      .flatMap((other) =>
        text !== null && other.evidence?.kind === 'submit_text'
          ? [
              {
                claim: shownClaim(world, other),
                displayName: nameOf(world, other.userId) ?? '',
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
    audit(asker, { communityId: community.id, action: 'replies.changed', subject: null });
    return body;
  },

  'POST /api/communities/:communityId/claims/:claimId/reversal': ({ asker, community, params, body }) => {
    const { world, me, now } = asker;
    const claim = findClaim(world, community, params.claimId);
    if (claim.state !== 'approved') throw alreadyDecided(shownClaim(world, claim));
    const reason = prose('reason', body.reason);
    Object.assign(claim, { state: 'reversed', decidedAt: now.toISOString(), deciderId: me.id, reason });
    const { userId, taskId, points } = claim;
    const taken = { kind: 'reverse', points: -points, communityId: community.id, userId, taskId, reason } as const;
    afterwards(asker, community, {
      claim,
      kind: 'reversed',
      to: 'reversed',
      action: 'claim.reversed',
      reason,
      from: 'approved',
    });
    record(world, { ...taken, actorId: me.id }, now, claim);
    return shownClaim(world, claim);
  },
} satisfies AnswersFor<'leader'>;
