import type { ISql, TransactionSql } from 'postgres';
import { IMPORT_NAME_FRESH_MS } from '../../contract/import-limits.ts';

/**
 * Who a line `p` of `imported_people` is about, as SQL over an account `u` (docs/decisions/imports-and-belonging.md):
 * by Telegram id, which is unique for ever; without one by the name, which may have changed owners, so never against a
 * contradicting X handle; without both by a proven X handle. A line goes only to people who joined the community
 * themselves.
 */
export const byId = (sql: ISql) => sql`p.telegram_user_id is not null and u.telegram_user_id = p.telegram_user_id`;
export const byName = (sql: ISql) => sql`
  p.telegram_user_id is null and lower(u.telegram_username) = p.telegram_username
  and (p.x_handle is null or u.twitter_username is null or lower(u.twitter_username) = p.x_handle)`;
export const byX = (sql: ISql) => sql`
  p.telegram_user_id is null and p.telegram_username is null and lower(u.twitter_username) = p.x_handle`;

/** A name counts only if Telegram reported it recently. */
export const isFresh = (sql: ISql, now: Date) => sql`
  exists (select from sessions s where s.user_id = u.id and s.telegram_at > ${new Date(now.getTime() - IMPORT_NAME_FRESH_MS)})`;

/** A line that has found its person: the identifying fields are cleared. */
const given = (sql: ISql) => sql`
  state = 'matched', telegram_user_id = null, telegram_username = null, x_handle = null, name = null`;

/**
 * Finds the members of an import's lines. Each member gets one line per import, by id before name or handle. Nobody
 * else is looked up: neither result nor timing reveals who has an account.
 */
export async function matchMembers(
  tx: TransactionSql,
  { importId, communityId, now }: { importId: string; communityId: string; now: Date },
): Promise<void> {
  await tx`
    with u as materialized (${membersOf(tx, communityId)}),
    found as (
      select p.line, u.id, 1 as nth from imported_people p join u on ${byId(tx)}
      where p.import_id = ${importId} and p.state = 'waiting'
      union all
      select p.line, u.id, 2 from imported_people p join u on ${byName(tx)}
      where p.import_id = ${importId} and p.state = 'waiting' and ${isFresh(tx, now)}
      union all
      select p.line, u.id, 3 from imported_people p join u on ${byX(tx)}
      where p.import_id = ${importId} and p.state = 'waiting'
    ), chosen as (select distinct on (id) line, id from found order by id, nth, line)
    update imported_people p set user_id = chosen.id, ${given(tx)}
    from chosen where p.import_id = ${importId} and p.line = chosen.line`;
}

const membersOf = (sql: ISql, communityId: string) => sql`
  select u.id, u.telegram_user_id, u.telegram_username, u.twitter_username from community_members m
  join users u on u.id = m.user_id where m.community_id = ${communityId}`;

/**
 * Finds the waiting lines, in their communities, of a person who just signed in, joined or linked X. Their points
 * follow soon, see `settleImports`.
 */
export async function matchPerson(tx: TransactionSql, userId: string): Promise<void> {
  await tx`
    with u as (select id, telegram_user_id, telegram_username, twitter_username from users where id = ${userId}),
    found as (
      select p.import_id, p.line, p.community_id, 1 as nth from imported_people p, u where p.state = 'waiting' and ${byId(tx)}
      union all
      select p.import_id, p.line, p.community_id, 2 from imported_people p, u where p.state = 'waiting' and ${byName(tx)}
      union all
      select p.import_id, p.line, p.community_id, 3 from imported_people p, u where p.state = 'waiting' and ${byX(tx)}
    ), chosen as (
      select distinct on (import_id) import_id, line from found
      where exists (
          select from community_members m where m.community_id = found.community_id and m.user_id = ${userId})
        and not exists (select from imported_people q where q.import_id = found.import_id and q.user_id = ${userId})
      order by import_id, nth, line
    )
    update imported_people p set user_id = ${userId}, ${given(tx)}
    from chosen where p.import_id = chosen.import_id and p.line = chosen.line and p.state = 'waiting'`;
}

type Named = {
  line: number;
  telegramUserId: string | null;
  telegramUsername: string | null;
  xHandle: string | null;
};

/** Lines of a file that are about members of the community. */
export async function linesOfMembers(
  sql: ISql,
  communityId: string,
  people: readonly Named[],
  now: Date,
): Promise<Set<number>> {
  const rows = await sql<{ line: number }[]>`
    with p as materialized (
      select * from unnest(
        ${people.map(({ line }) => line)}::integer[], ${people.map((one) => one.telegramUserId)}::bigint[],
        ${people.map((one) => one.telegramUsername)}::text[], ${people.map((one) => one.xHandle)}::text[])
        as given (line, telegram_user_id, telegram_username, x_handle)
    ), u as materialized (${membersOf(sql, communityId)})
    select p.line from p join u on ${byId(sql)}
    union
    select p.line from p join u on ${byName(sql)} where ${isFresh(sql, now)}
    union
    select p.line from p join u on ${byX(sql)}`;
  return new Set(rows.map(({ line }) => line));
}
