import './timeline.css';
import { useQuery } from '@tanstack/react-query';
import type { Timeline as TimelinePage } from '../../../../server/contract/ops-logs.ts';
import { day, number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Card } from '../../../ui/card.tsx';
import { Pages } from '../../../ui/pages.tsx';
import { Empty } from '../../../ui/states.tsx';
import { EntryRow } from './entry-row.tsx';
import { Inert, LIVE, Live } from './parts.tsx';
import { dataWord } from './trail.tsx';

/** Events on this device, or on all of a person's: latest first, with gaps marked. */
export function Timeline({ user, device }: { user?: string | undefined; device?: string | undefined }) {
  const usePage = (cursor: string | undefined) =>
    useQuery({
      ...read('GET /api/admin/client-logs/timeline', undefined, { user, device, cursor }),
      ...LIVE,
    });
  return (
    <Pages key={`${user} ${device}`} usePage={usePage} reading={Live}>
      {(page: TimelinePage, isFirst) => (
        <>
          {isFirst && (
            <h2 className="timeline-who">
              {page.person === null ? (
                device === undefined ? (
                  m.logs_timeline_nobody()
                ) : (
                  <>
                    {m.logs_timeline_phone()} <Inert>{device}</Inert>
                  </>
                )
              ) : (
                <>
                  {m.logs_timeline_person()} <Inert>{page.person.name}</Inert>
                </>
              )}
            </h2>
          )}
          {page.items.length === 0 ? (
            isFirst && <Empty title={m.logs_timeline_none()} line={m.logs_entry_gone_line()} />
          ) : (
            <Days page={page} />
          )}
        </>
      )}
    </Pages>
  );
}

/** The page's events under the heading of their day, so a row shows only its time. */
function Days({ page }: { page: TimelinePage }) {
  const days = new Map<string, TimelinePage['items']>();
  for (const item of page.items) {
    const name = day(item.at);
    days.set(name, [...(days.get(name) ?? []), item]);
  }
  return [...days].map(([name, items]) => (
    <section key={name}>
      <h3 className="timeline-day">{name}</h3>
      <Card className="card--rows">
        <ol className="ruled-list">
          {items.map((item) => (
            <li key={item.kind === 'entry' ? item.entry.id : `${item.kind} ${item.at}`}>
              {item.kind === 'entry' ? (
                <EntryRow entry={item.entry} detail={dataWord(item.data)} isToday />
              ) : (
                <p className="timeline-hole">
                  {item.kind === 'gap'
                    ? m.logs_gap({ count: item.missing, n: number(item.missing) })
                    : m.logs_dropped_here({ errors: number(item.error), debugs: number(item.debug) })}
                </p>
              )}
            </li>
          ))}
        </ol>
      </Card>
    </section>
  ));
}
