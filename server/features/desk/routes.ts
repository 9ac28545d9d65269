import type { TransactionSql } from 'postgres';
import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { audit } from '../audit/audit.ts';
import { FORMATS, tableText } from '../exports/table.ts';
import { AUDIT_COLUMNS, auditLines, listAudit } from './audit.ts';
import { allowLargeImports, featureCommunity, handOver, restoreCommunity, suspendCommunity } from './change.ts';
import { listForDesk, readForDesk } from './communities.ts';

type Command = {
  sql: TransactionSql;
  actor: { userId: string };
  params: { placeId: string };
  body: { reason: string };
  runtime: { now(): Date };
};
type Change = { placeId: string; adminId: string; reason: string; now: Date };

/** Changes a community and answers it as it is then. */
async function changed(command: Command, act: (tx: TransactionSql, change: Change) => Promise<unknown>) {
  const { sql, actor, params, body, runtime } = command;
  const change = { placeId: params.placeId, adminId: actor.userId, reason: body.reason, now: runtime.now() };
  await act(sql, change);
  return { json: await readForDesk(sql, change.placeId, change.now) };
}

export const deskHandlers = {
  'GET /api/admin/communities': async ({ runtime, sql, query }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => listForDesk(snapshot, { ...query, now: runtime.now() })),
  }),

  'GET /api/admin/communities/:placeId': async ({ runtime, sql, params }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => readForDesk(snapshot, params.placeId, runtime.now())),
  }),

  'POST /api/admin/communities/:placeId/suspension': (call) =>
    changed(call, (tx, change) =>
      suspendCommunity(tx, change, call.body.until === null ? null : new Date(call.body.until)),
    ),

  'POST /api/admin/communities/:placeId/restoration': (call) => changed(call, restoreCommunity),

  'POST /api/admin/communities/:placeId/handover': (call) =>
    changed(call, (tx, change) => handOver(tx, change, call.body)),

  'PUT /api/admin/communities/:placeId/featured': (call) =>
    changed(call, (tx, change) => featureCommunity(tx, change, call.body.featured)),

  'PUT /api/admin/communities/:placeId/large-imports': (call) =>
    changed(call, (tx, change) => allowLargeImports(tx, change, call.body.allowed)),

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
