import type { ISql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Conditions, Schedule, TaskSetup } from '../../contract/tasks.ts';
import { flat } from '../../domain/gate-facts.ts';
import { checkDates, invalid } from '../../kinds/judged.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { checkPartner } from './partner-keys.ts';

/**
 * The setup as it is stored: text that can be shown, links that lead somewhere, answers that are among the options.
 * Throws 400 `INVALID_INPUT`, 422 `URL_NOT_ALLOWED` and `DATE_OUT_OF_RANGE`.
 */
export function checkSetup(setup: TaskSetup, now: Date): TaskSetup {
  const checked = kindOf(setup.kind).check?.(setup, now) ?? setup;
  return checked.kind === 'partner' ? checkPartner(checked) : checked;
}

/** Throws 422 `DATE_OUT_OF_RANGE` for a date too far from now, 400 for a task that closes before it opens. */
export function checkSchedule({ opensAt, closesAt }: Schedule, now: Date): void {
  checkDates([opensAt, closesAt], now);
  if (opensAt !== null && closesAt !== null && new Date(opensAt) >= new Date(closesAt)) {
    invalid('schedule.closesAt', 'order', 'must lie after the opening');
  }
}

/**
 * Conditions may name only tasks of this community and must not form a circle or exclude every time. Must run in a
 * transaction that locks the community's row. Throws 422 `CONDITION_UNKNOWN_TASK`, `CONDITIONS_CIRCLE` and
 * `DATE_OUT_OF_RANGE`, 400 `INVALID_INPUT`.
 */
export async function checkConditions(
  sql: ISql,
  communityId: string,
  { taskId, conditions, now }: { taskId: string | null; conditions: Conditions | null; now: Date },
): Promise<void> {
  const parts = flat(conditions);
  checkDates(
    parts.flatMap((one) => (one.is === 'date' ? [one.from, one.until] : [])),
    now,
  );
  for (const one of parts) {
    if (one.is !== 'date' || one.from === null || one.until === null) continue;
    if (new Date(one.from) >= new Date(one.until)) invalid('conditions', 'order', 'a date must end after it begins');
  }
  const named = namedBy(conditions);
  if (named.length === 0) return;
  const rows = await sql<{ id: string; conditions: Conditions | null }[]>`
    select id, conditions from tasks where community_id = ${communityId} and (conditions is not null or id = any(${named}))`;
  const tasks = new Map(rows.map((row) => [row.id, namedBy(row.conditions)]));
  if (!named.every((id) => tasks.has(id))) {
    throw new HttpError(422, 'CONDITION_UNKNOWN_TASK', 'A condition names a task that is not one of this community.');
  }
  const seen = new Set<string>();
  const open = [...named];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === taskId)
      throw new HttpError(422, 'CONDITIONS_CIRCLE', 'These conditions wait for each other in a circle.');
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(tasks.get(id) ?? []));
  }
}

const namedBy = (conditions: Conditions | null): string[] =>
  flat(conditions).flatMap((one) => (one.is === 'task' ? [one.taskId.toLowerCase()] : []));
