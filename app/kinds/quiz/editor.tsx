import '../choices.css';
import {
  QUIZ_COOL_DOWN_MINUTES,
  QUIZ_EXPLANATION_MAX,
  QUIZ_OPTION_MAX,
  QUIZ_OPTIONS_MAX,
  QUIZ_QUESTION_MAX,
  QUIZ_QUESTIONS_MAX,
} from '../../../server/contract/limits.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { WholeField } from '../../ui/whole-field.tsx';
import { newOption, newQuestion } from '../choices.ts';
import type { FieldsProps, LeaderParts, SetupOf } from '../kind.ts';
import { PackFields } from './pack-fields.tsx';
import { QuizReviewed } from './reviewed.tsx';

type Question = SetupOf<'quiz'>['questions'][number];

export const quizEditor: LeaderParts<'quiz'> = {
  hint: m.leader_kind_quiz_hint,
  usualPoints: 40,
  coolDown: {
    usualMinutes: QUIZ_COOL_DOWN_MINUTES,
    // A quiz with its own questions shows how many were right; one that draws from a pack does not.
    hint: ({ pack }) => (pack ? m.quiz_setup_cool_down_hint() : m.leader_quiz_cool_down_hint()),
  },
  empty: () => ({ kind: 'quiz', passPercent: 70, questions: [newQuestion()] }),
  problems: ({ questions }) => [
    ...(questions.some(({ text }) => seenLength(text) < 3) ? ['question'] : []),
    ...(questions.every(isAnswerable) ? [] : ['options']),
  ],
  tidy: (setup) => ({
    ...setup,
    questions: setup.questions.map(({ explanation, ...question }) => ({
      ...question,
      ...(explanation?.trim() && { explanation: explanation.trim() }),
    })),
  }),
  // Lists each field, so the right answers are left out.
  preview: ({ kind, passPercent, pack, questions }) => ({
    kind,
    passPercent,
    ...(pack && { pack: { title: pack.title ?? '', count: pack.count } }),
    questions: questions.map(({ id, text, options, correct }) => ({ id, text, options, multiple: correct.length > 1 })),
  }),
  Fields: QuizFields,
  Reviewed: QuizReviewed,
  Hidden: QuizReviewed,
};

const isAnswerable = ({ options, correct }: Question): boolean =>
  options.length >= 2 &&
  options.length <= QUIZ_OPTIONS_MAX &&
  options.every(({ text }) => text.trim() !== '') &&
  correct.length > 0;

function QuizFields({ communityId, setup, found, onSetup }: FieldsProps<'quiz'>) {
  const { questions } = setup;
  const put = (changed: Question[]) => onSetup({ ...setup, questions: changed });
  return (
    <div className="form-stack">
      <PackFields communityId={communityId} setup={setup} onSetup={onSetup} />
      <WholeField
        label={m.leader_quiz_pass()}
        min={1}
        max={100}
        value={setup.passPercent}
        onValue={(passPercent) => onSetup({ ...setup, passPercent })}
      />
      {(found.has('question') || found.has('options')) && (
        <p className="quote" role="alert">
          {m.leader_quiz_wrong()}
        </p>
      )}
      {questions.map((question, index) => (
        <QuestionFields
          key={question.id}
          question={question}
          index={index}
          onQuestion={(changed) => put(questions.map((one) => (one === question ? changed : one)))}
          onDrop={questions.length > 1 ? () => put(questions.filter((one) => one !== question)) : null}
        />
      ))}
      {setup.pack === undefined && questions.length < QUIZ_QUESTIONS_MAX && (
        <Button kind="edge" icon="plus" onClick={() => put([...questions, newQuestion()])}>
          {m.leader_quiz_add()}
        </Button>
      )}
    </div>
  );
}

function QuestionFields(props: {
  question: Question;
  index: number;
  onQuestion: (question: Question) => void;
  /** Null for the only one. */
  onDrop: (() => void) | null;
}) {
  const { question, index, onDrop } = props;
  const put = (change: Partial<Question>) => props.onQuestion({ ...question, ...change });
  return (
    <fieldset className="form-group">
      <legend>{m.leader_quiz_question({ n: number(index + 1) })}</legend>
      <TextArea
        label={m.leader_quiz_text()}
        rows={2}
        maxLength={QUIZ_QUESTION_MAX}
        value={question.text}
        onValue={(text) => put({ text })}
      />
      <p className="text-small text-muted">{m.leader_quiz_options_hint()}</p>
      {question.options.map((option, at) => (
        <div key={option.id} className="quiz-option">
          <label className="tick-box">
            <input
              type="checkbox"
              checked={question.correct.includes(option.id)}
              aria-label={m.leader_quiz_right({ n: number(at + 1) })}
              onChange={({ currentTarget }) =>
                put({
                  correct: currentTarget.checked
                    ? [...question.correct, option.id]
                    : question.correct.filter((id) => id !== option.id),
                })
              }
            />
          </label>
          <input
            className="field__input"
            aria-label={m.leader_quiz_option({ n: number(at + 1) })}
            maxLength={QUIZ_OPTION_MAX}
            value={option.text}
            onChange={({ currentTarget: { value } }) =>
              put({
                options: question.options.map((one) => (one.id === option.id ? { ...one, text: value } : one)),
              })
            }
          />
          {question.options.length > 2 && (
            <IconButton
              icon="discard"
              label={m.leader_quiz_drop_option({ n: number(at + 1) })}
              onClick={() =>
                put({
                  options: question.options.filter((one) => one.id !== option.id),
                  correct: question.correct.filter((id) => id !== option.id),
                })
              }
            />
          )}
        </div>
      ))}
      <TextArea
        label={m.leader_quiz_explanation()}
        hint={m.leader_quiz_explanation_hint()}
        rows={2}
        maxLength={QUIZ_EXPLANATION_MAX}
        value={question.explanation ?? ''}
        onValue={(explanation) => put({ explanation })}
      />
      <div className="actions">
        {question.options.length < QUIZ_OPTIONS_MAX && (
          <Button kind="words" icon="plus" onClick={() => put({ options: [...question.options, newOption()] })}>
            {m.leader_quiz_add_option()}
          </Button>
        )}
        {onDrop && (
          <Button kind="words" icon="discard" onClick={onDrop}>
            {m.leader_quiz_drop()}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
