import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { whenWord } from '../../shared/tasks/words.ts';

/** What keeps a quiz from being sent: the time of the next try, or questions without an answer; null when nothing does. */
export function quizMissing(left: number, retryAt: string | null): string | null {
  if (retryAt !== null) return m.member_from({ when: whenWord(retryAt) });
  return left > 0 ? m.member_quiz_left({ count: left, n: number(left) }) : null;
}
