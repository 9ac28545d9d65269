import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { ledgerKey } from '../../storage/secrets.ts';
import { readCommunityLedger, readLedger } from './entries.ts';
import { exportLedger, publicKeyOf } from './export.ts';

export const ledgerHandlers = {
  'GET /api/user/ledger': async ({ sql, actor, query }) => ({
    json: await readLedger(sql, { userId: actor.userId, ...query }),
  }),

  'GET /api/user/ledger/export': async ({ runtime, sql, actor }) => {
    const { home, publicOrigin: issuer } = runtime.config;
    const now = runtime.now();
    const scope = { member: { id: actor.userId, name: actor.displayName }, issuer, key: ledgerKey(home), now };
    const text = await sql.begin(SNAPSHOT, (snapshot) => exportLedger(snapshot, scope));
    const name = `points-${now.toISOString().slice(0, 10)}.json`;
    return { file: { type: 'application/json', content: Buffer.from(text), name } };
  },

  'GET /api/ledger/public-key': ({ runtime }) => ({
    json: { ...publicKeyOf(ledgerKey(runtime.config.home)), algorithm: 'Ed25519' },
  }),

  'GET /api/communities/:communityId/ledger': async ({ sql, community, query }) => ({
    json: await readCommunityLedger(sql, { communityId: community.id, ...query }),
  }),
} satisfies Handlers;
