import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import type { Claim } from '../../contract/claims.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { grant } from '../../domain/deciding.ts';
import { isId } from '../../domain/ids.ts';
import { localDay } from '../../domain/periods.ts';
import type { TaskRow } from '../../domain/task-row.ts';
import { prose } from '../../domain/text.ts';
import { zoneOf } from '../../storage/zone.ts';
import { audit } from '../audit/audit.ts';
import { notifyOfDecision } from '../notifications/happened.ts';
import { readFacts } from '../tasks/facts.ts';
import { taskColumns } from '../tasks/rows.ts';
import { award, emitClaim, lockMemberTask, note, shown } from './write.ts';

type GrantScope = { communityId: string; taskId: string; leaderId: string; now: Date };
type Context = TaskRow & { role: CommunityRole; timeZone: string; displayName: string };

/**
 * Gives a member a manual task, in the member's current period. Throws 404 `NOT_FOUND` (task or member), and
 * what `grant` throws.
 */
export async function grantTask(
  tx: TransactionSql,
  { communityId, taskId, leaderId, now }: GrantScope,
  { userId, reason: typed }: { userId: string; reason: string },
): Promise<Claim> {
  const reason = prose('reason', typed);
  const [task] = isId(taskId)
    ? await tx<Context[]>`
        select ${taskColumns(tx)}, m.role, ${zoneOf(tx, now)} as "timeZone", u.display_name as "displayName"
        from tasks t
        join community_members m on m.community_id = t.community_id and m.user_id = ${userId}
        join users u on u.id = m.user_id
        where t.id = ${taskId} and t.community_id = ${communityId} for key share of t`
    : [];
  if (!task) throw notFound('task');
  const { role, timeZone } = task;
  await lockMemberTask(tx, task.id, userId, task.capTotal !== null);
  const gates = await readFacts(tx, { communityId, userId, timeZone }, [task]);
  const held = await tx<{ period: string }[]>`
    select period from claims where task_id = ${task.id} and user_id = ${userId} and state <> 'rejected'`;
  const isHeld = (period: string) => held.some((one) => one.period === period);
  const given = grant({ task, role, timeZone, gates, isHeld }, { id: randomUUID(), reason }, now);
  const { id: claimId, period, points } = given;
  await tx`
    insert into claims (id, community_id, task_id, user_id, period, state, points, reason, acted_at, local_day, submitted_at,
      decided_at, decided_by)
    values (${claimId}, ${communityId}, ${task.id}, ${userId}, ${period}, 'approved', ${points}, ${reason}, ${now},
      ${localDay(now, timeZone)}, ${now}, ${now}, ${leaderId})`;
  const by = { at: now, actorId: leaderId };
  await note(tx, { communityId, claimId, kind: 'given', ...by, from: null, to: 'approved', reason });
  await audit(tx, {
    communityId,
    actorId: leaderId,
    action: 'task.granted',
    subject: `${task.title}: ${task.displayName}`,
    subjectId: claimId,
    reason,
    at: now,
  });
  const claim = await shown(tx, communityId, claimId);
  const about = { communityId, userId, kind: task.kind, at: now };
  await emitClaim(tx, ['claim.decided'], claim, about);
  await notifyOfDecision(tx, claim, about);
  await award(tx, { ...claim, communityId, userId, actedAt: now }, { actorId: leaderId, now });
  return claim;
}
