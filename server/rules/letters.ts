import { ENCODINGS, type Encoding } from '../contract/import-limits.ts';

export type Letters = {
  /** How the file is decoded; null where its bytes do not show it and a person has to choose. */
  read: Encoding | null;
  /** How it may be read, the likeliest first, with some of its text read so; empty where there is only one way. */
  offered: { encoding: Encoding; sample: string }[];
};

const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
const ESCAPE = 27;
const LOST = 0xfffd;
/** Bytes that are looked at at once. */
const PIECE = 64 * 1024;
/** From so many bytes on, of which one is zero, they are pairs of UTF-16 rather than a zero that strayed in. */
const BYTES_FOR_EACH_ZERO = 64;
/** Bytes that UTF-8 explains for each that it cannot: what is cut off in a name here and there is UTF-8 all the same. */
const EXPLAINED_FOR_EACH_BROKEN = 4;

/**
 * A file's text in pieces. U+0000, which no database stores, and invalid bytes become U+FFFD. The last piece is decoded
 * as a stream too: Node 20 otherwise takes windows-1252 for ISO 8859-1.
 */
export function* piecesOf(bytes: Uint8Array, encoding: Encoding): Generator<string> {
  const decoder = new TextDecoder(encoding);
  for (let at = 0; at < bytes.length; at += PIECE)
    yield decoder.decode(bytes.subarray(at, at + PIECE), { stream: true }).replaceAll('\0', '\ufffd');
  yield decoder.decode();
}

/** The same in one piece. */
export const textIn = (bytes: Uint8Array, encoding: Encoding): string => [...piecesOf(bytes, encoding)].join('');

/**
 * How a file is written. A mark of the byte order decides; otherwise UTF-8, if at least most of what is not ASCII is that.
 * `line` is where, counted from 1, UTF-8 first fails to explain it.
 */
export function lettersOf(bytes: Uint8Array): Letters & { line: number } {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  if (marked) return { read: marked, offered: [], line: 1 };
  const { explained, broken, zeros, isSwitched, line } = asUtf8(bytes);
  const isWide = zeros * BYTES_FOR_EACH_ZERO > bytes.length;
  const isUtf8 = !isSwitched && !isWide && explained >= EXPLAINED_FOR_EACH_BROKEN * broken;
  const isAscii = explained + broken + zeros === 0 && !isSwitched;
  return { read: isUtf8 ? 'utf-8' : null, offered: isAscii ? [] : offersFor(bytes), line };
}

/** What of a file UTF-8 explains, in bytes beyond one for each character, and what it does not. */
function asUtf8(bytes: Uint8Array) {
  const found = { explained: 0, broken: 0, zeros: 0, isSwitched: false, line: 1 };
  const decoder = new TextDecoder('utf-8');
  let line = 1;
  let before = 0;
  const odd = () => {
    if (found.broken + found.zeros === 0 && !found.isSwitched) found.line = line;
  };
  for (let from = 0; from < bytes.length; from += PIECE) {
    const text = decoder.decode(bytes.subarray(from, from + PIECE), { stream: from + PIECE < bytes.length });
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 10) line += 1;
      else if (code === 0) {
        odd();
        found.zeros += 1;
      } else if (code === LOST) {
        odd();
        found.broken += 1;
      } else if (before === ESCAPE && (code === 36 || code === 40)) {
        // ISO 2022 changes between sets of letters by `ESC $` and `ESC (`; each of its bytes is one of ASCII.
        odd();
        found.isSwitched = true;
      } else if (code >= 0x80) found.explained += code < 0x800 ? 1 : code >= 0xd800 && code < 0xe000 ? 1.5 : 2;
      before = code;
    }
  }
  return found;
}

/** Bytes of a file that are read in each encoding to see which fits. */
const TRIED = 4_096;
const SAMPLE_MAX = 80;

function offersFor(bytes: Uint8Array): Letters['offered'] {
  const first = bytes.findIndex((byte) => byte >= 0x80 || byte === 0 || byte === ESCAPE);
  const from = bytes.lastIndexOf(10, first) + 1;
  return ENCODINGS.map((encoding, nth) => {
    // UTF-16 goes by twos.
    const start = encoding.startsWith('utf-16') ? from & ~1 : from;
    const text = new TextDecoder(encoding).decode(bytes.subarray(start, start + TRIED), { stream: true });
    return { encoding, sample: sampleOf(text), oddness: oddnessOf(text), nth };
  })
    .sort((a, b) => a.oddness - b.oddness || a.nth - b.nth)
    .map(({ encoding, sample }) => ({ encoding, sample }));
}

/** Up to two lines that show how letters other than ASCII's are read. */
function sampleOf(text: string): string {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const nonAscii = lines.filter((line) => /[^\0-\x7f]/.test(line));
  const shown = (nonAscii.length > 0 ? nonAscii : lines).slice(0, 2).join(' / ');
  const first = Math.max(0, shown.search(/[^\0-\x7f]/) - SAMPLE_MAX / 4);
  return [...shown.slice(first)]
    .slice(0, SAMPLE_MAX)
    .join('')
    .replace(/\p{Cc}/gu, '\ufffd')
    .trim();
}

/** Letters of one way of writing. */
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Hangul}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u,
];
const LATIN = 0;
const NO_LETTER = /[\p{Cn}\p{Co}\p{Cc}\ufffd]/u;

/** How little a text reads like one: what is no letter, words of two scripts, capitals within words, marks beside letters. */
function oddnessOf(text: string): number {
  let oddness = /[\r\n]/.test(text) ? 0 : 10;
  let before = { sign: ' ', script: -1 };
  for (const sign of text) {
    const isPlain = sign >= ' ' && sign <= '~';
    const script = SCRIPTS.findIndex((letters) => letters.test(sign));
    if (!isPlain && !'\t\r\n'.includes(sign) && NO_LETTER.test(sign)) oddness += 4;
    const isBeside = before.script >= 0 && script >= 0;
    if (isBeside && before.script !== script) oddness += 2;
    else if (isBeside && /\p{Ll}/u.test(before.sign) && /\p{Lu}/u.test(sign)) oddness += isPlain ? 0 : 1;
    // Letters with marks, as Western languages have them, seldom come in twos.
    if (script === LATIN && before.script === LATIN && !isPlain && before.sign > '~') oddness += 1;
    // So do signs of other encodings: half-width kana, and non-ASCII marks within a word.
    if (/[\uff61-\uff9f]/.test(sign)) oddness += 1;
    else if (!isPlain && before.script >= 0 && script < 0 && /[\p{S}\p{P}\p{N}]/u.test(sign)) oddness += 1;
    before = { sign, script };
  }
  return oddness;
}
