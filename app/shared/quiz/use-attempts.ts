import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { QuizAttempt } from '../../../server/contract/quiz.ts';
import type { OutputOf } from '../../../server/contract/routes.ts';
import { actedAt } from '../../lib/clock.ts';
import { type OutboxEntry, useOutbox } from '../../lib/device.ts';
import { read, useUser } from '../../lib/query.ts';
import { quizSubject } from '../../lib/subjects.ts';
import { enqueueCommand } from '../commands/member-commands.ts';

export type Quiz = OutputOf<'GET /api/quiz'>;

/** Graded packs and attempts of the signed-in member; offline, as last read. */
export function useQuiz(): UseQueryResult<Quiz> {
  const user = useUser();
  return useQuery({ ...read('GET /api/quiz'), enabled: user !== null });
}

/** Answers to an attempt that are on this device and not graded yet. */
export function useHeld(attemptId: string): OutboxEntry | null {
  const subject = quizSubject(attemptId);
  return useOutbox().findLast((entry) => entry.subject === subject) ?? null;
}

/** Sends the answers to the member's attempt: stored on the device until the server has graded them. */
export function sendAnswers(
  attempt: Pick<QuizAttempt, 'id' | 'title'>,
  given: { tookMs: number; answers: unknown[] },
): Promise<string | null> {
  const at = actedAt();
  const path = `/api/quiz/attempts/${attempt.id}/answers`;
  const body = { ...given, ...(at && { actedAt: at }) };
  return enqueueCommand(
    { communityId: null, path, body, label: attempt.title, subject: quizSubject(attempt.id) },
    true,
  );
}
