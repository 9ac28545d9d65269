import { HttpError } from '../base/http-error.ts';

/** Control characters, and those that turn the reading order around: a name must not rearrange the line it stands in. */
const NOT_IN_A_LINE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const NOT_IN_TEXT = /[^\P{Cc}\n\t]|[\u202a-\u202e]/u;
/** What leaves a mark: neither blanks, nor what only joins, shapes or directs, nor Braille's empty cell. */
const SEEN = /[^\p{Z}\p{Cc}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a reader sees anything of a text. */
export const isSeen = (text: string): boolean => SEEN.test(text);

function checked(field: string, text: string, refused: RegExp): string {
  const isShown = text === '' || isSeen(text);
  if (isShown && !refused.test(text)) return text;
  const message = isShown ? 'contains characters that cannot be shown' : 'contains nothing that can be seen';
  throw new HttpError(400, 'INVALID_INPUT', `${field}: ${message}`, { details: { problems: [{ field, message }] } });
}

/**
 * One line of people's text as it is. Throws 400 `INVALID_INPUT` on line breaks, control and reordering characters, and
 * where nothing of it can be seen; no text at all is for the contract to allow.
 */
export const line = (field: string, value: string): string => checked(field, value, NOT_IN_A_LINE);

/** Several lines of people's text, with line breaks as `\n`. Throws as `line` does, but for line breaks and tabs. */
export const prose = (field: string, value: string): string =>
  checked(field, value.replaceAll('\r\n', '\n'), NOT_IN_TEXT);

/** A number with the word for so many, as an English sentence holds it. */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${Math.abs(count) === 1 ? one : many}`;

/** Text as it reads: case, accents' encoding, punctuation and spacing aside. */
export const asRead = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{S}]+/gu, ' ')
    .trim();

/** How alike two texts are, 0 to 1: Dice's coefficient over the sets of their runs of three characters. */
export function likeness(one: string, other: string): number {
  const [a, b] = [asRead(one), asRead(other)];
  if (a === b) return a === '' ? 0 : 1;
  const [left, right] = [threes(a), threes(b)];
  let both = 0;
  for (const three of left) if (right.has(three)) both += 1;
  return left.size + right.size === 0 ? 0 : (2 * both) / (left.size + right.size);
}

function threes(text: string): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at + 3 <= text.length; at += 1) found.add(text.slice(at, at + 3));
  return found;
}
