/** The guides, compiled from Markdown at the build. Whoever shows, searches or cites them has them from here. */
import { guides as compiled } from 'virtual:guides';
import type { Guide } from './guide-text.ts';

export const guides: readonly Guide[] = compiled;
