import type { TransactionSql } from 'postgres';
import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { ledgerKey } from '../../storage/secrets.ts';
import { archiveOf } from '../person/archive.ts';
import { archiveName } from '../person/routes.ts';
import {
  cancelPersonErasure,
  decideX,
  endOneSession,
  eraseLater,
  giveRole,
  linkByHand,
  noteArchive,
  restore,
  signOutEverywhere,
  suspend,
} from './change.ts';
import { listPeople, readPerson } from './people.ts';

type Command = {
  sql: TransactionSql;
  actor: { userId: string };
  params: { userId: string };
  body: { reason: string };
  runtime: { now(): Date };
};
const changeOf = ({ actor, params, body, runtime }: Omit<Command, 'sql'>) => ({
  userId: params.userId,
  adminId: actor.userId,
  reason: body.reason,
  now: runtime.now(),
});
type Change = ReturnType<typeof changeOf>;

/** Changes an account and answers it as it is then. */
async function changed(command: Command, act: (tx: TransactionSql, change: Change) => Promise<unknown>) {
  const change = changeOf(command);
  await act(command.sql, change);
  return { json: await readPerson(command.sql, change.userId, change.now) };
}

export const peopleHandlers = {
  'GET /api/admin/people': async ({ runtime, sql, query }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => listPeople(snapshot, { ...query, now: runtime.now() })),
  }),

  'GET /api/admin/people/:userId': async ({ runtime, sql, params }) => ({
    json: await readPerson(sql, params.userId, runtime.now()),
  }),

  'POST /api/admin/people/:userId/suspension': (call) =>
    changed(call, (tx, change) => suspend(tx, change, call.body.until === null ? null : new Date(call.body.until))),

  'POST /api/admin/people/:userId/restoration': (call) => changed(call, restore),

  'POST /api/admin/people/:userId/sign-out': (call) => changed(call, signOutEverywhere),

  'POST /api/admin/people/:userId/sessions/:sessionId/end': (call) =>
    changed(call, (tx, change) => endOneSession(tx, change, call.params.sessionId)),

  'POST /api/admin/people/:userId/x': (call) => changed(call, (tx, change) => decideX(tx, change, call.body.decision)),

  'POST /api/admin/people/:userId/x-link': (call) => changed(call, (tx, change) => linkByHand(tx, change, call.body)),

  'POST /api/admin/people/:userId/archive': async (call) => {
    const { sql, runtime } = call;
    const change = changeOf(call);
    const { id: userId, name } = await sql.begin((tx) => noteArchive(tx, change));
    const { home, publicOrigin: issuer } = runtime.config;
    const content = archiveOf(sql, { userId, name, issuer, key: ledgerKey(home), now: change.now });
    return { file: { type: 'application/zip', content, name: archiveName(change.now) } };
  },

  'POST /api/admin/people/:userId/erasure': (call) => changed(call, eraseLater),

  'POST /api/admin/people/:userId/erasure-cancellation': (call) => changed(call, cancelPersonErasure),

  'PUT /api/admin/people/:userId/role': (call) => changed(call, (tx, change) => giveRole(tx, change, call.body.role)),
} satisfies Handlers;
