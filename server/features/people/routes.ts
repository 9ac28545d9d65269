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

type Call = {
  actor: { userId: string };
  params: { userId: string };
  body: { reason: string };
  runtime: { now(): Date };
};
const changeOf = ({ actor, params, body, runtime }: Call) => ({
  userId: params.userId,
  adminId: actor.userId,
  reason: body.reason,
  now: runtime.now(),
});

export const peopleHandlers = {
  'GET /api/admin/people': async ({ runtime, sql, query }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => listPeople(snapshot, { ...query, now: runtime.now() })),
  }),

  'GET /api/admin/people/:userId': async ({ runtime, sql, params }) => ({
    json: await readPerson(sql, params.userId, runtime.now()),
  }),

  'POST /api/admin/people/:userId/suspension': async (call) => {
    const change = changeOf(call);
    await suspend(call.sql, change, call.body.until === null ? null : new Date(call.body.until));
    return { json: await readPerson(call.sql, change.userId, change.now) };
  },

  'POST /api/admin/people/:userId/restoration': async (call) => {
    const change = changeOf(call);
    await restore(call.sql, change);
    return { json: await readPerson(call.sql, change.userId, change.now) };
  },

  'POST /api/admin/people/:userId/sign-out': async (call) => {
    const change = changeOf(call);
    await signOutEverywhere(call.sql, change);
    return { json: await readPerson(call.sql, change.userId, change.now) };
  },

  'POST /api/admin/people/:userId/sessions/:sessionId/end': async (call) => {
    const change = changeOf(call);
    await endOneSession(call.sql, change, call.params.sessionId);
    return { json: await readPerson(call.sql, change.userId, change.now) };
  },

  'POST /api/admin/people/:userId/x': async (call) => {
    const change = changeOf(call);
    await decideX(call.sql, change, call.body.decision);
    return { json: await readPerson(call.sql, change.userId, change.now) };
  },

  'POST /api/admin/people/:userId/x-link': async (call) => {
    const change = changeOf(call);
    await linkByHand(call.sql, change, call.body);
    return { json: await readPerson(call.sql, change.userId, change.now) };
  },

  'POST /api/admin/people/:userId/archive': async (call) => {
    const { sql, runtime } = call;
    const change = changeOf(call);
    const { id: userId, name } = await sql.begin((tx) => noteArchive(tx, change));
    const { home, publicOrigin: issuer } = runtime.config;
    const content = archiveOf(sql, { userId, name, issuer, key: ledgerKey(home), now: change.now });
    return { file: { type: 'application/zip', content, name: archiveName(change.now) } };
  },

  'POST /api/admin/people/:userId/erasure': async (call) => {
    const change = changeOf(call);
    await eraseLater(call.sql, change);
    return { json: await readPerson(call.sql, change.userId, change.now) };
  },

  'POST /api/admin/people/:userId/erasure-cancellation': async (call) => {
    const change = changeOf(call);
    await cancelPersonErasure(call.sql, change);
    return { json: await readPerson(call.sql, change.userId, change.now) };
  },

  'PUT /api/admin/people/:userId/role': async (call) => {
    const change = changeOf(call);
    await giveRole(call.sql, change, call.body.role);
    return { json: await readPerson(call.sql, change.userId, change.now) };
  },
} satisfies Handlers;
