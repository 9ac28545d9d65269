import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const invite: Kind<'invite'> = { word: m.member_kind_invite, pace: 'when-others-came' };
