import type { Sql } from 'postgres';
import type { AdminOverview } from '../../contract/routes.ts';
import { INSTANCE } from '../ledger/record.ts';

type Counts = Pick<AdminOverview, 'people' | 'communities' | 'claims' | 'clientLogs' | 'ledgerMatchesStandings'>;

/** How much there is of everything, and whether the all-time standings are exactly the sums of the ledger. */
export async function readCounts(sql: Sql, channelRequired: boolean): Promise<Counts> {
  const [row] = await sql<[Counts]>`
    select
      (select jsonb_build_object(
        'all', count(*),
        'verified', count(*) filter (where is_verified),
        'revoked', count(*) filter (where ${channelRequired} and membership in ('left', 'kicked'))) from users) as people,
      (select count(*)::int from communities) as communities,
      (select jsonb_build_object(
        'waiting', count(*) filter (where state in ('submitted', 'checking')),
        'approved', count(*) filter (where state = 'approved'),
        'rejected', count(*) filter (where state = 'rejected' and decided_by is not null)) from claims) as claims,
      (select jsonb_build_object('error', coalesce(sum(errors), 0), 'debug', coalesce(sum(debugs), 0)) from (
        select errors, debugs from client_log_series where dimension = 'all' and value = ''
        union all select count(*) filter (where kind = 'error'), count(*) filter (where kind = 'debug') from client_log_inbox
      ) logs) as "clientLogs",
      not exists (
        select from
          (select community_id, user_id, sum(points) as points from point_events group by 1, 2) ledger
          full join (select community_id, user_id, points from scores
            where community_id <> ${INSTANCE}) standing
            using (community_id, user_id)
        where coalesce(ledger.points, 0) <> coalesce(standing.points, 0)) as "ledgerMatchesStandings"`;
  return row;
}

/** Version, schema step and size in bytes of the database. */
export async function readStorage(sql: Sql): Promise<Omit<AdminOverview['storage'], 'kind'>> {
  const [row] = await sql<[{ version: string; schema: number; bytes: string }]>`
    select current_setting('server_version') as version,
      (select coalesce(max(version), 0)::int from schema_migrations) as schema,
      pg_database_size(current_database())::text as bytes`;
  return { ...row, bytes: Number(row.bytes) };
}
