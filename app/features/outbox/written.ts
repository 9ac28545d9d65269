/** The words of a member inside an act: what 'Edit' opens. Pure. */
import { DECISION_REASON_MAX, SUBMISSION_TEXT_MAX } from '../../../server/contract/limits.ts';

/** Fields of a body that hold somebody's own words, with how many characters they take. */
const FIELDS = { text: SUBMISSION_TEXT_MAX, reason: DECISION_REASON_MAX } as const;
export type Written = { field: keyof typeof FIELDS; text: string; longest: number };

const asRecord = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};

/** What the member wrote, or null where the act has no words of theirs. */
export function writtenIn(body: unknown): Written | null {
  for (const field of Object.keys(FIELDS) as Written['field'][]) {
    const text = asRecord(body)[field];
    if (typeof text === 'string') return { field, text, longest: FIELDS[field] };
  }
  return null;
}

/** The same act with other words. */
export const rewritten = (body: unknown, { field }: Written, text: string): unknown => ({
  ...asRecord(body),
  [field]: text,
});
