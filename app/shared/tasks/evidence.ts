import type { Evidence } from '../../../server/contract/claims.ts';
import { calendarDay } from '../../lib/format.ts';
import { exactNumber } from './amount.ts';

/** The words that a member sent along, whatever the task's kind; null where there are none. */
export function wordsOf(evidence: Evidence | null | undefined): string | null {
  if (!evidence) return null;
  if (evidence.kind === 'submit_text') return evidence.text;
  if (evidence.kind === 'submit_url') return evidence.note ? `${evidence.url}\n\n${evidence.note}` : evidence.url;
  if (evidence.kind === 'number' || evidence.kind === 'scale') return exactNumber(evidence.value);
  if (evidence.kind === 'date') return calendarDay(evidence.date);
  if (evidence.kind === 'partner') return evidence.answer ?? null;
  if (evidence.kind === 'x_reply' || evidence.kind === 'x_quote' || evidence.kind === 'x_post') return evidence.url;
  return evidence.kind === 'submit_image' || evidence.kind === 'file' ? (evidence.note ?? null) : null;
}

/** The id of the picture or file that is sent before an answer and named by it; null for answers without one. */
export function bytesOf(evidence: Evidence): string | null {
  if (evidence.kind === 'submit_image') return evidence.imageId;
  return evidence.kind === 'file' ? evidence.fileId : null;
}
