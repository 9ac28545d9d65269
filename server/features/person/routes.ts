import type { ISql } from 'postgres';
import type { OwnData } from '../../contract/person-data.ts';
import type { Handlers } from '../../http/handler.ts';
import { ledgerKey } from '../../storage/secrets.ts';
import { archiveOf } from './archive.ts';
import { agree, readConsents } from './consents.ts';
import { forgetCancelled, onlyLeaderOf, readCancelled, scheduleErasure } from './erasure.ts';

async function ownData(sql: ISql, userId: string): Promise<OwnData> {
  const consents = await readConsents(sql, userId);
  return { consents, onlyLeaderOf: await onlyLeaderOf(sql, userId), cancelled: await readCancelled(sql, userId) };
}

/** Name of an archive made on that day. */
export const archiveName = (at: Date): string => `muster-${at.toISOString().slice(0, 10)}.zip`;

export const personHandlers = {
  'GET /api/user/data': async ({ sql, actor }) => ({ json: await ownData(sql, actor.userId) }),

  'GET /api/user/data/archive': ({ runtime, actor }) => {
    const { home, publicOrigin: issuer } = runtime.config;
    const now = runtime.now();
    const scope = { userId: actor.userId, name: actor.displayName, issuer, key: ledgerKey(home), now };
    return { file: { type: 'application/zip', content: archiveOf(runtime.sql, scope), name: archiveName(now) } };
  },

  'POST /api/user/consents': async ({ runtime, sql, actor, body }) => {
    await agree(sql, actor.userId, body.agreed, runtime.now());
    return { json: await ownData(sql, actor.userId) };
  },

  'POST /api/user/erasure': async ({ sql, actor, body, scope }) => ({
    json: await scheduleErasure(sql, {
      ...scope,
      by: 'person',
      actorId: actor.userId,
      reason: null,
      leavesCommunities: body.leavesCommunities,
    }),
  }),

  'DELETE /api/user/erasure/notice': async ({ sql, actor }) => {
    await forgetCancelled(sql, actor.userId);
    return { json: { ok: true } };
  },
} satisfies Handlers;
