import type { Condition, Gate } from '../../../server/contract/tasks.ts';
import { number } from '../../lib/format.ts';
import { rangeWord } from '../../lib/range-word.ts';
import { m } from '../../paraglide/messages.js';
import { pointCount, roleWord, whenWord } from './words.ts';

const PLAIN = {
  conditions: m.member_gate_conditions,
  closed: m.member_gate_closed,
  cap: m.member_gate_cap,
  member_cap: m.member_gate_member_cap,
  leader: m.member_gate_leader,
  granted: m.member_gate_granted,
} as const;

/** Why a task cannot be done now, in a sentence, and when it can, where known. */
export function gateWords({ reason, opensAt }: Gate): string {
  if (reason === null) return '';
  if (reason === 'not_open_yet' || reason === 'window')
    return opensAt === null ? m.member_gate_later() : m.member_gate_opens({ when: whenWord(opensAt) });
  if (reason === 'cool_down')
    return opensAt === null ? m.member_gate_later() : m.member_gate_again({ when: whenWord(opensAt) });
  return PLAIN[reason]();
}

/** One step of the path to a task. `title` is the other task's, if the step names one. */
export function stepWords(condition: Condition, title: string | null): string {
  switch (condition.is) {
    case 'level':
      return m.member_step_level({ level: number(condition.atLeast) });
    case 'points':
      return m.member_step_points({ points: pointCount(condition.atLeast) });
    case 'role':
      return m.member_step_role({ role: roleWord(condition.role) });
    case 'task':
      return title === null ? m.member_step_task_unknown() : m.member_step_task({ task: title });
    case 'date':
      if (condition.from === null)
        return condition.until === null ? '' : m.member_step_until({ when: whenWord(condition.until) });
      return condition.until === null
        ? m.member_step_from({ when: whenWord(condition.from) })
        : rangeWord(condition.from, condition.until);
  }
}
