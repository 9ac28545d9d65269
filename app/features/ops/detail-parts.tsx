import './people/people.css';
import type { ReactNode } from 'react';
import type { PersonDetail } from '../../../server/contract/people.ts';
import { stampTime } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Card, Quote } from '../../ui/card.tsx';
import { actionWord } from './people/action-words.ts';

/** Who or what a page is about, and its state. On a phone a button leads down to its actions. */
export function DetailHead(props: {
  avatar: ReactNode;
  name: string;
  line: ReactNode;
  badges: ReactNode;
  actionsId: string;
}) {
  return (
    <header className="person-head">
      {props.avatar}
      <div className="flex-grow">
        <h2>{props.name}</h2>
        <p className="text-small text-muted">{props.line}</p>
      </div>
      {props.badges}
      <span className="only-phone person-jump">
        <Button kind="edge" onClick={() => jumpTo(props.actionsId)}>
          {m.people_actions()}
        </Button>
      </span>
    </header>
  );
}

/** On a phone the actions are below everything else. */
function jumpTo(actionsId: string): void {
  const actions = document.getElementById(actionsId);
  actions?.scrollIntoView();
  actions?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
}

/** Until when it is suspended, and why; nothing while it is not. */
export function SuspensionQuote({ suspension }: { suspension: PersonDetail['suspension'] }) {
  if (!suspension) return null;
  const { until, reason } = suspension;
  const lead = until ? m.people_suspended_lead_until({ time: stampTime(until) }) : m.people_suspended_lead();
  return <Quote lead={lead}>{reason}</Quote>;
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <h3>{title}</h3>
      {children}
    </Card>
  );
}

/** A list of a part, or the words that there is nothing in it. */
export function PartRows<T>(props: {
  items: readonly T[];
  keyOf: (item: T) => string;
  none: string;
  children: (item: T) => ReactNode;
}) {
  if (props.items.length === 0) return <p className="text-small text-muted">{props.none}</p>;
  return (
    <ul className="ruled-list">
      {props.items.map((item) => (
        <li key={props.keyOf(item)}>{props.children(item)}</li>
      ))}
    </ul>
  );
}

/** Figures, each above its name. */
export function Figures({ figures }: { figures: readonly (readonly [figure: string, name: string])[] }) {
  return (
    <dl className="person-figures">
      {figures.map(([figure, name]) => (
        <div key={name}>
          <dd className="numeric">{figure}</dd>
          <dt>{name}</dt>
        </div>
      ))}
    </dl>
  );
}

type Act = {
  id: string;
  at: string;
  action: string;
  by: string | null;
  community?: string | null;
  reason: string | null;
};

/** What was done, the latest first: by whom, when and why. */
export function History({ history, none }: { history: readonly Act[]; none: string }) {
  return (
    <Part title={m.people_history()}>
      {history.length === 0 ? <p className="text-small text-muted">{none}</p> : <HistoryRows history={history} />}
    </Part>
  );
}

export function HistoryRows({ history }: { history: readonly Act[] }) {
  return (
    <ol className="ruled-list">
      {history.map(({ id, at, action, by, community, reason }) => (
        <li key={id} className="person-act">
          <p>
            <b>{actionWord(action)}</b>
            {community && ` · ${community}`}
          </p>
          {reason && <p className="written-text">{reason}</p>}
          <p className="text-tiny text-muted">
            {m.people_act_by({ who: by ?? m.people_by_server(), time: stampTime(at) })}
          </p>
        </li>
      ))}
    </ol>
  );
}
