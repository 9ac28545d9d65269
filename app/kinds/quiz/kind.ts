import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const quiz: Kind<'quiz'> = {
  word: m.member_kind_quiz,
  pace: 'when-right',
  startWord: m.today_start_quiz,
  // Questions of a pack have to be taken out first.
  needsConnection: ({ pack }) => pack !== undefined,
};
