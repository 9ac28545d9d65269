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
import { readQueue, readSimilar } from './review.ts';
import { previewTask, readTask } from './task-with-claim.ts';
import { readWaitingByTask } from './waiting.ts';

export const claimHandlers = {
  'GET /api/communities/:communityId/tasks/:taskId': async ({ sql, actor, scope }) => ({
    json: await readTask(sql, { ...scope, timeZone: actor.timeZone }, scope.taskId),
  }),

  'GET /api/communities/:communityId/tasks/:taskId/preview': async ({ sql, actor, scope }) => ({
    json: await previewTask(sql, { ...scope, timeZone: actor.timeZone }, scope.taskId),
  }),

  'POST /api/communities/:communityId/tasks/:taskId/claims': async ({ runtime, sql, body, actor, scope }) => {
    const { timeZone, zoneBefore, zoneFrom } = actor;
    const asked = { ...scope, timeZone, zoneBefore, zoneFrom, xPoints: runtime.config.x.actionPoints };
    try {
      return { json: await claimTask(sql, asked, body) };
    } catch (error) {
      // Checked in parallel, so the command does not wait: the device repeats it, and then the status is known.
      if (isCheckPending(error)) void fetchPerson(runtime, scope.communityId, actor).catch(() => undefined);
      throw error;
    }
  },

  'GET /api/communities/:communityId/claims': async ({ sql, query, scope }) => ({
    json: await listMine(sql, { ...scope, after: query.after, state: query.state }),
  }),

  'GET /api/communities/:communityId/claims/:claimId': async ({ sql, scope }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => readClaim(snapshot, scope)),
  }),

  'POST /api/communities/:communityId/claims/:claimId/resubmission': async ({ sql, body, scope }) => ({
    json: await resubmit(sql, scope, body),
  }),

  'POST /api/communities/:communityId/claims/:claimId/appeal': async ({ sql, body, scope }) => ({
    json: await appeal(sql, scope, body),
  }),

  'GET /api/communities/:communityId/review': async ({ sql, actor, query, scope }) => {
    const asked = { ...scope, reviewerId: actor.userId, ...query };
    return sql.begin(SNAPSHOT, async (snapshot) => {
      const { items, next } = await readQueue(snapshot, asked);
      const byTask = await readWaitingByTask(snapshot, asked);
      const waiting = byTask.reduce((sum, { answers, appeals }) => sum + answers + appeals, 0);
      return { json: { items, next, waiting, byTask } };
    });
  },

  'POST /api/communities/:communityId/claims/:claimId/decision': async ({ sql, body, scope }) => ({
    json: await decideClaim(sql, { ...scope, reviewerId: scope.userId }, body),
  }),

  'POST /api/communities/:communityId/decisions': async ({ sql, body, actor, scope }) => ({
    json: { results: await decideAll(sql, { ...scope, reviewerId: actor.userId }, body.decisions) },
  }),

  'GET /api/communities/:communityId/claims/:claimId/similar': async ({ sql, scope }) => ({
    json: await readSimilar(sql, scope),
  }),

  'GET /api/communities/:communityId/members/:userId/record': async ({ sql, params, scope }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => readRecord(snapshot, { ...scope, userId: params.userId })),
  }),

  'GET /api/communities/:communityId/saved-replies': async ({ sql, community }) => ({
    json: await readReplies(sql, community.id),
  }),

  'PUT /api/communities/:communityId/saved-replies': async ({ sql, body, actor, scope }) => ({
    json: await writeReplies(sql, { ...scope, actorId: actor.userId }, body),
  }),

  'POST /api/communities/:communityId/claims/:claimId/reversal': async ({ sql, body, actor, scope }) => ({
    json: await reverseClaim(sql, { ...scope, leaderId: actor.userId }, body),
  }),

  'POST /api/communities/:communityId/tasks/:taskId/grants': async ({ sql, actor, body, scope }) => ({
    json: await grantTask(sql, { ...scope, leaderId: actor.userId }, body),
  }),
} satisfies Handlers;
