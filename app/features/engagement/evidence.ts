import type { Evidence } from '../../../server/contract/claims.ts';

/** The words that a member sent along, whatever the task's kind; null where there are none. */
export function wordsOf(evidence: Evidence | null | undefined): string | null {
  if (!evidence) return null;
  if (evidence.kind === 'submit_text') return evidence.text;
  if (evidence.kind === 'submit_url') return evidence.note ? `${evidence.url}\n\n${evidence.note}` : evidence.url;
  return evidence.kind === 'submit_image' ? (evidence.note ?? null) : null;
}
