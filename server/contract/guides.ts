/** The guides, compiled from Markdown at the build: the one source for showing, searching and citing them. */
import { guides as compiled } from 'virtual:guides';
import type { Guide } from './guide-text.ts';

export const guides: readonly Guide[] = compiled;
