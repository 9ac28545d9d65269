import './result.css';
import type { ReactNode } from 'react';
import type { AttemptQuestion, QuizAnswer, QuizSource } from '../../../server/contract/quiz.ts';
import { inWords } from '../../../server/contract/quiz-grade.ts';
import { listing, number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { SectionHead } from '../../ui/card.tsx';
import { Icon, Mark } from '../../ui/icon.tsx';
import { SourceLine } from './feedback.tsx';

/** One question of a finished session. */
export type Done = {
  question: AttemptQuestion;
  yours: QuizAnswer | null;
  key: QuizAnswer;
  isRight: boolean;
  explanation: string;
  source: QuizSource | null;
};

/** The number of right answers as strokes; below it, what to review. */
export function Result({ done, line }: { done: readonly Done[]; line: ReactNode }) {
  const right = done.filter(({ isRight }) => isRight).length;
  const missed = done.flatMap((one, at) => (one.isRight ? [] : [{ ...one, at }]));
  const all = number(done.length);
  return (
    <>
      <h1 className="visually-hidden">{m.quiz_result_title({ n: number(right), all })}</h1>
      <section className="board quiz-result" aria-label={m.quiz_result()}>
        <p className="quiz-result__number">
          {number(right)} <small>{m.quiz_of_right({ all })}</small>
        </p>
        <div
          className="quiz-result__marks"
          role="img"
          aria-label={
            missed.length === 0
              ? m.quiz_all_right()
              : m.quiz_right_except({ which: listing(missed.map(({ at }) => number(at + 1))) })
          }
        >
          {done.map(({ question, isRight }) => (
            <Mark key={question.id} state={isRight ? 'ink' : 'refused'} size={40} />
          ))}
        </div>
        <p>{line}</p>
      </section>
      {missed.length > 0 && (
        <>
          <SectionHead title={m.quiz_look_again({ count: missed.length, n: number(missed.length) })} />
          <div className="stack">
            {missed.map((one, index) => (
              <Again key={one.question.id} one={one} at={one.at} isOpen={index === 0} />
            ))}
          </div>
        </>
      )}
    </>
  );
}

function Again({ one, at, isOpen }: { one: Done; at: number; isOpen: boolean }) {
  const { question, yours, key, explanation, source } = one;
  return (
    <details className="quiz-again" open={isOpen}>
      <summary>
        <Mark state="refused" />
        <span>{m.quiz_numbered({ n: number(at + 1), question: question.text })}</span>
        <Icon name="down" />
      </summary>
      <div className="quiz-again__body text-small">
        <p className="written-text">
          <span className="text-muted">{m.quiz_your_answer_is()}</span>{' '}
          {yours === null ? m.quiz_no_answer() : inWords(question, yours) || m.quiz_no_answer()}
        </p>
        <p className="written-text">
          <b>{m.quiz_right_is()}</b> {inWords(question, key)}
        </p>
        {explanation && <p>{explanation}</p>}
        {source && <SourceLine source={source} />}
      </div>
    </details>
  );
}
