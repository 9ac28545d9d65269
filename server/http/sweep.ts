import type { Runtime } from '../base/runtime.ts';
import { IDEMPOTENCY_RETENTION_DAYS, SESSION_IDLE_MS, WEBHOOK_LOG_RETENTION_MS } from '../contract/limits.ts';
import { BOT_MESSAGE_RETENTION_MS, ERASURE_NOTICE_DAYS } from '../contract/person-limits.ts';

const COUNTED_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Deletes expired rows: sessions, counts, stored answers. */
export async function sweep({ sql, now }: Pick<Runtime, 'sql' | 'now'>): Promise<void> {
  const time = now().getTime();
  const before = (ms: number) => new Date(time - ms);
  await sql`delete from rate_limits where window_start < ${before(COUNTED_MS)}`;
  await sql`delete from idempotency_keys where created_at < ${before(IDEMPOTENCY_RETENTION_DAYS * DAY_MS)}`;
  await sql`delete from sessions where expires_at <= ${before(0)} or last_seen_at <= ${before(SESSION_IDLE_MS)}`;
  await sql`delete from sign_in_attempts where expires_at <= ${before(0)}`;
  await sql`delete from x_unlinked where until <= ${before(0)}`;
  await sql`delete from x_proof_codes where expires_at <= ${before(0)}`;
  await sql`delete from webhook_deliveries where created_at < ${before(WEBHOOK_LOG_RETENTION_MS)}`;
  await sql`delete from assistant_questions where day < ${before(DAY_MS * 2)}::date`;
  await sql`delete from assistant_communities where day < ${before(DAY_MS * 2)}::date`;
  await sql`delete from assistant_days where day < ${before(DAY_MS * 2)}::date`;
  await sql`delete from used_signatures where expires_at <= ${before(0)}`;
  await sql`delete from bot_messages where created_at < ${before(BOT_MESSAGE_RETENTION_MS)}`;
  await sql`delete from bot_updates where heard_at < ${before(DAY_MS * 2)}`;
  await sql`delete from forgotten_sessions where until <= ${before(0)}`;
  await sql`delete from erasures where cancelled_at < ${before(ERASURE_NOTICE_DAYS * DAY_MS)}`;
}
