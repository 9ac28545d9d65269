import './histogram.css';
import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, useRef, useState } from 'react';
import type { Histogram as Bars, LogFilters } from '../../../../server/contract/ops-logs.ts';
import { number } from '../../../lib/format.ts';
import { isNetworkFailure } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { rangeWord } from '../../../lib/range-word.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/field.tsx';
import { LIVE, Live } from './parts.tsx';
import type { Change } from './search.ts';
import { momentWord } from './words.ts';

const BARS = '60';
const HIGH = 64;

/**
 * Errors over the range; breadcrumbs, which are far more, only when filtered for. Dragging narrows the range, as do two
 * lists for keyboard and touch.
 */
export function Histogram({ filters, change }: { filters: LogFilters; change: Change }) {
  const query = useQuery({
    ...read('GET /api/admin/client-logs/histogram', undefined, { ...filters, bars: BARS }),
    ...LIVE,
    placeholderData: (before) => before,
  });
  // The list below shows it for both.
  if (query.data === undefined && isNetworkFailure(query.error)) return null;
  return (
    <div className="log-histogram">
      <Live query={query} skeleton={<div className="log-bars" />}>
        {(histogram) => (
          <Strokes histogram={histogram} what={filters.kind === 'debug' ? 'debug' : 'error'} change={change} />
        )}
      </Live>
    </div>
  );
}

type Picked = { from: number; to: number };

function Strokes({ histogram, what, change }: { histogram: Bars; what: 'error' | 'debug'; change: Change }) {
  const { bars } = histogram;
  const [picked, setPicked] = useState<Picked | null>(null);
  const start = useRef<number | null>(null);
  const most = Math.max(1, ...bars.map((bar) => bar[what]));
  const last = bars.length - 1;
  const endOf = (at: number) => bars[at + 1]?.at ?? histogram.to;
  const narrow = ({ from, to }: Picked) => {
    const [first, final] = [bars[Math.min(from, to)], Math.max(from, to)];
    if (first) change({ from: first.at, to: endOf(final), last: null });
    setPicked(null);
  };
  const barAt = (event: PointerEvent<SVGSVGElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    const at = Math.floor(share * bars.length);
    return Math.max(0, Math.min(last, getComputedStyle(event.currentTarget).direction === 'rtl' ? last - at : at));
  };
  const total = bars.reduce((sum, { error, debug }) => ({ error: sum.error + error, debug: sum.debug + debug }), {
    error: 0,
    debug: 0,
  });
  const words = what === 'error' ? m.logs_what_errors() : m.logs_what_debugs();
  const range = rangeWord(histogram.from, histogram.to);
  const label = m.logs_histogram({ n: number(total[what]), what: words, range });
  const inPick = (at: number) =>
    picked !== null && at >= Math.min(picked.from, picked.to) && at <= Math.max(picked.from, picked.to);
  return (
    <>
      <svg
        className="log-bars"
        viewBox={`0 0 ${Math.max(1, bars.length)} ${HIGH}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          start.current = barAt(event);
          setPicked({ from: start.current, to: start.current });
        }}
        onPointerMove={(event) => {
          if (start.current !== null) setPicked({ from: start.current, to: barAt(event) });
        }}
        onPointerUp={(event) => {
          if (start.current === null) return;
          const drawn = { from: start.current, to: barAt(event) };
          start.current = null;
          // A press without a drag chooses no range.
          if (drawn.from === drawn.to) setPicked(null);
          else narrow(drawn);
        }}
        onPointerCancel={() => {
          start.current = null;
          setPicked(null);
        }}
      >
        {bars.map((bar, at) => {
          const tall = (bar[what] / most) * (HIGH - 4);
          return (
            <g key={bar.at} className={inPick(at) ? 'log-bars__picked' : ''}>
              <rect className="log-bars__back" x={at} y={0} width={1} height={HIGH} />
              <rect className="log-bars__ground" x={at + 0.15} y={HIGH - 1} width={0.7} height={1} />
              {bar[what] > 0 && (
                <rect
                  className={what === 'error' ? 'log-bars__error' : 'log-bars__debug'}
                  x={at + 0.15}
                  y={HIGH - Math.max(2, tall)}
                  width={0.7}
                  height={Math.max(2, tall)}
                />
              )}
              <title>{m.logs_bar({ time: momentWord(bar.at), n: number(bar[what]), what: words })}</title>
            </g>
          );
        })}
      </svg>
      <p className="log-legend text-tiny text-muted">
        <span className="log-legend__key">
          <i className={what === 'error' ? 'log-legend__error' : 'log-legend__debug'} />{' '}
          {m.logs_key_errors({ n: number(total[what]), what: words })}
        </span>
        <span>{range}</span>
        {what === 'error' && total.debug > 0 && <span>{m.logs_key_debugs({ n: number(total.debug) })}</span>}
      </p>
      <details className="disclosure">
        <summary className="text-small">{m.logs_pick()}</summary>
        <Pick
          key={`${histogram.from} ${histogram.to}`}
          histogram={histogram}
          endOf={endOf}
          onPick={narrow}
          onShow={setPicked}
        />
      </details>
    </>
  );
}

/** The same with two lists: the choice is previewed in the chart until it is applied. */
function Pick(props: {
  histogram: Bars;
  endOf: (at: number) => string;
  onPick: (picked: Picked) => void;
  onShow: (picked: Picked) => void;
}) {
  const { bars } = props.histogram;
  const [picked, setPicked] = useState<Picked>({ from: 0, to: Math.max(0, bars.length - 1) });
  const show = (next: Picked) => {
    setPicked(next);
    props.onShow(next);
  };
  return (
    <div className="log-span-form">
      <Select
        label={m.logs_from()}
        options={bars.map((bar, at) => ({ value: String(at), label: momentWord(bar.at) }))}
        value={String(picked.from)}
        onValue={(value) => show({ from: Number(value), to: Math.max(Number(value), picked.to) })}
      />
      <Select
        label={m.logs_to()}
        options={bars.map((_, at) => ({ value: String(at), label: momentWord(props.endOf(at)) }))}
        value={String(picked.to)}
        onValue={(value) => show({ from: Math.min(Number(value), picked.from), to: Number(value) })}
      />
      <Button kind="edge" onClick={() => props.onPick(picked)}>
        {m.logs_pick_do()}
      </Button>
    </div>
  );
}
