import { m } from '../../paraglide/messages.js';
import type { LeaderParts } from '../kind.ts';

export const manualEditor: LeaderParts<'manual'> = {
  hint: m.leader_kind_manual_hint,
  usualPoints: 50,
  empty: () => ({ kind: 'manual' }),
  preview: (setup) => setup,
};
