import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { signed } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { gateWords } from '../../shared/tasks/gate-words.ts';
import { PathSteps } from '../../shared/tasks/path-steps.tsx';
import type { TaskView } from '../../shared/tasks/task-view.ts';
import { recurrenceWord, reviewerWords, whenWord } from '../../shared/tasks/words.ts';

/** Who decides, when that is the same for every answer. */
function deciderOf({ ask }: TaskWithClaim, reviewers: readonly string[]): string | null {
  const { pace, checker } = kindOf(ask.kind);
  if (checker) return m.member_facts_checked({ who: checker(ask) });
  if (pace === 'when-reviewed') return reviewerWords([...reviewers]);
  return pace === 'by-a-press' || pace === 'at-once' ? m.member_facts_at_once() : null;
}

/** Points, frequency, deadline and reviewer, in a line. */
export function TaskFacts({ task, reviewers }: { task: TaskWithClaim; reviewers: readonly string[] }) {
  const endsAt = kindOf(task.kind).hours?.(task.ask).endsAt ?? task.schedule.closesAt;
  const decider = deciderOf(task, reviewers);
  const facts = [recurrenceWord(task.recurrence)];
  if (endsAt !== null) facts.push(m.member_facts_until({ when: whenWord(endsAt) }));
  if (decider !== null) facts.push(decider);
  return (
    <p className="text-small text-muted">
      <bdi dir="ltr">{signed(task.points)}</bdi> · {facts.join(' · ')}
    </p>
  );
}

/** A read-only task: what it asks, and why it takes no answer now. */
export function TaskRead({ view: { task, state } }: { view: TaskView }) {
  const why =
    state === 'locked' ? gateWords(task.gate) : kindOf(task.kind).pace === 'when-given' ? m.member_gate_granted() : '';
  return (
    <div className="stack-medium">
      {task.instructions && <p className="written-text">{task.instructions}</p>}
      {why && <p className="text-muted">{why}</p>}
      {state === 'locked' && task.gate.reason === 'conditions' && (
        <PathSteps path={task.gate.path} any={task.conditions?.match === 'any'} />
      )}
    </div>
  );
}
