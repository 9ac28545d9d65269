import type { Sql, TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import { PUSH_SUBSCRIPTIONS_PER_MEMBER } from '../../contract/limits.ts';
import type { PushDevice, PushSubscriptionJson } from '../../contract/push.ts';
import { notSignedIn } from '../../http/access.ts';
import { judgeEndpoint } from '../../integrations/push/hosts.ts';
import { areKeys } from '../../integrations/push/message.ts';
import { publicKey } from './keys.ts';

type Saver = { userId: string; sessionId: string; userAgent: string | null; now: Date };
const USER_AGENT_MAX = 512;

/**
 * Saves a browser's subscription for its signed-in member and removes it from the previous one (threat model, row D3).
 * The oldest over `PUSH_SUBSCRIPTIONS_PER_MEMBER` go. Returns its id. Throws 422 `ENDPOINT_NOT_ALLOWED`, 422
 * `KEYS_INVALID`, 422 `KEY_UNKNOWN`, 401 `NOT_SIGNED_IN` where the session has just ended.
 */
export async function saveSubscription(
  sql: Sql,
  { userId, sessionId, userAgent, now }: Saver,
  input: { subscription: PushSubscriptionJson; publicKey?: string | undefined; hosts: readonly string[] },
): Promise<string> {
  const { endpoint, keys } = input.subscription;
  const judged = judgeEndpoint(endpoint, input.hosts);
  if (!judged) {
    throw new HttpError(422, 'ENDPOINT_NOT_ALLOWED', 'This is not the address of a push service that is known here.', {
      details: { field: 'subscription.endpoint' },
    });
  }
  const [p256dh, auth] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')];
  if (!areKeys({ p256dh, auth })) {
    throw new HttpError(422, 'KEYS_INVALID', 'Nothing can be encrypted for these keys.', {
      details: { field: 'subscription.keys' },
    });
  }
  return sql.begin(async (tx) => {
    const key = await requireOwnKey(tx, input.publicKey);
    // Before anything else is held: who signs out at this moment waits for this, and takes the subscription along.
    const [session] = await tx`select id from sessions where id = ${sessionId} for key share`;
    if (!session) throw notSignedIn();
    // The member's row is the lock: two at once cannot both be the last that fits.
    await tx`select from users where id = ${userId} for no key update`;
    // In the same order as recording results, which prevents deadlocks.
    await tx`
      select from push_subscriptions where endpoint = ${endpoint} or user_id = ${userId} order by id for update`;
    const agent = userAgent?.slice(0, USER_AGENT_MAX) ?? null;
    const [row] = await tx<[{ id: string }]>`
      insert into push_subscriptions as kept
        (user_id, session_id, endpoint, origin, p256dh, auth, vapid_key, user_agent, created_at, saved_at)
      values (${userId}, ${sessionId}, ${endpoint}, ${judged.url.origin}, ${p256dh}, ${auth}, ${key}, ${agent}, ${now}, ${now})
      on conflict (endpoint) do update set
        user_id = excluded.user_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth,
        vapid_key = excluded.vapid_key, user_agent = excluded.user_agent, saved_at = excluded.saved_at, refusals = 0,
        created_at = case when kept.user_id = excluded.user_id then kept.created_at else excluded.created_at end,
        last_try_at = case when kept.user_id = excluded.user_id then kept.last_try_at end,
        last_ok_at = case when kept.user_id = excluded.user_id then kept.last_ok_at end,
        last_status = case when kept.user_id = excluded.user_id then kept.last_status end
      returning id`;
    await tx`
      delete from push_subscriptions where id in (
        select id from push_subscriptions where user_id = ${userId}
        order by (id = ${row.id}) desc, saved_at desc, id offset ${PUSH_SUBSCRIPTIONS_PER_MEMBER})`;
    // A browser has one subscription: this session's earlier one is obsolete.
    await tx`delete from push_subscriptions where session_id = ${sessionId} and id <> ${row.id}`;
    return row.id;
  });
}

async function requireOwnKey(tx: TransactionSql, given: string | undefined): Promise<string> {
  const present = await publicKey(tx);
  const key = given?.replace(/=+$/, '') ?? present;
  if (key === present) return present;
  const [stored] = await tx`select from vapid_keys where public_key = ${key}`;
  if (stored) return key;
  throw new HttpError(422, 'KEY_UNKNOWN', 'This subscription was made with a key of another place.', {
    details: { field: 'publicKey' },
  });
}

/** Forgets a subscription of this member. One that is gone is no error. */
export async function removeSubscription(sql: Sql, userId: string, endpoint: string): Promise<void> {
  await sql`delete from push_subscriptions where endpoint = ${endpoint} and user_id = ${userId}`;
}

/** The member's browsers with the last message's result. Only an endpoint's host is shown. */
export async function listDevices(sql: Sql, userId: string, sessionId: string): Promise<PushDevice[]> {
  const rows = await sql<
    (Omit<PushDevice, 'savedAt' | 'lastTryAt' | 'lastOkAt' | 'service'> & {
      origin: string;
      savedAt: Date;
      lastTryAt: Date | null;
      lastOkAt: Date | null;
    })[]
  >`
    select id, origin, user_agent as "userAgent", session_id = ${sessionId} as current, saved_at as "savedAt",
      last_try_at as "lastTryAt", last_ok_at as "lastOkAt", last_status as "lastStatus"
    from push_subscriptions where user_id = ${userId} order by (session_id = ${sessionId}) desc, saved_at desc, id`;
  return rows.map(({ origin, ...row }) => ({
    ...row,
    service: new URL(origin).host,
    savedAt: row.savedAt.toISOString(),
    lastTryAt: row.lastTryAt?.toISOString() ?? null,
    lastOkAt: row.lastOkAt?.toISOString() ?? null,
  }));
}
