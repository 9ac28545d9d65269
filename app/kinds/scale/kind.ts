import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const scale: Kind<'scale'> = {
  word: m.kinds_kind_scale,
  pace: 'at-once',
  line: (_, { value }) => m.kinds_scale_of({ value: number(value) }),
  constraintLine: ({ low, high }) => m.kinds_scale_ends({ low, high }),
};
