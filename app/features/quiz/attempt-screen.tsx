import './quiz-frame.css';
import './quiz-rows.css';
import './result.css';
import { useState } from 'react';
import type { QuizAttempt } from '../../../server/contract/quiz.ts';
import { isAnswered } from '../../../server/contract/quiz-grade.ts';
import type { OutboxEntry } from '../../lib/device.ts';
import { number } from '../../lib/format.ts';
import { useUser } from '../../lib/query.ts';
import { serverWords } from '../../lib/server-words.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { m } from '../../paraglide/messages.js';
import { useAttemptDraft } from '../../shared/quiz/attempt-draft.ts';
import { hintOf, QuestionFields } from '../../shared/quiz/question-fields.tsx';
import { sendAnswers, useHeld, useQuiz } from '../../shared/quiz/use-attempts.ts';
import { whenWord } from '../../shared/tasks/words.ts';
import { Button, type ButtonKind, ButtonLink, SignInLink } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import { Mark } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Reading } from '../../ui/states.tsx';
import { useHeadingFocus } from './practice-run.tsx';
import { QuizFoot, QuizFrame, type Stroke } from './quiz-frame.tsx';
import { Result } from './result.tsx';

const LEAVE = '/web3-quiz';

/** A graded attempt: its questions, the wait for grading, or the result. */
export function AttemptScreen({ attemptId }: { attemptId: string }) {
  const user = useUser();
  const quiz = useQuiz();
  const held = useHeld(attemptId);
  const attempt = quiz.data?.attempts.find(({ id }) => id === attemptId);
  const back = { to: LEAVE, label: m.quiz_back() } as const;
  if (!user)
    return (
      <Screen title={m.quiz_title()} back={back}>
        <Empty title={m.quiz_attempt_sign_in()} line={m.quiz_attempt_sign_in_line()} action={<SignInLink />} />
      </Screen>
    );
  if (!quiz.data)
    return (
      <Screen title={m.quiz_title()} back={back}>
        <Reading query={quiz}>{() => null}</Reading>
      </Screen>
    );
  if (!attempt)
    return (
      <Screen title={m.quiz_title()} back={back}>
        <Empty
          title={m.quiz_no_attempt()}
          line={m.quiz_no_attempt_line()}
          action={<ButtonLink to={LEAVE}>{m.quiz_back()}</ButtonLink>}
        />
      </Screen>
    );
  if (attempt.result) return <Graded attempt={attempt} result={attempt.result} />;
  if (held && held.state !== 'refused') return <Held attempt={attempt} held={held} />;
  if (attempt.taskId !== null) return <TaskAttempt attempt={attempt} />;
  return <Run attempt={attempt} refused={held} />;
}

function Run({ attempt, refused }: { attempt: QuizAttempt; refused: OutboxEntry | null }) {
  const { questions } = attempt;
  const draft = useAttemptDraft(attempt.id);
  const answersOf = () => questions.map((question) => draft.answerTo(question));
  const firstOpen = questions.findIndex((question) => !isAnswered(question, draft.answerTo(question)));
  // Orderings count as answered, so a member who returns starts at the first question.
  const [at, setAt] = useState(0);
  const [tried, setTried] = useState(false);
  const [moves, setMoves] = useState(0);
  const [busy, setBusy] = useState(false);
  const heading = useHeadingFocus(moves > 0);
  const question = questions[at];
  if (!question) return null;
  const answer = draft.answerTo(question);
  const isWhole = isAnswered(question, answer);
  const isLast = at === questions.length - 1;
  const go = (to: number) => {
    setTried(false);
    setMoves(moves + 1);
    setAt(to);
  };
  const send = async () => {
    setBusy(true);
    const queued = await sendAnswers(attempt, { tookMs: draft.took(), answers: answersOf() });
    setBusy(false);
    if (queued !== null) draft.drop();
  };
  const strokes = questions.map(
    (one, index): Stroke =>
      index < at || (index !== at && isAnswered(one, draft.answerTo(one)) && one.kind !== 'ordering')
        ? 'pencil'
        : 'slot',
  );
  return (
    <QuizFrame
      title={attempt.title}
      line={m.quiz_attempt_of({ n: number(at + 1), all: number(questions.length) })}
      leave={{ to: LEAVE, label: m.quiz_leave_attempt() }}
      strokes={strokes}
      at={at}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!isWhole || busy) return;
          if (!isLast) return go(at + 1);
          if (firstOpen >= 0) return go(firstOpen);
          void send();
        }}
      >
        <div className="quiz-question">
          <h1 id="quiz-question" tabIndex={-1} ref={heading} key={question.id}>
            {question.text}
          </h1>
          <p className="text-small text-muted">{hintOf(question)}</p>
        </div>
        {refused?.error && <Quote lead={m.member_not_sent()}>{serverWords(refused.error)}</Quote>}
        <QuestionFields
          key={question.id}
          question={question}
          answer={answer}
          labelledBy="quiz-question"
          onAnswer={draft.put}
        />
        <p className="quiz-missing text-small" role="alert">
          {tried && !isWhole ? m.quiz_answer_first() : ''}
        </p>
        {at === 0 && (
          <p className="text-small text-muted">
            {m.quiz_attempt_note({ needed: number(attempt.needed), all: number(attempt.count) })}
          </p>
        )}
        <QuizFoot>
          <Button type="submit" busy={busy}>
            {isLast ? m.quiz_send() : m.quiz_next()}
          </Button>
          {at > 0 && (
            <Button kind="edge" onClick={() => go(at - 1)}>
              {m.quiz_previous()}
            </Button>
          )}
        </QuizFoot>
      </form>
    </QuizFrame>
  );
}

/** A line about answers that only this device has. */
export function HeldLine({ attempt, held }: { attempt: QuizAttempt; held: OutboxEntry }) {
  const isPhone = useDeviceWord() === 'phone';
  const words = { count: attempt.count, n: number(attempt.count), time: whenWord(held.createdAt) };
  return isPhone ? m.quiz_held_phone(words) : m.quiz_held_computer(words);
}

function Held({ attempt, held }: { attempt: QuizAttempt; held: OutboxEntry }) {
  return (
    <QuizFrame title={attempt.title} line={m.quiz_waiting()} leave={{ to: LEAVE, label: m.quiz_back() }}>
      <h1 className="visually-hidden">{m.quiz_waiting()}</h1>
      <div className="task-card pencil-card" role="status">
        <Mark state={held.state === 'sending' ? 'sending' : 'pencil'} />
        <div>
          <h2 className="quiz-held__title">{attempt.title}</h2>
          <p className="task-card__meta">
            <HeldLine attempt={attempt} held={held} />
          </p>
        </div>
      </div>
      <QuizFoot>
        <ButtonLink to={LEAVE}>{m.quiz_back()}</ButtonLink>
      </QuizFoot>
    </QuizFrame>
  );
}

function TaskAttempt({ attempt }: { attempt: QuizAttempt }) {
  return (
    <Screen title={attempt.title} back={{ to: LEAVE, label: m.quiz_back() }}>
      <Empty
        title={m.quiz_of_task()}
        line={m.quiz_of_task_line()}
        action={<LeaveFor community={attempt.communityId} />}
      />
    </Screen>
  );
}

/** Links back to the Today of the attempt's community, or to the quiz without one. */
function LeaveFor({ community, ...look }: { community: string | null; kind?: ButtonKind }) {
  return community === null ? (
    <ButtonLink {...look} to={LEAVE}>
      {m.quiz_back()}
    </ButtonLink>
  ) : (
    <ButtonLink {...look} to="/community/$communityId/dashboard" params={{ communityId: community }}>
      {m.member_back_to_today({ today: m.shell_today() })}
    </ButtonLink>
  );
}

type Graded = NonNullable<QuizAttempt['result']>;

function Graded({ attempt, result }: { attempt: QuizAttempt; result: Graded }) {
  const { title, needed, count, questions, communityId } = attempt;
  const leave = { to: LEAVE, label: m.quiz_close_result() } as const;
  const line = m.quiz_graded_at({ time: whenWord(result.gradedAt) });
  const words = { needed: number(needed), all: number(count) };
  const shipped = attempt.pack.startsWith('shipped:') ? attempt.pack.slice('shipped:'.length) : null;
  if (result.told === null)
    return (
      <QuizFrame title={title} line={line} leave={leave}>
        <section className="board quiz-result">
          <h1>{result.outcome === 'hasty' ? m.quiz_hasty() : m.quiz_failed()}</h1>
          <p>{result.outcome === 'hasty' ? m.quiz_hasty_line() : m.quiz_failed_line(words)}</p>
        </section>
        <p className="quiz-note text-small text-muted">{m.quiz_failed_why()}</p>
        <QuizFoot>
          {shipped !== null && (
            <ButtonLink to={LEAVE} search={{ practice: shipped }}>
              {m.quiz_practise_pack({ pack: title })}
            </ButtonLink>
          )}
          <ButtonLink kind={shipped === null ? 'ink' : 'edge'} to={LEAVE}>
            {m.quiz_back()}
          </ButtonLink>
        </QuizFoot>
      </QuizFrame>
    );
  const done = result.told.flatMap(({ questionId, yours, key, isRight, explanation, source }) => {
    const question = questions.find(({ id }) => id === questionId);
    return question ? [{ question, yours, key, isRight, explanation, source }] : [];
  });
  return (
    <QuizFrame title={title} line={line} leave={leave}>
      <Result done={done} line={m.quiz_passed_line({ needed: number(needed) })} />
      <QuizFoot>
        {shipped !== null && (
          <ButtonLink to={LEAVE} search={{ practice: shipped }}>
            {m.quiz_practise_pack({ pack: title })}
          </ButtonLink>
        )}
        <LeaveFor community={communityId} kind={shipped === null ? 'ink' : 'edge'} />
      </QuizFoot>
    </QuizFrame>
  );
}
