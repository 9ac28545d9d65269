import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const file: Kind<'file'> = { word: m.kinds_kind_file, pace: 'when-reviewed' };
