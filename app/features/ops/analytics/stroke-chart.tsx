import './stroke-chart.css';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';

/** One stroke: `second` is stacked on `first` and dashed; `words` names both. */
export type StrokePoint = { key: string; label: string; words: string; first: number; second?: number };

const PAGE = 7;

/**
 * Values as strokes, with a cursor on one: moved by pointer, or by arrows, Page keys, Home and End. Screen readers get
 * a slider that reads each value; the table has all. `steps` is their number in words.
 */
export function StrokeChart(props: {
  name: string;
  steps: string;
  points: readonly StrokePoint[];
  legend?: readonly [string, string];
}) {
  const { name, steps, points, legend } = props;
  const last = points.length - 1;
  const [chosen, setChosen] = useState<number | null>(null);
  const at = Math.max(0, Math.min(last, chosen ?? last));
  const most = Math.max(0, ...points.map(({ first, second = 0 }) => first + second));
  const tall = (value: number) => `${(value / Math.max(1, most)) * 100}%`;
  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const isRight = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    const next: Record<string, number> = {
      ArrowRight: at + isRight,
      ArrowUp: at + 1,
      ArrowLeft: at - isRight,
      ArrowDown: at - 1,
      PageUp: at + PAGE,
      PageDown: at - PAGE,
      Home: 0,
      End: last,
    };
    const to = next[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, to)));
  };
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    const index = Math.floor(share * points.length);
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl';
    setChosen(Math.max(0, Math.min(last, isMirrored ? last - index : index)));
  };
  const here = points[at];
  return (
    <>
      <p className="stroke-chart__reading text-small" aria-hidden="true">
        {here?.words}
      </p>
      <div
        className="stroke-chart"
        role="slider"
        tabIndex={0}
        aria-label={m.analytics_chart_label({ name, count: steps })}
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={at + 1}
        aria-valuetext={here?.words ?? ''}
        onKeyDown={onKey}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
      >
        {points.map(({ key, first, second = 0 }, index) => (
          <span
            key={key}
            className={index === at ? 'stroke-chart__slot stroke-chart__slot--read' : 'stroke-chart__slot'}
          >
            {second > 0 && <i className="stroke-chart__second" style={{ blockSize: tall(second) }} />}
            <i className="stroke-chart__first" style={{ blockSize: tall(first) }} />
          </span>
        ))}
      </div>
      <div className="stroke-chart__scale text-tiny text-muted">
        <span>{points[0]?.label}</span>
        {legend ? (
          <span className="stroke-chart__legend">
            <span>
              <i className="stroke-chart__first" /> {legend[0]}
            </span>
            <span>
              <i className="stroke-chart__second" /> {legend[1]}
            </span>
          </span>
        ) : (
          <span>{m.analytics_highest({ n: number(most) })}</span>
        )}
        <span>{points[last]?.label}</span>
      </div>
    </>
  );
}
