import './guide-search.css';
import { useEffect, useId, useRef, useState } from 'react';
import type { PassageIndex } from '../../../server/rules/passages.ts';
import { deviceWord } from '../../lib/surroundings.ts';
import { m } from '../../paraglide/messages.js';
import { addressTarget } from '../../ui/address-link.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';

const SHOWN = 6;

const LINE = 90;
const shortened = (text: string): string => (text.length > LINE ? `${text.slice(0, LINE).trimEnd()}…` : text);

/** The index of the guides, built on this device on demand. */
async function openIndex(): Promise<PassageIndex> {
  const { guidePassages, indexPassages } = await import('../../../server/rules/passages.ts');
  return indexPassages(guidePassages(deviceWord()));
}

export function GuideSearch() {
  const id = useId();
  const [sought, setSought] = useState('');
  const [index, setIndex] = useState<PassageIndex | 'failed' | null>(null);
  const isRequested = useRef(false);
  const open = () => {
    if (isRequested.current) return;
    isRequested.current = true;
    openIndex().then(setIndex, () => {
      isRequested.current = false;
      setIndex('failed');
    });
  };
  useEffect(() => {
    if (sought !== '') open();
  });
  const words = sought.trim();
  const isReady = index !== null && index !== 'failed';
  const found = isReady && words.length > 1 ? index.lookUp(words, SHOWN) : [];
  return (
    <search className="guide-search">
      <label htmlFor={id} className="visually-hidden">
        {m.public_use_search()}
      </label>
      <div className="guide-search__field">
        <Icon name="search" />
        <input
          id={id}
          type="search"
          className="field__input"
          placeholder={m.public_use_search()}
          value={sought}
          onFocus={open}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      </div>
      <div role="status">
        {index === 'failed' && words.length > 1 && <p className="text-muted">{m.public_use_search_failed()}</p>}
        {isReady && words.length > 1 && (
          <p className="text-small text-muted">
            {found.length === 0 ? m.public_use_search_none() : m.public_use_search_found({ count: found.length })}
          </p>
        )}
      </div>
      {found.length > 0 && (
        <ul className="ruled-list">
          {found.map(({ passage }) => (
            <li key={passage.id}>
              <ListRow
                link={addressTarget(passage.href)}
                title={passage.title}
                line={`${passage.where} · ${shortened(passage.text)}`}
              />
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}
