import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';
import { amountWords, boundsWords } from './amount.ts';

export const number: Kind<'number'> = {
  word: m.kinds_kind_number,
  pace: 'when-checked',
  line: (ask, { value }) => amountWords(value, ask),
  constraintLine: boundsWords,
};
