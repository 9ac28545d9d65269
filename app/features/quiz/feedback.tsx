import './feedback.css';
import '../../shared/quiz/question-fields.css';
import type { AttemptQuestion, QuizAnswer, QuizSource } from '../../../server/contract/quiz.ts';
import { inWords } from '../../../server/contract/quiz-grade.ts';
import { m } from '../../paraglide/messages.js';
import { Icon, Mark } from '../../ui/icon.tsx';

/** An explanation's source, as an external link. */
export function SourceLine({ source }: { source: QuizSource }) {
  return (
    <p className="quiz-source">
      <Icon name="link" />
      <span>
        {m.quiz_source()}{' '}
        <a href={source.url} target="_blank" rel="noopener noreferrer">
          {source.title}
        </a>
      </span>
    </p>
  );
}

type Verdict = { text: string; isRight: boolean };

/** The chosen and the right options only: the others would just be more to read. */
function verdicts(question: AttemptQuestion, yours: QuizAnswer, key: QuizAnswer, isRight: boolean): Verdict[] {
  if (question.kind !== 'single' && question.kind !== 'multiple') {
    const right = { text: inWords(question, key), isRight: true };
    return isRight ? [right] : [{ text: inWords(question, yours), isRight: false }, right];
  }
  return question.options.flatMap(({ id, text }): Verdict[] => {
    if (key.optionIds.includes(id)) return [{ text, isRight: true }];
    return yours.optionIds.includes(id) ? [{ text, isRight: false }] : [];
  });
}

/** The result of an answer, its explanation, the next repetition, and the source. */
export function Feedback(props: {
  question: AttemptQuestion;
  yours: QuizAnswer;
  answerKey: QuizAnswer;
  isRight: boolean;
  explanation: string;
  source: QuizSource | null;
  /** When it repeats, in words. */
  again: string;
}) {
  const { question, yours, answerKey, isRight } = props;
  return (
    <>
      <ul className="quiz-choices">
        {verdicts(question, yours, answerKey, isRight).map((verdict) => (
          <li
            key={`${verdict.isRight} ${verdict.text}`}
            className={verdict.isRight ? 'quiz-choice quiz-choice--right' : 'quiz-choice quiz-choice--wrong'}
          >
            <Mark state={verdict.isRight ? 'ink' : 'refused'} />
            <span>
              <span className="written-text">{verdict.text}</span>
              <span className="quiz-choice__verdict">{verdict.isRight ? m.quiz_right() : m.quiz_your_answer()}</span>
            </span>
          </li>
        ))}
      </ul>
      <section className="quiz-explanation" role="status">
        <h2>{isRight ? m.quiz_is_right() : m.quiz_not_quite()}</h2>
        {props.explanation && <p>{props.explanation}</p>}
        <p className="text-small text-muted">{props.again}</p>
        {props.source && <SourceLine source={props.source} />}
      </section>
    </>
  );
}
