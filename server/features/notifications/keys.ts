import type { ISql, Sql, TransactionSql } from 'postgres';
import { makeVapidKey, readVapidKey, type VapidKey } from '../../integrations/push/vapid.ts';

const current = (sql: ISql) =>
  sql<{ publicKey: string }[]>`select public_key as "publicKey" from vapid_keys where retired_at is null`;

async function make(sql: ISql): Promise<void> {
  const { publicKey, privateKey } = makeVapidKey();
  await sql`
    insert into vapid_keys (public_key, private_key) values (${publicKey}, ${privateKey}) on conflict do nothing`;
}

/** The key that browsers subscribe with, created at first use. Concurrent processes agree on one. */
export async function publicKey(sql: ISql): Promise<string> {
  for (;;) {
    const [existing] = await current(sql);
    if (existing) return existing.publicKey;
    await make(sql);
  }
}

/** Rotates the key. Browsers resubscribe with it; until then their old key is used. */
export async function rotateKey(tx: TransactionSql, now: Date): Promise<string> {
  await tx`select pg_advisory_xact_lock(hashtextextended('vapid', 8))`;
  await tx`update vapid_keys set retired_at = ${now} where retired_at is null`;
  await make(tx);
  return publicKey(tx);
}

/** Every key that a subscription may have been made with. */
export async function readKeys(sql: Sql): Promise<Map<string, VapidKey>> {
  const rows = await sql<{ publicKey: string; stored: string }[]>`
    select public_key as "publicKey", private_key as stored from vapid_keys`;
  return new Map(rows.map(({ publicKey, stored }) => [publicKey, readVapidKey(publicKey, stored)]));
}
