import type { Evidence } from '../../../server/contract/claims.ts';
import { NUMBER_DECIMALS_MAX } from '../../../server/contract/limits.ts';
import { calendarDay, regional } from '../../lib/format.ts';

/** A number with all of its decimals. */
export const exactNumber = (value: number): string =>
  new Intl.NumberFormat(regional(), { maximumFractionDigits: NUMBER_DECIMALS_MAX }).format(value);

/** The member's text in an answer, under the field names that all kinds share; null without one. */
export function wordsOf(evidence: Evidence | null | undefined): string | null {
  if (!evidence) return null;
  if ('value' in evidence) return exactNumber(evidence.value);
  if ('date' in evidence) return calendarDay(evidence.date);
  const sent: Partial<Record<'kind' | 'text' | 'url' | 'answer' | 'note', string | undefined>> = evidence;
  return [sent.text, sent.url, sent.answer, sent.note].filter(Boolean).join('\n\n') || null;
}

/** The id of the picture or file that is sent before an answer and named by it; null without one. */
export function bytesOf(evidence: Evidence): string | null {
  if ('imageId' in evidence) return evidence.imageId;
  return 'fileId' in evidence ? evidence.fileId : null;
}
