import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';
import { claimTask } from './claim.ts';
import { decideClaim } from './decision.ts';

export const claimHandlers = {
  'POST /api/communities/:communityId/tasks/:taskId/claims': async ({
    runtime,
    sql,
    params,
    body,
    actor,
    community,
  }) => {
    const { userId, timeZone } = actor;
    const asked = { communityId: community.id, taskId: params.taskId, userId, timeZone, now: runtime.now() };
    return { json: await claimTask(sql, asked, body) };
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
    const asked = { communityId: community.id, claimId, reviewerId: actor.userId, now: runtime.now() };
    return { json: await decideClaim(sql, asked, body) };
  },
  'GET /api/communities/:communityId/claims': notBuilt,
  'GET /api/communities/:communityId/claims/:claimId': notBuilt,
  'POST /api/communities/:communityId/claims/:claimId/resubmission': notBuilt,
  'POST /api/communities/:communityId/claims/:claimId/appeal': notBuilt,
  'GET /api/communities/:communityId/review': notBuilt,
  'POST /api/communities/:communityId/decisions': notBuilt,
  'GET /api/communities/:communityId/claims/:claimId/similar': notBuilt,
  'POST /api/communities/:communityId/claims/:claimId/reversal': notBuilt,
} satisfies Handlers;
