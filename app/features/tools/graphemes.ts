/** Without a segmenter: a letter with its marks, a flag, a joined emoji with its modifiers. */
const BY_HAND =
  /\r\n|\p{RI}\p{RI}|(?:\p{Extended_Pictographic}|[#*0-9](?=\uFE0F?\u20E3))[\p{M}\p{Emoji_Modifier}\u{E0020}-\u{E007F}]*(?:\u200D\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]*)*|\P{M}[\p{M}\u200C\u200D]*|\p{M}+/gsu;

/** A range of a text: UTF-16 offsets, the end exclusive. */
export type Stretch = { start: number; end: number };

type Granularity = 'grapheme' | 'word' | 'sentence';
/** Older browsers lack this facility and get the fallback. */
type Segmenters = { Segmenter?: typeof Intl.Segmenter };
const segmenters = new Map<Granularity, Intl.Segmenter>();
function segmenter(granularity: Granularity): Intl.Segmenter | null {
  const { Segmenter } = Intl as Segmenters;
  if (!Segmenter) return null;
  const cached = segmenters.get(granularity) ?? new Segmenter(undefined, { granularity });
  segmenters.set(granularity, cached);
  return cached;
}
const matched = (pattern: RegExp, text: string): Stretch[] =>
  [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length }));

/**
 * Segmenting slows down with the length of the text, so it works on some hundred characters at once: up to a space or
 * punctuation, else between two characters that nothing joins.
 */
const MANAGEABLE =
  /[\s\S]{64,512}?[\s。！？、，](?![\p{M}\p{EMod}\u200C\u200D])|[\s\S]{64,512}?[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}a-z](?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}a-z])|[\s\S]+/giu;
const segmented = (own: Intl.Segmenter, text: string): Stretch[] =>
  matched(MANAGEABLE, text).flatMap(({ start, end }) =>
    [...own.segment(text.slice(start, end))].map(({ index, segment }) => ({
      start: start + index,
      end: start + index + segment.length,
    })),
  );

/** What a reader sees as single characters (UAX #29). Together they are the whole text. */
export function graphemesOf(text: string): Stretch[] {
  const own = segmenter('grapheme');
  return own ? segmented(own, text) : matched(BY_HAND, text);
}

/** Words and the text between them, also in scripts without spaces. Together they are the whole text. */
export function wordsOf(text: string): Stretch[] {
  const own = segmenter('word');
  return own ? segmented(own, text) : matched(/[\p{L}\p{N}\p{M}'’_]+|[^\p{L}\p{N}\p{M}'’_]/gu, text);
}

const CLOSED = /[.!?…]["'”’)\]]*\s+|[。！？｡][」』”’）]*|\n+/gu;
/** Ends of sentences, as offsets after the punctuation (and closing quotes), ascending; without the end of the text. */
export function sentenceEnds(text: string): number[] {
  const ends: number[] = [];
  for (const match of text.matchAll(CLOSED)) ends.push(match.index + match[0].trimEnd().length);
  return ends.filter((end) => end > 0 && end < text.length);
}

/** A text's sentences, trimmed. */
export function sentencesOf(text: string): string[] {
  const cuts = [0, ...sentenceEnds(text), text.length];
  return cuts
    .slice(1)
    .map((end, at) => text.slice(cuts[at], end).trim())
    .filter((sentence) => sentence !== '');
}
