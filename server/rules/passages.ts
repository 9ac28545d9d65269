/**
 * Passages that answer questions, and the search that finds them. The same on the device, where members' rules and tasks
 * are among them, and on the server, where a model may look guides up.
 */
import MiniSearch from 'minisearch';
import { forDevice, textOf } from '../contract/guide-text.ts';
import { guides } from '../contract/guides.ts';
import { alikeTo, conceptOf, conceptsOf, essentialsOf, meaningOf, namedIn, stemOf, wordsOf } from './question.ts';

export type PassageKind = 'guide' | 'rules' | 'task' | 'announcement';
/**
 * A quotable piece of text. `where` says what it is a part of, `href` leads there; `also` are further search words that
 * are not shown.
 */
export type Passage = {
  id: string;
  kind: PassageKind;
  title: string;
  where: string;
  href: string;
  text: string;
  also?: string;
  /** Its text is quoted and not searched: its parts are passages too. */
  isFoundByHeading?: boolean;
};
/**
 * `covered` is the part of the question (0 to 1, rare words weigh more) that the passage covers; `stems` are for
 * `marked`.
 */
export type Found = { passage: Passage; score: number; covered: number; stems: ReadonlySet<string> };
export type PassageIndex = {
  /** Prepares the index before the first question, when the page is idle. */
  warm(): void;
  /** Whatever has some of the words, the best first. */
  lookUp(words: string, limit: number): Found[];
  /** What answers a question; nothing where no passage speaks of most of it. */
  answer(question: string, limit: number): Found[];
  /** How many passages of each kind were searched. */
  counts: Readonly<Record<PassageKind, number>>;
};

/** A passage that speaks of less of a question is no answer; found with two thirds of the questions in `tests/support/assistant-questions.json`. */
const ANSWERS_FROM = { guide: 0.65, own: 0.61 };
const LOOKS_FROM = { guide: 0.3, own: 0.3 };
/** A single word that is everywhere does not say what the question is about. */
const INFORMATIVE_FROM = 2.4;
/** A synonym counts a little less than the word itself, a similarly spelled word much less. */
const SYNONYM_WEIGHT = 0.75;
const FUZZY_WEIGHT = 0.5;
const FUZZY_FROM_LETTERS = 6;
const TITLE_BOOST = 2.2;
/** A guide's text counts less than its headings. */
const TEXT_WEIGHT = 0.6;
const FACTS = /^(what|whats|when|who|where|which|how (many|much|long)|is|are|does|do)\b/i;
type Hit = { id: string; score: number; spoken: number };

/** Searchable words of a field; a rule's number is not a word. */
function searched(passage: Passage, field: string): string {
  const text = String(passage[field as keyof Passage] ?? '');
  if (passage.kind !== 'rules') return text;
  if (field === 'title' || (field === 'text' && passage.isFoundByHeading)) return '';
  return field === 'text' ? text.replace(/^\d+[.)]\s/, '') : text;
}

function searchable(passages: readonly Passage[]): MiniSearch<Passage> {
  const mini = new MiniSearch<Passage>({
    fields: ['title', 'where', 'text', 'also'],
    extractField: searched,
    tokenize: meaningOf,
    processTerm: conceptOf,
    searchOptions: { boost: { title: TITLE_BOOST, where: 0.6, also: 1.4 } },
  });
  mini.addAll(passages);
  return mini;
}

/** An index of passages, built at first use or by `warm`: some hundred passages take a slow phone a moment. */
export function indexPassages(passages: readonly Passage[]): PassageIndex {
  let made: MiniSearch<Passage> | undefined;
  const warm = (): MiniSearch<Passage> => {
    made ??= searchable(passages);
    return made;
  };
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const counts = { guide: 0, rules: 0, task: 0, announcement: 0 };
  for (const { kind, isFoundByHeading } of passages) if (!isFoundByHeading) counts[kind] += 1;
  const rarest = Math.log(1 + passages.length);
  const names = [...new Set(passages.flatMap(({ kind, where }) => (kind === 'guide' ? [] : [where])))];
  /** What has one stem, which is looked up as it is: how well, and whether its heading has it. */
  const lookedUp = new Map<string, readonly Hit[]>();
  function hitsOf(stem: string, fuzzy = false): readonly Hit[] {
    const key = fuzzy ? `~${stem}` : stem;
    const cached = lookedUp.get(key);
    if (cached) return cached;
    const results = warm().search(stem, {
      tokenize: (one) => [one],
      processTerm: (one) => one,
      fuzzy: fuzzy ? 0.2 : false,
    });
    const hits = results.map(({ id, score, match }) => {
      const isOwn = byId.get(String(id))?.kind !== 'guide';
      const inHeading = Object.values(match).some((fields) => fields.includes('title') || fields.includes('also'));
      return { id: String(id), score, spoken: isOwn || inHeading ? 1 : TEXT_WEIGHT };
    });
    lookedUp.set(key, hits);
    return hits;
  }

  /** `strictly`: only what speaks of each thing that has an opposite, and of the communities that are named. */
  function find(question: string, limit: number, from: typeof ANSWERS_FROM, strictly: boolean): Found[] {
    const { named, rest } = strictly ? namedIn(question, names) : { named: new Set(), rest: question };
    // Guides know no facts of a named community, but they know how things work there.
    const isFact = FACTS.test(question.trim());
    const { literal, meant } = essentialsOf(strictly ? rest : '');
    const totals = new Map<string, { score: number; weight: number; stems: Set<string> }>();
    const left = new Set(
      passages.flatMap(({ id, kind, where }) =>
        named.size === 0 || named.has(where) || (kind === 'guide' && !isFact) ? [id] : [],
      ),
    );
    let weightSum = 0;
    let rare: { weight: number; ids: ReadonlyMap<string, unknown> } | undefined;
    const least = strictly && wordsOf(question).length === 1 ? INFORMATIVE_FROM : 0;
    for (const concept of conceptsOf(rest)) {
      const exact = new Set(hitsOf(concept).map(({ id }) => id));
      const best = new Map<string, { score: number; part: number; stem: string }>();
      const take = (stem: string, weight: number, fuzzy = false) => {
        for (const { id, score, spoken } of hitsOf(stem, fuzzy)) {
          const before = best.get(id);
          const part = Math.max(fuzzy ? weight : spoken, before?.part ?? 0);
          if ((before?.score ?? 0) < score * weight) best.set(id, { score: score * weight, part, stem });
        }
      };
      take(concept, 1);
      for (const other of alikeTo(concept)) take(other, SYNONYM_WEIGHT);
      if (best.size === 0 && concept.length >= FUZZY_FROM_LETTERS) take(concept, FUZZY_WEIGHT, true);
      if (literal.has(concept) || meant.has(concept))
        for (const id of left) if (!(meant.has(concept) ? best : exact).has(id)) left.delete(id);
      // What no passage speaks of counts against all of them.
      const weight = best.size === 0 ? rarest : Math.log(1 + passages.length / best.size);
      weightSum += weight;
      if (best.size > 0 && weight > (rare?.weight ?? 0)) rare = { weight, ids: best };
      for (const [id, { score, part, stem }] of best) {
        const total = totals.get(id) ?? { score: 0, weight: 0, stems: new Set() };
        total.score += score;
        total.weight += weight * part;
        totals.set(id, { ...total, stems: total.stems.add(stem) });
      }
    }
    return [...totals]
      .flatMap(([id, total]): Found[] => {
        const passage = byId.get(id);
        const covered = weightSum < least ? 0 : total.weight / weightSum;
        // The rarest of its words is what a question is about.
        const isAbout = left.has(id) && (!strictly || rare?.ids.has(id));
        return passage && isAbout && covered >= from[passage.kind === 'guide' ? 'guide' : 'own']
          ? [{ passage, score: total.score * covered, covered, stems: total.stems }]
          : [];
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }
  return {
    warm: () => void warm(),
    lookUp: (words, limit) => find(words, limit, LOOKS_FROM, false),
    answer: (question, limit) => find(question, limit, ANSWERS_FROM, true),
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

/** A community's rules: a passage per paragraph or list line, and one for questions about all of them. */
export function rulesPassages(community: { id: string; slug: string; name: string }, rules: string): Passage[] {
  const whole = { kind: 'rules' as const, where: community.name, href: `/community/${community.slug}` };
  const lines = rules
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line.length > 2)
    .map((text, at) => ({ ...whole, id: `rules:${community.id}:${at + 1}`, title: `${at + 1}`, text }));
  if (lines.length === 0) return [];
  const all = {
    ...whole,
    id: `rules:${community.id}`,
    title: '',
    also: 'rules',
    text: rules.trim(),
    isFoundByHeading: true,
  };
  return [all, ...lines];
}

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
