/** The member's text inside a command, for 'Edit'. Pure. */
import { APPEAL_MAX, DECISION_REASON_MAX, SUBMISSION_TEXT_MAX } from '../../../server/contract/limits.ts';

/** Fields of a body or its evidence that hold a person's text, with their maximum length. */
const FIELDS = { text: APPEAL_MAX, reason: DECISION_REASON_MAX } as const;
const EVIDENCE_FIELDS = { text: SUBMISSION_TEXT_MAX } as const;
export type Written = { inside: 'evidence' | null; field: keyof typeof FIELDS; text: string; longest: number };

const asRecord = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};

/** The member's text, or null if the command has none. */
export function writtenIn(body: unknown): Written | null {
  const own = asRecord(body);
  return find(asRecord(own['evidence']), EVIDENCE_FIELDS, 'evidence') ?? find(own, FIELDS, null);
}
function find(
  own: Record<string, unknown>,
  fields: Partial<Record<Written['field'], number>>,
  inside: Written['inside'],
): Written | null {
  for (const [field, longest] of Object.entries(fields) as [Written['field'], number][]) {
    const text = own[field];
    if (typeof text === 'string') return { inside, field, text, longest };
  }
  return null;
}

/** The same command with another text. */
export function rewritten(body: unknown, { inside, field }: Written, text: string): unknown {
  const own = asRecord(body);
  if (inside === null) return { ...own, [field]: text };
  return { ...own, [inside]: { ...asRecord(own[inside]), [field]: text } };
}
