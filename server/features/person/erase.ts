import type { Sql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { IMPORT_NAME_FRESH_MS } from '../../contract/import-limits.ts';
import { ERASED_NAME } from '../../contract/person-limits.ts';
import { noteErasures } from '../../storage/erasure-list.ts';
import { audit } from '../audit/audit.ts';
import { emit } from '../webhooks/emit.ts';
import { blankAnswers } from './erase-answers.ts';
import { eraseLogs } from './erase-logs.ts';

/** The person to erase, known by id alone: others may have the same name. */
export type Erased = { userId: string; begunAt: Date };
type Erasing = Pick<Runtime, 'sql' | 'now'> & { config: Pick<Runtime['config'], 'home'> };
type Step = (tx: TransactionSql, erased: Erased) => Promise<unknown>;

/**
 * Erases every account whose time has come. Each step is a transaction that may be repeated: a process that dies between two of
 * them, or two that run at once, come to the same end. Run as a job, and by `muster person erase --now`.
 */
export async function eraseDue({ sql, now, config }: Erasing, stopping?: AbortSignal): Promise<void> {
  for (;;) {
    if (stopping?.aborted) return;
    const [due] = await sql<{ userId: string }[]>`
      select user_id as "userId" from erasures
      where cancelled_at is null and (begun_at is not null or due_at <= ${now()}) order by due_at, user_id limit 1`;
    if (!due) return;
    await eraseOne(sql, config.home, { userId: due.userId, now: now() }, stopping);
  }
}

/** @param steps fewer only in tests, which stop in between */
export async function eraseOne(
  sql: Sql,
  home: string,
  { userId, now }: { userId: string; now: Date },
  stopping?: AbortSignal,
  steps: readonly Step[] = STEPS,
): Promise<void> {
  const erased = await sql.begin((tx) => begin(tx, userId, now));
  if (!erased) return;
  for (const step of steps) {
    if (stopping?.aborted) return;
    await sql.begin((tx) => step(tx, erased));
  }
  await noteErasures(sql, home);
  await sql.begin((tx) => finish(tx, erased, now));
}

/**
 * From here on nobody can sign in as this person: the identity is deleted, and its owner would get a new account. Null
 * if the erasure was cancelled in the meantime, or is done.
 */
async function begin(tx: TransactionSql, userId: string, now: Date): Promise<Erased | null> {
  // Locked before the erasure row, as in scheduling and cancelling.
  const [held] = await tx`select from users where id = ${userId} for update`;
  const [row] = await tx<{ begunAt: Date | null; namedAt: Date | null }[]>`
    select begun_at as "begunAt", named_at as "namedAt" from erasures
    where user_id = ${userId} and cancelled_at is null and (begun_at is not null or due_at <= ${now}) for update`;
  if (!held || !row) return null;
  if (row.begunAt) return { userId, begunAt: row.begunAt };
  await forgetWaiting(tx, userId, row.namedAt);
  await tx`update erasures set begun_at = ${now}, suspended_reason = null where user_id = ${userId}`;
  // Telegram's ids are positive: a placeholder gets another number, which cannot sign in.
  await tx`
    update users set telegram_user_id = -(1 + floor(random() * 9e17))::bigint, telegram_username = null,
      display_name = ${ERASED_NAME}, x_user_id = null, twitter_username = null, x_linked_at = null, x_linked_by = null, is_verified = false,
      role = 'member', suspended_at = coalesce(suspended_at, ${now}), suspended_until = null, suspended_reason = null,
      locale = 'en', time_zone = 'UTC', time_zone_changed_at = null, time_zone_before = null, time_zone_from = null,
      membership = 'unknown', membership_checked_at = null, membership_source = null, membership_update_id = null,
      membership_update_at = null, erased_at = ${now}
    where id = ${userId}`;
  return { userId, begunAt: now };
}

/**
 * Import lines no longer wait for this account: by its id, or for lines without one by its @username, if Telegram
 * reported it recently, or by its proven X handle. A line that also names another person belongs to that person.
 */
async function forgetWaiting(tx: TransactionSql, userId: string, namedAt: Date | null): Promise<void> {
  await tx`
    delete from imported_people p using users u, imports i
    where u.id = ${userId} and i.id = p.import_id and p.state = 'waiting' and (p.telegram_user_id = u.telegram_user_id
      or p.telegram_user_id is null and (
        p.telegram_username = lower(u.telegram_username)
          and i.created_at <= coalesce(${namedAt}, u.created_at) + ${`${IMPORT_NAME_FRESH_MS} milliseconds`}::interval
          and (p.x_handle is null or u.twitter_username is null or p.x_handle = lower(u.twitter_username))
        or p.telegram_username is null and p.x_handle = lower(u.twitter_username)))`;
}

/** The erasure row goes last: it marks unfinished work. */
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
  'notification_people',
  'bot_messages',
  'bot_places',
  'bot_check_ins',
  'chat_links',
  'chat_members',
  'chat_activity',
  'notifications',
  'api_keys',
  'invites',
  'closed_offers',
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
  // An erased sender need not be excluded from their own announcements any more.
  await tx`update notifications set audience = audience - 'except' where audience->>'except' = ${userId}`;
  await tx`delete from rate_limits where starts_with(key, ${userId})`;
};

/** Before the claims: some of what was written down about them is found by their ids. A sum after a name stays. */
const emptyAudit: Step = async (tx, { userId }) => {
  await tx`
    update audit_entries e set reason = null,
      subject = case when e.action = 'points.adjusted' then ${ERASED_NAME} || coalesce(substring(e.subject from ': [+-]?[0-9]+$'), '')
        when e.subject is not null then ${ERASED_NAME} end
    where (e.subject_id = ${userId} or exists (select from claims c where c.id = e.subject_id and c.user_id = ${userId}))
      and e.action <> 'person.erased'`;
};

/** What was noted about a request to work together may name who sent it. Before the request goes, by whose id it is found. */
const emptyNotes: Step = async (tx, { userId }) => {
  await tx`
    update audit_entries e set reason = null
    where exists (select from partnership_requests r where r.id = e.subject_id and r.user_id = ${userId})`;
};

/**
 * Deliveries to other programs, and answers stored for others: personal data goes, and the names in what others did.
 * Runs before the requests and keys whose ids find them.
 */
const emptyCopies: Step = async (tx, { userId, begunAt }) => {
  const members = await tx<{ id: string }[]>`
    delete from webhook_deliveries where created_at <= ${begunAt}
      and ${userId} in (body->'data'->>'userId', body->'data'->'claim'->>'userId') returning id`;
  const posted = await tx<{ id: string }[]>`
    update webhook_deliveries d set body = jsonb_set(d.body, '{data,by}', to_jsonb(${ERASED_NAME}::text))
    from announcements a where a.created_by = ${userId} and d.event = 'announcement.posted' and d.body->'data'->>'id' = a.id::text
    returning d.id`;
  const requests = await tx<{ id: string }[]>`select id from partnership_requests where user_id = ${userId}`;
  const done = await tx<{ id: string }[]>`
    select id from claims where decided_by = ${userId} union all select id from announcements where created_by = ${userId}
    union all select id from imports where created_by = ${userId} union all select id from notifications where created_by = ${userId}`;
  const history = await tx<{ id: string; of: string }[]>`
    select id::text, subject_id as of from audit_entries where actor_id = ${userId} and subject_id is not null`;
  const own = [{ id: userId }, ...members, ...posted, ...requests].map(({ id }) => id);
  const found = {
    own: new Set(own),
    done: new Set([...done.map(({ id }) => id), ...history.map(({ id }) => `history ${id}`)]),
  };
  await blankAnswers(tx, [...own, ...done.map(({ id }) => id), ...new Set(history.map(({ of }) => of))], found);
};

/**
 * Decided claims stay for the sums, without text; waiting ones are dropped. Everything that the person sent goes with
 * them.
 */
const emptyClaims: Step = async (tx, { userId }) => {
  const claims = await tx<{ id: string }[]>`select id from claims where user_id = ${userId} for update`;
  await tx`delete from images where user_id = ${userId}`;
  // Forgetting that the days were counted makes `counts-compared` count them without the deleted claims.
  await tx`
    with dropped as (
      delete from claims c where user_id = ${userId} and state in ('submitted', 'checking', 'changes_requested')
        and not exists (select from point_events p where p.claim_id = c.id)
      returning id
    )
    delete from counted_days where day in (
      select (e.at at time zone 'UTC')::date from claim_events e join dropped d on d.id = e.claim_id)`;
  await tx`
    update claim_events e set reason = null, evidence = null
    where (reason is not null or evidence is not null)
      and exists (select from claims c where c.id = e.claim_id and c.user_id = ${userId})`;
  await tx`
    update claims set evidence = null, checks = '[]', answer_hash = null, reason = null, appeal_text = null,
      appeal_outcome = nullif(appeal_outcome, 'open')
    where user_id = ${userId}`;
  // Concurrent decisions were waited for, so their answers are stored by now.
  const ids = claims.map(({ id }) => id);
  await blankAnswers(tx, ids, { own: new Set(ids), done: new Set() });
};

/** The lines stay what they are; the trigger lets only their words go. */
const emptyLedger: Step = async (tx, { userId }) => {
  await tx`select set_config('muster.erasing', 'on', true)`;
  await tx`
    update imported_people set telegram_user_id = null, telegram_username = null, x_handle = null, name = null
    where user_id = ${userId}`;
  await tx`update point_events set reason = null where user_id = ${userId} and reason is not null`;
};

/** What was about to be written for the account. */
const forgetImported: Step = (tx, { userId }) =>
  tx`delete from imported_people where user_id = ${userId} and state = 'matched'`;

/** One community at a time, because leaving takes the lock for points. */
async function leaveCommunities(sql: TransactionSql, { userId, begunAt }: Erased): Promise<void> {
  const left = await sql<{ communityId: string }[]>`
    delete from community_members where user_id = ${userId} and community_id in (
      select community_id from community_members where user_id = ${userId} order by community_id::text collate "C" limit 1)
    returning community_id as "communityId"`;
  for (const { communityId } of left)
    await emit(sql, { communityId, event: 'member.left', at: begunAt, data: { userId, removed: false } });
}

/** All steps, in an order in which each finds what it needs. */
export const STEPS: readonly Step[] = [
  emptyNotes,
  emptyCopies,
  deleteOwn,
  emptyAudit,
  forgetImported,
  emptyClaims,
  emptyLedger,
  leaveCommunities,
  eraseLogs,
];
