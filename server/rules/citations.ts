import type { AnswerSource } from '../contract/assistant.ts';

/** What was read for an answer: only that may be cited. */
export type Retrieved = {
  /** The number under which a model may cite it. The same source gets the same number. */
  add(source: Omit<AnswerSource, 'number'> & { id: string }): number;
  /** The number that `add` would give. */
  next(source: { id: string }): number;
  get(number: number): Omit<AnswerSource, 'number'> | undefined;
};

export function retrieved(): Retrieved {
  const sources: (Omit<AnswerSource, 'number'> & { id: string })[] = [];
  const next = ({ id }: { id: string }): number => {
    const at = sources.findIndex((source) => source.id === id);
    return at < 0 ? sources.length + 1 : at + 1;
  };
  return {
    add(source) {
      const number = next(source);
      sources[number - 1] ??= source;
      return number;
    },
    next,
    get(number) {
      const source = sources[number - 1];
      if (!source) return undefined;
      const { id: _, ...shown } = source;
      return shown;
    },
  };
}

/** A bracket that stays open for longer is no citation such as `[12, 13, 14]`. */
const OPEN_MAX = 40;
const CITATION = /\[\s*(?:source\s*)?(\d+(?:\s*[,;]\s*\d+)*)\s*\]/gi;
/** Addresses of any kind: an answer links to its sources alone. */
const ADDRESS = /\b(?:https?:\/\/|www\.)\S+/gi;

/**
 * Checks a text that arrives in pieces. Citations of read sources get numbers in order of appearance; all others are
 * removed, and so are addresses. What may still become either is held back until it is decided.
 */
export function checkedText(read: Retrieved) {
  const numbers = new Map<number, number>();
  let held = '';
  const check = (text: string): string =>
    text
      .replace(CITATION, (_, list: string) =>
        list
          .split(/[,;]/)
          .map(Number)
          .filter((number) => read.get(number) !== undefined)
          .map((number) => {
            if (!numbers.has(number)) numbers.set(number, numbers.size + 1);
            return `[${numbers.get(number)}]`;
          })
          .join(''),
      )
      .replace(ADDRESS, '');
  return {
    /** What can be shown now. */
    take(piece: string): string {
      held += piece;
      const end = lastSafe(held);
      const ready = held.slice(0, end);
      held = held.slice(end);
      return check(ready);
    },
    /** What was held back, at the end. */
    rest(): string {
      const ready = held;
      held = '';
      return check(ready);
    },
    /** The sources that the text cites, in its order. */
    sources(): AnswerSource[] {
      return [...numbers].flatMap(([number, shown]) => {
        const source = read.get(number);
        return source ? [{ ...source, number: shown }] : [];
      });
    },
  };
}

/** How much of a text is final whatever follows: up to its last word and an open citation. */
function lastSafe(text: string): number {
  const word = text.search(/\S*$/);
  const bracket = text.lastIndexOf('[', word);
  const isOpen = bracket >= 0 && !text.slice(bracket, word).includes(']') && text.length - bracket <= OPEN_MAX;
  return isOpen ? bracket : word;
}
