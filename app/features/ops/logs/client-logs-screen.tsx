import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useOnline } from '../../../lib/online.ts';
import { useKeys } from '../../../lib/use-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { Anchor, Button } from '../../../ui/button.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { ForStaff, useIsStaff } from '../for-staff.tsx';
import { Refreshes } from './log-rooms.tsx';
import { useLastRead } from './parts.tsx';
import { logsAt, type Search, useLogSearch, VIEWS, type View } from './search.ts';
import { viewWord } from './words.ts';

/** `/admin/client-logs`: errors on people's devices, for administrators and operators. Live only. */
export function ClientLogsScreen() {
  const [search] = useLogSearch();
  const room = useLocation().pathname.split('/')[3] ?? 'issues';
  const view = VIEWS.find((one) => one === room) ?? null;
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
      {...(view === null && { back: { to: '/admin/client-logs', search: backOf(search), label: m.logs_back() } })}
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
        <Refreshes value={turn}>
          <Outlet />
        </Refreshes>
      </ForStaff>
    </Screen>
  );
}

/** The filters stay when moving between rooms. */
function roomSearch({ entry: _, issue, ...filters }: Search, view: View): Search {
  // In the list of issues, `issue` names one that has its own page.
  return view === 'issues' || issue === undefined ? filters : { ...filters, issue };
}
/** The link back to the list, with its filters. */
const backOf = ({ issue: _, entry: __, user: ___, device: ____, ...rest }: Search) => rest;

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
              {...logsAt(view, roomSearch(search, view))}
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
