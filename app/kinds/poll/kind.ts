import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const poll: Kind<'poll'> = { word: m.member_kind_poll, pace: 'at-once' };
