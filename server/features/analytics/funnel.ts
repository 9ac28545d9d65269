import type { ISql } from 'postgres';
import type { FunnelFigures, FunnelStep } from '../../contract/analytics.ts';
import { INSTANCE } from '../ledger/record.ts';
import type { AnalyticsScope } from './asked.ts';

const OF_INSTANCE: readonly FunnelStep[] = ['telegram', 'x', 'verified', 'joined', 'first_answer', 'day7'];
const OF_COMMUNITY: readonly FunnelStep[] = ['joined', 'first_answer', 'first_approved', 'day7'];

/**
 * How far the people of these days have got. Each counts at their furthest step and all steps before it, so a person
 * whom an administrator verified without X is not lost. The first page has no people, only views by browsers without a
 * session.
 */
export async function readFunnel(sql: ISql, scope: AnalyticsScope): Promise<FunnelFigures['steps']> {
  if (scope.communityId !== null) return stepsOf(OF_COMMUNITY, await furthestInCommunity(sql, scope));
  const [furthest, [landing]] = await Promise.all([
    furthestOnInstance(sql, scope),
    sql<[{ count: number }]>`
      select coalesce(sum(count), 0)::float8 as count from visit_days
      where what = 'landing' and day >= ${scope.from}::date and day <= ${scope.to}::date`,
  ]);
  return [{ step: 'landing', count: landing.count }, ...stepsOf(OF_INSTANCE, furthest)];
}

/** People by their furthest step, as an index of the list. */
type Furthest = readonly { step: number; people: number }[];

const stepsOf = (steps: readonly FunnelStep[], furthest: Furthest): FunnelFigures['steps'] =>
  steps.map((step, position) => ({
    step,
    count: furthest.filter((one) => one.step >= position).reduce((sum, { people }) => sum + people, 0),
  }));

const came = (sql: ISql, column: 'created_at' | 'joined_at', { from, to }: AnalyticsScope) => sql`
  ${sql(column)} >= ${new Date(from)} and ${sql(column)} < (${to}::date + 1)::timestamp at time zone 'UTC'`;

/** The last day on which each person was active: the highest bit of their last month. */
const lastOf = (sql: ISql, partition: string) => sql`
  select user_id, max(month + floor(log(2, days))::int) as last from active_months
  where community_id = ${partition} group by user_id`;

const furthestOnInstance = (sql: ISql, scope: AnalyticsScope): Promise<Furthest> => sql<
  { step: number; people: number }[]
>`
  select case
      when a.last >= p.day + 7 then 5 when a.last is not null then 4
      when exists (select from community_members m where m.user_id = p.id) then 3
      when p.is_verified then 2 when p.has_x then 1 else 0 end as step,
    count(*)::int as people
  from (
    select id, (created_at at time zone 'UTC')::date as day, is_verified,
      x_user_id is not null or twitter_username is not null as has_x
    from users where ${came(sql, 'created_at', scope)}
  ) p
  left join (${lastOf(sql, INSTANCE)}) a on a.user_id = p.id
  group by 1`;

const furthestInCommunity = (sql: ISql, scope: AnalyticsScope): Promise<Furthest> => sql<
  { step: number; people: number }[]
>`
  select case
      when a.last >= p.day + 7 then 3
      when exists (select from claims c
        where c.community_id = ${scope.partition} and c.user_id = p.user_id and c.state = 'approved') then 2
      when a.last is not null then 1 else 0 end as step,
    count(*)::int as people
  from (
    select user_id, (joined_at at time zone 'UTC')::date as day from community_members
    where community_id = ${scope.partition} and ${came(sql, 'joined_at', scope)}
  ) p
  left join (${lastOf(sql, scope.partition)}) a on a.user_id = p.user_id
  group by 1`;
