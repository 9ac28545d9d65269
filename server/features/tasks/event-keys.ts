import { generateKeyPairSync } from 'node:crypto';
import type { ISql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import type { EventKey } from '../../contract/tasks.ts';
import { isId } from '../../domain/ids.ts';
import { setupOf, type TaskRow } from '../../domain/task-row.ts';
import { taskColumns } from './rows.ts';

type Pair = { privateKey: Buffer; publicKey: Buffer };

/** Makes the key pair behind an event's codes, unless it has one. */
export async function makeEventKey(
  sql: ISql,
  { communityId, taskId }: { communityId: string; taskId: string },
  now: Date,
): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
    publicKeyEncoding: { format: 'der', type: 'spki' },
  });
  // The last 32 bytes of an Ed25519 key in SPKI are the key itself.
  await sql`
    insert into event_keys (community_id, task_id, private_key, public_key, created_at)
    values (${communityId}, ${taskId}, ${privateKey}, ${publicKey.subarray(-32)}, ${now}) on conflict do nothing`;
}

export async function findEventKey(sql: ISql, taskId: string): Promise<Pair | null> {
  const [pair] = await sql<Pair[]>`
    select private_key as "privateKey", public_key as "publicKey" from event_keys where task_id = ${taskId}`;
  return pair ?? null;
}

/** What a steward's device makes codes with. Throws 404 `NOT_FOUND` for anything but an event that is live. */
export async function readEventKey(
  sql: ISql,
  { communityId, taskId, now }: { communityId: string; taskId: string; now: Date },
): Promise<EventKey> {
  const [row] = isId(taskId)
    ? await sql<TaskRow[]>`
        select ${taskColumns(sql)} from tasks t
        where t.id = ${taskId} and t.community_id = ${communityId} and t.status <> 'archived'`
    : [];
  const setup = row && setupOf(row);
  if (setup?.kind !== 'telegram_event' || !row) throw notFound('event');
  let pair = await findEventKey(sql, row.id);
  if (!pair) {
    await makeEventKey(sql, { communityId, taskId: row.id }, now);
    pair = await findEventKey(sql, row.id);
  }
  if (!pair) throw new Error('an insert returned nothing');
  return {
    taskId: row.id,
    title: row.title,
    privateKey: pair.privateKey.toString('base64url'),
    publicKey: pair.publicKey.toString('base64url'),
    startsAt: setup.startsAt,
    endsAt: setup.endsAt,
  };
}
