import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const quiz: Kind<'quiz'> = {
  word: m.member_kind_quiz,
  pace: 'when-right',
  startWord: m.today_start_quiz,
  // A pack's questions must be drawn online first.
  needsConnection: ({ pack }) => pack !== undefined,
};
