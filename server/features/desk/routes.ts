import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { audit } from '../audit/audit.ts';
import { FORMATS, tableText } from '../exports/table.ts';
import { AUDIT_COLUMNS, auditLines, listAudit } from './audit.ts';
import { allowLargeImports, featureCommunity, handOver, restoreCommunity, suspendCommunity } from './change.ts';
import { listForDesk, readForDesk } from './communities.ts';

type Call = {
  actor: { userId: string };
  params: { placeId: string };
  body: { reason: string };
  runtime: { now(): Date };
};
const changeOf = ({ actor, params, body, runtime }: Call) => ({
  placeId: params.placeId,
  adminId: actor.userId,
  reason: body.reason,
  now: runtime.now(),
});

export const deskHandlers = {
  'GET /api/admin/communities': async ({ runtime, sql, query }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => listForDesk(snapshot, { ...query, now: runtime.now() })),
  }),

  'GET /api/admin/communities/:placeId': async ({ runtime, sql, params }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => readForDesk(snapshot, params.placeId, runtime.now())),
  }),

  'POST /api/admin/communities/:placeId/suspension': async (call) => {
    const change = changeOf(call);
    await suspendCommunity(call.sql, change, call.body.until === null ? null : new Date(call.body.until));
    return { json: await readForDesk(call.sql, change.placeId, change.now) };
  },

  'POST /api/admin/communities/:placeId/restoration': async (call) => {
    const change = changeOf(call);
    await restoreCommunity(call.sql, change);
    return { json: await readForDesk(call.sql, change.placeId, change.now) };
  },

  'POST /api/admin/communities/:placeId/handover': async (call) => {
    const change = changeOf(call);
    await handOver(call.sql, change, call.body);
    return { json: await readForDesk(call.sql, change.placeId, change.now) };
  },

  'PUT /api/admin/communities/:placeId/featured': async (call) => {
    const change = changeOf(call);
    await featureCommunity(call.sql, change, call.body.featured);
    return { json: await readForDesk(call.sql, change.placeId, change.now) };
  },

  'PUT /api/admin/communities/:placeId/large-imports': async (call) => {
    const change = changeOf(call);
    await allowLargeImports(call.sql, change, call.body.allowed);
    return { json: await readForDesk(call.sql, change.placeId, change.now) };
  },

  'GET /api/admin/audit': async ({ sql, query }) => ({ json: await listAudit(sql, query) }),

  // The export is audited first.
  'GET /api/admin/audit/export': async ({ runtime, sql, actor, query: { format, ...filters } }) => {
    const now = runtime.now();
    await sql.begin((tx) => audit(tx, { communityId: null, actorId: actor.userId, action: 'audit.exported', at: now }));
    const { type, ending } = FORMATS[format];
    const name = `${runtime.config.productSlug}-audit-${now.toISOString().slice(0, 10)}.${ending}`;
    return { file: { type, content: tableText(format, AUDIT_COLUMNS, auditLines(sql, filters)), name } };
  },
} satisfies Handlers;
