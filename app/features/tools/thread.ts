import { graphemesOf, type Stretch, sentenceEnds, wordsOf } from './graphemes.ts';
import { partsOf, X_POST_MAX, xLength } from './x-length.ts';

/** How much of a post a sentence has to fill for the post to end with it. */
const FULL_ENOUGH = 0.5;
const isBlank = (text: string): boolean => text.trim() === '';

/** What stays together: a link, a mention, a hashtag or one character. */
type Atom = Stretch & { weight: number; blank: boolean };
/** How good a place is to end a post at: behind a sentence, behind a word, within a word that is longer than a post. */
type Cut = 'sentence' | 'word' | 'inside';

/**
 * Splits a text into posts of at most `limit` weighted characters, numbered `1/5` at their end where asked for, the number
 * counted. A post ends behind a sentence where that fills half of it, else behind a word. Links, mentions, hashtags and
 * emoji stay whole; a word is parted only where it is longer than a post (there between its own parts, for scripts that
 * write words together), and a character only where its marks alone fill a post.
 * @returns the posts in order, without the blanks at their ends; none for an empty text
 */
export function threadOf(text: string, options: { limit?: number; numbered?: boolean } = {}): string[] {
  const { limit = X_POST_MAX, numbered = true } = options;
  if (isBlank(text)) return [];
  if (xLength(text.trim()) <= limit) return [text.trim()];
  const source = sourceOf(text, limit);
  if (!numbered) return split(source, () => limit);
  // The number's own length depends on how many there will be: one digit more until it fits.
  for (let digits = 1; ; digits += 1) {
    const reserved = (at: number) => ` ${at + 1}/`.length + digits;
    const posts = split(source, (at) => limit - reserved(at));
    if (String(posts.length).length <= digits) return posts.map((post, at) => `${post} ${at + 1}/${posts.length}`);
  }
}

type Source = { text: string; atoms: readonly Atom[]; cuts: ReadonlyMap<number, Cut> };

/** The text as atoms, and how good a cut is behind an offset. Between atoms of one word there is none but `inside`. */
function sourceOf(text: string, limit: number): Source {
  const atoms = atomsOf(text, limit);
  const cuts = new Map<number, Cut>();
  for (const { end } of wordsOf(text)) cuts.set(end, 'inside');
  for (const { start, end, blank } of atoms)
    if (blank) {
      cuts.set(start, 'word');
      cuts.set(end, 'word');
    }
  for (const end of sentenceEnds(text)) cuts.set(end, 'sentence');
  return { text, atoms, cuts };
}

/** A place inside an atom is no place to cut: a link has full stops, too. */
function atomsOf(text: string, limit: number): Atom[] {
  const whole: Stretch[] = [];
  let at = 0;
  for (const part of partsOf(text)) {
    if (part.kind !== 'text' && xLength(part.text) <= limit / 2) whole.push({ start: at, end: at + part.text.length });
    at += part.text.length;
  }
  const atoms: Atom[] = [];
  let next = 0;
  for (const { start, end } of graphemesOf(text)) {
    while (next < whole.length && (whole[next]?.end ?? 0) <= start) next += 1;
    const link = whole[next];
    const last = atoms.at(-1);
    if (link && last && start > link.start && start < link.end) last.end = end;
    else atoms.push({ start, end, weight: 0, blank: false });
  }
  return atoms.flatMap((atom) => {
    const own = text.slice(atom.start, atom.end);
    const weight = xLength(own);
    if (weight <= limit / 2) return [{ ...atom, weight, blank: isBlank(own) }];
    return signsOf(own, atom.start);
  });
}

/** A character that its marks make longer than half a post, sign by sign. */
function signsOf(text: string, start: number): Atom[] {
  let at = start;
  return [...text].map((sign) => {
    const from = at;
    at += sign.length;
    return { start: from, end: at, weight: xLength(sign), blank: isBlank(sign) };
  });
}

/** @param roomOf weighted characters that the post of that number may have */
function split(source: Source, roomOf: (post: number) => number): string[] {
  const { text, atoms } = source;
  const posts: string[] = [];
  let first = skipBlank(atoms, 0);
  while (first < atoms.length) {
    const room = roomOf(posts.length);
    let last = furthest(atoms, first, room);
    if (last < atoms.length) last = bestCut(source, first, last, room);
    // What stands at the edge of a cut may count otherwise alone: the post itself is what has to fit.
    while (last > first + 1 && xLength(slice(text, atoms, first, last)) > room) last -= 1;
    posts.push(slice(text, atoms, first, last));
    first = skipBlank(atoms, last);
  }
  return posts;
}

const slice = (text: string, atoms: readonly Atom[], first: number, last: number): string =>
  text.slice(atoms[first]?.start, atoms[last - 1]?.end).trim();

function skipBlank(atoms: readonly Atom[], from: number): number {
  let at = from;
  while (atoms[at]?.blank) at += 1;
  return at;
}

/** The atom before which a post has to end, blanks at its end not counted. */
function furthest(atoms: readonly Atom[], first: number, room: number): number {
  let [weight, at] = [0, first];
  for (; at < atoms.length; at += 1) {
    const atom = atoms[at];
    weight += atom?.weight ?? 0;
    if (weight > room && !atom?.blank) break;
  }
  return Math.max(at, first + 1);
}

/** The best place to end a post that may go up to `last`: a number of an atom, which is the next post's. */
function bestCut({ atoms, cuts }: Source, first: number, last: number, room: number): number {
  const furthestOf: Record<Cut, number> = { sentence: first, word: first, inside: first };
  let [weight, inSentence] = [0, 0];
  for (let at = first; at < last; at += 1) {
    weight += atoms[at]?.weight ?? 0;
    const cut = cuts.get(atoms[at]?.end ?? -1);
    if (cut) furthestOf[cut] = at + 1;
    if (cut === 'sentence') inSentence = weight;
  }
  if (inSentence >= room * FULL_ENOUGH) return furthestOf.sentence;
  const word = Math.max(furthestOf.word, furthestOf.sentence);
  const isNextWhole = wordWeight(atoms, skipBlank(atoms, word)) <= room;
  if (word > first && (isNextWhole || furthestOf.inside <= word)) return word;
  return furthestOf.inside > first ? furthestOf.inside : last;
}

/** Weight of the word that begins at an atom, up to the next blank. */
function wordWeight(atoms: readonly Atom[], from: number): number {
  let weight = 0;
  for (let at = from; at < atoms.length && !atoms[at]?.blank; at += 1) weight += atoms[at]?.weight ?? 0;
  return weight;
}
