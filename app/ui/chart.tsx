import './chart.css';
import { calendarDay, number } from '../lib/format.ts';

/** Points of one series: an ISO day and a value. */
export type ChartPoint = { day: string; value: number };

const WIDTH = 640;
const HEIGHT = 140;
const FLOOR = HEIGHT - 22;

/** The next round number above the largest value, for the labelled line. */
export function ceilingOf(values: readonly number[]): number {
  const most = Math.max(1, ...values);
  const unit = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((times) => times * unit).find((round) => round >= most) ?? most;
}

/**
 * A value a day, as strokes on a ground line. `marked` values are drawn in front in the second colour. A table beside
 * the chart gives the same numbers to screen readers.
 */
export function DayChart(props: { label: string; points: readonly ChartPoint[] }) {
  const { points } = props;
  const top = ceilingOf(points.map(({ value }) => value));
  const step = WIDTH / Math.max(1, points.length);
  const y = (value: number) => FLOOR - (value / top) * (FLOOR - 16);
  const first = points[0];
  const last = points.at(-1);
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={props.label}>
      <line className="chart__line" x1="0" x2={WIDTH} y1={y(top)} y2={y(top)} />
      <text className="chart__text" x="0" y={y(top) - 4}>
        {number(top)}
      </text>
      <line className="chart__ground" x1="0" x2={WIDTH} y1={FLOOR} y2={FLOOR} />
      {points.map(({ day: at, value }, index) =>
        value > 0 ? (
          <line
            key={at}
            className="chart__stroke"
            strokeWidth={Math.min(12, Math.max(3, step * 0.5))}
            x1={step * (index + 0.5)}
            x2={step * (index + 0.5)}
            y1={FLOOR - 2}
            y2={Math.min(FLOOR - 3, y(value))}
          >
            <title>{`${calendarDay(at)}: ${number(value)}`}</title>
          </line>
        ) : null,
      )}
      {first && last && (
        <>
          <text className="chart__text" x="0" y={HEIGHT - 4}>
            {calendarDay(first.day)}
          </text>
          <text className="chart__text chart__text--end" x={WIDTH} y={HEIGHT - 4}>
            {calendarDay(last.day)}
          </text>
        </>
      )}
    </svg>
  );
}
