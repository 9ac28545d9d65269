import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { TRY_WAIT_LEAST_MINUTES } from '../../../server/contract/limits.ts';
import type { AttemptQuestion, QuizAnswer, QuizAttempt } from '../../../server/contract/quiz.ts';
import { isAnswered, neededOf } from '../../../server/contract/quiz-grade.ts';
import { number } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { CommandButton, Refused } from '../../shared/commands/command-parts.tsx';
import { useCommand } from '../../shared/commands/use-command.ts';
import { useAttemptDraft } from '../../shared/quiz/attempt-draft.ts';
import { hintOf, QuestionFields } from '../../shared/quiz/question-fields.tsx';
import { type Quiz, useQuiz } from '../../shared/quiz/use-attempts.ts';
import type { AskOf } from '../kind.ts';
import { quizMissing } from './quiz-missing.ts';

type Props = FormProps & { ask: AskOf<'quiz'> };

/** A quiz that draws from a pack: online once, then answered anywhere. The answer keys are not on the device. */
export function PackQuizForm(props: Props) {
  const { id } = props.view.task;
  const open = useQuiz().data?.attempts.find(({ taskId, result }) => taskId === id && result === null);
  return open ? <Questions key={open.id} {...props} attempt={open} /> : <TakeOut {...props} />;
}

function Rules({ ask, view }: Pick<Props, 'ask' | 'view'>) {
  const count = ask.pack?.count ?? 0;
  const wait = Math.max(view.task.caps.coolDownMinutes, TRY_WAIT_LEAST_MINUTES);
  return (
    <p className="text-small text-muted">
      {m.quiz_pack_task({ pack: ask.pack?.title ?? '' })}{' '}
      {m.member_quiz_pass({ needed: number(neededOf(count, ask.passPercent)), all: number(count) })}{' '}
      {m.member_quiz_again({ count: wait, n: number(wait) })}
    </p>
  );
}

function TakeOut({ ask, view, communityId }: Props) {
  const client = useQueryClient();
  const { task } = view;
  const take = useCommand(
    (_: null, idempotencyKey) =>
      call('POST /api/communities/:communityId/tasks/:taskId/attempts', {
        params: { communityId, taskId: task.id },
        idempotencyKey,
      }),
    (attempt) =>
      client.setQueryData<Quiz>(read('GET /api/quiz').queryKey, (before) => ({
        packs: before?.packs ?? [],
        attempts: [attempt, ...(before?.attempts ?? []).filter(({ id }) => id !== attempt.id)],
      })),
  );
  const reason = view.claim?.state === 'rejected' ? view.claim.reason : null;
  return (
    <div className="stack-medium">
      {task.instructions && <p className="written-text">{task.instructions}</p>}
      {reason && (
        <p className="quote">
          {reason}. {m.quiz_pack_task_next()}
        </p>
      )}
      <Rules ask={ask} view={view} />
      <p className="text-small text-muted">{m.quiz_pack_task_line()}</p>
      <Refused error={take.error} />
      <div className="actions">
        <CommandButton icon="install" command={take} body={null}>
          {m.quiz_pack_task_out()}
        </CommandButton>
      </div>
    </div>
  );
}

function Questions(props: Props & { attempt: QuizAttempt }) {
  const { attempt, ask, view } = props;
  const { form, send, result } = useAnswer(props, true);
  const draft = useAttemptDraft(attempt.id);
  const answers = attempt.questions.map((question) => draft.answerTo(question));
  const left = attempt.questions.filter((question, at) => !isAnswered(question, answers[at])).length;
  const retryAt = result.failed?.retryAt ?? null;
  return (
    <AnswerForm
      {...form}
      missing={quizMissing(left, retryAt)}
      problem={result.problem ?? (result.failed && (result.failed.reason ?? m.member_checked()))}
      onSend={() =>
        void send({
          kind: 'quiz',
          attemptId: attempt.id,
          startedAt: draft.startedAt,
          tookMs: draft.took(),
          answers,
        })
      }
      label={m.member_quiz_send()}
    >
      <Rules ask={ask} view={view} />
      {attempt.questions.map((question, index) => (
        <OneQuestion
          key={question.id}
          question={question}
          lead={m.member_quiz_number({ n: number(index + 1), all: number(attempt.questions.length) })}
          answer={draft.answerTo(question)}
          onAnswer={draft.put}
        />
      ))}
    </AnswerForm>
  );
}

function OneQuestion(props: {
  question: AttemptQuestion;
  lead: string;
  answer: QuizAnswer;
  onAnswer: (answer: QuizAnswer) => void;
}) {
  const { question, lead, answer, onAnswer } = props;
  const id = useId();
  return (
    <section className="stack" aria-labelledby={id}>
      <h3 id={id}>
        <span className="text-muted">{lead}</span> {question.text}
      </h3>
      <p className="text-small text-muted">{hintOf(question)}</p>
      <QuestionFields question={question} answer={answer} labelledBy={id} onAnswer={onAnswer} />
    </section>
  );
}
