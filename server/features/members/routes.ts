import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { changeRole, removeMember } from '../communities/membership.ts';
import { listMembers } from './list.ts';
import { readMember, readMemberDetail } from './members.ts';

export const memberHandlers = {
  'GET /api/communities/:communityId/members': async ({ sql, query, community }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => listMembers(snapshot, { communityId: community.id, ...query })),
  }),

  'GET /api/communities/:communityId/members/:userId': async ({ runtime, sql, params, community }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) =>
      readMemberDetail(snapshot, community.id, params.userId, runtime.now()),
    ),
  }),

  'PUT /api/communities/:communityId/members/:userId/role': async ({
    runtime,
    sql,
    params,
    body,
    actor,
    community,
  }) => {
    const over = { communityId: community.id, userId: params.userId, leaderId: actor.userId, now: runtime.now() };
    await changeRole(sql, over, body.role);
    return { json: await readMember(sql, community.id, params.userId) };
  },

  'POST /api/communities/:communityId/members/:userId/removal': async (call) => {
    const { runtime, sql, params, body, actor, community } = call;
    const over = { communityId: community.id, userId: params.userId, leaderId: actor.userId, now: runtime.now() };
    await removeMember(sql, over, body);
    return { json: { ok: true } };
  },
} satisfies Handlers;
