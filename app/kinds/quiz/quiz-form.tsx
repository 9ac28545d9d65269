import { useEffect, useState } from 'react';
import type { Evidence } from '../../../server/contract/claims.ts';
import { QUIZ_TOOK_MAX_MS, TRY_WAIT_LEAST_MINUTES } from '../../../server/contract/limits.ts';
import { timeNow } from '../../lib/clock.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceRefused, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { readDraft, storeDraft } from '../../shared/tasks/draft.ts';
import { Choices } from '../../ui/choices.tsx';
import type { AskOf } from '../kind.ts';
import { quizMissing } from './quiz-missing.ts';

/** Answers so far, with start and duration: stored on the device so closing the page loses nothing. */
type Draft = { startedAt: string; tookMs: number; answers: Record<string, string[]> };

function storedDraft(taskId: string, before: Evidence | null): Draft {
  const fresh =
    before?.kind === 'quiz'
      ? {
          startedAt: before.startedAt,
          tookMs: before.tookMs ?? 0,
          answers: Object.fromEntries(before.answers.map(({ questionId, optionIds }) => [questionId, optionIds])),
        }
      : { startedAt: new Date(timeNow()).toISOString(), tookMs: 0, answers: {} };
  try {
    const stored: Partial<Draft> | null = JSON.parse(readDraft(taskId) || 'null');
    return stored && typeof stored.startedAt === 'string' && stored.answers ? { ...fresh, ...stored } : fresh;
  } catch {
    // A draft of another shape is dropped.
    return fresh;
  }
}

/** All questions in one list; the server grades. The right answers are not on the device. */
export function QuizForm({ ask, ...props }: FormProps & { ask: AskOf<'quiz'> }) {
  const { task } = props.view;
  const { form, send, result } = useAnswer(props, true);
  const [draft, setDraft] = useState(() => storedDraft(task.id, evidenceRefused(props.view)));
  const [shownAt] = useState(() => performance.now());
  const [tookBefore] = useState(draft.tookMs);
  const took = () => Math.min(Math.round(tookBefore + performance.now() - shownAt), QUIZ_TOOK_MAX_MS);
  // Stored even without a choice: reading the questions starts the attempt.
  useEffect(() => storeDraft(task.id, JSON.stringify(draft)), [task.id, draft]);
  // Leaders may have edited the quiz since: choices that it no longer offers are ignored.
  const chosenOf = ({ id, options }: (typeof ask.questions)[number]): string[] =>
    (draft.answers[id] ?? []).filter((chosen) => options.some((option) => option.id === chosen));
  const answered = ask.questions.filter((question) => chosenOf(question).length > 0).length;
  const left = ask.questions.length - answered;
  const retryAt = result.failed?.retryAt ?? null;
  const wait = Math.max(task.caps.coolDownMinutes, TRY_WAIT_LEAST_MINUTES);
  const needed = Math.ceil((ask.questions.length * ask.passPercent) / 100);
  const choose = (questionId: string, chosen: string[]) => {
    setDraft({ ...draft, tookMs: took(), answers: { ...draft.answers, [questionId]: chosen } });
  };
  const answers = ask.questions.map((question) => ({ questionId: question.id, optionIds: chosenOf(question) }));
  return (
    <AnswerForm
      {...form}
      missing={quizMissing(left, retryAt)}
      problem={result.failed && (result.failed.reason ?? m.member_checked())}
      onSend={() => void send({ kind: 'quiz', startedAt: draft.startedAt, tookMs: took(), answers })}
      label={m.member_quiz_send()}
    >
      <p className="text-small text-muted">
        {m.member_quiz_pass({ needed: number(needed), all: number(ask.questions.length) })}
        {` ${m.member_quiz_again({ count: wait, n: number(wait) })}`}
      </p>
      {ask.questions.map((question, index) => (
        <Choices
          key={question.id}
          lead={m.member_quiz_number({ n: number(index + 1), all: number(ask.questions.length) })}
          legend={question.text}
          options={question.options}
          multiple={question.multiple}
          {...(question.multiple && { hint: m.member_choose_several() })}
          chosen={chosenOf(question)}
          onChoose={(chosen) => choose(question.id, chosen)}
        />
      ))}
    </AnswerForm>
  );
}
