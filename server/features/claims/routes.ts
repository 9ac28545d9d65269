import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { isCheckPending } from '../chats/gate.ts';
import { fetchPerson } from '../chats/members.ts';
import { claimTask } from './claim.ts';
import { decideAll, decideClaim } from './decision.ts';
import { grantTask } from './grant.ts';
import { appeal, listMine, readClaim, resubmit } from './mine.ts';
import { readRecord } from './record.ts';
import { readReplies, writeReplies } from './replies.ts';
import { reverseClaim } from './reversal.ts';
import { readQueue, readSimilar, readWaitingByTask } from './review.ts';
import { previewTask, readTask } from './task-with-claim.ts';

export const claimHandlers = {
  'GET /api/communities/:communityId/tasks/:taskId': async ({ runtime, sql, params, actor, community }) => {
    const { userId, timeZone } = actor;
    const asker = { communityId: community.id, userId, timeZone, role: community.role, now: runtime.now() };
    return { json: await readTask(sql, asker, params.taskId) };
  },

  'GET /api/communities/:communityId/tasks/:taskId/preview': async ({ runtime, sql, params, actor, community }) => {
    const { userId, timeZone } = actor;
    const asker = { communityId: community.id, userId, timeZone, now: runtime.now() };
    return { json: await previewTask(sql, asker, params.taskId) };
  },

  'POST /api/communities/:communityId/tasks/:taskId/claims': async ({
    runtime,
    sql,
    params,
    body,
    actor,
    community,
  }) => {
    const { userId, timeZone, zoneBefore, zoneFrom } = actor;
    const zones = { timeZone, zoneBefore, zoneFrom };
    const xPoints = runtime.config.x.actionPoints;
    const scope = { communityId: community.id, taskId: params.taskId, userId, ...zones, now: runtime.now(), xPoints };
    try {
      return { json: await claimTask(sql, scope, body) };
    } catch (error) {
      // Checked in parallel, so the command does not wait: the device repeats it, and then the status is known.
      if (isCheckPending(error)) void fetchPerson(runtime, community.id, actor).catch(() => undefined);
      throw error;
    }
  },

  'GET /api/communities/:communityId/claims': async ({ sql, actor, query, community }) => ({
    json: await listMine(sql, {
      communityId: community.id,
      userId: actor.userId,
      after: query.after,
      state: query.state,
    }),
  }),

  'GET /api/communities/:communityId/claims/:claimId': async ({ runtime, sql, params, actor, community }) => {
    const { id: communityId, role } = community;
    const scope = { communityId, claimId: params.claimId, userId: actor.userId, role, now: runtime.now() };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readClaim(snapshot, scope)) };
  },

  'POST /api/communities/:communityId/claims/:claimId/resubmission': async ({
    runtime,
    sql,
    params,
    body,
    actor,
    community,
  }) => {
    const scope = { communityId: community.id, claimId: params.claimId, userId: actor.userId, now: runtime.now() };
    return { json: await resubmit(sql, scope, body) };
  },

  'POST /api/communities/:communityId/claims/:claimId/appeal': async ({
    runtime,
    sql,
    params,
    body,
    actor,
    community,
  }) => {
    const scope = { communityId: community.id, claimId: params.claimId, userId: actor.userId, now: runtime.now() };
    return { json: await appeal(sql, scope, body) };
  },

  'GET /api/communities/:communityId/review': async ({ runtime, sql, actor, query, community }) => {
    const scope = {
      communityId: community.id,
      reviewerId: actor.userId,
      role: community.role,
      now: runtime.now(),
      ...query,
    };
    return sql.begin(SNAPSHOT, async (snapshot) => {
      const { items, next } = await readQueue(snapshot, scope);
      const byTask = await readWaitingByTask(snapshot, scope);
      const waiting = byTask.reduce((sum, { answers, appeals }) => sum + answers + appeals, 0);
      return { json: { items, next, waiting, byTask } };
    });
  },

  'POST /api/communities/:communityId/claims/:claimId/decision': async ({
    runtime,
    sql,
    params,
    body,
    actor,
    community,
  }) => {
    const { claimId } = params;
    const scope = {
      communityId: community.id,
      claimId,
      reviewerId: actor.userId,
      role: community.role,
      now: runtime.now(),
    };
    return { json: await decideClaim(sql, scope, body) };
  },

  'POST /api/communities/:communityId/decisions': async ({ runtime, sql, body, actor, community }) => {
    const reviewer = { communityId: community.id, reviewerId: actor.userId, role: community.role, now: runtime.now() };
    return { json: { results: await decideAll(sql, reviewer, body.decisions) } };
  },

  'GET /api/communities/:communityId/claims/:claimId/similar': async ({ sql, params, community }) => ({
    json: await readSimilar(sql, { communityId: community.id, claimId: params.claimId }),
  }),

  'GET /api/communities/:communityId/members/:userId/record': async ({ runtime, sql, params, community }) => {
    const scope = { communityId: community.id, userId: params.userId, role: community.role, now: runtime.now() };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readRecord(snapshot, scope)) };
  },

  'GET /api/communities/:communityId/saved-replies': async ({ sql, community }) => ({
    json: await readReplies(sql, community.id),
  }),

  'PUT /api/communities/:communityId/saved-replies': async ({ runtime, sql, body, actor, community }) => ({
    json: await writeReplies(sql, { communityId: community.id, actorId: actor.userId, now: runtime.now() }, body),
  }),

  'POST /api/communities/:communityId/claims/:claimId/reversal': async ({
    runtime,
    sql,
    params,
    body,
    actor,
    community,
  }) => {
    const scope = { communityId: community.id, claimId: params.claimId, leaderId: actor.userId, now: runtime.now() };
    return { json: await reverseClaim(sql, scope, body) };
  },

  'POST /api/communities/:communityId/tasks/:taskId/grants': async ({
    runtime,
    sql,
    params,
    actor,
    body,
    community,
  }) => {
    const scope = { communityId: community.id, taskId: params.taskId, leaderId: actor.userId, now: runtime.now() };
    return { json: await grantTask(sql, scope, body) };
  },
} satisfies Handlers;
