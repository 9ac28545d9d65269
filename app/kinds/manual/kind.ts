import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const manual: Kind<'manual'> = { word: m.member_kind_manual, pace: 'when-given' };
