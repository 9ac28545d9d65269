import type { ISql } from 'postgres';
import type { CommunityRole } from '../../contract/community.ts';
import { ALIVE, type Facts, type Mine, named, type Other } from '../../domain/gate-facts.ts';
import type { GatedRow } from '../../domain/task-row.ts';

type Asker = { communityId: string; userId: string; timeZone: string };

export async function readFacts(sql: ISql, asker: Asker, rows: readonly GatedRow[]): Promise<Facts> {
  const { communityId, userId, timeZone } = asker;
  const [[me], actions] = await Promise.all([
    sql<{ role: CommunityRole; points: number }[]>`
      select m.role, coalesce(s.points, 0) as points from community_members m
      left join scores s on s.community_id = m.community_id and s.user_id = m.user_id
      where m.community_id = ${communityId} and m.user_id = ${userId}`,
    readActions(sql, userId, [communityId], rows),
  ]);
  return { role: me?.role ?? null, timeZone, points: me?.points ?? 0, ...actions };
}

/** What was done with `rows`, tasks of these communities, and with the tasks that their conditions name. */
export async function readActions(
  sql: ISql,
  userId: string,
  communityIds: readonly string[],
  rows: readonly GatedRow[],
): Promise<Pick<Facts, 'mine' | 'taken' | 'others'>> {
  const capped = rows.filter((row) => row.capTotal !== null).map((row) => row.id);
  const [mine, taken, others] = await Promise.all([
    sql<(Mine & { taskId: string })[]>`
      select task_id as "taskId", count(*) filter (where state = 'approved')::int as approved,
        count(*) filter (where state = any(${ALIVE}))::int as alive,
        max(retry_at) filter (where state = 'rejected') as "retryAt"
      -- The list in a select, so that the planner does not see its length and keeps one plan.
      from claims where task_id = any((select ${[...rows.map((row) => row.id), ...named(rows)]}::uuid[])::uuid[])
        and community_id = any((select ${[...communityIds]}::uuid[])::uuid[]) and user_id = ${userId}
      group by task_id`,
    capped.length === 0
      ? []
      : sql<{ taskId: string; count: number }[]>`
          select task_id as "taskId", count(*)::int from claims
          where task_id = any(${capped}) and state = any(${ALIVE}) group by task_id`,
    readOthers(sql, communityIds, rows),
  ]);
  return {
    mine: new Map(mine.map(({ taskId, ...did }) => [taskId, did])),
    taken: new Map(taken.map(({ taskId, count }) => [taskId, count])),
    others,
  };
}

/** The tasks that conditions of `rows` name. */
export async function readOthers(
  sql: ISql,
  communityIds: readonly string[],
  rows: readonly GatedRow[],
): Promise<ReadonlyMap<string, Other>> {
  const ids = named(rows);
  if (ids.length === 0) return new Map();
  const found = await sql<(Other & { id: string })[]>`
    select id, title, status, closes_at as "closesAt", conditions,
      case kind when 'telegram_event' then config ->> 'endsAt' end as "eventEndsAt"
    from tasks
    where community_id = any(${[...communityIds]}) and id = any(${ids})`;
  return new Map(found.map((other) => [other.id, other]));
}
