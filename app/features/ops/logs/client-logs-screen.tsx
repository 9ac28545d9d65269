import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useOnline } from '../../../lib/online.ts';
import { orReload } from '../../../lib/service-worker.ts';
import { useKeys } from '../../../lib/use-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { Anchor, Button } from '../../../ui/button.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { ForStaff, useIsStaff } from '../for-staff.tsx';
import { Issues } from './issues.tsx';
import { useLastRead } from './parts.tsx';
import { isId, logsPath, type Search, useLogSearch, VIEWS, type View, viewOf } from './search.ts';
import { viewWord } from './words.ts';

const stays = () => false;
const IssuePage = lazy(async () => ({ default: (await orReload(import('./issue-page.tsx'), stays)).IssuePage }));
const EntryPage = lazy(async () => ({ default: (await orReload(import('./entry-page.tsx'), stays)).EntryPage }));
const Entries = lazy(async () => ({ default: (await orReload(import('./entries.tsx'), stays)).Entries }));
const Tail = lazy(async () => ({ default: (await orReload(import('./tail.tsx'), stays)).Tail }));
const Timeline = lazy(async () => ({ default: (await orReload(import('./timeline.tsx'), stays)).Timeline }));
const Fleet = lazy(async () => ({ default: (await orReload(import('./fleet.tsx'), stays)).Fleet }));
const Rules = lazy(async () => ({ default: (await orReload(import('./rules.tsx'), stays)).Rules }));

/** What the address leads to: a page of its own goes before the room it belongs to. */
type Place =
  | { at: View }
  | { at: 'issue'; issueId: string; entryId?: string }
  | { at: 'entry'; entryId: string }
  | { at: 'timeline'; user?: string; device?: string };

function placeOf(search: Search): Place {
  const { issue, entry, user, device } = search;
  if (search['view'] === 'timeline' && (isId(user) || device))
    return isId(user) ? { at: 'timeline', user } : { at: 'timeline', device: device ?? '' };
  if (search['view'] !== undefined) return { at: viewOf(search) };
  if (isId(issue)) return { at: 'issue', issueId: issue, ...(isId(entry) && { entryId: entry }) };
  if (isId(entry)) return { at: 'entry', entryId: entry };
  return { at: 'issues' };
}

/** `/admin/client-logs`: what broke on people's phones, for who runs this instance. Live only. */
export function ClientLogsScreen() {
  const [search] = useLogSearch();
  const place = placeOf(search);
  const view = VIEWS.find((one) => one === place.at) ?? null;
  const [turn, setTurn] = useState(0);
  const online = useOnline();
  const isStaff = useIsStaff() === true;
  const asOf = useLastRead();
  const refresh = () => setTurn(turn + 1);
  useKeys(
    isStaff && view ? { r: refresh, '/': () => document.querySelector<HTMLElement>('.log-search input')?.focus() } : {},
  );
  return (
    <Screen
      title={m.logs_title()}
      asOf={asOf}
      {...(view === null && { back: { to: logsPath(backOf(search)), label: m.logs_back() } })}
      {...(view === null ? {} : { lead: m.logs_lead() })}
      actions={
        isStaff &&
        view !== null &&
        view !== 'tail' && (
          <Button
            kind="edge"
            icon="retry"
            disabledReason={online ? null : m.leader_needs_connection()}
            onClick={refresh}
          >
            {m.ops_refresh()}
          </Button>
        )
      }
    >
      <ForStaff>
        {view !== null && <Rooms current={view} search={search} />}
        <Suspense fallback={<Skeleton />}>
          <InPlace key={view ?? JSON.stringify(place)} place={place} turn={turn} />
        </Suspense>
      </ForStaff>
    </Screen>
  );
}

function InPlace({ place, turn }: { place: Place; turn: number }) {
  switch (place.at) {
    case 'issues':
      return <Issues turn={turn} />;
    case 'entries':
      return <Entries turn={turn} />;
    case 'tail':
      return <Tail />;
    case 'fleet':
      return <Fleet turn={turn} />;
    case 'rules':
      return <Rules turn={turn} />;
    case 'issue':
      return <IssuePage issueId={place.issueId} entryId={place.entryId} />;
    case 'entry':
      return <EntryPage entryId={place.entryId} />;
    case 'timeline':
      return <Timeline user={place.user} device={place.device} />;
  }
}

/** Filters stay with who goes from room to room. */
const roomSearch = (search: Search, view: View): Record<string, string | undefined> => ({
  ...search,
  view,
  // On the list of issues this names one, which has a page of its own.
  ...(view === 'issues' && { issue: undefined }),
  entry: undefined,
});
/** Back from a page of its own: the list with the filters that led to it. */
const backOf = ({ issue: _, entry: __, view: ___, user: ____, device: _____, ...rest }: Search) => rest;

function Rooms({ current, search }: { current: View; search: Search }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>(`[data-room="${current}"]`);
    if (here && list.current) list.current.scrollLeft = here.offsetLeft - list.current.clientWidth / 3;
  }, [current]);
  return (
    <nav className="room-links" aria-label={m.logs_title()}>
      <ul ref={list}>
        {VIEWS.map((view) => (
          <li key={view} data-room={view}>
            <Anchor
              to={logsPath(roomSearch(search, view))}
              {...(view === current && { 'aria-current': 'page' as const })}
            >
              {viewWord(view)}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  );
}
