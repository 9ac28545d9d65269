/**
 * Finds answers that are nearly the same, on the device. Each answer is the set of its shingles, which are
 * `SHINGLE_WORDS` words in a row. MinHash (Broder 1997) with `BANDS` bands of `ROWS` hashes proposes pairs: two answers whose
 * sets overlap by J are proposed with the probability 1 − (1 − J²)^64, which is 0.998 at J = 0.3 and 0.03 at J = 0.02. Each pair
 * that is proposed is then compared exactly. The same answers in the same order give the same groups on every device.
 */
const SHINGLE_WORDS = 2;
const BANDS = 64;
const ROWS = 2;
const HASHES = BANDS * ROWS;
/** Shorter answers say too little to count as copies: 'yes', 'done, thank you'. */
export const LEAST_WORDS = 4;
/** Overlap of nearly identical answers; for `a b c d e f g h i j` with one word changed it is 0.64. */
export const NEARLY_THE_SAME = 0.5;

export type LikeGroup = {
  /** Indexes of the answers in the given list, ascending. */
  members: {
    at: number;
    /** The largest overlap found with another answer of the group, 0 to 1. */
    likeness: number;
  }[];
};

/** In scripts without spaces between words, each letter counts as a word. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}])[\p{L}\p{N}\p{M}])+/gu;

/** The words of an answer, ignoring case, punctuation and letter forms (NFKC). */
export const wordsIn = (answer: string): string[] =>
  answer.normalize('NFKC').toLowerCase().replace(/['’]/gu, '').match(WORD) ?? [];

function shinglesOf(words: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = 0; at + SHINGLE_WORDS <= words.length; at += 1)
    found.push(words.slice(at, at + SHINGLE_WORDS).join(' '));
  return [...new Set(found)];
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
/** MurmurHash3's finalizer: each seed derives another hash. */
function mixed(hash: number, seed: number): number {
  let mix = hash ^ seed;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
const SEEDS = Uint32Array.from({ length: HASHES }, (_, at) => mixed(at + 1, 0x9e3779b9));

function signatureOf(shingles: readonly string[]): Uint32Array {
  const least = new Uint32Array(HASHES).fill(0xffffffff);
  for (const shingle of shingles) {
    const hash = hashOf(shingle);
    for (let at = 0; at < HASHES; at += 1) {
      const one = mixed(hash, SEEDS[at] ?? 0);
      if (one < (least[at] ?? 0)) least[at] = one;
    }
  }
  return least;
}

/** The share of common shingles, 0 to 1 (Jaccard). */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let both = 0;
  for (const shingle of few) if (many.has(shingle)) both += 1;
  return both === 0 ? 0 : both / (few.size + many.size - both);
}

/** How much two answers overlap, 0 to 1; 0 when one is too short to compare. */
export function likenessOf(a: string, b: string): number {
  const [one, other] = [wordsIn(a), wordsIn(b)];
  if (one.length < LEAST_WORDS || other.length < LEAST_WORDS) return 0;
  return overlap(new Set(shinglesOf(one)), new Set(shinglesOf(other)));
}

/** One answer for comparison; answers with identical words share it. */
type Distinct = { positions: number[]; shingles: ReadonlySet<string>; nearest: number };

/**
 * Groups nearly identical answers, the largest group first.
 * @param threshold overlap from which two answers belong together, 0 to 1
 * @returns the groups of two or more; `short` counts the answers with too few words to compare
 */
export function groupSimilar(
  answers: readonly string[],
  threshold: number = NEARLY_THE_SAME,
): { groups: LikeGroup[]; short: number } {
  const byText = new Map<string, Distinct>();
  let short = 0;
  answers.forEach((answer, at) => {
    const words = wordsIn(answer);
    if (words.length < LEAST_WORDS) {
      short += 1;
      return;
    }
    const phrase = words.join(' ');
    const existing = byText.get(phrase);
    if (existing) existing.positions.push(at);
    else byText.set(phrase, { positions: [at], shingles: new Set(shinglesOf(words)), nearest: 0 });
  });
  const distinct = [...byText.values()];
  for (const one of distinct) if (one.positions.length > 1) one.nearest = 1;
  const parents = joined(distinct, threshold);
  const groups = new Map<number, LikeGroup>();
  distinct.forEach(({ positions, nearest }, at) => {
    const root = rootOf(parents, at);
    const group = groups.get(root) ?? { members: [] };
    group.members.push(...positions.map((position) => ({ at: position, likeness: nearest })));
    groups.set(root, group);
  });
  const several = [...groups.values()].filter(({ members }) => members.length > 1);
  for (const { members } of several) members.sort((a, b) => a.at - b.at);
  several.sort((a, b) => b.members.length - a.members.length || (a.members[0]?.at ?? 0) - (b.members[0]?.at ?? 0));
  return { groups: several, short };
}

function rootOf(parents: Int32Array, at: number): number {
  let root = at;
  while (parents[root] !== root) root = parents[root] ?? root;
  // Path compression: the next lookup is one step.
  for (let step = at; step !== root; ) {
    const next = parents[step] ?? root;
    parents[step] = root;
    step = next;
  }
  return root;
}

/** Joins answers that overlap enough; `nearest` holds the largest overlap found for each. */
function joined(distinct: readonly Distinct[], threshold: number): Int32Array {
  const parents = Int32Array.from(distinct, (_, at) => at);
  const areJoined = (one: number, other: number) => rootOf(parents, one) === rootOf(parents, other);
  const seen = new Set<number>();
  for (const bucket of bucketsOf(distinct)) {
    // A large bucket of copies skips most comparisons: answers that are joined already are not compared.
    if (bucket.every((one) => areJoined(one, bucket[0] ?? one))) continue;
    for (const [position, one] of bucket.entries())
      for (const other of bucket.slice(0, position)) {
        const pair = other * distinct.length + one;
        if (seen.has(pair) || areJoined(one, other)) continue;
        seen.add(pair);
        const [a, b] = [distinct[one], distinct[other]];
        const likeness = a && b ? overlap(a.shingles, b.shingles) : 0;
        if (!a || !b || likeness < threshold) continue;
        a.nearest = Math.max(a.nearest, likeness);
        b.nearest = Math.max(b.nearest, likeness);
        parents[rootOf(parents, one)] = rootOf(parents, other);
      }
  }
  return parents;
}

/** Answers that share all hashes of a band, band by band. */
function* bucketsOf(distinct: readonly Distinct[]): Generator<number[]> {
  const signatures = distinct.map(({ shingles }) => signatureOf([...shingles]));
  for (let band = 0; band < BANDS; band += 1) {
    const buckets = new Map<string, number[]>();
    signatures.forEach((signature, at) => {
      const key = signature.subarray(band * ROWS, (band + 1) * ROWS).join();
      const bucket = buckets.get(key);
      if (bucket) bucket.push(at);
      else buckets.set(key, [at]);
    });
    for (const bucket of buckets.values()) if (bucket.length > 1) yield bucket;
  }
}
