import './conversation.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { copyText } from '../../lib/browser.ts';
import { number, stampTime } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName, Mark } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Answer, type Exchange, type Fallback, plainText } from './answer.ts';
import type { Thread } from './history.ts';
import type { Mode } from './mode.ts';
import { Quotes } from './quotes.tsx';
import { CitedText, Sources } from './sources.tsx';
import type { StandingData } from './standing.ts';
import { StandingShown } from './standing-shown.tsx';
import type { Assistant } from './use-assistant.ts';

/** Example questions for an empty conversation. */
export function Suggestions({ onAsk }: { onAsk: (question: string) => void }) {
  const asks = [m.assistant_suggest_1(), m.assistant_suggest_2(), m.assistant_suggest_3(), m.assistant_suggest_4()];
  return (
    <div className="conversation">
      <h2 className="conversation__empty">{m.assistant_empty_title()}</h2>
      <p className="text-muted">{m.assistant_empty_line()}</p>
      <SuggestionList asks={asks} onAsk={onAsk} />
    </div>
  );
}

export const SuggestionList = ({ asks, onAsk }: { asks: readonly string[]; onAsk: (question: string) => void }) => (
  <ul className="suggestions">
    {asks.map((ask) => (
      <li key={ask}>
        <button type="button" className="suggestion" onClick={() => onAsk(ask)}>
          {ask}
        </button>
      </li>
    ))}
  </ul>
);

/** Questions and answers in order. The latest scrolls into view, and is announced once it is complete. */
export function Conversation(props: { thread: Thread; assistant: Assistant; standing: StandingData; mode: Mode }) {
  const { thread, assistant, standing, mode } = props;
  const last = useRef<HTMLDivElement>(null);
  const lastId = thread.turns.at(-1)?.id;
  useEffect(() => {
    if (lastId) last.current?.scrollIntoView?.({ block: 'start' });
  }, [lastId]);
  const isWriting = assistant.writing !== null;
  const [wasWriting, setWasWriting] = useState(false);
  useEffect(() => {
    if (isWriting) setWasWriting(true);
  }, [isWriting]);
  return (
    <div className="conversation">
      {thread.turns.map((exchange) => (
        <div key={exchange.id} className="exchange" ref={exchange.id === lastId ? last : null}>
          <h2 className="exchange__question">
            <span className="visually-hidden">{m.assistant_asked()}</span>
            {exchange.question}
          </h2>
          <article className="exchange__answer">
            <AnswerShown turn={exchange} isWriting={assistant.writing === exchange.id} standing={standing} />
            {assistant.writing !== exchange.id && (
              <AnswerActions
                turn={exchange}
                mode={mode}
                onAgain={(byModel) => void assistant.ask(exchange.question, byModel)}
              />
            )}
          </article>
        </div>
      ))}
      <p className="visually-hidden" role="status">
        {isWriting ? m.assistant_writing() : wasWriting ? m.assistant_written() : ''}
      </p>
    </div>
  );
}

function AnswerShown({
  turn: exchange,
  isWriting,
  standing,
}: {
  turn: Exchange;
  isWriting: boolean;
  standing: StandingData;
}) {
  const { answer } = exchange;
  switch (answer.by) {
    case 'data':
      return (
        <>
          <By icon="ledger">{m.assistant_by_data({ time: stampTime(answer.asOf) })}</By>
          <StandingShown answer={answer.standing} data={standing} />
        </>
      );
    case 'quotes':
    case 'nothing':
      return <Found answer={answer} />;
    default:
      return (
        <>
          <By icon={answer.by === 'server' ? 'server' : 'phone'}>
            {answer.by === 'server' ? readWords(answer.reads) : m.assistant_by_browser()}
          </By>
          <CitedText text={answer.text} turnId={exchange.id} end={isWriting && <Mark state="pencil" size={20} />} />
          {answer.isDone && answer.sources.length === 0 && (
            <p className="text-small text-muted">
              <Icon name="warning" size={16} /> {m.assistant_no_source()}
            </p>
          )}
          <Sources sources={answer.sources} turnId={exchange.id} />
        </>
      );
  }
}

/** Quotes, or that nothing was found, and why no model answered. */
export function Found({
  answer,
  isPublic,
}: {
  answer: Extract<Answer, { by: 'quotes' | 'nothing' }>;
  isPublic?: boolean;
}) {
  const fallback = answer.fallback && <p className="text-small text-muted">{FALLBACKS[answer.fallback]()}</p>;
  if (answer.by === 'quotes')
    return (
      <>
        <By icon="text">{isPublic ? m.assistant_by_quotes_public() : m.assistant_by_quotes()}</By>
        {fallback}
        <p>{m.assistant_quotes_fit({ count: answer.quotes.length, n: number(answer.quotes.length) })}</p>
        <Quotes quotes={answer.quotes} />
      </>
    );
  const { guide, rules, task, announcement } = answer.counts;
  return (
    <>
      <By icon="text">
        {isPublic
          ? m.assistant_by_searched_public({ guides: number(guide) })
          : m.assistant_by_searched({
              guides: number(guide),
              rules: number(rules),
              tasks: number(task),
              announcements: number(announcement),
            })}
      </By>
      {fallback}
      <h3 className="found-nothing">{m.assistant_nothing()}</h3>
      <p>{isPublic ? m.assistant_nothing_public() : m.assistant_nothing_line()}</p>
      {answer.near && (
        <>
          <p className="text-small text-muted">{m.assistant_nothing_near()}</p>
          <Quotes quotes={[answer.near]} />
        </>
      )}
    </>
  );
}

const FALLBACKS: Record<Fallback, () => string> = {
  'used-up': m.assistant_fallback_used_up,
  late: m.assistant_fallback_late,
  away: m.assistant_fallback_away,
  'given-back': m.assistant_fallback_given_back,
  empty: m.assistant_fallback_empty,
  lost: m.assistant_fallback_lost,
  unusable: m.assistant_fallback_unusable,
};

const READ_WORDS: Record<string, () => string> = {
  search_guides: m.assistant_read_search_guides,
  community_rules: m.assistant_read_community_rules,
  announcements: m.assistant_read_announcements,
  my_tasks: m.assistant_read_my_tasks,
  my_claims: m.assistant_read_my_claims,
  my_standing: m.assistant_read_my_standing,
};
/** `Server model · read guides and your tasks`. */
function readWords(reads: readonly string[]): string {
  const words = [...new Set(reads)].flatMap((tool) => READ_WORDS[tool]?.() ?? []);
  return words.length === 0
    ? m.assistant_by_server()
    : m.assistant_by_server_read({ what: new Intl.ListFormat(undefined, { type: 'conjunction' }).format(words) });
}

const By = ({ icon, children }: { icon: IconName; children: ReactNode }) => (
  <p className="answer-origin">
    <Icon name={icon} size={16} />
    <span>{children}</span>
  </p>
);

function AnswerActions({
  turn: exchange,
  mode,
  onAgain,
}: {
  turn: Exchange;
  mode: Mode;
  onAgain: (byModel: boolean) => void;
}) {
  const text = plainText(exchange.answer);
  const copy = async () => toast({ title: (await copyText(text)) ? m.assistant_copied() : m.assistant_not_copied() });
  const isData = exchange.answer.by === 'data';
  if (isData && mode === 'quotes') return null;
  return (
    <div className="answer-acts">
      {text !== '' && (
        <Button kind="words" icon="copy" onClick={() => void copy()}>
          {m.assistant_copy()}
        </Button>
      )}
      <Button kind="words" icon="retry" onClick={() => onAgain(mode !== 'quotes')}>
        {isData ? m.assistant_ask_model() : m.assistant_again()}
      </Button>
    </div>
  );
}
