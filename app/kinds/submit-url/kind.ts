import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const submitUrl: Kind<'submit_url'> = { word: m.member_kind_submit_url, pace: 'when-reviewed' };
