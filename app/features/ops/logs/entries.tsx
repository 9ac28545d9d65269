import { useQuery } from '@tanstack/react-query';
import type { EntryPage } from '../../../../server/contract/ops-logs.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Card } from '../../../ui/card.tsx';
import { Pages } from '../../../ui/pages.tsx';
import { Empty } from '../../../ui/states.tsx';
import { EntryRow } from './entry-row.tsx';
import { Export, FilterBar } from './filter-bar.tsx';
import { Histogram } from './histogram.tsx';
import { LIVE, Live } from './parts.tsx';
import { filtersOf, useLogSearch, useRange } from './search.ts';

/** Single entries, latest first. */
export function Entries({ turn }: { turn: number }) {
  const [search, change] = useLogSearch();
  const range = useRange(search, turn);
  const filters = { ...filtersOf(search), ...range };
  const usePage = (cursor: string | undefined) =>
    useQuery({ ...read('GET /api/admin/client-logs/entries', undefined, { ...filters, cursor }), ...LIVE });
  return (
    <>
      <FilterBar search={search} change={change} range={range} />
      <Histogram filters={filters} change={change} />
      <Pages key={JSON.stringify(filters)} usePage={usePage} reading={Live}>
        {(page: EntryPage, isFirst) =>
          page.entries.length === 0 ? (
            isFirst && <Empty title={m.logs_no_entries()} line={m.logs_none_such()} />
          ) : (
            <Card className="card--rows">
              <ul className="ruled-list">
                {page.entries.map((entry) => (
                  <li key={entry.id}>
                    <EntryRow entry={entry} />
                  </li>
                ))}
              </ul>
            </Card>
          )
        }
      </Pages>
      <Export filters={filters} />
    </>
  );
}
