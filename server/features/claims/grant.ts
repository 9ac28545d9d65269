import type { TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { Claim } from '../../contract/claims.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { claimPeriods } from '../../contract/periods.ts';
import { whyFull } from '../../domain/gate.ts';
import { isId } from '../../domain/ids.ts';
import { localDay } from '../../domain/periods.ts';
import { alreadyHas } from '../../domain/review-rules.ts';
import type { TaskRow } from '../../domain/task-row.ts';
import { prose } from '../../domain/text.ts';
import { zoneOf } from '../../storage/zone.ts';
import { audit } from '../audit/audit.ts';
import { notifyOfDecision } from '../notifications/happened.ts';
import { readFacts } from '../tasks/facts.ts';
import { taskColumns } from '../tasks/rows.ts';
import { award, emitClaim, lockMemberTask, note, shown } from './write.ts';

type Asked = { communityId: string; taskId: string; leaderId: string; now: Date };
type Context = TaskRow & { role: CommunityRole | null; timeZone: string; displayName: string };

/**
 * Gives a member a manual task, in the member's current period. Throws 404 `NOT_FOUND` (task or member), 409
 * `TASK_CLOSED`, `NOT_MANUAL`, `ALREADY_CLAIMED` and `CAP_REACHED`, 403 `LEADERS_DO_NOT_COMPETE`.
 */
export async function grantTask(
  tx: TransactionSql,
  { communityId, taskId, leaderId, now }: Asked,
  { userId, reason: given }: { userId: string; reason: string },
): Promise<Claim> {
  const reason = prose('reason', given);
  const [task] = isId(taskId)
    ? await tx<Context[]>`
        select ${taskColumns(tx)}, m.role, ${zoneOf(tx, now)} as "timeZone", u.display_name as "displayName"
        from tasks t
        join community_members m on m.community_id = t.community_id and m.user_id = ${userId}
        join users u on u.id = m.user_id
        where t.id = ${taskId} and t.community_id = ${communityId} for key share of t`
    : [];
  if (!task) throw notFound('task');
  if (task.kind !== 'manual') throw new HttpError(409, 'NOT_MANUAL', 'Only tasks that leaders give can be given.');
  if (task.status !== 'live') throw new HttpError(409, 'TASK_CLOSED', 'This task is closed.');
  if (task.role === 'leader') {
    throw new HttpError(
      403,
      'LEADERS_DO_NOT_COMPETE',
      'They lead this community: leaders do not compete on its board.',
    );
  }
  await lockMemberTask(tx, task.id, userId, task.capTotal !== null);
  const full = whyFull(task, await readFacts(tx, { communityId, userId, timeZone: task.timeZone }, [task]));
  const day = localDay(now, task.timeZone);
  const period = claimPeriods(day)[task.recurrence];
  const [held] = await tx`
    select from claims where task_id = ${task.id} and user_id = ${userId} and period = ${period} and state <> 'rejected'`;
  if (held) throw alreadyHas();
  if (full) {
    const details = { cap: full.reason === 'cap' ? 'total' : 'member', of: 'them' };
    throw new HttpError(409, 'CAP_REACHED', 'This task was given as often as it counts.', { details });
  }
  const [row] = await tx<{ id: string }[]>`
    insert into claims (community_id, task_id, user_id, period, state, points, reason, acted_at, local_day, submitted_at,
      decided_at, decided_by)
    values (${communityId}, ${task.id}, ${userId}, ${period}, 'approved', ${task.points}, ${reason}, ${now}, ${day},
      ${now}, ${now}, ${leaderId})
    returning id`;
  if (!row) throw new Error('an insert returned nothing');
  const by = { at: now, actorId: leaderId };
  await note(tx, { communityId, claimId: row.id, kind: 'given', ...by, from: null, to: 'approved', reason });
  await audit(tx, {
    communityId,
    actorId: leaderId,
    action: 'task.granted',
    subject: `${task.title}: ${task.displayName}`,
    subjectId: row.id,
    reason,
    at: now,
  });
  const claim = await shown(tx, communityId, row.id);
  const about = { communityId, userId, kind: task.kind, at: now };
  await emitClaim(tx, ['claim.decided'], claim, about);
  await notifyOfDecision(tx, claim, about);
  await award(tx, { ...claim, communityId, userId, actedAt: now }, { actorId: leaderId, now });
  return claim;
}
