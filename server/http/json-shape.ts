import { HttpError } from '../base/http-error.ts';

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');

/** `depth`: levels of arrays and objects, one inside the other; `values`: elements and fields in all. */
export type JsonShape = { depth: number; values: number };

/**
 * Counts what a JSON text in UTF-8 is made of while it is read, piece by piece, before anything is made of it: JSON that is
 * small in bytes may be millions of values. Throws 400 `TOO_DEEP` and `TOO_MANY_VALUES`. What is no JSON is counted somehow.
 */
export function shapeCounter(most: JsonShape): (piece: Uint8Array) => void {
  let depth = 0;
  let values = 1;
  let inString = false;
  /** The first sign of the next piece is escaped. */
  let isEscaped = false;
  const count = () => {
    values += 1;
    if (values > most.values) {
      throw new HttpError(400, 'TOO_MANY_VALUES', `The JSON holds more than ${most.values} values.`, {
        details: { limit: most.values },
      });
    }
  };
  return (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const sign = piece[at];
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (sign === BACKSLASH) isEscaped = true;
        else if (sign === QUOTE) inString = false;
      } else if (sign === QUOTE) inString = true;
      else if (sign === COMMA) count();
      else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
        depth += 1;
        if (depth > most.depth) {
          throw new HttpError(400, 'TOO_DEEP', `The JSON nests deeper than ${most.depth} levels.`);
        }
        count();
      } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth -= 1;
    }
  };
}
