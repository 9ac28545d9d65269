import './filter-bar.css';
import './parts.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { LOG_SEARCH_MAX } from '../../../../server/contract/limits.ts';
import type { LogFilters } from '../../../../server/contract/ops-logs.ts';
import { inert } from '../../../../server/rules/inert.ts';
import { addressOf } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { ExportLink } from '../../../ui/export-link.tsx';
import { Select } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Segment } from '../../../ui/segment.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { Inert, LIVE, Live } from './parts.tsx';
import { type Change, filtersOf, type Search, SPAN_NAMES, spanOf, VALUE_FILTERS, type ValueFilter } from './search.ts';
import { filterWord, momentWord, spanName, valueWord } from './words.ts';

/** Filters whose values the server lists. */
const CHOSEN = ['release', 'engine', 'browser', 'os', 'display', 'connection', 'community', 'route', 'source'] as const;
const SEARCH_AFTER_MS = 350;

/** A text search, the time span, all other filters behind a button, and active filters as removable chips. */
export function FilterBar(props: {
  search: Search;
  change: Change;
  /** Absent for the live tail, which has no past. */
  range?: { from: string; to?: string };
  without?: readonly ValueFilter[];
}) {
  const { search, change, range, without = [] } = props;
  const [open, setOpen] = useState(false);
  const set = VALUE_FILTERS.filter((name) => filtersOf(search)[name] !== undefined && !without.includes(name));
  const span = spanOf(search);
  return (
    <>
      <div className="log-filter-bar">
        <Words search={search} change={change} />
        {range && (
          <Segment
            label={m.logs_span()}
            options={SPAN_NAMES.map((value) => ({ value, label: spanName(value) }))}
            value={span ?? ('' as 'custom')}
            onChange={(value) => change({ last: value === '24h' ? null : value, from: null, to: null })}
          />
        )}
        <Button kind="edge" icon="filter" onClick={() => setOpen(true)}>
          {set.length > 0 ? m.logs_filters_n({ n: set.length }) : m.logs_filters()}
        </Button>
      </div>
      {(set.length > 0 || (span === null && range)) && (
        <ul className="log-chips" aria-label={m.logs_filters_set()}>
          {span === null && range && (
            <li>
              <button type="button" className="log-chip" onClick={() => change({ from: null, to: null })}>
                {m.logs_span_own({
                  from: momentWord(range.from),
                  to: range.to ? momentWord(range.to) : m.logs_now(),
                })}
                <Icon name="close" size={16} />
                <span className="visually-hidden">{m.logs_take_away()}</span>
              </button>
            </li>
          )}
          {set.map((name) => (
            <li key={name}>
              <button type="button" className="log-chip" onClick={() => change({ [name]: null })}>
                {filterWord(name)}: <Inert>{valueWord(name, search[name] ?? '')}</Inert>
                <Icon name="close" size={16} />
                <span className="visually-hidden">{m.logs_take_away()}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Sheet title={m.logs_filters()} open={open} onClose={() => setOpen(false)}>
        <Filters {...props} onClose={() => setOpen(false)} />
      </Sheet>
    </>
  );
}

/** The search field. Its text moves into the address after a pause, or at Enter. */
function Words({ search, change }: { search: Search; change: Change }) {
  const inAddress = search['q'] ?? '';
  const [typed, setTyped] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  // Back or a chip has changed the address.
  if (inAddress !== seen) {
    setSeen(inAddress);
    setTyped(inAddress);
  }
  useEffect(() => {
    if (typed === inAddress) return;
    const timer = setTimeout(() => change({ q: typed.trim() === '' ? null : typed }), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  });
  return (
    <search className="log-search">
      <label className="visually-hidden" htmlFor="log-words">
        {m.logs_search()}
      </label>
      <Icon name="search" />
      <input
        id="log-words"
        className="field__input"
        type="search"
        placeholder={m.logs_search_hint()}
        value={typed}
        maxLength={LOG_SEARCH_MAX}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && change({ q: typed.trim() === '' ? null : typed })}
      />
    </search>
  );
}

function Filters(props: {
  search: Search;
  change: Change;
  range?: { from: string; to?: string };
  without?: readonly ValueFilter[];
  onClose: () => void;
}) {
  const { search, change } = props;
  const query = useQuery({ ...read('GET /api/admin/client-logs/choices', undefined, props.range), ...LIVE });
  return (
    <Live query={query}>
      {(choices) => (
        <div className="log-form log-filters">
          <Choice
            name="kind"
            {...{ search, change }}
            options={['error', 'debug'].map((value) => ({ value, label: valueWord('kind', value) }))}
          />
          <Choice
            name="offline"
            {...{ search, change }}
            options={['yes', 'no'].map((value) => ({ value, label: valueWord('offline', value) }))}
          />
          {CHOSEN.filter((name) => !props.without?.includes(name)).map((name) => (
            <Choice
              key={name}
              name={name}
              {...{ search, change }}
              options={choices[name].map(({ value }) => ({ value, label: inert(value) }))}
            />
          ))}
          <div className="actions">
            <Button onClick={props.onClose}>{m.logs_filters_done()}</Button>
            <Button
              kind="words"
              onClick={() => {
                change(Object.fromEntries([...VALUE_FILTERS, 'q'].map((name) => [name, null])));
                props.onClose();
              }}
            >
              {m.logs_filters_none()}
            </Button>
          </div>
        </div>
      )}
    </Live>
  );
}

function Choice(props: {
  name: ValueFilter;
  search: Search;
  change: Change;
  options: readonly { value: string; label: string }[];
}) {
  const { name, search } = props;
  const value = search[name] ?? '';
  const options = [{ value: '', label: m.logs_all() }, ...props.options];
  // A value from the address may lie outside the span or be misspelt, but it is still applied.
  if (!options.some((option) => option.value === value)) options.push({ value, label: inert(value) });
  return (
    <Select
      label={filterWord(name)}
      options={options}
      value={value}
      onValue={(chosen) => props.change({ [name]: chosen === '' ? null : chosen })}
    />
  );
}

/** Exports the filtered entries. */
export function Export({ filters }: { filters: LogFilters }) {
  return (
    <div className="actions log-export">
      {(['csv', 'ndjson'] as const).map((format) => (
        <ExportLink
          key={format}
          to={addressOf('GET /api/admin/client-logs/export', undefined, { ...filters, format }).path}
          label={m.logs_export_as({ format: format.toUpperCase() })}
        >
          {format.toUpperCase()}
        </ExportLink>
      ))}
    </div>
  );
}
