import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import type { StagedCommunity } from './engagement.ts';

/** Somebody of whom something stands everywhere: every text of theirs begins with `mark`. */
export type Planted = { userId: string; mark: string; device: string; tokenHash: Buffer };

/**
 * Writes a row of a person into every table that may have one, with words of theirs in every column for words. What they
 * claimed, and what was decided about it, stands already; this only puts words there.
 */
export async function plant(sql: Sql, place: StagedCommunity, planted: Planted): Promise<void> {
  const { userId, mark, device, tokenHash } = planted;
  const word = (of: string) => `${mark} ${of}`;
  const bytes = (of: string) => Buffer.from(word(of));
  const number = Number.parseInt(createHash('sha256').update(mark).digest('hex').slice(0, 10), 16);
  await sql`
    update users set telegram_user_id = ${number}, display_name = ${word('name')}, telegram_username = ${`${mark}_telegram`},
      x_user_id = ${word('x id')}, twitter_username = ${`${mark}_x`}, locale = ${word('locale')},
      time_zone_before = 'Europe/Lisbon', suspended_reason = ${word('suspension')}, membership_source = ${word('source')}
    where id = ${userId}`;
  await people(sql, planted, word, bytes, tokenHash);
  await sql`
    update claims set evidence = jsonb_build_object('kind', 'submit_text', 'text', ${word('evidence')}::text),
      checks = jsonb_build_array(${word('check')}::text), answer_hash = ${bytes('hash')}, reason = ${word('reason')},
      appeal_text = ${word('appeal')}
    where user_id = ${userId}`;
  await sql`
    update claim_events e set reason = ${word('event reason')}, evidence = to_jsonb(${word('event evidence')}::text)
    from claims c where c.id = e.claim_id and c.user_id = ${userId}`;
  await sql`
    insert into images (id, community_id, user_id, type, width, height, sha256, bytes)
    values (gen_random_uuid(), ${place.id}, ${userId}, 'image/webp', 1, 1, ${bytes('sha')}, ${bytes('picture')})`;
  await communities(sql, place, planted, word, bytes);
  await notices(sql, place, planted, word, bytes);
  await logs(sql, planted, word, device);
}

type Word = (of: string) => string;
type Bytes = (of: string) => Buffer;

async function people(sql: Sql, { userId }: Planted, word: Word, bytes: Bytes, tokenHash: Buffer): Promise<void> {
  await sql`
    insert into sessions (token_hash, user_id, kind, user_agent, expires_at)
    values (${tokenHash}, ${userId}, 'web', ${word('agent')}, now() + interval '60 days')`;
  await sql`
    insert into sign_in_attempts (state_hash, kind, browser_hash, user_id, code_verifier, next_path, expires_at)
    values (${bytes('state')}, 'x', ${bytes('browser')}, ${userId}, ${word('verifier')}, ${word('path')}, now() + interval '1 hour')`;
  await sql`
    insert into x_unlinked (user_id, x_user_id, name, until)
    values (${userId}, ${word('x left id')}, ${word('x left')}, now() + interval '9 days')`;
  await sql`
    insert into x_proof_codes (user_id, code_hash, expires_at) values (${userId}, ${bytes('proof code')}, now() + interval '15 minutes')`;
  // Sealed: nothing of the person can be read in them. What is to be revoked keeps its token until X has been told.
  await sql`
    insert into x_tokens (user_id, refresh_token, access_token, access_until, since)
    values (${userId}, ${randomBytes(48)}, ${randomBytes(48)}, now() + interval '2 hours', now())`;
  await sql`
    insert into consents (user_id, document, version, agreed_at) values (${userId}, 'terms', ${word('version')}, now())`;
  await sql`
    insert into idempotency_keys (user_id, key, route, request_hash, status, answer)
    values (${userId}, ${word('key')}, 'POST /x', ${bytes('request')}, 200, to_jsonb(${word('answer')}::text))`;
  await sql`
    insert into rate_limits (key, window_start, count) values (${`${userId} GET /x`}, now(), 1)`;
  await sql`insert into assistant_questions (day, user_id, count) values (current_date, ${userId}, 3)`;
  await sql`
    insert into quiz_attempts (user_id, pack, title, pass_percent, questions, drawn_at, graded_at, answers, outcome, score)
    values (${userId}, 'shipped:privacy', 'Privacy', 80, to_jsonb(${word('questions')}::text), now(), now(),
      to_jsonb(${word('answers')}::text), 'passed', 5)`;
}

async function communities(
  sql: Sql,
  place: StagedCommunity,
  planted: Planted,
  word: Word,
  bytes: Bytes,
): Promise<void> {
  const { userId, mark } = planted;
  // One line of an import is theirs by now; another waits for their name still.
  const [moved] = await sql<{ id: string }[]>`
    insert into imports (community_id, kind, source, file_name, count, created_by, created_at, undo_until)
    values (${place.id}, 'people', 'other', 'members.csv', 2, ${place.leader}, now(), now() + interval '7 days') returning id`;
  await sql`
    insert into imported_people
      (import_id, line, community_id, telegram_username, x_handle, name, points, state, user_id) values
      (${moved?.id ?? ''}, 2, ${place.id}, null, null, null, 5, 'settled', ${userId}),
      (${moved?.id ?? ''}, 3, ${place.id}, ${`${mark}_telegram`.toLowerCase()}, ${`${mark}_x`.toLowerCase()},
        ${word('imported')}, 5, 'waiting', null)`;
  // The chat is the community's: whoever is planted first brings it.
  await sql`
    insert into community_chats (community_id, sort, chat_id, title, checked_at, connected_at)
    values (${place.id}, 'group', -1001, 'Chat', now(), now()) on conflict do nothing`;
  await sql`
    insert into chat_links (code_hash, community_id, user_id, sort, problem, created_at, expires_at)
    values (${bytes('chat link')}, ${place.id}, ${userId}, 'group', 'taken', now(), now() + interval '1 hour')`;
  await sql`
    insert into chat_members (connection_id, user_id, state, source)
    select id, ${userId}, 'member', 'asked' from community_chats where community_id = ${place.id}`;
  await sql`
    insert into chat_activity (community_id, task_id, user_id, period, count, first_at, last_at)
    select community_id, id, ${userId}, ${word('period')}, 2, now(), now() from tasks where community_id = ${place.id} limit 1`;
  await sql`
    insert into league_weeks (community_id, week, fixed_at) values (${place.id}, '2026-01-05', now()) on conflict do nothing`;
  await sql`
    insert into league_places (community_id, week, user_id, division, newcomer, group_no)
    values (${place.id}, '2026-01-05', ${userId}, 1, true, 1)`;
  await sql`insert into closed_offers (community_id, user_id) values (${place.id}, ${userId})`;
  await sql`insert into invites (code, community_id, user_id) values (${word('code')}, ${place.id}, ${userId})`;
  await sql`insert into badges (user_id, community_id, code, earned_at) values (${userId}, ${place.id}, 'first', now())`;
  await sql`
    insert into leader_applications (user_id, about, plan, link, reason)
    values (${userId}, ${word('about')}, ${word('plan')}, ${word('link')}, ${word('answer')})`;
  await sql`
    insert into api_keys (community_id, user_id, name, scopes, prefix, hash)
    values (${place.id}, ${userId}, ${word('key name')}, '{}', 'abc', ${bytes('key hash')})`;
  await sql`
    insert into audit_entries (community_id, action, actor_id, subject, subject_id, reason) values
      (${place.id}, 'member.removed', ${place.leader}, ${word('audited')}, ${userId}, ${word('audit reason')}),
      (${place.id}, 'points.adjusted', ${place.leader}, ${`${word('name')}: +5`}, ${userId}, ${word('audit reason')})`;
  await sql`
    insert into audit_entries (community_id, action, actor_id, subject, subject_id, reason)
    select community_id, 'claim.rejected', ${place.leader}, ${word('of claim')}, id, ${word('claim reason')}
    from claims where user_id = ${userId}`;
  const [request] = await sql<{ id: string }[]>`
    insert into partnership_requests (id, user_id, name, organisation, contact, kind, message, answer, created_at, changed_at)
    values (gen_random_uuid(), ${userId}, ${word('asks')}, ${word('of')}, ${word('contact')}, 'other', ${word('message')},
      ${word('told so')}, now(), now()) returning id`;
  await sql`
    insert into audit_entries (community_id, action, actor_id, subject, subject_id, reason)
    values (null, 'partnership.in_talk', ${place.leader}, 'P-1F3A-90BC', ${request?.id ?? ''}, ${word('noted')})`;
  await sql`
    insert into former_names (user_id, kind, name, until) values (${userId}, 'display', ${word('before')}, now())`;
  await sql`insert into active_months (community_id, user_id, month, days) values (${place.id}, ${userId}, '2026-11-01', 1)`;
  const [file] = await sql<{ id: string }[]>`
    insert into imports (community_id, kind, source, file_name, count, created_by, created_at, undo_until)
    values (${place.id}, 'people', 'other', 'members.csv', 1, ${place.leader}, now(), now()) returning id`;
  await sql`
    insert into imported_people (import_id, line, community_id, telegram_username, x_handle, name, points, state, user_id)
    values (${file?.id ?? ''}, 1, ${place.id}, ${word('imported')}, ${word('on x')}, ${word('in file')}, 0, 'settled', ${userId})`;
  const [hook] = await sql<{ id: string }[]>`
    insert into webhooks (community_id, url, events, secret, created_by)
    values (${place.id}, ${`https://hooks.example/${randomUUID()}`}, '{member.joined}', 'x', ${place.leader}) returning id`;
  await sql`
    insert into webhook_deliveries (webhook_id, event, body, state, created_at) values (${hook?.id ?? ''}, 'member.joined',
      jsonb_build_object('data', jsonb_build_object('userId', ${userId}::text, 'word', ${word('told')}::text)), 'delivered', now() - interval '1 day')`;
}

async function notices(
  sql: Sql,
  place: StagedCommunity,
  { userId, tokenHash }: Planted,
  word: Word,
  bytes: Bytes,
): Promise<void> {
  await sql`
    insert into vapid_keys (public_key, private_key, retired_at) values ('key', 'pem', now()) on conflict do nothing`;
  const [subscription] = await sql<{ id: string }[]>`
    insert into push_subscriptions (user_id, session_id, endpoint, origin, p256dh, auth, vapid_key, user_agent)
    select ${userId}, id, ${word('endpoint')}, ${word('origin')}, ${bytes('p256dh')}, ${bytes('auth')}, 'key', ${word('agent')}
    from sessions where token_hash = ${tokenHash} returning id`;
  await sql`insert into notification_settings (user_id, daily_cap, collapse) values (${userId}, 5, true)`;
  await sql`insert into notification_choices (user_id, topic, channel) values (${userId}, 'streak', 'none')`;
  await sql`insert into notification_days (user_id, day, count, most) values (${userId}, current_date, 1, 5)`;
  const [note] = await sql<{ id: string }[]>`
    insert into notifications (topic, community_id, user_id, path, title, body, created_at, send_at, state)
    values ('review', ${place.id}, ${userId}, ${word('path')}, ${word('title')}, ${word('body')}, now(), now(), 'done') returning id`;
  const [all] = await sql<{ id: string }[]>`
    insert into notifications (topic, community_id, path, title, body, created_at, send_at, state)
    values ('announcement', ${place.id}, '/', 'To all', 'Of everybody', now(), now(), 'sending') returning id`;
  await sql`
    insert into notification_events (notification_id, user_id, event, at) values (${note?.id ?? ''}, ${userId}, 'shown', now())`;
  await sql`insert into notification_people (notification_id, user_id) values (${all?.id ?? ''}, ${userId})`;
  await sql`
    insert into notification_chunks (notification_id, urgency, channel, targets, collapse, next_try_at, expires_at)
    values (${all?.id ?? ''}, 1, 'telegram', ${[userId, place.leader]}, false, now(), now() + interval '1 day'),
      (${all?.id ?? ''}, 1, 'push', ${[subscription?.id ?? '']}, false, now(), now() + interval '1 day')`;
  await sql`
    insert into bot_messages (chat_id, user_id, origin, text, button, url, next_try_at, expires_at, created_at)
    values (4711, ${userId}, ${`planted:${userId}`}, ${word('told')}, 'Open', ${word('told-url')}, now(), now() + interval '1 day', now())`;
  await sql`
    insert into bot_check_ins (user_id, community_id, task_id, origin, pressed_at, due_at)
    select ${userId}, community_id, id, 'planted', now(), now() + interval '1 day' from tasks where community_id = ${place.id} limit 1`;
  await sql`insert into bot_places (user_id, community_id, chosen_at) values (${userId}, ${place.id}, now())`;
}

async function logs(sql: Sql, { userId }: Planted, word: Word, device: string): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  await sql`select client_log_partition(${today}::date)`;
  const sender = sql.json({ userId, userAgent: word('agent'), address: '203.0.113.0', sentAt: null });
  await sql`
    insert into client_log_inbox (id, received_at, sender, kind, data)
    values (gen_random_uuid(), now(), ${sender}, 'debug', ${sql.json({ action: word('waits') })})`;
  const [issue] = await sql<{ id: string }[]>`
    insert into client_log_issues (title, type, first_at, last_at) values (${word('issue')}, 'Error', now(), now()) returning id`;
  const [group] = await sql<{ id: number }[]>`
    insert into client_log_groups (fingerprint, version, issue_id, why, first_at, last_at)
    values (${Buffer.from(word('print'))}, 1, ${issue?.id ?? ''}, '{}', now(), now()) returning id`;
  for (const user of [userId, null]) {
    const person = user ?? `device ${device}`;
    await sql`
      insert into client_log_entries (id, received_at, happened_at, kind, group_id, message, source, route, url, user_id, person,
        device, address, user_agent, data)
      values (gen_random_uuid(), now(), now(), 'error', ${group?.id ?? 0}, ${word(`message ${user ? 1 : 2}`)}, ${word('source')},
        ${word('route')}, ${word('url')}, ${user}, ${person}, ${device}, ${word('address')}, ${word('agent')},
        ${sql.json({ message: word('data') })})`;
    await sql`
      insert into client_log_messages (day, key, message)
      values (${today}, hashtextextended(${word(`message ${user ? 1 : 2}`)}, 0), ${word(`message ${user ? 1 : 2}`)})`;
    await sql`insert into client_log_people (group_id, person) values (${group?.id ?? 0}, ${person})`;
    await sql`insert into client_log_devices (day, person, offline) values (${today}, ${person}, false)`;
    await sql`
      insert into client_log_drops (received_at, user_id, device, errors, debugs) values (now(), ${user}, ${device}, 1, 1)`;
  }
  await sql`insert into client_log_senders (hour, sender) values (date_trunc('hour', now()), ${`member ${userId}`})`;
  const [rule] = await sql<{ id: string }[]>`
    insert into client_log_rules (name, enabled, condition, channel, cooldown_minutes, created_at)
    values ('New issues', true, '{}', '{}', 60, now()) returning id`;
  await sql`
    insert into client_log_alerts (rule_id, once, at, title, text, issue_id, state, not_before)
    values (${rule?.id ?? ''}, ${randomUUID()}, now(), ${word('alert')}, ${word('alert text')}, ${issue?.id ?? ''}, 'sent', now())`;
}

/** Tables with how many of their rows hold a text, also as the bytes of a file. */
export async function tablesWith(sql: Sql, text: string): Promise<Record<string, number>> {
  const hex = Buffer.from(text).toString('hex');
  const found: Record<string, number> = {};
  for (const name of await tablesOf(sql)) {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::int from ${sql(name)} t where strpos(t::text, ${text}) > 0 or strpos(t::text, ${hex}) > 0`;
    if (row.count > 0) found[name] = row.count;
  }
  return found;
}

/** A digest of all rows of each table that hold one of the texts. */
export async function digestOf(sql: Sql, texts: readonly string[]): Promise<Record<string, string>> {
  const needles = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
  const digests: Record<string, string> = {};
  for (const name of await tablesOf(sql)) {
    const [row] = await sql<[{ digest: string | null }]>`
      select md5(string_agg(t::text, ' ' order by t::text)) as digest from ${sql(name)} t
      where exists (select from unnest(${needles}::text[]) needle where strpos(t::text, needle) > 0)`;
    if (row.digest !== null) digests[name] = row.digest;
  }
  return digests;
}

const tablesOf = async (sql: Sql): Promise<string[]> =>
  (
    await sql<{ name: string }[]>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      where c.relkind in ('r', 'p') and not c.relispartition order by 1`
  ).map(({ name }) => name);
