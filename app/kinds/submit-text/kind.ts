import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const submitText: Kind<'submit_text'> = { word: m.member_kind_submit_text, pace: 'when-reviewed' };
