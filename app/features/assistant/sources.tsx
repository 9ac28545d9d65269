import './sources.css';
import type { ReactNode } from 'react';
import type { AnswerSource } from '../../../server/contract/assistant.ts';
import { m } from '../../paraglide/messages.js';
import { addressTarget } from '../../ui/address-link.tsx';
import { Anchor } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

const anchorOf = (turnId: string, number: number | string): string => `source-${turnId}-${number}`;

/** A model's text: plain, with `**strong**` words and citations as links. All other markup is shown as text. */
export function CitedText({ text, turnId, end }: { text: string; turnId: string; end: ReactNode }) {
  const paragraphs = text.split(/\n+/).filter((line) => line.trim() !== '');
  if (paragraphs.length === 0) return end && <p>{end}</p>;
  return paragraphs.map((paragraph, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text that only grows at its end
    <p key={at}>
      {paragraph.split(/(\[\d{1,3}\]|\*\*[^*]+\*\*)/).map((piece, index) => {
        const key = `${index}`;
        const cited = /^\[(\d+)\]$/.exec(piece)?.[1];
        if (cited !== undefined)
          return (
            <a
              key={key}
              className="citation"
              href={`#${anchorOf(turnId, cited)}`}
              aria-label={m.assistant_source_number({ number: cited })}
            >
              {cited}
            </a>
          );
        const strong = /^\*\*(.+)\*\*$/.exec(piece)?.[1];
        return strong === undefined ? piece : <b key={key}>{strong}</b>;
      })}
      {at === paragraphs.length - 1 && end}
    </p>
  ));
}

/** The rows that citations lead to. */
export function Sources({ sources, turnId }: { sources: readonly AnswerSource[]; turnId: string }) {
  if (sources.length === 0) return null;
  return (
    <ol className="sources card card--rows" aria-label={m.assistant_sources()}>
      {sources.map(({ number, kind, title, where, href }) => (
        <li key={number} id={anchorOf(turnId, number)}>
          <Anchor {...addressTarget(href)}>
            <span className="citation" aria-hidden="true">
              {number}
            </span>
            <span>
              <b>{TITLES[kind](title, where)}</b>
              {kind !== 'rules' && where !== '' && <span className="text-small text-muted">{where}</span>}
            </span>
            <Icon name="forward" size={16} />
          </Anchor>
        </li>
      ))}
    </ol>
  );
}

const TITLES: Record<AnswerSource['kind'], (title: string, where: string) => string> = {
  guide: (title) => m.assistant_source_guide({ title }),
  rules: (number, community) => m.assistant_source_rules({ community, number }),
  task: (title) => m.assistant_source_task({ title }),
  announcement: (title) => m.assistant_source_announcement({ title }),
  claim: (title) => m.assistant_source_claim({ title }),
  standing: () => m.assistant_source_standing(),
};
