/** Answers to an attempt so far, stored on the device so closing the page loses nothing. */
import { useCallback, useEffect, useState } from 'react';
import { QUIZ_TOOK_MAX_MS } from '../../../server/contract/limits.ts';
import type { AttemptQuestion, QuizAnswer } from '../../../server/contract/quiz.ts';
import { timeNow } from '../../lib/clock.ts';
import { readDraft, storeDraft } from '../tasks/draft.ts';
import { initialAnswer } from './answer.ts';

type Draft = { startedAt: string; tookMs: number; answers: Record<string, QuizAnswer> };

function storedDraft(attemptId: string): Draft {
  const fresh: Draft = { startedAt: new Date(timeNow()).toISOString(), tookMs: 0, answers: {} };
  try {
    const stored: Partial<Draft> | null = JSON.parse(readDraft(attemptId) || 'null');
    return stored && typeof stored.startedAt === 'string' && stored.answers ? { ...fresh, ...stored } : fresh;
  } catch {
    // A draft of another shape is dropped.
    return fresh;
  }
}

/** `took`: how long the questions have been open, ms by a monotonic clock. */
export function useAttemptDraft(attemptId: string): {
  startedAt: string;
  answerTo: (question: AttemptQuestion) => QuizAnswer;
  put: (answer: QuizAnswer) => void;
  took: () => number;
  drop: () => void;
} {
  const [draft, setDraft] = useState(() => storedDraft(attemptId));
  const [shownAt] = useState(() => performance.now());
  const [tookBefore] = useState(draft.tookMs);
  const took = useCallback(
    () => Math.min(Math.round(tookBefore + performance.now() - shownAt), QUIZ_TOOK_MAX_MS),
    [tookBefore, shownAt],
  );
  useEffect(() => storeDraft(attemptId, JSON.stringify(draft)), [attemptId, draft]);
  const answerTo = (question: AttemptQuestion) => draft.answers[question.id] ?? initialAnswer(question);
  const put = (answer: QuizAnswer) =>
    setDraft({ ...draft, tookMs: took(), answers: { ...draft.answers, [answer.questionId]: answer } });
  const drop = useCallback(() => storeDraft(attemptId, ''), [attemptId]);
  return { startedAt: draft.startedAt, answerTo, put, took, drop };
}
