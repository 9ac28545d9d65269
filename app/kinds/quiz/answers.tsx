import './answers.css';
import { m } from '../../paraglide/messages.js';
import { Icon } from '../../ui/icon.tsx';
import { textsOf } from '../choices.ts';
import type { AskOf } from '../kind.ts';

type Chosen = readonly { questionId: string; optionIds: string[] }[];
const chosenIn = (answers: Chosen, id: string): string[] =>
  answers.find(({ questionId }) => questionId === id)?.optionIds ?? [];
const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));

/** Each question of a quiz with the member's answer, and for reviewers the right one (`right`). */
export function Answers(props: { ask: AskOf<'quiz'>; answers: Chosen; right?: Chosen }) {
  const { ask, answers, right } = props;
  return (
    <ul className="ruled-list">
      {ask.questions.map(({ id, text, options }) => {
        const chosen = chosenIn(answers, id);
        const isRight = right && isSame(chosen, chosenIn(right, id));
        return (
          <li key={id} className="sent-answer">
            <span className="text-small text-muted">{text}</span>
            <span>
              {right && <Icon name={isRight ? 'check' : 'close'} size={16} />}{' '}
              {right && (
                <span className="visually-hidden">
                  {isRight ? m.member_answer_is_right() : m.member_answer_is_wrong()}
                </span>
              )}{' '}
              {textsOf(options, chosen).join(', ') || m.member_answer_none()}
            </span>
            {right && !isRight && (
              <span className="text-small">
                {m.member_answer_right({ answer: textsOf(options, chosenIn(right, id)).join(', ') })}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
