/** Answers to an attempt so far, stored on the device so closing the page loses nothing. */
import { useCallback, useEffect, useState } from 'react';
import { QUIZ_TOOK_MAX_MS } from '../../../server/contract/limits.ts';
import type { AttemptQuestion, QuizAnswer } from '../../../server/contract/quiz.ts';
import { timeNow } from '../../lib/clock.ts';
import { keepDraft, readDraft } from '../tasks/draft.ts';
import { beginning } from './answer.ts';

type Draft = { startedAt: string; tookMs: number; answers: Record<string, QuizAnswer> };

function begun(attemptId: string): Draft {
  const fresh: Draft = { startedAt: new Date(timeNow()).toISOString(), tookMs: 0, answers: {} };
  try {
    const kept: Partial<Draft> | null = JSON.parse(readDraft(attemptId) || 'null');
    return kept && typeof kept.startedAt === 'string' && kept.answers ? { ...fresh, ...kept } : fresh;
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
  const [draft, setDraft] = useState(() => begun(attemptId));
  const [shownAt] = useState(() => performance.now());
  const [tookBefore] = useState(draft.tookMs);
  const took = useCallback(
    () => Math.min(Math.round(tookBefore + performance.now() - shownAt), QUIZ_TOOK_MAX_MS),
    [tookBefore, shownAt],
  );
  useEffect(() => keepDraft(attemptId, JSON.stringify(draft)), [attemptId, draft]);
  const answerTo = (question: AttemptQuestion) => draft.answers[question.id] ?? beginning(question);
  const put = (answer: QuizAnswer) =>
    setDraft({ ...draft, tookMs: took(), answers: { ...draft.answers, [answer.questionId]: answer } });
  const drop = useCallback(() => keepDraft(attemptId, ''), [attemptId]);
  return { startedAt: draft.startedAt, answerTo, put, took, drop };
}
