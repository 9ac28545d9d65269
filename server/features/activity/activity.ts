import type { TransactionSql } from 'postgres';
import type { Activity, ActivityPage } from '../../contract/activity.ts';
import { ACTIVITY_PAGE, levelOf } from '../../contract/limits.ts';
import { cursorOf, pageOf, readCursor } from '../../domain/page.ts';

type Row = Omit<Activity, 'at' | 'me' | 'level'> & {
  at: Date;
  /** Its points, and the member's total after it. */
  points: number | null;
  total: number | null;
};

/**
 * A page of what members of a community did lately, the latest first: approved answers that were not taken back, with the level
 * that they reached; joins; badges. Of who is a member now, not suspended and not hidden. Throws 400 `INVALID_INPUT`. `sql`:
 * one snapshot.
 */
export async function readActivity(
  sql: TransactionSql,
  { communityId, me, after }: { communityId: string; me: string | null; after: string | undefined },
): Promise<ActivityPage> {
  const position = readCursor(after);
  const past = (at: string, id: string) =>
    position === null
      ? sql``
      : sql`and (${sql.unsafe(at)}, ${sql.unsafe(id)}) < (${position.at}::timestamptz, ${position.id}::uuid)`;
  const latest = (at: string, id: string) =>
    sql`order by ${sql.unsafe(at)} desc, ${sql.unsafe(id)} desc limit ${ACTIVITY_PAGE + 1}`;
  const shown = sql`
    join community_members m on m.community_id = ${communityId} and m.user_id = u.id
    where u.suspended_at is null and u.hidden_at is null`;
  /** A badge has no id of its own. */
  const badgeId = 'md5(b.user_id::text || b.code)::uuid';
  const badgesOf = (place: ReturnType<TransactionSql>) => sql`
    select 'badge', ${sql.unsafe(badgeId)}, b.earned_at, u.id, u.display_name, null, b.code, null::int, null::bigint
      from badges b join users u on u.id = b.user_id ${shown} and ${place}
        ${past('b.earned_at', badgeId)} ${latest('b.earned_at', badgeId)}`;
  const rows = await sql<Row[]>`
    with latest as (
      (select 'counted' as kind, e.claim_id as id, e.at, u.id as person, u.display_name as name, t.title as task,
          null as badge, e.points, e.id as line
        from point_events e join users u on u.id = e.user_id join tasks t on t.id = e.task_id and t.community_id = e.community_id ${shown}
          and e.community_id = ${communityId} and e.kind = 'award' and e.claim_id is not null
          and not exists (select from point_events r
            where r.community_id = e.community_id and r.claim_id = e.claim_id and r.kind = 'reverse')
          ${past('e.at', 'e.claim_id')} ${latest('e.at', 'e.claim_id')})
      union all
      (select 'joined', m.user_id, m.joined_at, u.id, u.display_name, null, null, null, null from users u ${shown}
          ${past('m.joined_at', 'm.user_id')} ${latest('m.joined_at', 'm.user_id')})
      union all
      (${badgesOf(sql`b.community_id = ${communityId}`)})
      union all
      -- Streaks count over all communities.
      (${badgesOf(sql`b.community_id is null`)})
    ), page as (select * from latest order by at desc, id desc limit ${ACTIVITY_PAGE + 1})
    select kind, id, at, person as "userId", name as "displayName", task, badge, points,
      (select sum(s.points)::integer from point_events s
        where s.user_id = page.person and s.community_id = ${communityId} and s.id <= page.line) as total
    from page order by at desc, id desc`;
  return pageOf<Row, Activity>(rows, ACTIVITY_PAGE, { item: (row) => activityOf(row, me), cursor: cursorOf });
}

function activityOf({ points, total, at, ...row }: Row, me: string | null): Activity {
  const level = total === null ? 0 : levelOf(total).level;
  const rose = points !== null && total !== null && level > levelOf(total - points).level;
  return { ...row, at: at.toISOString(), me: row.userId === me, level: rose ? level : null };
}
