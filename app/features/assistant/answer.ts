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

/** A quoted passage, split at the matched words. */
export type Quoted = Omit<Passage, 'text'> & { pieces: Marked[] };
/**
 * Why a model did not answer. The server's: daily limit reached, too late, unreachable (the question was counted, or
 * refunded), nothing usable, or lost, when it is unknown whether it counted. The browser's: nothing usable.
 */
export type Fallback = 'used-up' | 'late' | 'away' | 'given-back' | 'empty' | 'lost' | 'unusable';

/** Why there is no answer: null when the connection broke, else the model's failure. */
export function fallbackOf(by: 'server' | 'browser', failed: Failed | null, status: number | null = null): Fallback {
  if (by === 'browser') return 'unusable';
  if (failed === null) return status === 429 ? 'used-up' : 'lost';
  return failed.isCounted ? failed.reason : 'given-back';
}
type Failed = Extract<AnswerEvent, { event: 'failed' }>['data'];
/**
 * One answer. `data` is computed on this device; `quotes` and `nothing` are search results; a model writes `server` and
 * `browser`, which are `done` once their sources are known.
 */
export type Answer =
  | { by: 'data'; standing: StandingAnswer; asOf: number }
  | { by: 'quotes'; quotes: Quoted[]; fallback: Fallback | null }
  | { by: 'nothing'; counts: Record<PassageKind, number>; near: Quoted | null; fallback: Fallback | null }
  | { by: 'server' | 'browser'; text: string; sources: AnswerSource[]; reads: string[]; isDone: boolean };
/** `at` is epoch ms by the device's clock. */
export type Exchange = { id: string; at: number; question: string; answer: Answer };

const QUOTES_MAX = 3;
/** Passages that score far below the best one are left out. */
const FITS_FROM = 0.45;

const quoted = ({ passage, stems }: Found): Quoted => {
  const { text, ...source } = passage;
  return { ...source, pieces: marked(excerpt(text, stems), stems) };
};

/** The answer without a model: the best passages verbatim, or none. */
export function quotesFor(question: string, index: PassageIndex, fallback: Fallback | null = null): Answer {
  const found = index.answer(question, QUOTES_MAX);
  const best = found[0]?.score ?? 0;
  if (best > 0)
    return { by: 'quotes', quotes: found.filter(({ score }) => score >= best * FITS_FROM).map(quoted), fallback };
  const [near] = index.lookUp(question, 1);
  return { by: 'nothing', counts: { ...index.counts }, near: near ? quoted(near) : null, fallback };
}

/** A streaming answer extended by the next event. Null: it failed. */
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

/** An answer as text, for the clipboard and for a model's follow-up question. */
export function plainText(answer: Answer): string {
  if (answer.by === 'quotes')
    return answer.quotes
      .map(({ title, pieces }) => `${title}: ${pieces.map(({ text }) => text).join('')}`)
      .join('\n\n');
  return answer.by === 'server' || answer.by === 'browser' ? answer.text.trim() : '';
}
