import '../../../kinds/choices.css';
import {
  QUIZ_EXPLANATION_MAX,
  QUIZ_ITEMS_MAX,
  QUIZ_ITEMS_MIN,
  QUIZ_NUMBER_MAX,
  QUIZ_OPTION_MAX,
  QUIZ_OPTIONS_MAX,
  QUIZ_QUESTION_MAX,
  QUIZ_SOURCE_TITLE_MAX,
  QUIZ_UNIT_MAX,
} from '../../../../server/contract/limits.ts';
import type { QuizQuestion } from '../../../../server/contract/quiz.ts';
import { newId } from '../../../kinds/choices.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, Select, TextArea } from '../../../ui/field.tsx';
import { KINDS, type QuestionKind, questionOf } from './quiz-pack-draft.ts';

type QuestionOf<K extends QuestionKind> = Extract<QuizQuestion, { kind: K }>;
type Props<Q> = { question: Q; onQuestion: (question: QuizQuestion) => void };

export const KIND_WORDS: Record<QuestionKind, () => string> = {
  single: m.quiz_kind_single,
  multiple: m.quiz_kind_multiple,
  ordering: m.quiz_kind_ordering,
  matching: m.quiz_kind_matching,
  number: m.quiz_kind_number,
};

/** The fields of a question of any kind. */
export function QuestionEditor({ question, onQuestion }: Props<QuizQuestion>) {
  const source = question.source ?? { title: '', url: '' };
  return (
    <div className="form-stack">
      <Select
        label={m.quiz_edit_kind()}
        options={KINDS.map((value) => ({ value, label: KIND_WORDS[value]() }))}
        value={question.kind}
        onValue={(kind) => onQuestion(questionOf(kind, question))}
      />
      <TextArea
        label={m.leader_quiz_text()}
        rows={2}
        maxLength={QUIZ_QUESTION_MAX}
        value={question.text}
        onValue={(text) => onQuestion({ ...question, text })}
      />
      <KindFields question={question} onQuestion={onQuestion} />
      <TextArea
        label={m.leader_quiz_explanation()}
        hint={m.quiz_edit_explanation_hint()}
        rows={2}
        maxLength={QUIZ_EXPLANATION_MAX}
        value={question.explanation}
        onValue={(explanation) => onQuestion({ ...question, explanation })}
      />
      <div className="two-columns">
        <Field
          label={m.quiz_edit_source_title()}
          maxLength={QUIZ_SOURCE_TITLE_MAX}
          value={source.title}
          onValue={(title) => onQuestion({ ...question, source: { ...source, title } })}
        />
        <Field
          label={m.quiz_edit_source_url()}
          type="url"
          inputMode="url"
          maxLength={2_000}
          value={source.url}
          onValue={(url) => onQuestion({ ...question, source: { ...source, url } })}
        />
      </div>
    </div>
  );
}

function KindFields({ question, onQuestion }: Props<QuizQuestion>) {
  switch (question.kind) {
    case 'single':
    case 'multiple':
      return <OptionFields question={question} onQuestion={onQuestion} />;
    case 'ordering':
      return <OrderFields question={question} onQuestion={onQuestion} />;
    case 'matching':
      return <PairFields question={question} onQuestion={onQuestion} />;
    case 'number':
      return <NumberFields question={question} onQuestion={onQuestion} />;
  }
}

type Entry = { id: string; text: string };
const rewritten = (entries: readonly Entry[], id: string, text: string): Entry[] =>
  entries.map((one) => (one.id === id ? { ...one, text } : one));

function OptionFields({ question, onQuestion }: Props<QuestionOf<'single'> | QuestionOf<'multiple'>>) {
  const { options, correct, kind } = question;
  const isOne = kind === 'single';
  const put = (change: Partial<Pick<typeof question, 'options' | 'correct'>>) =>
    onQuestion({ ...question, ...change } as QuizQuestion);
  const mark = (id: string, isRight: boolean) => {
    if (isOne) return put({ correct: [id] });
    put({ correct: isRight ? [...correct, id] : correct.filter((one) => one !== id) });
  };
  return (
    <>
      <p className="text-small text-muted">{isOne ? m.quiz_edit_one_hint() : m.leader_quiz_options_hint()}</p>
      {options.map((option, at) => (
        <div key={option.id} className="quiz-option">
          <label className="tick-box">
            <input
              type={isOne ? 'radio' : 'checkbox'}
              name={`right-${question.id}`}
              checked={correct.includes(option.id)}
              aria-label={m.leader_quiz_right({ n: number(at + 1) })}
              onChange={({ currentTarget }) => mark(option.id, currentTarget.checked)}
            />
          </label>
          <input
            className="field__input"
            aria-label={m.leader_quiz_option({ n: number(at + 1) })}
            maxLength={QUIZ_OPTION_MAX}
            value={option.text}
            onChange={({ currentTarget }) => put({ options: rewritten(options, option.id, currentTarget.value) })}
          />
          {options.length > 2 && (
            <IconButton
              icon="discard"
              label={m.leader_quiz_drop_option({ n: number(at + 1) })}
              onClick={() =>
                put({
                  options: options.filter(({ id }) => id !== option.id),
                  correct: correct.filter((id) => id !== option.id),
                })
              }
            />
          )}
        </div>
      ))}
      {options.length < QUIZ_OPTIONS_MAX && (
        <div className="actions">
          <Button kind="words" icon="plus" onClick={() => put({ options: [...options, { id: newId(), text: '' }] })}>
            {m.leader_quiz_add_option()}
          </Button>
        </div>
      )}
    </>
  );
}

function OrderFields({ question, onQuestion }: Props<QuestionOf<'ordering'>>) {
  const { items, correct } = question;
  // The editor shows items in their right order, whatever the pack's order.
  const inOrder = correct.flatMap((id) => items.filter((item) => item.id === id));
  const put = (next: readonly Entry[]) =>
    onQuestion({ ...question, items: [...next], correct: next.map(({ id }) => id) });
  return (
    <>
      <p className="text-small text-muted">{m.quiz_edit_order_hint()}</p>
      {inOrder.map((item, at) => (
        <div key={item.id} className="quiz-option quiz-option--plain">
          <input
            className="field__input"
            aria-label={m.quiz_edit_item({ n: number(at + 1) })}
            maxLength={QUIZ_OPTION_MAX}
            value={item.text}
            onChange={({ currentTarget }) => put(rewritten(inOrder, item.id, currentTarget.value))}
          />
          {inOrder.length > QUIZ_ITEMS_MIN && (
            <IconButton
              icon="discard"
              label={m.quiz_edit_drop_item({ n: number(at + 1) })}
              onClick={() => put(inOrder.filter(({ id }) => id !== item.id))}
            />
          )}
        </div>
      ))}
      {inOrder.length < QUIZ_ITEMS_MAX && (
        <div className="actions">
          <Button kind="words" icon="plus" onClick={() => put([...inOrder, { id: newId(), text: '' }])}>
            {m.quiz_edit_add_item()}
          </Button>
        </div>
      )}
    </>
  );
}

function PairFields({ question, onQuestion }: Props<QuestionOf<'matching'>>) {
  const { left, right, correct } = question;
  const used = new Set(Object.values(correct));
  const extra = right.filter(({ id }) => !used.has(id));
  const partnerOf = (id: string) => right.find((one) => one.id === correct[id]);
  const dropPair = (id: string) => {
    const { [id]: partner, ...rest } = correct;
    const isShared = Object.values(rest).includes(partner ?? '');
    onQuestion({
      ...question,
      left: left.filter((one) => one.id !== id),
      right: isShared ? right : right.filter((one) => one.id !== partner),
      correct: rest,
    });
  };
  const addPair = () => {
    const [a, b] = [newId(), newId()];
    onQuestion({
      ...question,
      left: [...left, { id: a, text: '' }],
      right: [...right, { id: b, text: '' }],
      correct: { ...correct, [a]: b },
    });
  };
  return (
    <>
      <p className="text-small text-muted">{m.quiz_edit_match_hint()}</p>
      {left.map((one, at) => (
        <fieldset key={one.id} className="form-group">
          <legend>{m.quiz_edit_pair({ n: number(at + 1) })}</legend>
          <div className="two-columns">
            <Field
              label={m.quiz_edit_left()}
              maxLength={QUIZ_OPTION_MAX}
              value={one.text}
              onValue={(text) => onQuestion({ ...question, left: rewritten(left, one.id, text) })}
            />
            <Field
              label={m.quiz_edit_partner()}
              maxLength={QUIZ_OPTION_MAX}
              value={partnerOf(one.id)?.text ?? ''}
              onValue={(text) => onQuestion({ ...question, right: rewritten(right, correct[one.id] ?? '', text) })}
            />
          </div>
          {left.length > QUIZ_ITEMS_MIN && (
            <div className="actions">
              <Button kind="words" icon="discard" onClick={() => dropPair(one.id)}>
                {m.quiz_edit_drop_pair({ n: number(at + 1) })}
              </Button>
            </div>
          )}
        </fieldset>
      ))}
      {extra.map((one, at) => (
        <div key={one.id} className="quiz-option quiz-option--plain">
          <input
            className="field__input"
            aria-label={m.quiz_edit_extra({ n: number(at + 1) })}
            placeholder={m.quiz_edit_extra({ n: number(at + 1) })}
            maxLength={QUIZ_OPTION_MAX}
            value={one.text}
            onChange={({ currentTarget }) =>
              onQuestion({ ...question, right: rewritten(right, one.id, currentTarget.value) })
            }
          />
          <IconButton
            icon="discard"
            label={m.quiz_edit_drop_extra({ n: number(at + 1) })}
            onClick={() => onQuestion({ ...question, right: right.filter(({ id }) => id !== one.id) })}
          />
        </div>
      ))}
      <div className="actions">
        {left.length < QUIZ_ITEMS_MAX && right.length < QUIZ_ITEMS_MAX && (
          <Button kind="words" icon="plus" onClick={addPair}>
            {m.quiz_edit_add_pair()}
          </Button>
        )}
        {right.length < QUIZ_ITEMS_MAX && (
          <Button
            kind="words"
            icon="plus"
            onClick={() => onQuestion({ ...question, right: [...right, { id: newId(), text: '' }] })}
          >
            {m.quiz_edit_add_extra()}
          </Button>
        )}
      </div>
    </>
  );
}

function NumberFields({ question, onQuestion }: Props<QuestionOf<'number'>>) {
  const { correct } = question;
  return (
    <div className="two-columns">
      <Field
        label={m.quiz_edit_value()}
        hint={m.quiz_edit_value_hint()}
        inputMode="decimal"
        maxLength={QUIZ_NUMBER_MAX}
        value={correct.value}
        onValue={(value) => onQuestion({ ...question, correct: { ...correct, value } })}
      />
      <Field
        label={m.quiz_edit_tolerance()}
        hint={m.quiz_edit_tolerance_hint()}
        inputMode="decimal"
        maxLength={QUIZ_NUMBER_MAX}
        value={correct.tolerance}
        onValue={(tolerance) => onQuestion({ ...question, correct: { ...correct, tolerance } })}
      />
      <Field
        label={m.quiz_edit_unit()}
        maxLength={QUIZ_UNIT_MAX}
        value={question.unit ?? ''}
        onValue={(unit) => onQuestion({ ...question, unit })}
      />
    </div>
  );
}
