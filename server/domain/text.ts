import { HttpError } from '../base/http-error.ts';
import type { ErrorDetails, InputProblem } from '../contract/refusals.ts';

/** Control characters and those that reverse the reading order: a name must not rearrange its line. */
const NOT_IN_A_LINE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const NOT_IN_TEXT = /[^\P{Cc}\n\t]|[\u202a-\u202e]/u;
/** An emoji with what is part of it: joiners, variants, keycaps, the tags of flags. */
const EMOJI = String.raw`\p{RGI_Emoji}|\p{Emoji}[\ufe0e\ufe0f]?\u20e3?|\p{Extended_Pictographic}`;
const JOINING = [
  'Arab',
  'Syrc',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
];
/** Joiners and variants where letters need them: Persian, Syriac, Mongolian and the Indic scripts. */
const JOINERS = String.raw`(?<=[${JOINING.map((script) => `\\p{sc=${script}}`).join('')}])[\u200c\u200d\u180b-\u180e]`;
const UNSEEN = new RegExp(String.raw`(${EMOJI}|${JOINERS})|\p{Default_Ignorable_Code_Point}`, 'gv');
const ANY_UNSEEN = /\p{Default_Ignorable_Code_Point}/u;
/** No script writes more over and under one letter; thirty of them lie over the lines around. */
const STACKED = /(\p{M}{3})\p{M}+/gu;

/** Without what is not seen and yet makes two texts different, but for what emoji and letters are joined with. */
const withoutUnseen = (text: string): string =>
  ANY_UNSEEN.test(text) ? text.replace(UNSEEN, (_, visible: string | undefined) => visible ?? '') : text;
/** At most three marks on each letter. */
const unstacked = (text: string): string => text.normalize('NFC').replace(STACKED, '$1');

/** A name as another service gives it, in which nothing hides and nothing leaves its line. */
export const tidyName = (text: string): string => unstacked(withoutUnseen(text));

/** What leaves a mark: neither blanks, nor what only joins, shapes or directs, nor Braille's empty cell. */
const SEEN = /[^\p{Z}\p{Cc}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether any character of a text is visible. */
export const isSeen = (text: string): boolean => SEEN.test(text);

type Problem = Pick<InputProblem, 'fault' | 'message'>;

function problemOf(text: string, refused: RegExp): Problem | null {
  if (text !== '' && !isSeen(text)) return { fault: 'blank', message: 'contains nothing that can be seen' };
  return refused.test(text) ? { fault: 'characters', message: 'contains characters that cannot be shown' } : null;
}

function checked(field: string, text: string, problem: Problem | null): string {
  if (problem === null) return text;
  throw new HttpError(400, 'INVALID_INPUT', `${field}: ${problem.message}`, {
    details: { problems: [{ field, ...problem }] } satisfies ErrorDetails['INVALID_INPUT'],
  });
}

/**
 * One line of people's text, unchanged. Throws 400 `INVALID_INPUT` on line breaks, control, reordering and invisible
 * characters, more than three marks on a letter, and where nothing is visible; the contract decides about empty text.
 */
export function line(field: string, value: string): string {
  return checked(field, value, problemOf(value, NOT_IN_A_LINE) ?? disguiseOf(value));
}

/** Why a line may not pass for another one. */
function disguiseOf(text: string): Problem | null {
  if (withoutUnseen(text) !== text) return { fault: 'characters', message: 'contains characters that are not seen' };
  if (unstacked(text) === text.normalize('NFC')) return null;
  return { fault: 'characters', message: 'has more than three marks on one letter' };
}

/**
 * Several lines of people's text, with line breaks as `\n`. Throws like `line`, except for line breaks, tabs, marks and
 * invisible characters: copied text is full of them, and nobody could find and remove them.
 */
export function prose(field: string, value: string): string {
  const text = value.replaceAll('\r\n', '\n');
  return checked(field, text, problemOf(text, NOT_IN_TEXT));
}

/** A number with its noun, as in an English sentence. */
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
