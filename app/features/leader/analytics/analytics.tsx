import './analytics.css';
import '../../../ui/chart.css';
import '../../../ui/desk.css';
import { useQuery } from '@tanstack/react-query';
import type { Analytics as Figures } from '../../../../server/contract/rooms.ts';
import { calendarDay, number, stampTime } from '../../../lib/format.ts';
import { read, useAsOf } from '../../../lib/query.ts';
import { useSearch } from '../../../lib/search.ts';
import { m } from '../../../paraglide/messages.js';
import { Card, SectionHead } from '../../../ui/card.tsx';
import { DayChart } from '../../../ui/chart.tsx';
import { Segment } from '../../../ui/segment.tsx';
import { AsOf } from '../../../ui/stamp.tsx';
import { Empty, Reading } from '../../../ui/states.tsx';

const SPANS = ['7', '28', '90'] as const;
const SERIES = ['active', 'approved', 'joined', 'points'] as const;
type Series = (typeof SERIES)[number];
const SERIES_WORDS: Record<Series, () => string> = {
  active: m.leader_series_active,
  approved: m.leader_series_approved,
  joined: m.leader_series_joined,
  points: m.leader_series_points,
};

/** What works: active members, completed tasks, review times, and where members drop off. */
export function Analytics({ communityId }: { communityId: string }) {
  const [search, setSearch] = useSearch('/community/$communityId/admin/analytics');
  const days = SPANS.find((one) => one === search.days) ?? '28';
  const reading = read('GET /api/communities/:communityId/analytics', { communityId }, { days });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  return (
    <>
      <div className="view-switch">
        <Segment
          label={m.leader_span()}
          options={SPANS.map((value) => ({ value, label: m.leader_days({ n: number(Number(value)) }) }))}
          value={days}
          onChange={(value) => setSearch({ days: value === '28' ? null : value })}
        />
      </div>
      <Reading query={query}>
        {(figures) => (
          <>
            <SectionHead title={m.leader_at_a_glance()} end={<AsOf at={asOf} onRetry={() => query.refetch()} />} />
            <Glance figures={figures} />
            <div className="chart-grid">
              {SERIES.map((series) => (
                <Chart key={series} series={series} figures={figures} />
              ))}
            </div>
            <DropOff figures={figures} />
            <p className="text-tiny text-muted">{m.leader_figures_at({ time: stampTime(figures.asOf) })}</p>
          </>
        )}
      </Reading>
    </>
  );
}

function delayWord(minutes: number | null): string {
  if (minutes === null) return m.leader_delay_none();
  if (minutes < 60) return m.leader_delay_minutes({ n: number(Math.round(minutes)) });
  if (minutes < 48 * 60) return m.leader_delay_hours({ n: number(Math.round(minutes / 6) / 10) });
  return m.leader_delay_days({ n: number(Math.round(minutes / 144) / 10) });
}

function Glance({ figures: { members, reviewMinutes } }: { figures: Figures }) {
  const cells = [
    { label: m.leader_fig_members(), value: number(members.all) },
    { label: m.leader_fig_active7(), value: number(members.active7) },
    { label: m.leader_fig_active28(), value: number(members.active28) },
    { label: m.leader_fig_p50(), value: delayWord(reviewMinutes.p50) },
    { label: m.leader_fig_p90(), value: delayWord(reviewMinutes.p90) },
    { label: m.leader_fig_waiting(), value: number(reviewMinutes.waiting) },
  ];
  return (
    <dl className="figure-grid">
      {cells.map(({ label, value }) => (
        <div key={label} className="card">
          <dt className="text-tiny text-muted">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Chart({ series, figures }: { series: Series; figures: Figures }) {
  const points = figures.days.map((one) => ({ day: one.day, value: one[series] }));
  const total = points.reduce((sum, { value }) => sum + value, 0);
  const name = SERIES_WORDS[series]();
  // The same person may come on several days, so a sum would count them more than once.
  const most = Math.max(0, ...points.map(({ value }) => value));
  const line =
    series === 'active' ? m.leader_chart_most({ n: number(most) }) : m.leader_chart_total({ n: number(total) });
  return (
    <Card>
      <div className="flex-row">
        <h3 className="flex-grow">{name}</h3>
        <span className="text-small text-muted">{line}</span>
      </div>
      <DayChart label={`${name}. ${line}`} points={points} />
      <details className="disclosure">
        <summary className="text-small">{m.leader_chart_table()}</summary>
        <div className="figure-table">
          <table>
            <caption className="visually-hidden">{name}</caption>
            <thead>
              <tr>
                <th scope="col">{m.leader_chart_day()}</th>
                <th scope="col">{name}</th>
              </tr>
            </thead>
            <tbody>
              {points.map((point) => (
                <tr key={point.day}>
                  <td>{calendarDay(point.day)}</td>
                  <td className="numeric">{number(point.value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </Card>
  );
}

/** How many answers each task got in these days, the most first, and how many of them got through. */
function DropOff({ figures: { tasks } }: { figures: Figures }) {
  return (
    <section>
      <SectionHead title={m.leader_drop_off()} />
      {tasks.length === 0 ? (
        <Empty title={m.leader_drop_off_none()} line={m.leader_drop_off_none_line()} />
      ) : (
        <Card className="card--rows">
          <ul className="ruled-list">
            {tasks.map((task) => (
              <li key={task.taskId} className="drop-off">
                <h3>{task.title}</h3>
                <Bar
                  of={tasks[0]?.answers ?? 0}
                  value={task.answers}
                  words={m.leader_morning_answers({ count: task.answers, n: number(task.answers) })}
                />
                <Bar
                  of={tasks[0]?.answers ?? 0}
                  value={task.approved}
                  words={m.leader_drop_approved({ n: number(task.approved), no: number(task.rejected) })}
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}

function Bar({ of, value, words }: { of: number; value: number; words: string }) {
  const share = of > 0 ? Math.min(1, value / of) : 0;
  return (
    <div className="drop-off__bar">
      <svg aria-hidden="true">
        <line className="chart__line" x1="4" x2="100%" y1="4" y2="4" />
        {share > 0 && (
          <line className="chart__stroke" strokeWidth="6" x1="4" x2={`${Math.max(1, share * 99)}%`} y1="4" y2="4" />
        )}
      </svg>
      <span className="text-tiny">{words}</span>
    </div>
  );
}
