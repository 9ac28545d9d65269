import './quotes.css';
import { m } from '../../paraglide/messages.js';
import { addressTarget } from '../../ui/address-link.tsx';
import { Anchor } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Quoted } from './answer.ts';
import { sourceTitle } from './own-passages.ts';

/** Verbatim passages with the matched words marked, each with its source. */
export function Quotes({ quotes }: { quotes: readonly Quoted[] }) {
  return quotes.map((quote) => (
    <blockquote key={quote.id} className="passage">
      <p>
        {quote.pieces.map(({ text, isFound }, at) => {
          const key = `${at}`;
          return isFound ? <mark key={key}>{text}</mark> : <span key={key}>{text}</span>;
        })}
      </p>
      <Anchor {...addressTarget(quote.href)} className="text-link text-small touch-target passage__source">
        {sourceTitle(quote)}
        <span className="visually-hidden">{m.assistant_sources()}</span>
        <Icon name="forward" size={16} />
      </Anchor>
    </blockquote>
  ));
}
