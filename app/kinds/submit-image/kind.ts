import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const submitImage: Kind<'submit_image'> = { word: m.member_kind_submit_image, pace: 'when-reviewed' };
