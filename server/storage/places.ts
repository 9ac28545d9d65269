import type { ISql } from 'postgres';
import { HttpError } from '../base/http-error.ts';
import { isId } from '../domain/ids.ts';

/** A pattern for `like`: text anywhere in a column with an index of its trigrams. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** A time as a page's place carries it: in full precision, so rows keep the order of their index. */
export const microsOf = (sql: ISql, column: string) =>
  sql`(extract(epoch from ${sql.unsafe(column)}) * 1000000)::bigint::text`;
/** The time of such a place. */
export const momentAt = (sql: ISql, micros: string) =>
  sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`;

/** The place that a list by time and id goes on from; null for its beginning. Throws 400 `INVALID_INPUT`. */
export function readPlace(after: string | undefined): { micros: string; id: string } | null {
  if (after === undefined) return null;
  const [, micros, id = ''] = /^(-?\d{1,17})_([0-9a-f-]{36})$/.exec(after) ?? [];
  if (micros === undefined || !isId(id)) throw new HttpError(400, 'INVALID_INPUT', 'after: names no place in the list');
  return { micros, id };
}
