import type { Sql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { audit } from '../audit/audit.ts';
import { emit } from '../webhooks/emit.ts';
import { eraseLogs } from './erase-logs.ts';

/** What a tombstone is called, on every screen and in every file. */
export const ERASED_NAME = 'Erased person';

/** Whom the steps erase: the names are looked for where no id stands. */
export type Erased = { userId: string; names: string[]; begunAt: Date };
type Step = (tx: TransactionSql, erased: Erased) => Promise<unknown>;

/**
 * Erases every account whose time has come. Each step is a transaction that may be repeated: a process that dies between two of
 * them, or two that run at once, come to the same end. Run as a job, and by `muster person erase --now`.
 */
export async function eraseDue({ sql, now }: Pick<Runtime, 'sql' | 'now'>, stopping?: AbortSignal): Promise<void> {
  for (;;) {
    if (stopping?.aborted) return;
    const [due] = await sql<{ userId: string }[]>`
      select user_id as "userId" from erasures
      where cancelled_at is null and (begun_at is not null or due_at <= ${now()}) order by due_at, user_id limit 1`;
    if (!due) return;
    await eraseOne(sql, due.userId, now(), stopping);
  }
}

/** @param steps fewer only in tests, which stop in between */
export async function eraseOne(
  sql: Sql,
  userId: string,
  now: Date,
  stopping?: AbortSignal,
  steps: readonly Step[] = STEPS,
): Promise<void> {
  const erased = await sql.begin((tx) => begin(tx, userId, now));
  if (!erased) return;
  for (const step of steps) {
    if (stopping?.aborted) return;
    await sql.begin((tx) => step(tx, erased));
  }
  await sql.begin((tx) => finish(tx, erased, now));
}

/**
 * From here on nobody can sign in as this person: the identity is gone, and whoever proves it is somebody new. Null where somebody
 * cancelled it meanwhile, or it is done.
 */
async function begin(tx: TransactionSql, userId: string, now: Date): Promise<Erased | null> {
  const [held] = await tx<{ names: (string | null)[] }[]>`
    select array[display_name, telegram_username, twitter_username]
      || array(select name from former_names where user_id = ${userId}) as names
    from users where id = ${userId} for update`;
  const [row] = await tx<{ begunAt: Date | null; names: string[] }[]>`
    select begun_at as "begunAt", names from erasures
    where user_id = ${userId} and cancelled_at is null and (begun_at is not null or due_at <= ${now}) for update`;
  if (!held || !row) return null;
  if (row.begunAt) return { userId, names: row.names, begunAt: row.begunAt };
  const names = held.names.filter((name) => name !== null);
  // Nobody waits any more for who is named so: it was this person.
  await tx`
    delete from imported_people p using users u
    where u.id = ${userId} and p.state = 'waiting' and (p.telegram_user_id = u.telegram_user_id
      or p.telegram_username = lower(u.telegram_username) or lower(p.x_handle) = lower(u.twitter_username))`;
  await tx`update erasures set begun_at = ${now}, names = ${names}, suspended_reason = null where user_id = ${userId}`;
  // Telegram's ids are positive: a tombstone's is a number of its own that nobody can sign in with.
  await tx`
    update users set telegram_user_id = -(1 + floor(random() * 9e17))::bigint, telegram_username = null,
      display_name = ${ERASED_NAME}, x_user_id = null, twitter_username = null, x_linked_at = null, x_linked_by = null, is_verified = false,
      role = 'member', suspended_at = coalesce(suspended_at, ${now}), suspended_until = null, suspended_reason = null,
      locale = 'en', time_zone = 'UTC', time_zone_changed_at = null, time_zone_before = null, time_zone_from = null,
      membership = 'unknown', membership_checked_at = null, membership_source = null, membership_update_id = null,
      membership_update_at = null, erased_at = ${now}
    where id = ${userId}`;
  return { userId, names, begunAt: now };
}

/** The wish with its names goes last: it says that there is still something to do. */
async function finish(tx: TransactionSql, { userId }: Erased, now: Date): Promise<void> {
  const [done] = await tx`delete from erasures where user_id = ${userId} returning 1 as done`;
  if (!done) return;
  await audit(tx, {
    communityId: null,
    actorId: null,
    action: 'person.erased',
    subject: ERASED_NAME,
    subjectId: userId,
    at: now,
  });
}

/** Rows that are the person's alone. Sessions take their push subscriptions along. */
const OWN = [
  'sessions',
  'sign_in_attempts',
  'x_proof_codes',
  'x_unlinked',
  'x_tokens',
  'push_subscriptions',
  'notification_settings',
  'notification_choices',
  'notification_days',
  'notification_events',
  'bot_messages',
  'bot_places',
  'chat_links',
  'chat_members',
  'chat_activity',
  'notifications',
  'api_keys',
  'invites',
  'leader_applications',
  'partnership_requests',
  'former_names',
  'badges',
  'quiz_attempts',
  'assistant_questions',
  'consents',
  'idempotency_keys',
] as const;

const deleteOwn: Step = async (tx, { userId }) => {
  for (const table of OWN) await tx`delete from ${tx(table)} where user_id = ${userId}`;
  await tx`
    update notification_chunks set targets = array_remove(targets, ${userId}::uuid)
    where ${userId}::uuid = any(targets)`;
  // Whoever sent something to all others is no other any more.
  await tx`update notifications set audience = audience - 'except' where audience->>'except' = ${userId}`;
  await tx`delete from rate_limits where starts_with(key, ${userId})`;
};

/** Before the claims: some of what was written down about them is found by their ids. A sum after a name stays. */
const emptyAudit: Step = async (tx, { userId, names }) => {
  await tx`
    update audit_entries e set reason = null,
      subject = case when e.action = 'points.adjusted' then ${ERASED_NAME} || coalesce(substring(e.subject from ': [+-]?[0-9]+$'), '')
        when e.subject is not null then ${ERASED_NAME} end
    where (e.subject_id = ${userId} or exists (select from claims c where c.id = e.subject_id and c.user_id = ${userId}))
      and e.action <> 'person.erased'`;
  // Where a name stands without the id: whoever wrote it down knew another thing's.
  await tx`update audit_entries set subject = ${ERASED_NAME} where subject = any(${names}) and subject_id is null`;
};

/** What was noted about a request to work together may name who sent it. Before the request goes, by whose id it is found. */
const emptyNotes: Step = async (tx, { userId }) => {
  await tx`
    update audit_entries e set reason = null
    where exists (select from partnership_requests r where r.id = e.subject_id and r.user_id = ${userId})`;
};

/** Told to other programs, and answers that repeat what somebody was told: what names the person goes. */
const deleteCopies: Step = async (tx, { userId, names, begunAt }) => {
  await tx`delete from webhook_deliveries where created_at <= ${begunAt} and strpos(body::text, ${userId}) > 0`;
  const quoted = names.map((name) => JSON.stringify(name));
  await tx`
    delete from idempotency_keys where strpos(answer::text, ${userId}) > 0
      or exists (select from unnest(${quoted}::text[]) name where strpos(answer::text, name) > 0)`;
};

/**
 * Claims that were decided stay for the sums, without a word; those that wait are nobody's work any more. Everything that the
 * person sent goes with them.
 */
const emptyClaims: Step = async (tx, { userId }) => {
  await tx`delete from images where user_id = ${userId}`;
  await tx`
    delete from claims c where user_id = ${userId} and state in ('submitted', 'checking', 'changes_requested')
      and not exists (select from point_events p where p.claim_id = c.id)`;
  await tx`
    update claim_events e set reason = null, evidence = null
    where (reason is not null or evidence is not null)
      and exists (select from claims c where c.id = e.claim_id and c.user_id = ${userId})`;
  await tx`
    update claims set evidence = null, checks = '[]', answer_hash = null, reason = null, appeal_text = null,
      appeal_outcome = nullif(appeal_outcome, 'open')
    where user_id = ${userId}`;
};

/** The lines stay what they are; the trigger lets only their words go. */
const emptyLedger: Step = async (tx, { userId }) => {
  await tx`select set_config('muster.erasing', 'on', true)`;
  await tx`
    update imported_people set telegram_user_id = null, telegram_username = null, x_handle = null, name = null
    where user_id = ${userId}`;
  await tx`update point_events set reason = null where user_id = ${userId} and reason is not null`;
};

/** Lines of imports that still wait for one of the names, and what was about to be written for the account. */
const forgetImported: Step = async (tx, { userId, names }) => {
  const plain = names.map((name) => name.toLowerCase());
  await tx`
    delete from imported_people
    where user_id = ${userId} and state = 'matched'
      or state = 'waiting' and (telegram_username = any(${plain}) or x_handle = any(${plain}))`;
};

/** One community after the other, so that nobody there waits for another: leaving takes the lock that points are written under. */
async function leaveCommunities(sql: TransactionSql, { userId, begunAt }: Erased): Promise<void> {
  const left = await sql<{ communityId: string }[]>`
    delete from community_members where user_id = ${userId} and community_id in (
      select community_id from community_members where user_id = ${userId} order by community_id::text collate "C" limit 1)
    returning community_id as "communityId"`;
  for (const { communityId } of left)
    await emit(sql, { communityId, event: 'member.left', at: begunAt, data: { userId, removed: false } });
}

/** Every step, in an order in which each still finds what it needs. */
export const STEPS: readonly Step[] = [
  emptyNotes,
  deleteOwn,
  emptyAudit,
  deleteCopies,
  forgetImported,
  emptyClaims,
  emptyLedger,
  leaveCommunities,
  eraseLogs,
];
