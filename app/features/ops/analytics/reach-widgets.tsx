import { useQuery } from '@tanstack/react-query';
import { calendarDay, number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { partWord, sumOf } from './figures.ts';
import { FiguresTable } from './figures-table.tsx';
import { HatchList } from './hatch-list.tsx';
import type { AnalyticsRange } from './range.ts';
import { StrokeChart } from './stroke-chart.tsx';
import { Line, Nothing, Widget } from './widget.tsx';

const pushRead = (range: AnalyticsRange) => read('GET /api/admin/analytics/push', undefined, range);
const installsRead = (range: AnalyticsRange) => read('GET /api/admin/analytics/installs', undefined, range);

const stepsWord = (count: number): string => m.analytics_steps_day({ count, n: number(count) });

/** Results of notifications, by the day they were made. */
export function Push({ range }: { range: AnalyticsRange }) {
  const reading = pushRead(range);
  const query = useQuery(reading);
  const name = m.analytics_push();
  return (
    <Widget
      name={name}
      table="push"
      range={range}
      query={query}
      queryKey={reading.queryKey}
      note={m.analytics_push_note()}
    >
      {({ days }) => {
        const sum = (what: 'sent' | 'shown' | 'opened' | 'failed' | 'gone') => sumOf(days.map((one) => one[what]));
        if (sum('sent') + sum('failed') + sum('gone') === 0) return <Nothing>{m.analytics_push_none()}</Nothing>;
        return (
          <>
            <Line>
              {m.analytics_push_line({
                sent: number(sum('sent')),
                shown: number(sum('shown')),
                opened: number(sum('opened')),
              })}
            </Line>
            <StrokeChart
              name={name}
              steps={stepsWord(days.length)}
              points={days.map((one) => ({
                key: one.day,
                label: calendarDay(one.day),
                words: m.analytics_push_point({
                  day: calendarDay(one.day),
                  sent: number(one.sent),
                  opened: number(one.opened),
                }),
                first: one.sent,
              }))}
            />
            <FiguresTable
              name={name}
              columns={[
                m.analytics_day(),
                m.analytics_sent(),
                m.analytics_failed(),
                m.analytics_shown(),
                m.analytics_opened(),
              ]}
              rows={days.map((one) => ({
                key: one.day,
                name: calendarDay(one.day),
                cells: [number(one.sent), number(one.failed + one.gone), number(one.shown), number(one.opened)],
              }))}
            />
          </>
        );
      }}
    </Widget>
  );
}

/** How a device shows the app, in words; an unknown mode by its own name. */
function displayWord(display: string): string {
  if (display === 'standalone') return m.analytics_display_standalone();
  return display === 'browser' ? m.analytics_display_browser() : display;
}

/** Installs that browsers reported, and how known devices show the app. */
export function Installs({ range }: { range: AnalyticsRange }) {
  const reading = installsRead(range);
  const query = useQuery(reading);
  const name = m.analytics_installs();
  return (
    <Widget
      name={name}
      table="installs"
      range={range}
      query={query}
      queryKey={reading.queryKey}
      note={m.analytics_installs_note()}
    >
      {({ days, devices }) => {
        const installs = sumOf(days.map((one) => one.installs));
        const all = sumOf(devices.map(({ count }) => count));
        return (
          <>
            <Line>{m.analytics_installs_line({ count: installs, n: number(installs) })}</Line>
            {installs > 0 && (
              <>
                <StrokeChart
                  name={name}
                  steps={stepsWord(days.length)}
                  points={days.map((one) => ({
                    key: one.day,
                    label: calendarDay(one.day),
                    words: m.analytics_installs_point({
                      count: one.installs,
                      day: calendarDay(one.day),
                      n: number(one.installs),
                    }),
                    first: one.installs,
                  }))}
                />
                <FiguresTable
                  name={name}
                  columns={[m.analytics_day(), m.analytics_installs_column()]}
                  rows={days.map((one) => ({
                    key: one.day,
                    name: calendarDay(one.day),
                    cells: [number(one.installs)],
                  }))}
                />
              </>
            )}
            {devices.length === 0 ? (
              <Line>{m.analytics_installs_no_devices()}</Line>
            ) : (
              <>
                <Line>{m.analytics_installs_devices()}</Line>
                <HatchList
                  rows={devices.map(({ display, count }) => ({
                    key: display,
                    name: displayWord(display),
                    count,
                    share: partWord(count, all),
                  }))}
                />
              </>
            )}
          </>
        );
      }}
    </Widget>
  );
}
