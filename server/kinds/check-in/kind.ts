import { approved } from '../judged.ts';
import type { Kind } from '../kind.ts';

export const checkIn: Kind<'check_in'> = {
  ask: ({ kind }) => ({ kind }),
  isSeen: true,
  judge: () => approved(null),
  imported: { words: ['checkin', 'none'], bare: () => ({ kind: 'check_in' }) },
};
