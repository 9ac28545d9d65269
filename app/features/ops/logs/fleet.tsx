import './fleet.css';
import './parts.css';
import { useQuery } from '@tanstack/react-query';
import type { Fleet as Figures } from '../../../../server/contract/ops-logs.ts';
import { calendarDay, number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Card } from '../../../ui/card.tsx';
import { Segment } from '../../../ui/segment.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Inert, LIVE, Live, useTurn } from './parts.tsx';
import { useLogSearch } from './search.ts';
import { momentWord, percentWord, spanWord } from './words.ts';

const DAYS = ['7', '14', '30', '90'] as const;
const CHOICES = ['engine', 'browser', 'os', 'display', 'push', 'storage'] as const;
const CHOICE_WORDS = {
  engine: m.logs_filter_engine,
  browser: m.logs_filter_browser,
  os: m.logs_filter_os,
  display: m.logs_filter_display,
  push: m.logs_fleet_push,
  storage: m.logs_fleet_storage,
} as const;
/** Builds drawn separately; the others are combined. */
const BUILDS_SHOWN = 5;

/** What people's devices are like. */
export function Fleet({ turn }: { turn: number }) {
  const [search, change] = useLogSearch();
  const days = DAYS.find((one) => one === search['days']) ?? '14';
  const query = useQuery({
    ...read('GET /api/admin/client-logs/fleet', undefined, { days }),
    ...LIVE,
  });
  useTurn(turn, query.refetch);
  return (
    <>
      <div className="log-order">
        <Segment
          label={m.logs_span()}
          options={DAYS.map((value) => ({ value, label: m.leader_days({ n: value }) }))}
          value={days}
          onChange={(value) => change({ days: value === '14' ? null : value })}
        />
      </div>
      <Live query={query}>
        {(fleet) =>
          fleet.devices === 0 ? (
            <Empty title={m.logs_fleet_none()} line={m.logs_fleet_none_line()} />
          ) : (
            <Drawn fleet={fleet} />
          )
        }
      </Live>
    </>
  );
}

function Drawn({ fleet }: { fleet: Figures }) {
  const { replayDelay, dropped, kept } = fleet;
  const cells = [
    [m.logs_fleet_devices(), number(fleet.devices)],
    [m.logs_fleet_offline(), percentWord(fleet.offlineShare)],
    [m.logs_fleet_p50(), spanWord(replayDelay.p50Ms)],
    [m.logs_fleet_p95(), spanWord(replayDelay.p95Ms)],
    [m.logs_fleet_lost(), number(dropped.onDevices)],
    [m.logs_fleet_refused(), number(dropped.overDailyCap)],
  ] as const;
  return (
    <>
      <dl className="figure-grid">
        {cells.map(([name, value]) => (
          <div key={name} className="card">
            <dt className="text-tiny text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Card className="fleet-adoption">
        <h2 className="fleet-heading">{m.logs_fleet_adoption()}</h2>
        <Adoption fleet={fleet} />
      </Card>
      <div className="chart-grid">
        {CHOICES.map((name) => (
          <Card key={name}>
            <h2 className="fleet-heading">{CHOICE_WORDS[name]()}</h2>
            <Shares rows={fleet[name]} />
          </Card>
        ))}
      </div>
      <p className="text-tiny text-muted fleet-kept">
        {m.logs_fleet_kept({
          entries: number(kept.entries),
          since: kept.oldestDay === null ? '–' : calendarDay(kept.oldestDay),
          today: number(kept.today),
          cap: number(kept.dailyCap),
          groups: number(kept.groups),
          groupCap: number(kept.groupCap),
          waiting: number(kept.waiting),
        })}{' '}
        {m.leader_figures_at({ time: momentWord(fleet.asOf) })}
      </p>
    </>
  );
}

function Shares({ rows }: { rows: readonly { value: string; count: number }[] }) {
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  if (rows.length === 0) return <p className="text-small text-muted">{m.logs_fleet_unsaid()}</p>;
  return (
    <ul className="share-bars">
      {rows.map(({ value, count }) => (
        <li key={value}>
          <Inert>{value}</Inert>
          <svg className="share-bars__bar" aria-hidden="true">
            <rect width={`${Math.max(1, (count / all) * 100)}%`} height="100%" rx="2" />
          </svg>
          <span className="numeric">{number(count)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Devices per build and day: how fast an update spreads. The table has the same numbers. */
function Adoption({ fleet: { adoption } }: { fleet: Figures }) {
  const totals = new Map<string, number>();
  for (const { value, devices } of adoption) totals.set(value, (totals.get(value) ?? 0) + devices);
  const builds = [...totals].sort((a, b) => b[1] - a[1]).map(([value]) => value);
  const own = builds.slice(0, BUILDS_SHOWN);
  const names = builds.length > own.length ? [...own, null] : own;
  const days = [...new Set(adoption.map((row) => row.day))].sort();
  const devicesOn = (at: string, name: string | null) =>
    adoption
      .filter((row) => row.day === at && (name === null ? !own.includes(row.value) : row.value === name))
      .reduce((sum, { devices }) => sum + devices, 0);
  const [wide, high] = [10, 60];
  return (
    <>
      <svg
        className="fleet-columns"
        viewBox={`0 0 ${Math.max(1, days.length) * wide} ${high}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={m.logs_fleet_adoption()}
      >
        {days.map((at, column) => {
          const all = names.reduce((sum, name) => sum + devicesOn(at, name), 0);
          let top = 0;
          return names.map((name, index) => {
            const tall = all > 0 ? (devicesOn(at, name) / all) * high : 0;
            top += tall;
            return (
              <rect
                key={`${at} ${name}`}
                className={`fleet-series--${index + 1}`}
                x={column * wide + 1}
                y={high - top}
                width={wide - 2}
                height={tall}
              />
            );
          });
        })}
      </svg>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard */}
      <section className="figure-table" tabIndex={0} aria-label={m.logs_fleet_adoption()}>
        <table>
          <caption className="visually-hidden">{m.logs_fleet_adoption()}</caption>
          <thead>
            <tr>
              <th scope="col">{m.leader_chart_day()}</th>
              {names.map((name, index) => (
                <th key={name} scope="col">
                  <i className={`fleet-swatch fleet-series--${index + 1}`} />{' '}
                  {name === null ? m.logs_fleet_others() : <Inert>{name}</Inert>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map((at) => (
              <tr key={at}>
                <td>{calendarDay(at)}</td>
                {names.map((name) => (
                  <td key={name} className="numeric">
                    {number(devicesOn(at, name))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
