/**
 * Passages that answer questions, and the search that finds them. The same on the device, where members' rules and tasks
 * are among them, and on the server, where a model may look guides up.
 */
import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { forDevice, textOf } from './guide-text.ts';
import { guides } from './guides.ts';
import { PHRASES, STOP_WORDS, SYNONYMS } from './synonyms.ts';

export type PassageKind = 'guide' | 'rules' | 'task' | 'announcement';
/**
 * A piece of text that can be quoted. `where` says what it is a part of, `href` leads there; `also` are words that people
 * ask with, which are searched and not shown.
 */
export type Passage = {
  id: string;
  kind: PassageKind;
  title: string;
  where: string;
  href: string;
  text: string;
  also?: string;
};
/** `covered` is the part of what was asked (0 to 1, rare words weighing more) that the passage speaks of; `stems` are for `marked`. */
export type Found = { passage: Passage; score: number; covered: number; stems: ReadonlySet<string> };
export type PassageIndex = {
  /** Gets it ready before it is asked, when there is time to spare. */
  warm(): void;
  /** Whatever has some of the words, the best first. */
  lookUp(words: string, limit: number): Found[];
  /** What answers a question; nothing where no passage speaks of most of it. */
  answer(question: string, limit: number): Found[];
  /** How many passages of each kind were searched. */
  counts: Readonly<Record<PassageKind, number>>;
};

/** A passage that speaks of less of a question is no answer; found with the questions in `tests/unit/assistant-questions.json`. */
const ANSWERS_FROM = 0.55;
const LOOKS_FROM = 0.3;
/** A synonym is a little less sure than the word itself, a word with other letters much less. */
const SYNONYM_WEIGHT = 0.75;
const FUZZY_WEIGHT = 0.5;
const FUZZY_FROM_LETTERS = 6;
const TITLE_BOOST = 2.2;

/** Words of a text, in small letters and without accents. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[’']s\b/g, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const stems = new Map<string, string>();
function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const made = stemmer(word);
  stems.set(word, made);
  return made;
}

/** By stem: the stems that mean the same. */
const alike = new Map<string, Set<string>>();
for (const group of SYNONYMS) {
  const stemmed = group.map(stemOf);
  for (const stem of stemmed) {
    const others = alike.get(stem) ?? new Set();
    for (const other of stemmed) if (other !== stem) others.add(other);
    alike.set(stem, others);
  }
}

const withPhrases = (text: string): string =>
  PHRASES.reduce(
    (said, [phrase, word]) => said.replace(phrase, (found) => `${found} ${word}`),
    text.toLowerCase().replaceAll('’', "'"),
  );

/** What a question is about: one stem for each word that says something. */
export const conceptsOf = (question: string): string[] => [
  ...new Set(
    wordsOf(withPhrases(question))
      .filter((word) => !STOP_WORDS.has(word))
      .map(stemOf),
  ),
];

function searchable(passages: readonly Passage[]): MiniSearch<Passage> {
  const mini = new MiniSearch<Passage>({
    fields: ['title', 'where', 'text', 'also'],
    extractField: (passage, field) => String(passage[field as keyof Passage] ?? ''),
    tokenize: (text) => wordsOf(withPhrases(text)),
    processTerm: (word) => (STOP_WORDS.has(word) ? null : stemOf(word)),
    searchOptions: { boost: { title: TITLE_BOOST, where: 0.6, also: 1.4 } },
  });
  mini.addAll(passages);
  return mini;
}

/** An index of passages. It is made when it is first asked, or warmed: some hundred of them take a slow phone a moment. */
export function indexPassages(passages: readonly Passage[]): PassageIndex {
  let made: MiniSearch<Passage> | undefined;
  const warm = (): MiniSearch<Passage> => {
    made ??= searchable(passages);
    return made;
  };
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const counts = { guide: 0, rules: 0, task: 0, announcement: 0 };
  for (const { kind } of passages) counts[kind] += 1;
  const rarest = Math.log(1 + passages.length);
  /** Scores of one stem, which is looked up as it is. */
  const lookedUp = new Map<string, ReadonlyMap<string, number>>();
  function scoresOf(stem: string, fuzzy = false): ReadonlyMap<string, number> {
    const key = fuzzy ? `~${stem}` : stem;
    const known = lookedUp.get(key);
    if (known) return known;
    const results = warm().search(stem, {
      tokenize: (one) => [one],
      processTerm: (one) => one,
      fuzzy: fuzzy ? 0.2 : false,
    });
    const scores = new Map(results.map(({ id, score }) => [String(id), score]));
    lookedUp.set(key, scores);
    return scores;
  }

  function find(question: string, limit: number, from: number): Found[] {
    const totals = new Map<string, { score: number; weight: number; stems: Set<string> }>();
    let asked = 0;
    for (const concept of conceptsOf(question)) {
      const best = new Map<string, { score: number; part: number; stem: string }>();
      const take = (stem: string, part: number, fuzzy = false) => {
        for (const [id, score] of scoresOf(stem, fuzzy))
          if ((best.get(id)?.score ?? 0) < score * part) best.set(id, { score: score * part, part, stem });
      };
      take(concept, 1);
      for (const other of alike.get(concept) ?? []) take(other, SYNONYM_WEIGHT);
      if (best.size === 0 && concept.length >= FUZZY_FROM_LETTERS) take(concept, FUZZY_WEIGHT, true);
      // What no passage speaks of counts against all of them.
      const weight = best.size === 0 ? rarest : Math.log(1 + passages.length / best.size);
      asked += weight;
      for (const [id, { score, part, stem }] of best) {
        const total = totals.get(id) ?? { score: 0, weight: 0, stems: new Set() };
        total.score += score;
        // A synonym in the text speaks of the thing as a whole.
        total.weight += part === FUZZY_WEIGHT ? weight * part : weight;
        totals.set(id, { ...total, stems: total.stems.add(stem) });
      }
    }
    return [...totals]
      .flatMap(([id, total]): Found[] => {
        const passage = byId.get(id);
        const covered = asked === 0 ? 0 : total.weight / asked;
        return passage && covered >= from
          ? [{ passage, score: total.score * covered, covered, stems: total.stems }]
          : [];
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }
  return {
    warm: () => void warm(),
    lookUp: (words, limit) => find(words, limit, LOOKS_FROM),
    answer: (question, limit) => find(question, limit, ANSWERS_FROM),
    counts,
  };
}

/** Every section of the guides. `device` is what people hold: "phone" or "computer". */
export const guidePassages = (device: string): Passage[] =>
  guides.flatMap((guide) => {
    const whole = { kind: 'guide' as const, where: guide.title };
    const page = `/${guide.page}`;
    const intro = guide.intro.length === 0 ? [] : [{ id: guide.id, title: guide.title, also: '', blocks: guide.intro }];
    return [...intro, ...guide.sections].map(({ id, title, also, blocks }) => ({
      ...whole,
      id: `guide:${guide.page}:${id}`,
      also,
      title: forDevice(title, device),
      href: `${page}#${id}`,
      text: forDevice(textOf(blocks), device),
    }));
  });

/** Rules of a community, a passage for each paragraph or line of a list. */
export const rulesPassages = (community: { id: string; slug: string; name: string }, rules: string): Passage[] =>
  rules
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line.length > 2)
    .map((text, at) => ({
      id: `rules:${community.id}:${at + 1}`,
      kind: 'rules' as const,
      title: `${at + 1}`,
      where: community.name,
      href: `/community/${community.slug}`,
      text,
    }));

/** A piece of text, and whether it is one of the words that were looked for. */
export type Marked = { text: string; isFound: boolean };

/** A text in pieces, with the words that were found apart. */
export function marked(text: string, found: ReadonlySet<string>): Marked[] {
  const pieces: Marked[] = [];
  for (const piece of text.split(/([\p{L}\p{N}]+)/u)) {
    if (piece === '') continue;
    const [word] = wordsOf(piece);
    const isFound = word !== undefined && found.has(stemOf(word));
    const last = pieces.at(-1);
    if (last && last.isFound === isFound) last.text += piece;
    else pieces.push({ text: piece, isFound });
  }
  return pieces;
}

/** At most so many characters of a passage are quoted. */
const QUOTED_MAX = 320;
/** The sentences of a long text that hold most of what was found, in its order. */
export function excerpt(text: string, found: ReadonlySet<string>): string {
  if (text.length <= QUOTED_MAX) return text;
  const sentences = text.match(/[^.!?\n]+[.!?]*\s*/g) ?? [text];
  const weights = sentences.map(
    (sentence) =>
      new Set(
        wordsOf(sentence)
          .map(stemOf)
          .filter((stem) => found.has(stem)),
      ).size,
  );
  const best = weights.indexOf(Math.max(...weights));
  let quoted = '';
  for (let at = best; at < sentences.length; at += 1) {
    const next = quoted + (sentences[at] ?? '');
    if (quoted !== '' && next.length > QUOTED_MAX) break;
    quoted = next;
  }
  const cut = quoted.trim().slice(0, QUOTED_MAX);
  return `${best > 0 ? '… ' : ''}${cut}${cut.length < quoted.trim().length ? '…' : ''}`;
}
