import { isStorable } from '../../base/text.ts';
import { IMPORT_POINTS_MAX } from '../../contract/import-limits.ts';
import { handleOf } from '../../contract/x-post.ts';
import { isSeen, tidyName } from '../../domain/text.ts';

/** What exports write where there is nothing. */
const NOTHING = /^(?:|[-–—]|n\/?a|null|none|undefined|nil)$/i;
export const isNothing = (text: string): boolean => NOTHING.test(text);

/**
 * A Telegram id. Spreadsheets write `12345.0`, and round long ones to `1.2E+09`, which is invalid. Null: it is none.
 */
export function telegramId(text: string): string | null {
  const digits = /^(\d{1,15})(?:\.0+)?$/.exec(text)?.[1];
  return digits === undefined || Number(digits) === 0 ? null : String(Number(digits));
}

/** A Telegram username in lower case, from `@name` or a link. Null: it is none. */
export function telegramName(text: string): string | null {
  const name = text
    .replace(/^(?:https?:\/\/)?(?:t\.me|telegram\.me)\//i, '')
    .replace(/^@/, '')
    .replace(/\/$/, '');
  return /^[a-z][a-z0-9_]{3,31}$/i.test(name) ? name.toLowerCase() : null;
}

/** An X handle in lower case. Null: it is none. */
export const xHandle = (text: string): string | null => handleOf(text)?.toLowerCase() ?? null;

const NAME_MAX = 128;
/** A name without what cannot be shown; empty where nothing is left. */
export function nameIn(text: string): string {
  const plain = (isStorable(text) ? text : text.replace(/\0|\p{Surrogate}/gu, ''))
    .replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, ' ')
    .trim();
  return isSeen(plain) ? [...tidyName(plain)].slice(0, NAME_MAX).join('').trim() : '';
}

const EARLIEST = Date.UTC(2005, 0, 1);
/** A day or instant in ISO 8601 or a database's form, from 2005 on and not in the future. Null: it is none. */
export function dateIn(text: string, now: Date): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?UTC|Z|[+-]\d{2}:?\d{2})?)?$/.test(text))
    return null;
  const hasZone = /(?:UTC|Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10));
  const date = new Date(text.replace(/ ?UTC$/, 'Z').replace(' ', 'T') + (text.length > 10 && !hasZone ? 'Z' : ''));
  const at = date.getTime();
  return at >= EARLIEST && at <= now.getTime() ? date : null;
}

/** How points are written, and what that means. */
export type Points =
  | { points: number; written: 'plain' | 'missing' | 'grouped' | 'decimal' }
  | { problem: 'points_unreadable' | 'points_negative' | 'points_large' };

/** The sign before decimals in a column of points: one that is followed by another number of digits than three. */
export function decimalSign(cells: Iterable<string>): '.' | ',' | null {
  for (const cell of cells) {
    const sign = /^\d+([.,])(?:\d{1,2}|\d{4,})$/.exec(cell)?.[1];
    if (sign === '.' || sign === ',') return sign;
  }
  return null;
}

/**
 * Points as people and programs write them: `1240`, `1 240`, `1,240.00`. A single dot or comma before three digits parts
 * thousands, as long as no cell of the column shows that it parts decimals; it is `grouped` then, for the leader to see.
 */
export function pointsIn(text: string, decimals: '.' | ',' | null): Points {
  if (isNothing(text)) return { points: 0, written: 'missing' };
  const bare = text.replace(/^\+/, '').replace(/(?<=\d)[ \u00a0\u202f'’](?=\d{3}(?!\d))/g, '');
  if (/^[-−]\s*\d/.test(bare)) return { problem: 'points_negative' };
  if (/^\d+$/.test(bare)) return within(Number(bare), 'plain');
  const several = /^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$|^\d{1,3}(?:,\d{3}){2,}(?:\.\d+)?$/.test(bare);
  const both = /^\d{1,3}(?:,\d{3})+\.\d+$|^\d{1,3}(?:\.\d{3})+,\d+$/.test(bare);
  if (several || both)
    return rounded(withDot(bare, bare.lastIndexOf(',') > bare.lastIndexOf('.') ? ',' : '.', several && !both));
  const one = /^(\d+)([.,])(\d+)$/.exec(bare);
  if (!one) return { problem: 'points_unreadable' };
  const [, whole = '', sign = '', rest = ''] = one;
  if (rest.length === 3 && whole.length <= 3 && sign !== decimals) return within(Number(whole + rest), 'grouped');
  return rounded(`${whole}.${rest}`);
}

/** `1.234.567,5` as `1234567.5`: `sign` is the last one, which parts decimals unless it only parts thousands. */
function withDot(text: string, sign: '.' | ',', onlyThousands: boolean): string {
  const hasBoth = text.includes('.') && text.includes(',');
  if (onlyThousands && !hasBoth) return text.replace(/[.,]/g, '');
  const at = text.lastIndexOf(sign);
  return `${text.slice(0, at).replace(/[.,]/g, '')}.${text.slice(at + 1)}`;
}

function rounded(text: string): Points {
  const value = Number(text);
  return within(Math.round(value), Number.isInteger(value) ? 'plain' : 'decimal');
}

const within = (points: number, written: 'plain' | 'grouped' | 'decimal'): Points =>
  points <= IMPORT_POINTS_MAX ? { points, written } : { problem: 'points_large' };
