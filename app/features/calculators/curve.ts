/** A chart's data: curve, labels and slider positions. Pure. */
import type { AnyCalculator, NumberInput, Values } from './calculator.ts';
import { Decimal, forDrawing } from './decimal.ts';

const PIECES = 48;
/** Slider positions, unless the numbers are few whole ones. */
const POSITIONS = 160;
/** No typed or linked number has more decimals. */
const DECIMALS_MAX = 30;
const TABLE_ROWS = 8;

export type Point = { x: Decimal; y: Decimal };
export type Curve = {
  from: Decimal;
  to: Decimal;
  scale: 'linear' | 'log';
  /** The reader's point; null when it has no result. */
  here: Point | null;
  points: readonly Point[];
  table: readonly Point[];
};

function inputOf({ inputs, chart }: AnyCalculator): NumberInput {
  const input = inputs[chart.input];
  if (input?.kind !== 'number') throw new Error(`${chart.input} is no number to draw along`);
  return input;
}
export const hereOf = (calculator: AnyCalculator, values: Values): Decimal => values[calculator.chart.input] as Decimal;

/** The calculator's range, extended to include the number and limited to valid values. */
function rangeOf(calculator: AnyCalculator, values: Values): { from: Decimal; to: Decimal } {
  const input = inputOf(calculator);
  const { from, to } = calculator.chart.range(values);
  const here = hereOf(calculator, values);
  return {
    from: Decimal.max(input.from, Decimal.min(from, here)),
    to: Decimal.min(input.to, Decimal.max(to, here)),
  };
}

type Span = Pick<Curve, 'from' | 'to' | 'scale'>;
/** A number's relative position in the range, 0 to 1. */
export function positionOf(x: Decimal, { from, to, scale }: Span): number {
  const along =
    scale === 'log'
      ? Math.log(x.div(from).toNumber()) / Math.log(to.div(from).toNumber())
      : x.minus(from).div(to.minus(from)).toNumber();
  return Number.isFinite(along) ? Math.min(1, Math.max(0, along)) : 0;
}
function at(along: number, { from, to, scale }: Span): Decimal {
  if (scale === 'linear') return from.plus(to.minus(from).times(along));
  return from.times(to.div(from).toNumber() ** along);
}

/** A number rounded to the digits that distinguish neighbours at this distance. */
function rounded(x: Decimal, distance: Decimal, input: NumberInput): Decimal {
  const exponent = Math.max(-DECIMALS_MAX, distance.div(2).e, input.whole ? 0 : -DECIMALS_MAX);
  return distance.isZero() ? x : x.toNearest(new Decimal(10).pow(exponent));
}

/** The slider's number of positions, each a different number. */
export function positionsOf(calculator: AnyCalculator, span: Span): number {
  const most = inputOf(calculator).whole ? span.to.minus(span.from).toNumber() : POSITIONS;
  return Math.max(1, Math.min(POSITIONS, Math.floor(most)));
}
/** The number at a slider position. */
export function numberAt(calculator: AnyCalculator, span: Span, position: number): Decimal {
  const positions = positionsOf(calculator, span);
  const x = at(position / positions, span);
  const next = at((position + 1) / positions, span);
  const near = rounded(x, next.minus(x).abs(), inputOf(calculator));
  return Decimal.min(span.to, Decimal.max(span.from, near));
}

function heightAt(calculator: AnyCalculator, values: Values, x: Decimal): Decimal | null {
  const moved = { ...values, [calculator.chart.input]: x };
  if (calculator.conflict?.(moved)) return null;
  return calculator.chart.height(calculator.figures(moved));
}

/** Null when there is nothing to draw. */
export function curveOf(calculator: AnyCalculator, values: Values): Curve | null {
  const { chart } = calculator;
  const span: Span = { ...rangeOf(calculator, values), scale: chart.scale };
  if (span.to.lte(span.from)) return null;
  const here = hereOf(calculator, values);
  const pointsAt = (all: readonly Decimal[]): Point[] =>
    all.flatMap((x) => {
      const y = heightAt(calculator, values, x);
      return y === null ? [] : [{ x, y }];
    });
  const spread = (pieces: number) => Array.from({ length: pieces + 1 }, (_, piece) => at(piece / pieces, span));
  const input = inputOf(calculator);
  const listed =
    chart.stops?.(values) ??
    spread(TABLE_ROWS).map((x) =>
      rounded(x, span.to.minus(span.from).div(POSITIONS).times(positionFactor(x, span)), input),
    );
  const points = forDrawing(() => pointsAt(sorted([...spread(PIECES), here])));
  if (points.length < 2 || points.some(({ y }) => !Number.isFinite(y.toNumber()))) return null;
  const y = heightAt(calculator, values, here);
  return {
    ...span,
    here: y === null ? null : { x: here, y },
    points,
    table: pointsAt(sorted([...listed.filter((x) => x.gte(span.from) && x.lte(span.to)), here])),
  };
}
/** On a log scale, neighbouring positions are closer together at small numbers. */
const positionFactor = (x: Decimal, { to, scale }: Span): Decimal =>
  scale === 'log' ? x.div(to).times(20) : new Decimal(1);

function sorted(numbers: readonly Decimal[]): Decimal[] {
  const inOrder = [...numbers].sort((one, other) => one.comparedTo(other));
  return inOrder.filter((one, index) => !inOrder[index - 1]?.eq(one));
}

/** About `count` round numbers in a range: 1, 2 or 5 times a power of ten apart. */
export function roundNumbers(from: Decimal, to: Decimal, count: number): Decimal[] {
  const rough = to.minus(from).div(count);
  if (rough.lte(0)) return [from];
  const unit = new Decimal(10).pow(rough.e);
  const step = unit.times([1, 2, 5, 10].find((times) => unit.times(times).gte(rough)) ?? 10);
  const first = from.div(step).ceil();
  const last = to.div(step).floor();
  const found: Decimal[] = [];
  for (let times = first; times.lte(last) && found.length <= 2 * count + 2; times = times.plus(1))
    found.push(step.times(times));
  return found;
}

/** About `count` axis labels: the calculator's own marks, or round numbers. */
export function labelsAcross(calculator: AnyCalculator, values: Values, span: Span, count: number): Decimal[] {
  const round =
    span.scale === 'linear'
      ? roundNumbers(span.from, span.to, count)
      : Array.from({ length: count }, (_, index) => at((index + 0.5) / count, span).toSignificantDigits(1));
  const all = calculator.chart.marks?.(values) ?? round;
  const within = sorted(all.filter((x) => x.gte(span.from) && x.lte(span.to)));
  const every = Math.max(1, Math.ceil(within.length / (count + 1)));
  return within.filter((_, index) => index % every === 0);
}
