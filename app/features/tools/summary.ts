import { wordsIn } from '../../shared/answers/likeness.ts';
import { sentencesOf } from './graphemes.ts';

/**
 * A summary that only quotes: shared words, and sentences from the answers. Nothing is rephrased, and the same answers
 * give the same summary.
 */
export type Theme = {
  /** The shared words in their most frequent form: one or two in a row, and at most two more from the same answers. */
  terms: string[];
  /** How many answers contain it. */
  answers: number;
  /** A sentence that contains it, and its answer's index in the given list. */
  quote: Quoted;
};
export type Quoted = { text: string; at: number };
export type Summary = {
  /** Answers with at least one word. */
  answers: number;
  themes: Theme[];
  /** The sentences that share most with all others, each from another answer. */
  quotes: Quoted[];
};

const THEMES_MAX = 6;
const QUOTES_MAX = 3;
/** A theme needs at least this many answers, and this share of them. */
const THEME_ANSWERS_MIN = 2;
const THEME_SHARE_MIN = 0.04;
/** Two terms whose answers overlap this much are one theme; if they share a word, relative to the smaller set. */
const SAME_THEME = 0.6;
const TERMS_SHOWN = 3;
/** Sentences of a useful length. */
const SENTENCE_WORDS = { min: 4, max: 40 } as const;

/** Words without meaning for a theme, English only; in other languages frequent short words are left out. */
const STOP_WORDS = new Set(
  `a able about above after again all also am an and any are as at be because been before being below between both but by can cannot
could did do does doing dont down during each even few find fine for from further get got had has have having he her here hers him his how i id if
im in into is isnt it its itself ive just let like lot lots made make many me more most much my myself no nor not now of off on
once one only or other our ours out over own please quite really same say she should so some still such than thank thanks that
thats the their theirs them then there these they this those though through to too under until up us very was wasnt we were what
when where which while who whom why will with without wont would you your yours`.split(/\s+/),
);
/** Plural and singular are the same theme. */
const stem = (word: string): string => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word);

type Sentence = { text: string; at: number; terms: ReadonlySet<string>; words: number };

function termsOf(words: readonly string[]): Map<string, string> {
  const terms = new Map<string, string>();
  let before: string | null = null;
  for (const word of words) {
    const counts = !STOP_WORDS.has(word) && (word.length > 2 || /\P{Script=Latin}/u.test(word)) && !/^\d+$/.test(word);
    if (!counts) {
      before = null;
      continue;
    }
    terms.set(stem(word), word);
    if (before !== null) terms.set(`${stem(before)} ${stem(word)}`, `${before} ${word}`);
    before = word;
  }
  return terms;
}

type Term = { key: string; answers: Set<number>; forms: Map<string, number>; first: number };

/** Summarises answers by what they share. */
export function summarise(given: readonly string[]): Summary {
  const terms = new Map<string, Term>();
  const sentences: Sentence[] = [];
  let answers = 0;
  given.forEach((answer, at) => {
    if (wordsIn(answer).length === 0) return;
    answers += 1;
    for (const text of sentencesOf(answer)) {
      const words = wordsIn(text);
      const found = termsOf(words);
      sentences.push({ text, at, terms: new Set(found.keys()), words: words.length });
      for (const [key, form] of found) {
        const term = terms.get(key) ?? { key, answers: new Set(), forms: new Map(), first: terms.size };
        term.answers.add(at);
        term.forms.set(form, (term.forms.get(form) ?? 0) + 1);
        terms.set(key, term);
      }
    }
  });
  const shared = sharedTerms([...terms.values()], answers);
  const quotes = quotesOf(sentences, terms);
  const themes = themesOf(shared).flatMap((group) => {
    const [{ key, answers: of } = { key: '', answers: new Set<number>() }] = group;
    const having = ranked(
      sentences.filter((sentence) => sentence.terms.has(key)),
      terms,
    );
    const best = having.find((sentence) => !quotes.includes(sentence)) ?? having[0];
    return best ? [{ terms: shownOf(group), answers: of.size, quote: quoted(best) }] : [];
  });
  return { answers, themes, quotes: quotes.map(quoted) };
}
const quoted = ({ text, at }: Sentence): Quoted => ({ text, at });

/** Terms shared by enough answers; two words weigh more than one, and ties go to the earlier one. */
function sharedTerms(terms: Term[], answers: number): Term[] {
  const least = Math.max(THEME_ANSWERS_MIN, Math.ceil(answers * THEME_SHARE_MIN));
  const weight = ({ key, answers: of }: Term) => of.size * (key.includes(' ') ? 1.5 : 1);
  return terms.filter((term) => term.answers.size >= least).sort((a, b) => weight(b) - weight(a) || a.first - b.first);
}

/** Groups of terms that mostly occur in the same answers, each led by the heaviest. */
function themesOf(shared: readonly Term[]): Term[][] {
  const themes: Term[][] = [];
  for (const term of shared) {
    const same = themes.find(([first]) => first && isSameTheme(term, first));
    if (same) same.push(term);
    else themes.push([term]);
  }
  const size = ([first]: Term[]) => first?.answers.size ?? 0;
  return themes.slice(0, THEMES_MAX).sort((a, b) => size(b) - size(a));
}
function isSameTheme(a: Term, b: Term): boolean {
  const both = [...a.answers].filter((at) => b.answers.has(at)).length;
  const all = a.answers.size + b.answers.size - both;
  return both / (sharesWord(a.key, b.key) ? Math.min(a.answers.size, b.answers.size) : all) >= SAME_THEME;
}
/** The first terms of a theme that do not repeat each other. */
function shownOf(group: readonly Term[]): string[] {
  const shown: Term[] = [];
  for (const term of group)
    if (shown.length < TERMS_SHOWN && !shown.some(({ key }) => sharesWord(key, term.key))) shown.push(term);
  return shown.map(({ forms }) => mostly(forms));
}
const sharesWord = (a: string, b: string): boolean => a.split(' ').some((word) => b.split(' ').includes(word));

/** The most frequent form; ties go to the earlier one. */
const mostly = (forms: ReadonlyMap<string, number>): string => [...forms].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';

/** How much a sentence shares with others, relative to its length. */
function centrality({ terms, words }: Sentence, all: ReadonlyMap<string, Term>): number {
  if (words < SENTENCE_WORDS.min || words > SENTENCE_WORDS.max) return 0;
  let sum = 0;
  for (const key of terms) sum += (all.get(key)?.answers.size ?? 1) - 1;
  return sum / Math.sqrt(words);
}

/** The most central first; ties go to the earlier one. */
function ranked(sentences: readonly Sentence[], terms: ReadonlyMap<string, Term>): Sentence[] {
  const rank = new Map(sentences.map((sentence) => [sentence, centrality(sentence, terms)]));
  return [...sentences].sort((a, b) => (rank.get(b) ?? 0) - (rank.get(a) ?? 0) || a.at - b.at);
}

function quotesOf(sentences: readonly Sentence[], terms: ReadonlyMap<string, Term>): Sentence[] {
  const quotes: Sentence[] = [];
  for (const sentence of ranked(sentences, terms)) {
    if (quotes.length === QUOTES_MAX || centrality(sentence, terms) === 0) break;
    const repeats = quotes.some((quote) => {
      const both = [...sentence.terms].filter((key) => quote.terms.has(key)).length;
      return quote.at === sentence.at || both > Math.min(sentence.terms.size, quote.terms.size) / 2;
    });
    if (!repeats) quotes.push(sentence);
  }
  return quotes;
}
