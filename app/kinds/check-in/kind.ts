import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const checkIn: Kind<'check_in'> = { word: m.member_kind_check_in, pace: 'by-a-press' };
