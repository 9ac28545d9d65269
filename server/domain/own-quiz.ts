import type { Evidence } from '../contract/claims.ts';
import { QUIZ_HUMAN_FLOOR_MS } from '../contract/limits.ts';
import type { TaskSetup } from '../contract/tasks.ts';

type Quiz = Extract<TaskSetup, { kind: 'quiz' }>;
type Answered = Extract<Evidence, { kind: 'quiz' }>;

/** What came of answers to a quiz with questions of the task's own. `note` is for people and holds no answer. */
export function gradeOwn(
  setup: Quiz,
  evidence: Answered,
  deviceAt: Date,
): { passed: boolean; isHasty: boolean; note: string } {
  const answers = new Map(evidence.answers.map(({ questionId, optionIds }) => [questionId, optionIds]));
  const right = setup.questions.filter(({ id, correct }) => isSameSet(answers.get(id) ?? [], correct)).length;
  const needed = Math.ceil((setup.questions.length * setup.passPercent) / 100);
  return {
    passed: right >= needed,
    isHasty: tookMs(evidence, deviceAt) < QUIZ_HUMAN_FLOOR_MS * setup.questions.length,
    note: `${right} of ${setup.questions.length} right, ${needed} needed`,
  };
}

/** How long a quiz took. A clock that is changed meanwhile is useless for that; a monotonic one is not. */
export const tookMs = ({ startedAt, tookMs: counted = 0 }: Answered, deviceAt: Date): number =>
  Math.max(deviceAt.getTime() - new Date(startedAt).getTime(), counted);

const isSameSet = (given: readonly string[], wanted: readonly string[]): boolean =>
  given.length === wanted.length && new Set(given).size === given.length && given.every((one) => wanted.includes(one));
