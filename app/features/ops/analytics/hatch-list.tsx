import './hatch-list.css';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { Hatch } from '../../../ui/icon.tsx';

/** One row: a count as strokes relative to the largest, and a share in words. `stands` marks the important one. */
export type HatchRow = { key: string; name: string; count: number; share: string | null; stands?: boolean };

/** Counts as rows of leaning strokes. Each row has its numbers in words, so screen readers need no table. */
export function HatchList({ rows }: { rows: readonly HatchRow[] }) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ol className="hatch-list">
      {rows.map(({ key, name, count, share, stands }) => (
        <li key={key} className={stands ? 'hatch-list__row hatch-list__row--stands' : 'hatch-list__row'}>
          <span>{name}</span>
          <div className="hatch-list__bar" aria-hidden="true">
            <Hatch done={count / most} label="" />
          </div>
          <b className="numeric">{number(count)}</b>
          <span className="hatch-list__share numeric">
            {share ?? <span className="visually-hidden">{m.analytics_start()}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
