import type { ISql } from 'postgres';
import type { CommunityRole } from '../../contract/community.ts';
import { offerOf } from '../../domain/gate.ts';
import { ALIVE } from '../../domain/gate-facts.ts';
import type { GatedRow } from '../../domain/task-row.ts';
import { readActions } from './facts.ts';
import { periodNow } from './tasks.ts';

type Membership = { id: string; role: CommunityRole | null; points: number };

/**
 * How many tasks of each community wait for a member, as Today counts them: open, sent back, or rejected without an
 * open appeal. Leaders have no tasks.
 */
export async function countTodo(
  sql: ISql,
  asker: { userId: string; timeZone: string; now: Date },
  memberships: readonly Membership[],
): Promise<ReadonlyMap<string, number>> {
  const { userId, timeZone, now } = asker;
  const mine = new Map(memberships.filter(({ role }) => role !== 'leader').map((one) => [one.id, one]));
  if (mine.size === 0) return new Map();
  const rows = await sql<(GatedRow & { communityId: string; isClaimed: boolean })[]>`
    select t.id, t.community_id as "communityId", t.kind, t.status, t.opens_at as "opensAt", t.closes_at as "closesAt",
      t.local_window as "localWindow", t.cap_total as "capTotal", t.cap_member as "capMember",
      t.cool_down_minutes as "coolDownMinutes", t.conditions, claim.state is not null as "isClaimed",
      -- Of an event its end; a quiz is large.
      case t.kind when 'telegram_event' then t.config else '{}' end as config
    from tasks t
    left join lateral (
      select c.state, c.appeal_outcome from claims c
      where c.community_id = t.community_id and c.task_id = t.id and c.user_id = (select ${userId}::uuid)
        and c.period = ${periodNow(sql, asker)}
      order by c.state = any(${ALIVE}) or c.appeal_outcome is not distinct from 'open' desc, c.submitted_at desc, c.id limit 1
    ) claim on true
    where t.community_id = any((select ${[...mine.keys()]}::uuid[])::uuid[]) and t.status = 'live'
      and (claim.state is null or claim.state = 'changes_requested'
        or (claim.state = 'rejected' and claim.appeal_outcome is distinct from 'open'))`;
  const actions = await readActions(sql, userId, [...mine.keys()], rows);
  const counts = new Map<string, number>();
  for (const row of rows) {
    const { role, points } = mine.get(row.communityId) ?? { role: null, points: 0 };
    if (!row.isClaimed && !offerOf(row, { role, timeZone, points, ...actions }, now).open) continue;
    counts.set(row.communityId, (counts.get(row.communityId) ?? 0) + 1);
  }
  return counts;
}
