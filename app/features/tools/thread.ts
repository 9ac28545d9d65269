import { graphemesOf, type Stretch, sentenceEnds, wordsOf } from './graphemes.ts';
import { partsOf, X_POST_MAX, xLength } from './x-length.ts';

/** The share of a post that must be full for it to end after a sentence. */
const FULL_ENOUGH = 0.5;
const isBlank = (text: string): boolean => text.trim() === '';

/** An indivisible piece: a link, a mention, a hashtag or one character. */
type Atom = Stretch & { weight: number; blank: boolean };
/** Quality of a cut: after a sentence, after a word, or inside a word longer than a post. */
type Cut = 'sentence' | 'word' | 'inside';

/**
 * Splits a text into posts of at most `limit` weighted characters, optionally numbered `1/5` at their end, the number
 * included. A post ends after a sentence if that fills half of it, else after a word. Links, mentions, hashtags and
 * emoji stay whole. Only a word longer than a post is split (at its own segments, for scripts without spaces), and a
 * character only if its marks alone fill a post.
 * @returns the posts in order, trimmed; none for an empty text
 */
export function threadOf(text: string, options: { limit?: number; numbered?: boolean } = {}): string[] {
  const { limit = X_POST_MAX, numbered = true } = options;
  if (isBlank(text)) return [];
  if (xLength(text.trim()) <= limit) return [text.trim()];
  const source = sourceOf(text, limit);
  if (!numbered) return split(source, () => limit);
  // The number's length depends on the count of posts: one digit more until it fits.
  for (let digits = 1; ; digits += 1) {
    const reserved = (at: number) => ` ${at + 1}/`.length + digits;
    const posts = split(source, (at) => limit - reserved(at));
    if (String(posts.length).length <= digits) return posts.map((post, at) => `${post} ${at + 1}/${posts.length}`);
  }
}

type Source = { text: string; atoms: readonly Atom[]; cuts: ReadonlyMap<number, Cut> };

/** The text as atoms, and the quality of a cut after each offset, which inside a word is only `inside`. */
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

/** Never cut inside an atom: a link contains full stops, too. */
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

/** A character whose marks make it longer than half a post, code point by code point. */
function signsOf(text: string, start: number): Atom[] {
  let at = start;
  return [...text].map((sign) => {
    const from = at;
    at += sign.length;
    return { start: from, end: at, weight: xLength(sign), blank: isBlank(sign) };
  });
}

/** @param roomOf weighted characters available in the post of that number */
function split(source: Source, roomOf: (post: number) => number): string[] {
  const { text, atoms } = source;
  const posts: string[] = [];
  let first = skipBlank(atoms, 0);
  while (first < atoms.length) {
    const room = roomOf(posts.length);
    let last = furthest(atoms, first, room);
    if (last < atoms.length) last = bestCut(source, first, last, room);
    // Text at the edge of a cut may weigh more on its own: the final post has to fit.
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

/** The atom before which a post has to end, ignoring trailing spaces. */
function furthest(atoms: readonly Atom[], first: number, room: number): number {
  let [weight, at] = [0, first];
  for (; at < atoms.length; at += 1) {
    const atom = atoms[at];
    weight += atom?.weight ?? 0;
    if (weight > room && !atom?.blank) break;
  }
  return Math.max(at, first + 1);
}

/** The best cut up to `last`: the index of the next post's first atom. */
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

/** Weight of the word that starts at an atom, up to the next space. */
function wordWeight(atoms: readonly Atom[], from: number): number {
  let weight = 0;
  for (let at = from; at < atoms.length && !atoms[at]?.blank; at += 1) weight += atoms[at]?.weight ?? 0;
  return weight;
}
