import './question-fields.css';
import { useId, useRef, useState } from 'react';
import type { AttemptQuestion, QuizAnswer } from '../../../server/contract/quiz.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { Icon, Mark } from '../../ui/icon.tsx';
import { moved, paired } from './answer.ts';

type QuestionOf<K extends AttemptQuestion['kind']> = Extract<AttemptQuestion, { kind: K }>;
type Props<Q> = {
  question: Q;
  answer: QuizAnswer;
  /** Id of the question's element, which names the group for screen readers. */
  labelledBy: string;
  onAnswer: (answer: QuizAnswer) => void;
};

/** How to answer a question of this kind, in a line below it. */
export function hintOf({ kind }: AttemptQuestion): string {
  switch (kind) {
    case 'single':
      return m.quiz_choose_one();
    case 'multiple':
      return m.quiz_choose_all();
    case 'ordering':
      return m.quiz_order_hint();
    case 'matching':
      return m.quiz_match_hint();
    case 'number':
      return m.quiz_number_hint();
  }
}

/** Input for a question of any kind. Choices are in pencil: nothing here shows what is right. */
export function QuestionFields(props: Props<AttemptQuestion>) {
  const { question, ...rest } = props;
  switch (question.kind) {
    case 'single':
    case 'multiple':
      return <Options question={question} {...rest} />;
    case 'ordering':
      return <Order question={question} {...rest} />;
    case 'matching':
      return <Pairs question={question} {...rest} />;
    case 'number':
      return <NumberField question={question} {...rest} />;
  }
}

function Options({ question, answer, labelledBy, onAnswer }: Props<QuestionOf<'single'> | QuestionOf<'multiple'>>) {
  const name = useId();
  const isOne = question.kind === 'single';
  const { optionIds } = answer;
  const press = (id: string) => {
    if (isOne) return onAnswer({ ...answer, optionIds: [id] });
    const next = optionIds.includes(id) ? optionIds.filter((one) => one !== id) : [...optionIds, id];
    onAnswer({ ...answer, optionIds: next });
  };
  return (
    <fieldset className="quiz-choices" aria-labelledby={labelledBy}>
      {question.options.map(({ id, text }) => (
        <label key={id} className="quiz-choice">
          <input
            type={isOne ? 'radio' : 'checkbox'}
            name={name}
            checked={optionIds.includes(id)}
            onChange={() => press(id)}
          />
          <Mark state={optionIds.includes(id) ? 'pencil' : 'slot'} />
          <span className="quiz-choice__text">{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Order({ question, answer, labelledBy, onAnswer }: Props<QuestionOf<'ordering'>>) {
  const [last, setLast] = useState<{ id: string; at: number } | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const ids = answer.optionIds;
  const textOf = (id: string) => question.items.find((item) => item.id === id)?.text ?? '';
  const move = (id: string, by: -1 | 1) => {
    const next = moved(ids, id, by);
    const at = next.indexOf(id);
    setLast({ id, at });
    onAnswer({ ...answer, optionIds: next });
    // At an end the pressed button disappears: the item's other button takes the focus.
    const isEnd = at === 0 || at === next.length - 1;
    requestAnimationFrame(() => {
      const row = list.current?.querySelector(`[data-item="${id}"]`);
      row?.querySelector<HTMLElement>(isEnd ? 'button' : `button[data-by="${by}"]`)?.focus();
    });
  };
  return (
    <>
      <ol className="quiz-order" ref={list} aria-labelledby={labelledBy}>
        {ids.map((id, at) => (
          <li
            key={id}
            data-item={id}
            className={id === last?.id ? 'quiz-order__entry quiz-order__entry--moved' : 'quiz-order__entry'}
          >
            <span className="quiz-order__number" aria-hidden="true">
              {number(at + 1)}
            </span>
            <span>{textOf(id)}</span>
            <span className="quiz-order__buttons">
              {at > 0 ? (
                <MoveButton by={-1} label={m.quiz_move_up({ item: textOf(id) })} onPress={() => move(id, -1)} />
              ) : (
                <span className="quiz-order__gap" />
              )}
              {at < ids.length - 1 ? (
                <MoveButton by={1} label={m.quiz_move_down({ item: textOf(id) })} onPress={() => move(id, 1)} />
              ) : (
                <span className="quiz-order__gap" />
              )}
            </span>
          </li>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {last ? m.quiz_now_number({ n: number(last.at + 1), all: number(ids.length) }) : ''}
      </p>
    </>
  );
}

function MoveButton({ by, label, onPress }: { by: -1 | 1; label: string; onPress: () => void }) {
  return (
    <button
      type="button"
      className={by < 0 ? 'icon-button quiz-order__upward' : 'icon-button'}
      data-by={by}
      aria-label={label}
      onClick={onPress}
    >
      <Icon name="down" />
    </button>
  );
}

function Pairs({ question, answer, labelledBy, onAnswer }: Props<QuestionOf<'matching'>>) {
  const prefix = useId();
  const chosen = (left: string) => answer.pairs?.find((pair) => pair.left === left)?.choice ?? '';
  return (
    <ul className="quiz-pairs" aria-labelledby={labelledBy}>
      {question.left.map(({ id, text }) => (
        <li key={id} className={chosen(id) === '' ? 'quiz-pair' : 'quiz-pair quiz-pair--chosen'}>
          <label htmlFor={prefix + id}>{text}</label>
          <select
            id={prefix + id}
            className="field__input"
            value={chosen(id)}
            onChange={({ currentTarget }) => onAnswer(paired(answer, id, currentTarget.value))}
          >
            <option value="">{m.quiz_match_choose()}</option>
            {question.choices.map((choice) => (
              <option key={choice.id} value={choice.id}>
                {choice.text}
              </option>
            ))}
          </select>
        </li>
      ))}
    </ul>
  );
}

function NumberField({ question, answer, labelledBy, onAnswer }: Props<QuestionOf<'number'>>) {
  return (
    <div className="quiz-number">
      <input
        className="field__input"
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        aria-labelledby={labelledBy}
        value={answer.value ?? ''}
        onChange={({ currentTarget }) => onAnswer({ ...answer, value: currentTarget.value })}
      />
      {question.unit !== null && <span className="quiz-number__unit">{question.unit}</span>}
    </div>
  );
}
