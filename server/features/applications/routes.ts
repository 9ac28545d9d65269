import type { Actor } from '../../base/actor.ts';
import type { Config } from '../../config.ts';
import type { Handlers } from '../../http/handler.ts';
import { apply, decideApplication, listApplications, readApplication } from './applications.ts';

const applicant = (actor: Actor, { telegram }: Config) => ({
  ...actor,
  channelRequired: telegram.requiredChannel !== null,
});

export const applicationHandlers = {
  'GET /api/user/leader-application': async ({ runtime, sql, actor }) => ({
    json: await readApplication(sql, applicant(actor, runtime.config)),
  }),

  'POST /api/user/leader-application': async ({ runtime, sql, actor, body }) => ({
    json: await apply(sql, applicant(actor, runtime.config), body, runtime.now()),
  }),

  'GET /api/admin/leader-applications': async ({ sql, query }) => ({ json: await listApplications(sql, query.after) }),

  'POST /api/admin/leader-applications/:applicationId/decision': async ({ sql, actor, body, scope }) => ({
    json: await decideApplication(sql, { ...scope, adminId: actor.userId }, body),
  }),
} satisfies Handlers;
