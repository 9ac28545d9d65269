import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AnswerEvent } from '../../../server/contract/assistant.ts';
import { ASSISTANT_EARLIER_MAX, READ_FALLBACK_AFTER_MS } from '../../../server/contract/limits.ts';
import { languageModel } from '../../lib/browser.ts';
import { statusOf } from '../../lib/http.ts';
import { read } from '../../lib/query.ts';
import { type Answer, type Exchange, type Fallback, fallbackOf, grown, plainText, quotesFor } from './answer.ts';
import { answerInBrowser, type Ground } from './ask-browser.ts';
import { answerFromServer } from './ask-server.ts';
import type { Thread } from './history.ts';
import type { Knowledge } from './knowledge.ts';
import type { Mode } from './mode.ts';
import { sourceTitle } from './own-passages.ts';
import { standingOf } from './standing.ts';
import { standingText } from './standing-words.ts';

const GROUNDS_MAX = 5;
const LOOKED_AT_EVERY_MS = 50;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const newId = (): string => crypto.randomUUID();

type AssistantOptions = { mode: Mode; knowledge: Knowledge; store: (thread: Thread) => void };
export type Assistant = {
  thread: Thread | null;
  /** The turn whose answer is streaming, if any. */
  writing: string | null;
  /** `byModel`: asks a model even for computable answers. */
  ask: (question: string, byModel?: boolean) => Promise<void>;
  stop: () => void;
  open: (thread: Thread | null) => void;
};

/** One conversation: asks the model of this mode, and falls back to quotes when it fails. */
export function useAssistant({ mode, knowledge: given, store }: AssistantOptions): Assistant {
  const client = useQueryClient();
  const [thread, setThread] = useState<Thread | null>(null);
  const [writing, setWriting] = useState<string | null>(null);
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const stop = useCallback(() => stopper.current?.abort(), []);
  const latest = useRef(given);
  useEffect(() => {
    latest.current = given;
  });

  /** A question asked during page load waits briefly for all its data. */
  async function knowledgeWhenLoaded(stopped: AbortSignal): Promise<Knowledge> {
    const until = Date.now() + READ_FALLBACK_AFTER_MS;
    while (latest.current.isLoading && Date.now() < until && !stopped.aborted) await pause(LOOKED_AT_EVERY_MS);
    return latest.current;
  }

  const open = (next: Thread | null) => {
    stop();
    setThread(next);
  };

  async function ask(question: string, byModel = false): Promise<void> {
    stop();
    const stopped = new AbortController();
    stopper.current = stopped;
    const before = thread ?? { id: newId(), turns: [] };
    const exchange = { id: newId(), at: Date.now(), question };
    const show = (answer: Answer): Thread => {
      const next = { ...before, turns: [...before.turns, { ...exchange, answer }] };
      // The member may have opened another conversation in the meantime.
      setThread((now) => (now === null || now.id === next.id ? next : now));
      return next;
    };
    let knowledge = given;
    if (given.isLoading) {
      setWriting(exchange.id);
      knowledge = await knowledgeWhenLoaded(stopped.signal);
      setWriting((now) => (now === exchange.id ? null : now));
      if (stopped.signal.aborted) return;
    }
    const standing = byModel ? null : standingOf(question, knowledge.standing);
    if (standing !== null) return store(show({ by: 'data', standing, asOf: knowledge.asOf }));
    if (mode === 'quotes') return store(show(quotesFor(question, knowledge.index)));
    setWriting(exchange.id);
    const by = mode;
    let answer: Extract<Answer, { by: 'server' | 'browser' }> = { by, text: '', sources: [], reads: [], isDone: false };
    show(answer);
    let fallback: Fallback | null = null;
    try {
      const events =
        by === 'server'
          ? answerFromServer({ question, earlier: earlierOf(before.turns) }, stopped.signal)
          : answerOnDevice(question, knowledge, stopped.signal);
      for await (const event of events) {
        recordQuestionsLeft(event);
        const next = grown(answer, event);
        if (next) answer = next;
        else if (event.event === 'failed') fallback = fallbackOf(by, event.data);
        if (next) show(answer);
      }
    } catch (error) {
      if (!stopped.signal.aborted) fallback = fallbackOf(by, null, statusOf(error));
    }
    setWriting((now) => (now === exchange.id ? null : now));
    // A stopped answer keeps its text; a turn without any is removed.
    if (stopped.signal.aborted && answer.text === '')
      return setThread((now) => (now?.id === before.id ? (before.turns.length > 0 ? before : null) : now));
    store(show(fallback ? quotesFor(question, knowledge.index, fallback) : { ...answer, isDone: true }));
    if (by === 'server') void client.invalidateQueries({ queryKey: STATE });
  }

  function recordQuestionsLeft(event: AnswerEvent): void {
    if (mode !== 'server' || !('left' in event.data)) return;
    const { left } = event.data;
    client.setQueryData(STATE, (state) => state && { ...state, left });
  }

  function answerOnDevice(question: string, knowledge: Knowledge, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    const model = languageModel();
    if (!model) throw new TypeError('The model is gone.');
    return answerInBrowser(model, question, groundsFor(question, knowledge), signal);
  }

  return { thread, writing, ask, stop, open };
}
const STATE = read('GET /api/assistant').queryKey;

const earlierOf = (turns: readonly Exchange[]) =>
  turns
    .map(({ question, answer }) => ({ question, answer: plainText(answer) }))
    .filter(({ answer }) => answer !== '')
    .slice(-ASSISTANT_EARLIER_MAX);

/** Input for a model on this device: the best passages, and the member's standing. */
function groundsFor(question: string, { index, standing }: Knowledge): Ground[] {
  const passages = index
    .lookUp(question, GROUNDS_MAX)
    .map(({ passage }) => ({ ...passage, title: sourceTitle(passage) }));
  const facts = standing.dashboards.map(
    ({ community }): Ground => ({
      id: `standing:${community.id}`,
      kind: 'standing',
      title: community.name,
      where: '',
      href: `/community/${community.slug}/dashboard`,
      text: standingText(community.id, standing),
    }),
  );
  return [...facts, ...passages];
}
