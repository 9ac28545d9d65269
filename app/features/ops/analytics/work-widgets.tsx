import { useQuery } from '@tanstack/react-query';
import type { ReviewFigures } from '../../../../server/contract/analytics.ts';
import { calendarDay, number, stampTime } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { minutesWord, partWord, sumOf } from './figures.ts';
import { FiguresTable, PlainTable } from './figures-table.tsx';
import { HatchList } from './hatch-list.tsx';
import type { AnalyticsRange } from './range.ts';
import { StrokeChart } from './stroke-chart.tsx';
import { Line, Nothing, Widget } from './widget.tsx';

export const reviewsRead = (range: AnalyticsRange) => read('GET /api/admin/analytics/reviews', undefined, range);
export const offlineRead = (range: AnalyticsRange) => read('GET /api/admin/analytics/offline', undefined, range);
const tasksRead = (range: AnalyticsRange) => read('GET /api/admin/analytics/tasks', undefined, range);

const stepsWord = (count: number): string => m.analytics_steps_day({ count, n: number(count) });

/** How long members wait for a reviewer's decision. */
export function Reviews({ range }: { range: AnalyticsRange }) {
  const reading = reviewsRead(range);
  const query = useQuery(reading);
  const name = m.analytics_reviews();
  return (
    <Widget name={name} table="reviews" range={range} query={query} queryKey={reading.queryKey}>
      {({ decisions, minutes, buckets, waiting }) => {
        const rows = buckets.map((bucket) => ({
          key: String(bucket.fromMinutes),
          name: bucketWord(bucket),
          count: bucket.count,
          share: partWord(bucket.count, decisions),
        }));
        return (
          <>
            {waiting.count > 0 && waiting.oldestAt !== null && (
              <Line>
                {m.analytics_reviews_waiting({
                  count: waiting.count,
                  n: number(waiting.count),
                  time: stampTime(waiting.oldestAt),
                })}
              </Line>
            )}
            {decisions === 0 ? (
              <Nothing>{m.analytics_reviews_none()}</Nothing>
            ) : (
              <>
                <Line>
                  {m.analytics_reviews_line({ p50: minutesWord(minutes.p50), p95: minutesWord(minutes.p95) })}
                </Line>
                <HatchList rows={rows} />
                <FiguresTable
                  name={name}
                  columns={[m.analytics_waited(), m.analytics_decisions(), m.analytics_share()]}
                  rows={rows.map(({ key, name: waited, count, share }) => ({
                    key,
                    name: waited,
                    cells: [number(count), share],
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

function bucketWord({ fromMinutes, toMinutes }: ReviewFigures['buckets'][number]): string {
  if (toMinutes === null) return m.analytics_over({ from: minutesWord(fromMinutes) });
  if (fromMinutes === 0) return m.analytics_under({ to: minutesWord(toMinutes) });
  return m.analytics_between({ from: minutesWord(fromMinutes), to: minutesWord(toMinutes) });
}

/** Answers made offline, compared with the others. */
export function Offline({ range }: { range: AnalyticsRange }) {
  const reading = offlineRead(range);
  const query = useQuery(reading);
  const name = m.analytics_offline();
  return (
    <Widget
      name={name}
      table="offline"
      range={range}
      query={query}
      queryKey={reading.queryKey}
      note={m.analytics_offline_note()}
    >
      {({ days, minutes }) => {
        const [made, late] = [sumOf(days.map((one) => one.made)), sumOf(days.map((one) => one.late))];
        if (made === 0) return <Nothing>{m.analytics_offline_none()}</Nothing>;
        return (
          <>
            <Line>
              {late === 0
                ? m.analytics_offline_none_late({ n: number(made) })
                : m.analytics_offline_line({
                    share: partWord(late, made),
                    n: number(made),
                    p50: minutesWord(minutes.p50),
                    p95: minutesWord(minutes.p95),
                  })}
            </Line>
            <StrokeChart
              name={name}
              steps={stepsWord(days.length)}
              legend={[m.analytics_online(), m.analytics_late()]}
              points={days.map((one) => ({
                key: one.day,
                label: calendarDay(one.day),
                words: m.analytics_offline_point({
                  day: calendarDay(one.day),
                  online: number(one.made - one.late),
                  late: number(one.late),
                }),
                first: one.made - one.late,
                second: one.late,
              }))}
            />
            <FiguresTable
              name={name}
              columns={[m.analytics_day(), m.analytics_online(), m.analytics_late()]}
              rows={days.map((one) => ({
                key: one.day,
                name: calendarDay(one.day),
                cells: [number(one.made - one.late), number(one.late)],
              }))}
            />
          </>
        );
      }}
    </Widget>
  );
}

/** Answered tasks, and the results of their answers. */
export function Tasks({ range }: { range: AnalyticsRange }) {
  const reading = tasksRead(range);
  const query = useQuery(reading);
  const name = m.analytics_tasks();
  return (
    <Widget name={name} table="tasks" range={range} query={query} queryKey={reading.queryKey}>
      {({ tasks, more }) =>
        tasks.length === 0 ? (
          <Nothing>{m.analytics_tasks_none()}</Nothing>
        ) : (
          <>
            <Line>{m.analytics_tasks_line()}</Line>
            <PlainTable
              name={name}
              columns={[m.analytics_task(), m.analytics_answers(), m.analytics_approved(), m.analytics_refused()]}
              rows={tasks.map((task) => ({
                key: task.taskId,
                name: (
                  <>
                    <bdi>{task.title}</bdi>
                    {range.community === undefined && (
                      <span className="text-tiny text-muted">
                        {' '}
                        <bdi>{task.community}</bdi>
                      </span>
                    )}
                  </>
                ),
                cells: [number(task.made), number(task.approved), number(task.refused)],
              }))}
            />
            {more > 0 && <Line>{m.analytics_tasks_more({ count: more, n: number(more) })}</Line>}
          </>
        )
      }
    </Widget>
  );
}
