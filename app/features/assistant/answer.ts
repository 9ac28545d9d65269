import type { AnswerEvent, AnswerSource } from '../../../server/contract/assistant.ts';
import {
  excerpt,
  type Found,
  type Marked,
  marked,
  type Passage,
  type PassageIndex,
  type PassageKind,
} from '../../../server/rules/passages.ts';
import type { StandingAnswer } from './standing.ts';

/** A passage as it is quoted: the words that were asked for are apart. */
export type Quoted = Omit<Passage, 'text'> & { pieces: Marked[] };
/**
 * Why a model did not answer. The server's: used up for today, too late, not there (and then counted, or given back), nothing
 * usable, or lost on the way from the server, and then this device cannot tell whether it was counted. The browser's: unusable.
 */
export type Fallback = 'used-up' | 'late' | 'away' | 'given-back' | 'empty' | 'lost' | 'unusable';

/** Why there is no answer, by how it failed: null where the connection broke, else what the model's side said. */
export function fallbackOf(by: 'server' | 'browser', failed: Failed | null, status: number | null = null): Fallback {
  if (by === 'browser') return 'unusable';
  if (failed === null) return status === 429 ? 'used-up' : 'lost';
  return failed.isCounted ? failed.reason : 'given-back';
}
type Failed = Extract<AnswerEvent, { event: 'failed' }>['data'];
/**
 * One answer. `data` is computed from what this device holds; `quotes` and `nothing` are found in passages; `server` and
 * `browser` are written by a model, and are `done` once its sources are known.
 */
export type Answer =
  | { by: 'data'; standing: StandingAnswer; asOf: number }
  | { by: 'quotes'; quotes: Quoted[]; fallback: Fallback | null }
  | { by: 'nothing'; counts: Record<PassageKind, number>; near: Quoted | null; fallback: Fallback | null }
  | { by: 'server' | 'browser'; text: string; sources: AnswerSource[]; reads: string[]; isDone: boolean };
/** `at` is epoch ms by the device's clock. */
export type Exchange = { id: string; at: number; question: string; answer: Answer };

const QUOTES_MAX = 3;
/** A passage that fits much less than the best one is left out. */
const FITS_FROM = 0.45;

const quoted = ({ passage, stems }: Found): Quoted => {
  const { text, ...source } = passage;
  return { ...source, pieces: marked(excerpt(text, stems), stems) };
};

/** What is found without any model: the best passages word by word, or that nothing is said about it. */
export function quotesFor(question: string, index: PassageIndex, fallback: Fallback | null = null): Answer {
  const found = index.answer(question, QUOTES_MAX);
  const best = found[0]?.score ?? 0;
  if (best > 0)
    return { by: 'quotes', quotes: found.filter(({ score }) => score >= best * FITS_FROM).map(quoted), fallback };
  const [near] = index.lookUp(question, 1);
  return { by: 'nothing', counts: { ...index.counts }, near: near ? quoted(near) : null, fallback };
}

/** An answer that a model is writing, with the next thing it told. Null: it failed. */
export function grown(
  answer: Extract<Answer, { by: 'server' | 'browser' }>,
  event: AnswerEvent,
): Extract<Answer, { by: 'server' | 'browser' }> | null {
  switch (event.event) {
    case 'text':
      return { ...answer, text: answer.text + event.data.text };
    case 'read':
      return { ...answer, reads: [...answer.reads, event.data.tool] };
    case 'done':
      return { ...answer, sources: event.data.sources, isDone: true };
    case 'failed':
      return null;
  }
}

/** The words of an answer, for the clipboard and for a model that is asked something further. */
export function plainText(answer: Answer): string {
  if (answer.by === 'quotes')
    return answer.quotes
      .map(({ title, pieces }) => `${title}: ${pieces.map(({ text }) => text).join('')}`)
      .join('\n\n');
  return answer.by === 'server' || answer.by === 'browser' ? answer.text.trim() : '';
}
