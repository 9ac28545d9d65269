import type { OutboxEntry } from '../../lib/device.ts';
import { serverWords } from '../../lib/server-words.ts';

/** Errors about a field's value: they are no refusal of the command, and resending does not help. */
const OF_A_FIELD: ReadonlySet<string> = new Set([
  'CODE_WRONG',
  'URL_NOT_ALLOWED',
  'NUMBER_NOT_ALLOWED',
  'DATE_NOT_ALLOWED',
  'X_POST_WRONG',
  'X_POST_USED',
]);

/** Whether an error is about a field's value. */
export const isFieldError = ({ reason }: { reason: string }): boolean => OF_A_FIELD.has(reason);

/** The field error of this entry's answer; null for any other error. */
export const fieldProblem = (entry: OutboxEntry | null | undefined): string | null =>
  entry?.state === 'refused' && entry.error && isFieldError(entry.error) ? serverWords(entry.error) : null;
