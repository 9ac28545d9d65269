import type { OutboxEntry } from '../../lib/device.ts';
import { serverWords } from '../../lib/server-words.ts';

/** Answers of the server that are about what was typed into a field: no refusal of the act, and sending it again helps nobody. */
const OF_A_FIELD: ReadonlySet<string> = new Set([
  'CODE_WRONG',
  'URL_NOT_ALLOWED',
  'NUMBER_NOT_ALLOWED',
  'DATE_NOT_ALLOWED',
  'X_POST_WRONG',
  'X_POST_USED',
]);

/** Whether a refusal is about what was typed into a field. */
export const isOfField = ({ reason }: { reason: string }): boolean => OF_A_FIELD.has(reason);

/** What the server found wrong in a field of the answer that this entry carries; null where it is anything else. */
export const fieldProblem = (entry: OutboxEntry | null | undefined): string | null =>
  entry?.state === 'refused' && entry.error && isOfField(entry.error) ? serverWords(entry.error) : null;
