import type { ISql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { X_KINDS } from '../../contract/x-post.ts';
import { prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';

/** Name of the switch in `instance_switches`. */
const POINTS = 'x_action_points';

/** Whether an administrator let tasks at X give points; the environment has to, too. */
async function isSwitchedOn(sql: ISql): Promise<boolean> {
  const [row] = await sql<{ isOn: boolean }[]>`select is_on as "isOn" from instance_switches where name = ${POINTS}`;
  return row?.isOn ?? false;
}

/** Both the environment (`byEnvironment`) and an administrator must want it: X's policy forbids it (docs/integrations.md). */
export const mayGivePoints = async (sql: ISql, byEnvironment: boolean): Promise<boolean> =>
  byEnvironment && (await isSwitchedOn(sql));

/** The switch as its desk shows it. */
export async function readSwitch(sql: ISql, byEnvironment: boolean) {
  const [row] = await sql<{ isOn: boolean; reason: string; by: string | null; changedAt: Date }[]>`
    select s.is_on as "isOn", s.reason, u.display_name as by, s.changed_at as "changedAt"
    from instance_switches s left join users u on u.id = s.changed_by where s.name = ${POINTS}`;
  return {
    byEnvironment,
    isOn: row?.isOn ?? false,
    reason: row?.reason ?? null,
    by: row?.by ?? null,
    changedAt: row?.changedAt.toISOString() ?? null,
  };
}

/** Turns it on or off, which changes what is to come: points that were given stay. */
export async function setSwitch(
  tx: TransactionSql,
  scope: { isOn: boolean; adminId: string; reason: string; byEnvironment: boolean; now: Date },
): Promise<void> {
  const { isOn, adminId, now } = scope;
  const reason = prose('reason', scope.reason);
  await tx`
    insert into instance_switches (name, is_on, reason, changed_by, changed_at)
    values (${POINTS}, ${isOn}, ${reason}, ${adminId}, ${now})
    on conflict (name) do update set is_on = ${isOn}, reason = ${reason}, changed_by = ${adminId}, changed_at = ${now}`;
  const action = isOn ? 'switch.x_points_on' : 'switch.x_points_off';
  await audit(tx, { communityId: null, actorId: adminId, action, subject: 'X_ACTION_POINTS', reason, at: now });
  await takePoints(tx, scope.byEnvironment);
}

/** Where tasks at X may give no points, none promises any. */
async function takePoints(sql: ISql, byEnvironment: boolean): Promise<void> {
  if (await mayGivePoints(sql, byEnvironment)) return;
  await sql`update tasks set points = 0 where kind = any(${[...X_KINDS]}) and points > 0`;
}

/** The environment may have changed with the start of this process. A job. */
export const syncPoints = ({ sql, config }: Runtime): Promise<void> => takePoints(sql, config.x.actionPoints);
