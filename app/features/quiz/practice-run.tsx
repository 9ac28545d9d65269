import './quiz-frame.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { QuizPack, QuizQuestion } from '../../../server/contract/quiz.ts';
import { isAnswered, isRight, keyOf, withoutKey } from '../../../server/contract/quiz-grade.ts';
import type { PracticeNote, PracticeRecord } from '../../../worker/schema.ts';
import { day as dayWord, number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { initialAnswer, mixed } from '../../shared/quiz/answer.ts';
import { hintOf, QuestionFields } from '../../shared/quiz/question-fields.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Feedback } from './feedback.tsx';
import { dayName, type PlannedCard } from './plan.ts';
import { QuizFoot, QuizFrame, type Stroke } from './quiz-frame.tsx';
import { type Done, Result } from './result.tsx';
import { answered } from './schedule.ts';

const DAY_MS = 86_400_000;

/** `tomorrow`, `in 5 days`, `on 12 May`. */
export function againWord(dueAt: number, now: number): string {
  const start = (at: number) => new Date(at).setHours(0, 0, 0, 0);
  const days = Math.round((start(dueAt) - start(now)) / DAY_MS);
  if (days <= 1) return m.quiz_again_tomorrow();
  return days < 14 ? m.quiz_again_days({ n: number(days) }) : m.quiz_again_on({ day: dayWord(dueAt, now) });
}

/**
 * One practice session: question, feedback, next one, result. It works on the device alone. `turns` are its initial
 * questions; later changes are ignored.
 */
export function PracticeRun(props: {
  packs: readonly QuizPack[];
  turns: readonly PlannedCard[];
  record: PracticeRecord;
  note: (note: PracticeNote) => void;
  onAgain: (turns: readonly PlannedCard[]) => void;
}) {
  const { packs, record, note } = props;
  const [turns] = useState(props.turns);
  const [done, setDone] = useState<Done[]>([]);
  const planned = turns[done.length];
  const last = turns[done.length - 1];
  const [isChecked, setChecked] = useState(false);
  const find = ({ pack: packId, question: id }: PlannedCard) => {
    const pack = packs.find((one) => one.id === packId);
    return { pack, question: pack?.questions.find((one) => one.id === id) };
  };
  const leave = { to: '/web3-quiz', label: m.quiz_leave() } as const;
  const strokes = turns.map((_, at): Stroke => (done[at] ? (done[at].isRight ? 'ink' : 'refused') : 'slot'));
  const showing = isChecked ? last : planned;
  const at = isChecked ? done.length - 1 : done.length;
  const { pack, question } = showing ? find(showing) : {};
  if (!showing || !pack || !question) return <Over turns={turns} done={done} onAgain={props.onAgain} />;
  const line = m.quiz_practice_of({ n: number(at + 1), all: number(turns.length) });
  const check = (one: Done) => {
    const now = Date.now();
    const card = answered(record.cards[pack.id]?.[question.id] ?? null, one.isRight, now);
    note({ pack: pack.id, question: question.id, card, day: dayName(now), isRight: one.isRight });
    setDone([...done, one]);
    setChecked(true);
  };
  const shown = done[at];
  return (
    <QuizFrame title={pack.title} line={line} leave={leave} strokes={strokes} at={at}>
      {isChecked && shown ? (
        <Checked
          key={at}
          shown={shown}
          dueAt={record.cards[pack.id]?.[question.id]?.dueAt ?? Date.now() + DAY_MS}
          isLast={done.length === turns.length}
          onNext={() => setChecked(false)}
        />
      ) : (
        <QuestionCard key={`${pack.id} ${question.id}`} question={question} isFirst={at === 0} onCheck={check} />
      )}
    </QuizFrame>
  );
}

function QuestionCard(props: { question: QuizQuestion; isFirst: boolean; onCheck: (done: Done) => void }) {
  const { question, isFirst } = props;
  const shown = useMemo(() => mixed(withoutKey(question)), [question]);
  const [answer, setAnswer] = useState(() => initialAnswer(shown));
  const [tried, setTried] = useState(false);
  const heading = useHeadingFocus(!isFirst);
  const isWhole = isAnswered(shown, answer);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!isWhole) return;
        const { explanation, source = null } = question;
        const key = keyOf(question);
        props.onCheck({ question: shown, yours: answer, key, isRight: isRight(question, answer), explanation, source });
      }}
    >
      <div className="quiz-question">
        <h1 id="quiz-question" tabIndex={-1} ref={heading}>
          {shown.text}
        </h1>
        <p className="text-small text-muted">{hintOf(shown)}</p>
      </div>
      <QuestionFields question={shown} answer={answer} labelledBy="quiz-question" onAnswer={setAnswer} />
      <p className="quiz-missing text-small" role="alert">
        {tried && !isWhole ? m.quiz_answer_first() : ''}
      </p>
      <QuizFoot>
        <Button type="submit">{shown.kind === 'ordering' ? m.quiz_check_order() : m.quiz_check()}</Button>
      </QuizFoot>
    </form>
  );
}

/** Focuses a new question's heading, but not on page load. */
export function useHeadingFocus(isWanted: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    heading.current?.focus({ preventScroll: true });
    globalThis.scrollTo?.(0, 0);
  }, [isWanted]);
  return heading;
}

function Checked(props: { shown: Done; dueAt: number; isLast: boolean; onNext: () => void }) {
  const { question, yours, key, isRight: wasRight, explanation, source } = props.shown;
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    globalThis.scrollTo?.(0, 0);
    next.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <div className="quiz-question">
        <h1>{question.text}</h1>
      </div>
      <Feedback
        question={question}
        yours={yours ?? initialAnswer(question)}
        answerKey={key}
        isRight={wasRight}
        explanation={explanation}
        source={source}
        again={againWord(props.dueAt, Date.now())}
      />
      <QuizFoot>
        <Button ref={next} onClick={props.onNext}>
          {props.isLast ? m.quiz_see_result() : m.quiz_next()}
        </Button>
      </QuizFoot>
    </>
  );
}

function Over(props: {
  turns: readonly PlannedCard[];
  done: readonly Done[];
  onAgain: (turns: readonly PlannedCard[]) => void;
}) {
  const { turns, done } = props;
  const missed = turns.filter((_, at) => done[at]?.isRight === false);
  const leave = { to: '/web3-quiz', label: m.quiz_close_result() } as const;
  return (
    <QuizFrame title={m.quiz_practice()} line={m.quiz_result()} leave={leave}>
      <Result done={done} line={m.quiz_practice_result()} />
      <QuizFoot>
        {missed.length > 0 && (
          <Button onClick={() => props.onAgain(missed)}>
            {m.quiz_practise_these({ count: missed.length, n: number(missed.length) })}
          </Button>
        )}
        <ButtonLink kind={missed.length > 0 ? 'edge' : 'ink'} to="/web3-quiz">
          {m.quiz_back()}
        </ButtonLink>
      </QuizFoot>
    </QuizFrame>
  );
}
