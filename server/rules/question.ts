/** Stems of a text, the same for questions and searched passages. */
import { stemmer } from 'stemmer';
import { OPPOSED, PHRASES, SHORT_FORMS, STOP_WORDS, SYNONYMS } from './synonyms.ts';

/** Words of a text, in small letters and without accents. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[’']s\b/g, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const stems = new Map<string, string>();
export function stemOf(word: string): string {
  const cached = stems.get(word);
  if (cached !== undefined) return cached;
  // The stemmer makes "ti" of "ties" and "tied", and leaves "tie".
  const made = stemmer(/^[a-z]ie[sd]$/.test(word) ? word.slice(0, -1) : word);
  stems.set(word, made);
  return made;
}

/** By stem: stems with the same meaning. */
const alike = new Map<string, Set<string>>();
for (const group of SYNONYMS) {
  const stemmed = group.map(stemOf);
  for (const stem of stemmed) {
    const others = alike.get(stem) ?? new Set();
    for (const other of stemmed) if (other !== stem) others.add(other);
    alike.set(stem, others);
  }
}
export const alikeTo = (stem: string): Iterable<string> => alike.get(stem) ?? [];

/** A text in small letters, with short forms written out. */
export const plainOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[a-z]+(?!')/g, (word) => SHORT_FORMS.get(word) ?? word);

/** Words of a text, with those that several of them mean. */
export const meaningOf = (text: string): string[] =>
  wordsOf(
    PHRASES.reduce((literal, [phrase, word]) => literal.replace(phrase, (found) => `${found} ${word}`), plainOf(text)),
  );

/** The stem of a meaningful word, else null. */
export const conceptOf = (word: string): string | null => (STOP_WORDS.has(word) ? null : stemOf(word));

/** What a question is about: one stem per meaningful word. */
export const conceptsOf = (question: string): string[] => [
  ...new Set(meaningOf(question).flatMap((word) => conceptOf(word) ?? [])),
];

const opposed = new Set(OPPOSED.map(stemOf));
/**
 * Concepts that a passage must cover: a period, a direction, a negation, each by its own word; and what is missing
 * ("without Telegram"), by any synonym.
 */
export function essentialsOf(question: string): { literal: ReadonlySet<string>; meant: ReadonlySet<string> } {
  const lacking = [...question.toLowerCase().matchAll(LACKING)].flatMap(([, word = '']) => conceptsOf(word));
  const literal = conceptsOf(question.toLowerCase().replace(LACKING, '$1')).filter((concept) => opposed.has(concept));
  return { literal: new Set(literal), meant: new Set(lacking) };
}
const LACKING = /\b(?:without|no)\s+(?:an?\s+|any\s+|my\s+|the\s+)?(\p{L}+)/gu;

/** Words of a name that identify it alone: long ones that no other name has. */
export function wordsOfNames(names: readonly string[]): ReadonlyMap<string, string> {
  const whose = new Map<string, string | null>();
  for (const name of new Set(names))
    for (const word of new Set(wordsOf(name)))
      if (word.length >= NAME_FROM_LETTERS) whose.set(word, whose.has(word) ? null : name);
  return new Map([...whose].flatMap(([word, name]) => (name === null ? [] : [[word, name]])));
}
const NAME_FROM_LETTERS = 5;

/** The names that a question mentions, whole or by one word, and the rest of the question. */
export function namedIn(question: string, names: readonly string[]): { named: ReadonlySet<string>; rest: string } {
  const words = wordsOfNames(names);
  const named = new Set<string>();
  let rest = question;
  for (const name of names) {
    const at = rest.toLowerCase().indexOf(name.toLowerCase());
    if (at < 0) continue;
    named.add(name);
    rest = `${rest.slice(0, at)} ${rest.slice(at + name.length)}`;
  }
  rest = rest.replace(/[\p{L}\p{N}]+/gu, (word) => {
    const name = words.get(wordsOf(word)[0] ?? '');
    if (name === undefined) return word;
    named.add(name);
    return '';
  });
  return { named, rest };
}
