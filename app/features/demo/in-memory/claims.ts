import { HttpError, notFound } from '../../../../server/base/http-error.ts';
import type { Claim, NewClaim } from '../../../../server/contract/claims.ts';
import {
  type ClaimFacts,
  momentOfClaim,
  newClaim,
  refuseUnwanted,
  resubmitted,
} from '../../../../server/domain/claiming.ts';
import { appealAgainst, QUEUE_WAITS } from '../../../../server/domain/review-rules.ts';
import { setupOf } from '../../../../server/domain/task-row.ts';
import { prose } from '../../../../server/domain/text.ts';
import { TRIES_WITHIN_MS } from '../../../../server/domain/tries.ts';
import { type AnswersFor, onePage } from './answers.ts';
import { standingsOf } from './chats.ts';
import { claimDetail, newerThan, shownClaim } from './claim-shown.ts';
import { judge } from './judge.ts';
import { factsOf, findTask, isAlive } from './tasks.ts';
import {
  type Asker,
  type Community,
  membershipOf,
  note,
  notify,
  recordClaim,
  roleIn,
  type StoredClaim,
  type StoredTask,
  type World,
} from './world.ts';

export function findClaim(world: World, community: Community, claimId: string): StoredClaim {
  const claim = world.claimsOf(community.id).find(({ id }) => id === claimId);
  if (!claim) throw notFound('claim');
  return claim;
}
function findMine({ world, me }: Asker, community: Community, claimId: string): StoredClaim {
  const claim = findClaim(world, community, claimId);
  if (claim.userId !== me.id) throw notFound('claim');
  return claim;
}

function claimFactsOf(asker: Asker, community: Community, task: StoredTask): ClaimFacts {
  const { world, me } = asker;
  const membership = membershipOf(community, me.id);
  const since = [task.createdAt, task.publishedAt, membership?.joinedAt].filter((at) => typeof at === 'string');
  return {
    task,
    role: membership?.role ?? null,
    possibleSince: new Date(Math.max(...since.map((at) => Date.parse(at)))),
    gates: factsOf(asker, community, [task]),
    chats: standingsOf(community, me.id),
    zoneAt: () => me.timeZone,
    holderOf: (period) => {
      const held = mineOf(asker, task.id).filter((one) => one.period === period && one.state !== 'rejected');
      const holder = held.findLast(isAlive) ?? held.at(-1);
      return holder ? shownClaim(world, holder) : null;
    },
  };
}

const mineOf = ({ world, me }: Asker, taskId: string): StoredClaim[] =>
  world.claims.filter((one) => one.taskId === taskId && one.userId === me.id);

export function claimTask(asker: Asker, community: Community, taskId: string, input: NewClaim): Claim {
  const { world, me, now } = asker;
  const task = findTask(world, community, taskId);
  if (task.status === 'draft') throw notFound('task');
  const { at, day, period, deviceAt } = momentOfClaim(claimFactsOf(asker, community, task), input, now);
  const verdict = judge(asker, task, setupOf(task), input.evidence, deviceAt);
  const tried = { ...task, ...triesAt(asker, task) };
  const replacesAppeal = verdict.state !== 'rejected' && withdrawAppeals(asker, task.id, period);
  const claim: StoredClaim = {
    ...newClaim({ id: world.newId(), task, period, tried, replacesAppeal }, verdict, now),
    communityId: community.id,
    userId: me.id,
    deciderId: null,
    history: [],
    actedAt: at.toISOString(),
    day,
  };
  world.claims.push(claim);
  const { reason, evidence, decidedAt } = claim;
  const kind = decidedAt === null ? 'submitted' : 'checked';
  note(asker, claim, kind, null, { reason, evidence });
  if (claim.state === 'approved') recordClaim(asker, claim, 'award', null);
  if (decidedAt === null) notifyReviewers(asker, community);
  return shownClaim(world, claim);
}

function triesAt(asker: Asker, task: StoredTask): { tries: number; firstTryAt: Date | null } {
  const since = asker.now.getTime() - TRIES_WITHIN_MS;
  const tries = mineOf(asker, task.id).filter(
    (one) => one.state === 'rejected' && one.deciderId === null && Date.parse(one.submittedAt) > since,
  );
  return { tries: tries.length, firstTryAt: tries[0] ? new Date(tries[0].submittedAt) : null };
}

/** Withdraws an open appeal when its member sends a new claim for the period. Answers whether there was one. */
function withdrawAppeals(asker: Asker, taskId: string, period: string): boolean {
  const open = mineOf(asker, taskId).filter((one) => one.period === period && one.appeal?.outcome === 'open');
  for (const one of open) {
    if (one.appeal) one.appeal = { ...one.appeal, outcome: 'withdrawn' };
    note(asker, one, 'appeal_withdrawn', one.state);
  }
  return open.length > 0;
}

function notifyReviewers(asker: Asker, { slug, name, members }: Community): void {
  const reviewers = members.filter(({ role }) => role !== 'member');
  const path = `/community/${slug}/admin?room=review`;
  notify(asker, reviewers, { topic: 'queue', title: name, body: QUEUE_WAITS, path });
}

export function appeal(asker: Asker, community: Community, claimId: string, body: { text: string }): Claim {
  const { world, now } = asker;
  const text = prose('text', body.text);
  const claim = findMine(asker, community, claimId);
  const made = appealAgainst(shownClaim(world, claim), newerThan(world, claim), text, now);
  withdrawAppeals(asker, claim.taskId, claim.period);
  claim.appeal = made;
  note(asker, claim, 'appealed', claim.state, { reason: text });
  notifyReviewers(asker, community);
  return shownClaim(world, claim);
}

export const claimAnswers = {
  'POST /api/communities/:communityId/tasks/:taskId/claims': ({ asker, community, params, body }) =>
    claimTask(asker, community, params.taskId, body),

  'GET /api/communities/:communityId/claims': ({ asker: { world, me }, community, query: { state } }) =>
    onePage(
      world
        .claimsOf(community.id)
        .filter((claim) => claim.userId === me.id && (state === undefined || claim.state === state))
        .toReversed()
        .map((claim) => shownClaim(world, claim)),
    ),

  'GET /api/communities/:communityId/claims/:claimId': ({ asker, community, params }) => {
    const claim = findClaim(asker.world, community, params.claimId);
    if (claim.userId !== asker.me.id && roleIn(community, asker.me.id) === 'member') throw notFound('claim');
    return claimDetail(asker, community, claim);
  },

  'POST /api/communities/:communityId/claims/:claimId/resubmission': ({ asker, community, params, body }) => {
    const { world, now } = asker;
    const claim = findMine(asker, community, params.claimId);
    refuseUnwanted(shownClaim(world, claim), body.evidence);
    const task = findTask(world, community, claim.taskId);
    const deviceAt = body.actedAt === undefined ? now : new Date(body.actedAt);
    const verdict = judge(asker, task, setupOf(task), body.evidence, deviceAt);
    const from = claim.state;
    Object.assign(claim, resubmitted(claim, verdict, task.coolDownMinutes, now), { deciderId: null });
    const { state, reason, evidence } = claim;
    const isRejected = state === 'rejected';
    const kind = isRejected ? 'checked' : 'resubmitted';
    note(asker, claim, kind, from, { reason, evidence });
    if (!isRejected) notifyReviewers(asker, community);
    return shownClaim(world, claim);
  },

  'POST /api/communities/:communityId/claims/:claimId/appeal': ({ asker, community, params, body }) =>
    appeal(asker, community, params.claimId, body),

  'PUT /api/communities/:communityId/images/:imageId': async ({ asker: { world }, params, body }) => {
    world.pictures.set(params.imageId, await dataAddressOf(body));
    return { id: params.imageId, width: 0, height: 0 };
  },

  'PUT /api/communities/:communityId/files/:fileId': async ({ asker: { world }, params, body }) => {
    world.pictures.set(params.fileId, await dataAddressOf(body));
    return { id: params.fileId };
  },
} satisfies AnswersFor<'member'>;

/** Uploaded bytes as a `data:` address. Throws 422 `IMAGE_INVALID` for anything else. */
async function dataAddressOf(sent: unknown): Promise<string> {
  if (!(sent instanceof Blob)) throw new HttpError(422, 'IMAGE_INVALID', 'This is neither a picture nor a file.');
  const bytes = new Uint8Array(await sent.arrayBuffer());
  // In chunks, because a call takes a limited number of arguments.
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return `data:${sent.type};base64,${btoa(text)}`;
}
