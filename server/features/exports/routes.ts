import type { Actor } from '../../base/actor.ts';
import type { Runtime } from '../../base/runtime.ts';
import type { Handlers } from '../../http/handler.ts';
import { audit } from '../audit/audit.ts';
import { FORMATS, type Format, tableText } from './table.ts';
import { tables } from './tables.ts';

type ExportCall = {
  runtime: Runtime;
  actor: Actor;
  query: { format: Format };
  community: { id: string; slug: string };
};

/** A file of the table, streamed while it is read. The export is audited first. */
async function exported(name: keyof typeof tables, { runtime, actor, query, community }: ExportCall) {
  const { sql } = runtime;
  const now = runtime.now();
  await sql.begin((tx) =>
    audit(tx, { communityId: community.id, actorId: actor.userId, action: `export.${name}`, at: now }),
  );
  const { type, ending } = FORMATS[query.format];
  const { columns, pages } = tables[name];
  return {
    file: {
      type,
      content: tableText(query.format, columns, pages(sql, community.id)),
      name: `${community.slug}-${name}-${now.toISOString().slice(0, 10)}.${ending}`,
    },
  };
}

export const exportHandlers = {
  'GET /api/communities/:communityId/exports/members': (call) => exported('members', call),
  'GET /api/communities/:communityId/exports/waiting': (call) => exported('waiting', call),
  'GET /api/communities/:communityId/exports/tasks': (call) => exported('tasks', call),
  'GET /api/communities/:communityId/exports/claims': (call) => exported('claims', call),
  'GET /api/communities/:communityId/exports/history': (call) => exported('history', call),
  'GET /api/communities/:communityId/exports/ledger': (call) => exported('ledger', call),
} satisfies Handlers;
