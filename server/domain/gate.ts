import { HttpError } from '../base/http-error.ts';
import { levelOf } from '../contract/limits.ts';
import type { Condition, Conditions, Gate, TaskAsk, TaskSetup } from '../contract/tasks.ts';
import { codesEndAt } from '../rules/event-code.ts';
import { type Facts, flat, type Other } from './gate-facts.ts';
import { reaches } from './roles.ts';
import { type GatedRow, setupOf } from './task-row.ts';
import { windowAt } from './window.ts';

/**
 * What blocks a task for a member. Calendar and clock are judged at `at`, the moment of the action; the member's state
 * and the wait after a failed attempt at `now`, which no device can shift.
 */
export function gateOf(row: GatedRow, facts: Facts, now: Date, at: Date = now): Gate {
  const path = flat(row.conditions).flatMap((condition) => {
    const met = isMet(condition, facts, at);
    const title = condition.is === 'task' ? (facts.others.get(condition.taskId)?.title ?? null) : null;
    return met === null ? [] : [{ condition, met, title }];
  });
  const shut = whyShut(row, facts, now, at);
  return { open: shut === null, reason: shut?.reason ?? null, opensAt: shut?.opensAt?.toISOString() ?? null, path };
}

type Shut = { reason: NonNullable<Gate['reason']>; opensAt?: Date | null };

function whyShut(row: GatedRow, facts: Facts, now: Date, at: Date): Shut | null {
  const mine = facts.mine.get(row.id);
  if (facts.role === 'leader') return { reason: 'leader' };
  if (row.status !== 'live' || (row.closesAt !== null && new Date(row.closesAt) <= at)) return { reason: 'closed' };
  if (row.kind === 'manual') return { reason: 'granted' };
  if (row.opensAt !== null && new Date(row.opensAt) > at) {
    return { reason: 'not_open_yet', opensAt: new Date(row.opensAt) };
  }
  const hours = row.localWindow && windowAt(row.localWindow, at, facts.timeZone);
  if (hours && !hours.open) return { reason: 'window', opensAt: hours.opensAt };
  if (row.conditions && areMet(row.conditions, facts, at) === false) return { reason: 'conditions' };
  if (mine?.retryAt && mine.retryAt > now) return { reason: 'cool_down', opensAt: mine.retryAt };
  return whyFull(row, facts);
}

/**
 * The gate as lists of tasks show it. An event whose codes have ended is not offered; a late scan is still judged by
 * its code.
 */
export function offerOf(row: GatedRow, facts: Facts, now: Date): Gate {
  const gate = gateOf(row, facts, now);
  if (gate.reason === 'leader' || !hasEnded(setupOf(row), now)) return gate;
  return { ...gate, open: false, reason: 'closed', opensAt: null };
}

/** Whether it is an event whose codes have ended. */
export const hasEnded = (what: TaskSetup | TaskAsk, now: Date): boolean =>
  what.kind === 'telegram_event' && codesEndAt(Date.parse(what.endsAt)) <= now.getTime();

/** Why no more claims of the task are taken, if so. */
export function whyFull(row: GatedRow, facts: Facts): { reason: 'member_cap' | 'cap' } | null {
  if (row.capMember !== null && (facts.mine.get(row.id)?.alive ?? 0) >= row.capMember) return { reason: 'member_cap' };
  if (row.capTotal !== null && (facts.taken.get(row.id) ?? 0) >= row.capTotal) return { reason: 'cap' };
  return null;
}

/** Null: none of it can be required of anyone (any more). */
function areMet({ match, of }: Pick<Conditions, 'match' | 'of'>, facts: Facts, at: Date): boolean | null {
  const required = of
    .map((one) => ('of' in one ? areMet(one, facts, at) : isMet(one, facts, at)))
    .filter((met) => met !== null);
  if (required.length === 0) return null;
  return match === 'all' ? required.every(Boolean) : required.some(Boolean);
}

/** Null: a task that can no longer be done and that the member has not done blocks nobody. */
function isMet(condition: Condition, facts: Facts, at: Date): boolean | null {
  switch (condition.is) {
    case 'level':
      return levelOf(facts.points).level >= condition.atLeast;
    case 'points':
      return facts.points >= condition.atLeast;
    case 'role':
      return reaches(facts.role, condition.role);
    case 'task':
      if ((facts.mine.get(condition.taskId)?.approved ?? 0) > 0) return true;
      return isOver(facts.others.get(condition.taskId), at) ? null : false;
    case 'date':
      return (
        (condition.from === null || new Date(condition.from) <= at) &&
        (condition.until === null || at < new Date(condition.until))
      );
  }
}

const isOver = (task: Other | undefined, at: Date): boolean =>
  task !== undefined &&
  (task.status === 'archived' ||
    (task.closesAt !== null && new Date(task.closesAt) <= at) ||
    (task.eventEndsAt !== null && codesEndAt(Date.parse(task.eventEndsAt)) <= at.getTime()) ||
    (task.conditions !== null && isPast(task.conditions, at)));

/** Whether the required dates have passed, so nobody can meet it any more. */
function isPast(required: Condition | Conditions, at: Date): boolean {
  if (!('of' in required)) return required.is === 'date' && required.until !== null && new Date(required.until) <= at;
  const past = (one: Condition | Conditions) => isPast(one, at);
  return required.match === 'all' ? required.of.some(past) : required.of.every(past);
}

/** Says why a task takes no claim; details: `{ opensAt }`, `{ retryAt }`, `{ cap }` or `{ path }`. */
export function refuseShut({ reason, opensAt, path }: Gate): never {
  switch (reason) {
    case 'not_open_yet':
    case 'window':
      throw new HttpError(409, 'NOT_OPEN_YET', 'This task is not open at this time.', { details: { opensAt } });
    case 'conditions':
      throw new HttpError(409, 'CONDITIONS_NOT_MET', 'Something comes before this task.', { details: { path } });
    case 'cool_down':
      throw new HttpError(409, 'COOLING_DOWN', 'Wait a while before you try again.', { details: { retryAt: opensAt } });
    case 'cap':
      throw new HttpError(409, 'CAP_REACHED', 'All places of this task are taken.', { details: { cap: 'total' } });
    case 'member_cap':
      throw new HttpError(409, 'CAP_REACHED', 'You did this as often as it counts.', { details: { cap: 'member' } });
    case 'granted':
      throw new HttpError(409, 'ONLY_GRANTED', 'A leader gives this one.');
    default:
      throw new HttpError(409, 'TASK_CLOSED', 'This task is closed.');
  }
}
