import { notFound } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import type { Handlers } from '../../http/handler.ts';
import { readStanding, setBudget } from './budget.ts';
import { readSwitch, setSwitch } from './switch.ts';

const xOf = ({ config, x }: Runtime) => ({ configured: x.configured, byEnvironment: config.x.actionPoints });

export const xHandlers = {
  'GET /api/communities/:communityId/x': async ({ runtime, sql, scope }) => ({
    json: await readStanding(sql, scope, xOf(runtime)),
  }),

  'GET /api/admin/communities/:placeId/x': async ({ runtime, sql, params }) => ({
    json: await readStanding(sql, { communityId: params.placeId, now: runtime.now() }, xOf(runtime)),
  }),

  'PUT /api/admin/communities/:placeId/x-budget': async ({ runtime, sql, params, actor, body }) => {
    const { placeId: communityId } = params;
    const now = runtime.now();
    const [held] = await sql`select from communities where id = ${communityId}`;
    if (!held) throw notFound('community');
    await setBudget(sql, { communityId, adminId: actor.userId, now, ...body });
    return { json: await readStanding(sql, { communityId, now }, xOf(runtime)) };
  },

  'GET /api/admin/switches/x-points': async ({ runtime, sql }) => ({
    json: await readSwitch(sql, runtime.config.x.actionPoints),
  }),

  'PUT /api/admin/switches/x-points': async ({ runtime, sql, actor, body }) => {
    const byEnvironment = runtime.config.x.actionPoints;
    await setSwitch(sql, { ...body, adminId: actor.userId, byEnvironment, now: runtime.now() });
    return { json: await readSwitch(sql, byEnvironment) };
  },
} satisfies Handlers;
