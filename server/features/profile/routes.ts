import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { changeTimeZone, changeVisibility, readMyCommunities, readProfile } from './profile.ts';

export const profileHandlers = {
  'GET /api/user/profile': async ({ runtime, sql, actor }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => readProfile(snapshot, actor, runtime.now())),
  }),
  'GET /api/user/communities': async ({ runtime, sql, actor }) => ({
    json: await readMyCommunities(sql, actor, runtime.now()),
  }),
  'PATCH /api/user/profile': async ({ runtime, sql, actor, body }) => {
    const now = runtime.now();
    await changeTimeZone(sql, actor.userId, body.timeZone, now);
    return { json: await readProfile(sql, actor, now) };
  },
  'PUT /api/user/visibility': async ({ runtime, sql, actor, body }) => {
    const now = runtime.now();
    await changeVisibility(sql, actor.userId, body.hidden, now);
    return { json: await readProfile(sql, actor, now) };
  },
} satisfies Handlers;
