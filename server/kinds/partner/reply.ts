import { PARTNER_WORDS_MAX } from '../../contract/limits.ts';
import { plainLine } from '../../domain/plain-line.ts';

/**
 * What a partner's program answered: whether the member did it, with its words as plain text in one line; null where it is
 * no such answer. `{ "ok": true, "message": "…" }`
 */
export function readReply(body: string): { ok: boolean; words: string | null } | null {
  const reply = objectIn(body);
  const ok = reply?.['ok'];
  if (typeof ok !== 'boolean') return null;
  const message = reply?.['message'];
  return { ok, words: typeof message === 'string' ? plainLine(message, PARTNER_WORDS_MAX) : null };
}

function objectIn(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
