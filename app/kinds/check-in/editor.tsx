import { m } from '../../paraglide/messages.js';
import type { LeaderParts } from '../kind.ts';

export const checkInEditor: LeaderParts<'check_in'> = {
  hint: m.leader_kind_check_in_hint,
  usualPoints: 10,
  usualRecurrence: 'daily',
  empty: () => ({ kind: 'check_in' }),
  preview: (setup) => setup,
};
