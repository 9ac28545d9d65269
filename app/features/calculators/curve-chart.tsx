import './curve-chart.css';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { m } from '../../paraglide/messages.js';
import { Icon } from '../../ui/icon.tsx';
import type { AnyCalculator, Values } from './calculator.ts';
import {
  type Curve,
  curveOf,
  hereOf,
  labelsAcross,
  numberAt,
  type Point,
  positionOf,
  positionsOf,
  roundNumbers,
} from './curve.ts';
import { Decimal } from './decimal.ts';

const HEIGHT = 248;
/** Used before layout, and where there is none. */
const USUAL_WIDTH = 320;
const LINES = 4;
/** Longer labels go on their line rather than beside it. */
const BESIDE_LETTERS = 8;
/** Average width of a letter in units of its height. */
const NARROW = 0.56;

/** An element's width and the small font size, CSS pixels. */
function useSize() {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: USUAL_WIDTH, letter: 12 });
  const measure = () => {
    const letter = 0.75 * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
    setSize({ width: box.current?.clientWidth || USUAL_WIDTH, letter });
  };
  useLayoutEffect(measure, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads the document, no props
  useEffect(() => {
    if (!box.current || !('ResizeObserver' in globalThis)) return;
    const watching = new ResizeObserver(measure);
    watching.observe(box.current);
    return () => watching.disconnect();
  }, []);
  return { box, ...size };
}

/** How a result changes with one number: a curve with the reader's point, a slider that moves it, and a table. */
export function CurveChart(props: { calculator: AnyCalculator; values: Values; onMove: (x: Decimal) => void }) {
  const { calculator, values, onMove } = props;
  const { chart } = calculator;
  const curve = useMemo(() => curveOf(calculator, values), [calculator, values]);
  const id = useId();
  if (!curve) return <p className="text-small text-muted">{m.calc_chart_cannot()}</p>;
  const pointWords = ({ x, y }: Point) =>
    m.calc_chart_says({ across: chart.inputWords(x, values), height: chart.heightWords(y) });
  const here = curve.here ? pointWords(curve.here) : chart.inputWords(hereOf(calculator, values), values);
  const positions = positionsOf(calculator, curve);
  return (
    <figure className="card curve-chart">
      <Drawing calculator={calculator} values={values} curve={curve} pointWords={pointWords} here={here} />
      <div className="field">
        <label htmlFor={id}>{chart.axis()}</label>
        <input
          id={id}
          className="curve-chart__range"
          type="range"
          dir="ltr"
          min={0}
          max={positions}
          step={1}
          value={Math.round(positionOf(hereOf(calculator, values), curve) * positions)}
          aria-valuetext={here}
          onChange={(event) => onMove(numberAt(calculator, curve, event.currentTarget.valueAsNumber))}
        />
      </div>
      <details className="disclosure curve-chart__table">
        <summary>
          {m.calc_table()}
          <Icon name="down" />
        </summary>
        <table>
          <caption className="visually-hidden">{chart.title()}</caption>
          <thead>
            <tr>
              <th scope="col">{chart.axis()}</th>
              <th scope="col">{chart.heightName()}</th>
            </tr>
          </thead>
          <tbody>
            {curve.table.map(({ x, y }) => (
              <tr key={x.toString()} aria-current={curve.here?.x.eq(x) ? 'true' : undefined}>
                <td>
                  <bdi dir="ltr">{chart.inputWords(x, values)}</bdi>
                </td>
                <td>
                  <bdi dir="ltr">{chart.heightWords(y)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

type Drawn = {
  calculator: AnyCalculator;
  values: Values;
  curve: Curve;
  pointWords: (point: Point) => string;
  here: string;
};

/** Drawn at its size on the page, so its text has the usual size. */
function Drawing({ calculator, values, curve, pointWords, here }: Drawn) {
  const { chart } = calculator;
  const { box, width, letter } = useSize();
  const { lowest, highest } = heightsOf(curve, chart.level?.at);
  const lines = roundNumbers(lowest, highest, LINES);
  const markHeight = (y: Decimal) => chart.markHeight?.(y) ?? chart.heightWords(y);
  const widest = Math.max(...lines.map((line) => markHeight(line).length));
  const isBeside = widest <= BESIDE_LETTERS;
  const left = isBeside ? widest * letter * NARROW + 10 : 2;
  const right = width - letter;
  const top = letter * 2.8;
  const bottom = HEIGHT - letter * 2.2;
  const across = (x: Decimal) => left + positionOf(x, curve) * (right - left);
  const up = (y: Decimal) => {
    const part = y.minus(lowest).div(highest.minus(lowest)).toNumber();
    return bottom - part * (bottom - top);
  };
  const path = curve.points
    .map(({ x, y }, index) => `${index ? 'L' : 'M'}${round(across(x))} ${round(up(y))}`)
    .join('');
  const [first, last] = [curve.points[0], curve.points.at(-1)];
  const labels = fitting(calculator, values, curve, { width: right - left, letter });
  return (
    <div ref={box}>
      <svg
        className="curve-chart__drawing"
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`${chart.title()}. ${first && last ? m.calc_chart_words({ first: pointWords(first), last: pointWords(last), here }) : here}`}
      >
        {lines.map((line) => (
          <g key={line.toString()}>
            <line
              className={line.isZero() ? 'curve-chart__zero' : 'curve-chart__line'}
              x1={left}
              x2={right}
              y1={up(line)}
              y2={up(line)}
            />
            <text x="0" y={up(line) + (isBeside ? letter / 3 : -4)}>
              {markHeight(line)}
            </text>
          </g>
        ))}
        {chart.level && (
          <g>
            <line
              className="curve-chart__level"
              x1={left}
              x2={right}
              y1={up(new Decimal(chart.level.at))}
              y2={up(new Decimal(chart.level.at))}
            />
            <text x={right} y={up(new Decimal(chart.level.at)) - 5} textAnchor="end">
              {chart.level.label()}
            </text>
          </g>
        )}
        {labels.map(({ x, words }) => (
          <text key={x.toString()} {...withinWidth(across(x), words, letter, width)} y={HEIGHT - 4}>
            {words}
          </text>
        ))}
        <path className="curve-chart__curve" d={path} />
        {curve.here && (
          <>
            <line
              className="curve-chart__drop"
              x1={across(curve.here.x)}
              x2={across(curve.here.x)}
              y1={up(curve.here.y) + 14}
              y2={bottom}
            />
            <circle className="curve-chart__point" cx={across(curve.here.x)} cy={up(curve.here.y)} r="8" />
            <text
              className="curve-chart__here"
              {...besideCurve(curve, across(curve.here.x), up(curve.here.y), {
                here,
                letter: letter * 1.17,
                width,
                top,
              })}
            >
              {here}
            </text>
          </>
        )}
      </svg>
    </div>
  );
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** A label centred on its number, shifted to stay inside the picture. */
function withinWidth(x: number, words: string, letter: number, width: number) {
  const half = (words.length * letter * NARROW) / 2;
  if (x - half < 0) return { x: 0, textAnchor: 'start' as const };
  if (x + half > width) return { x: width, textAnchor: 'end' as const };
  return { x, textAnchor: 'middle' as const };
}

/** The point's label: above the picture for a high point, else on the side away from the curve. */
function besideCurve(
  { points, here: point }: Curve,
  x: number,
  y: number,
  { here, letter, width, top }: { here: string; letter: number; width: number; top: number },
) {
  if (y - 16 < top + letter) return { ...withinWidth(x, here, letter, width), y: top - letter };
  const next = points.find(({ x: other }) => point && other.gt(point.x)) ?? points.at(-1);
  const isRising = !point || !next || next.y.gte(point.y);
  const long = here.length * letter * NARROW + 14;
  const isBefore = isRising ? x > long : x + long > width;
  const above = isBefore === isRising;
  const textAnchor = isBefore ? ('end' as const) : ('start' as const);
  const apart = above ? 6 : 14;
  return { x: isBefore ? x - apart : x + apart, textAnchor, y: above ? y - 14 : y + letter };
}

/** The drawn vertical range, including the threshold. */
function heightsOf(curve: Curve, level: string | undefined): { lowest: Decimal; highest: Decimal } {
  const all = [...curve.points.map(({ y }) => y), ...(level === undefined ? [] : [new Decimal(level)])];
  const lowest = Decimal.min(...all);
  const highest = Decimal.max(...all);
  if (highest.gt(lowest)) return { lowest, highest };
  // A flat curve is drawn in the middle.
  const room = lowest.isZero() ? new Decimal(1) : lowest.abs().div(2);
  return { lowest: lowest.minus(room), highest: highest.plus(room) };
}

/** As many axis labels as fit. */
function fitting(calculator: AnyCalculator, values: Values, curve: Curve, room: { width: number; letter: number }) {
  const { chart } = calculator;
  for (const count of [5, 4, 3, 2]) {
    const labels = labelsAcross(calculator, values, curve, count).map((x) => ({
      x,
      words: chart.markAcross?.(x, values) ?? chart.inputWords(x, values),
    }));
    const widest = Math.max(0, ...labels.map(({ words }) => words.length)) * room.letter * NARROW + room.letter;
    if (widest * labels.length <= room.width || count === 2) return labels;
  }
  return [];
}
