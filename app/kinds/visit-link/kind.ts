import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const visitLink: Kind<'visit_link'> = { word: m.member_kind_visit_link, pace: 'at-once' };
