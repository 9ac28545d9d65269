import { HttpError } from '../base/http-error.ts';
import { isId } from './ids.ts';

/** A position in a list that is ordered by time and id. */
export type Position = { at: Date; id: string };

const wrong = () => new HttpError(400, 'INVALID_INPUT', 'after: names no place in the list');

/** As `cursorOf` writes times, in years that PostgreSQL reads in this form: 1 to 9999. */
const TIME = /^(?!0000)\d{4}-/;

/** A page's `next`, from its last row. */
export const cursorOf = ({ at, id }: Position): string => `${at.toISOString()}_${id}`;

/** The position in a query's `after`; null for the start. Throws 400 `INVALID_INPUT`. */
export function readCursor(after: string | undefined): Position | null {
  if (after === undefined) return null;
  const [time = '', id = '', ...rest] = after.split('_');
  const at = new Date(time);
  const isTime = TIME.test(time) && !Number.isNaN(at.getTime()) && at.toISOString() === time;
  if (!isTime || !isId(id) || rest.length > 0) throw wrong();
  return { at, id };
}

/** The number that a query's `after` names, as PostgreSQL counts rows; null for the beginning. Throws 400 `INVALID_INPUT`. */
export function readNumber(after: string | undefined): string | null {
  if (after === undefined) return null;
  if (!/^\d{1,18}$/.test(after)) throw wrong();
  return after;
}

/** One page of rows that were read with one more than fits. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  size: number,
  shape: { item(row: Row): Item; cursor(row: Row): string },
): { items: Item[]; next: string | null } {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return { items: shown.map(shape.item), next: rows.length > size && last ? shape.cursor(last) : null };
}
