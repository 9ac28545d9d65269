import { line } from '../../domain/text.ts';
import { approved } from '../judged.ts';
import type { Kind } from '../kind.ts';
import { SCALE } from './rules.ts';

/** An opinion: every answer counts, at once. */
export const scale: Kind<'scale'> = {
  check: (setup) => ({ ...setup, low: line('setup.low', setup.low), high: line('setup.high', setup.high) }),
  ask: ({ kind, low, high }) => ({ kind, low, high }),
  judge: (_, evidence) => approved(evidence),
  compared: ({ value }) => String(value),
  tally: { options: () => SCALE.map(String), chosen: ({ value }) => [String(value)] },
  exported: ({ value }) => String(value),
  imported: {
    words: ['opinion', 'rating'],
    bare: () => ({ kind: 'scale', low: 'Not at all', high: 'Very much' }),
  },
};
