import { isSeen, tidyName } from './text.ts';

/**
 * Another program's or device's name for something, in one line of at most `max` characters, without invisible or
 * reordering characters; null where nothing is visible.
 */
export function plainLine(text: string, max: number): string | null {
  const plain = tidyName(
    text
      // Before the costly part: what is cut off need not be read.
      .slice(0, 4 * max)
      .replace(/\p{Surrogate}/gu, '')
      .replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim();
  if (!isSeen(plain)) return null;
  const letters = [...plain];
  return letters.length <= max
    ? plain
    : `${letters
        .slice(0, max - 1)
        .join('')
        .trim()}…`;
}
