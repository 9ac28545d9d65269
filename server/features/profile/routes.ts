import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';
import { readMyCommunities, readProfile } from './profile.ts';

export const profileHandlers = {
  'GET /api/user/profile': async ({ runtime, sql, actor }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => readProfile(snapshot, actor, runtime.now())),
  }),
  'GET /api/user/communities': async ({ runtime, sql, actor }) => ({
    json: await readMyCommunities(sql, actor, runtime.now()),
  }),
  'PATCH /api/user/profile': notBuilt,
} satisfies Handlers;
