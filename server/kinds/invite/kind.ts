import { byCheck } from '../judged.ts';
import type { Kind } from '../kind.ts';

export const invite: Kind<'invite'> = {
  ask: ({ kind, needed }) => ({ kind, needed }),
  isSeen: true,
  judge({ needed }, _, __, { all, before }) {
    // Each that was approved used up its own, also where that was taken back: the same people do not pay a second time.
    const free = Math.max(0, all - before * needed);
    return byCheck('invites', free >= needed, `${free} of ${needed} invited people count so far`, null);
  },
  imported: { words: ['invites', 'referral'], bare: () => ({ kind: 'invite', needed: 1 }) },
};
