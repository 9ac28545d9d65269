import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { whenWord } from '../../shared/tasks/words.ts';

/** Why a quiz cannot be sent yet: the time of the next try, or unanswered questions; null when it can. */
export function quizMissing(left: number, retryAt: string | null): string | null {
  if (retryAt !== null) return m.member_from({ when: whenWord(retryAt) });
  return left > 0 ? m.member_quiz_left({ count: left, n: number(left) }) : null;
}
