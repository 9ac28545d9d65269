import type { Kind } from '../kind.ts';

export const manual: Kind<'manual'> = {
  ask: ({ kind }) => ({ kind }),
  imported: { bare: () => ({ kind: 'manual' }) },
};
