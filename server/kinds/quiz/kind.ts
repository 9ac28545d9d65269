import { QUIZ_HUMAN_FLOOR_MS } from '../../contract/limits.ts';
import { line, prose } from '../../domain/text.ts';
import { areDistinct, check, invalid } from '../judged.ts';
import type { EvidenceOf, Judged, Kind, SetupOf } from '../kind.ts';

export const quiz: Kind<'quiz'> = {
  check: checkQuiz,
  ask: ({ kind, passPercent, pack, questions }, { inOrder }) => ({
    kind,
    passPercent,
    ...(pack && { pack: { title: pack.title ?? '', count: pack.count } }),
    questions: inOrder(questions, null).map(({ id, text, options, correct }) => ({
      id,
      text,
      options: inOrder(options, id),
      multiple: correct.length > 1,
    })),
  }),
  judge(setup, evidence, { deviceAt }, grade) {
    if (grade === null) return gradeOwn(setup, evidence, deviceAt);
    const { hasPassed, isHasty, count, needed } = grade;
    // How many were right is nobody's to know before they have passed.
    const note = `${hasPassed ? 'Passed' : 'Not passed'}: ${needed} of ${count} ${hasPassed ? 'were' : 'are'} needed`;
    return graded(evidence, { hasPassed, isHasty, note });
  },
  right: ({ questions }) => questions.map(({ id, correct }) => ({ questionId: id, optionIds: correct })),
};

function checkQuiz(setup: SetupOf<'quiz'>): SetupOf<'quiz'> {
  const { pack } = setup;
  if ((pack === undefined) === (setup.questions.length === 0))
    invalid('setup.questions', 'missing', 'a quiz has its own questions, or a pack to draw them from');
  if (!areDistinct(setup.questions)) invalid('setup.questions', 'twice', 'two questions have the same id');
  const questions = setup.questions.map((question) => {
    const { id, text, options, correct, explanation } = question;
    if (!areDistinct(options)) invalid('setup.questions', 'twice', `two options of ${id} have the same id`);
    const known = new Set(options.map((option) => option.id));
    if (new Set(correct).size !== correct.length)
      invalid('setup.questions', 'twice', `a right option of ${id} is named twice`);
    if (!correct.every((one) => known.has(one))) {
      invalid('setup.questions', 'other', `the right options of ${id} are not among its options`);
    }
    return {
      id,
      text: prose('setup.questions', text),
      options: options.map((option) => ({ id: option.id, text: line('setup.questions', option.text) })),
      correct,
      ...(explanation === undefined ? {} : { explanation: prose('setup.questions', explanation) }),
    };
  });
  return { ...setup, questions };
}

function gradeOwn(setup: SetupOf<'quiz'>, evidence: EvidenceOf<'quiz'>, deviceAt: Date): Judged {
  const answers = new Map(evidence.answers.map(({ questionId, optionIds }) => [questionId, optionIds]));
  const count = setup.questions.length;
  const right = setup.questions.filter(({ id, correct }) => isSameSet(answers.get(id) ?? [], correct)).length;
  const needed = Math.ceil((count * setup.passPercent) / 100);
  return graded(evidence, {
    hasPassed: right >= needed,
    isHasty: tookMs(evidence, deviceAt) < QUIZ_HUMAN_FLOOR_MS * count,
    note: `${right} of ${count} right, ${needed} needed`,
  });
}

type Grade = { hasPassed: boolean; isHasty: boolean; note: string };
const graded = (evidence: EvidenceOf<'quiz'>, { hasPassed, isHasty, note }: Grade): Judged => ({
  state: !hasPassed ? 'rejected' : isHasty ? 'checking' : 'approved',
  evidence,
  checks: [
    check('answers', hasPassed, note),
    ...(isHasty ? [check('pace', false, 'Answered faster than people read')] : []),
  ],
  reason: hasPassed ? null : note,
});

/** How long a quiz took. A clock may be changed during a quiz; a monotonic one may not. */
export const tookMs = ({ startedAt, tookMs: counted = 0 }: EvidenceOf<'quiz'>, deviceAt: Date): number =>
  Math.max(deviceAt.getTime() - new Date(startedAt).getTime(), counted);

const isSameSet = (given: readonly string[], wanted: readonly string[]): boolean =>
  given.length === wanted.length && new Set(given).size === given.length && given.every((one) => wanted.includes(one));
