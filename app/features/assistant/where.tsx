import './here-only.css';
import './where.css';
import { Fragment } from 'react';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import type { Mode, Modes } from './mode.ts';

type Stop = { icon: IconName; words: string; isHere?: boolean };
type Row = { mode: Mode; icon: IconName; title: string; route: string; stops: Stop[]; line: string; needs: string };

const onDevice = (): Stop => ({ icon: 'phone', words: m.assistant_stop_here(), isHere: true });

function rowsOf(modes: Pick<Modes, 'server' | 'browser'> | null): Row[] {
  const browser = modes?.browser ?? 'available';
  const needs = {
    available: m.assistant_where_offline(),
    downloadable: m.assistant_where_browser_downloadable(),
    downloading: m.assistant_where_browser_downloading(),
    unavailable: m.assistant_where_browser_none(),
  };
  return [
    {
      mode: 'server',
      icon: 'server',
      title: m.assistant_where_server(),
      route: m.assistant_where_server_route(),
      stops: [
        onDevice(),
        { icon: 'server', words: m.assistant_stop_server() },
        { icon: 'bolt', words: m.assistant_stop_model() },
      ],
      line: m.assistant_where_server_line(),
      needs: modes && modes.server === null ? m.assistant_where_server_none() : m.assistant_where_server_needs(),
    },
    {
      mode: 'browser',
      icon: 'phone',
      title: m.assistant_where_browser(),
      route: m.assistant_where_here(),
      stops: [onDevice()],
      line: m.assistant_where_nothing(),
      needs: needs[browser],
    },
    {
      mode: 'quotes',
      icon: 'text',
      title: m.assistant_where_quotes(),
      route: m.assistant_where_here(),
      stops: [onDevice()],
      line: m.assistant_where_nothing(),
      needs: m.assistant_where_offline(),
    },
  ];
}

/** The three possible answerers and a question's path to each; the active one is marked, if `modes` are given. */
export function WhereList({ modes }: { modes: Modes | null }) {
  return (
    <ol className="where-list card card--rows">
      {rowsOf(modes).map(({ mode, icon, title, route, stops, line, needs }) => (
        <li key={mode} className={modes?.mode === mode ? 'where-list__current' : ''}>
          <Icon name={icon} />
          <div>
            <b>
              {title}
              {modes?.mode === mode && <span className="text-small text-muted"> · {m.assistant_where_now()}</span>}
            </b>
            <div className="route-line" role="img" aria-label={route}>
              {stops.map((stop, at) => (
                <Fragment key={stop.words}>
                  {at > 0 && <i />}
                  <span className={stop.isHere ? 'route-line__stop route-line__stop--here' : 'route-line__stop'}>
                    <Icon name={stop.icon} size={16} />
                    {stop.words}
                  </span>
                </Fragment>
              ))}
            </div>
            <p className="text-small">{line}</p>
            <p className="text-small text-muted">{needs}</p>
            {mode === 'browser' && modes?.browser === 'downloadable' && (
              <Button kind="edge" icon="install" onClick={() => void modes.fetchModel()}>
                {m.assistant_where_browser_fetch()}
              </Button>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Where the instance has a model: a switch to do without it. */
export function HereOnly({ modes }: { modes: Modes }) {
  if (modes.server === null) return null;
  return (
    <label className="here-only">
      <input
        type="checkbox"
        checked={modes.isHereOnly}
        onChange={(event) => modes.stayHere(event.currentTarget.checked)}
      />
      <span>
        <b>{m.assistant_here_only()}</b>
        <span className="text-small text-muted">{m.assistant_here_only_line()}</span>
      </span>
    </label>
  );
}
