import { Refusal } from '../http/refusal.ts';

/** Control characters, and those that turn the reading order around: a name must not rearrange the line it stands in. */
const NOT_IN_A_LINE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const NOT_IN_TEXT = /[^\P{Cc}\n\t]|[\u202a-\u202e]/u;

function refuse(field: string): never {
  const message = `${field}: contains characters that cannot be shown`;
  throw new Refusal(400, 'INVALID_INPUT', message, { details: { problems: [{ field, message }] } });
}

/** One line of people's text as it is. Throws 400 `INVALID_INPUT` on line breaks, control and reordering characters. */
export function line(field: string, value: string): string {
  return NOT_IN_A_LINE.test(value) ? refuse(field) : value;
}

/** Several lines of people's text, with line breaks as `\n`. Throws 400 `INVALID_INPUT` on control characters. */
export function prose(field: string, value: string): string {
  const text = value.replaceAll('\r\n', '\n');
  return NOT_IN_TEXT.test(text) ? refuse(field) : text;
}

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
