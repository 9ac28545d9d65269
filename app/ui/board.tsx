import type { ReactNode } from 'react';
import type { Target } from '../lib/target.ts';
import { Anchor } from './button.tsx';

/** One cell of the board. `pencil` is shown apart from `value`, never added to it. */
export type BoardStat = {
  label: string;
  value?: ReactNode;
  /** A `Hatch`. */
  progress?: ReactNode;
  note?: ReactNode;
  pencil?: ReactNode;
  link?: Target;
};

/**
 * The one bold panel of a screen: a heading with the main number, a tally beside it, up to three figures below. Full
 * width under the app bar on phones, rounded on wide screens.
 */
export function BoardPanel(props: {
  /** The region's name for screen readers. */
  label: string;
  heading: string;
  value: ReactNode;
  /** Pencil note at the end of the heading. */
  pencil?: ReactNode;
  /** One quiet line under the number. */
  note?: ReactNode;
  tally?: ReactNode;
  stats?: readonly BoardStat[];
  children?: ReactNode;
}) {
  return (
    <section className="board" aria-label={props.label}>
      <div className="board__head">
        <div>
          <p className="board__label">{props.heading}</p>
          <p className="board__number">{props.value}</p>
          {props.note && <p className="board__label">{props.note}</p>}
        </div>
        <p className="board__pencil">{props.pencil && <span className="pencil">{props.pencil}</span>}</p>
        {props.tally}
      </div>
      {props.stats && props.stats.length > 0 && (
        <div className="board__stats">
          {props.stats.map((stat) => (
            <Stat key={stat.label} stat={stat} />
          ))}
        </div>
      )}
      {props.children}
    </section>
  );
}

function Stat({ stat }: { stat: BoardStat }) {
  const face = (
    <>
      <span className="board__label">{stat.label}</span>
      {stat.progress && <div className="board__stat-progress">{stat.progress}</div>}
      {stat.value !== undefined && <b>{stat.value}</b>}
      {stat.pencil && <span className="pencil">{stat.pencil}</span>}
      {stat.note && <span className="text-tiny board__stat-note">{stat.note}</span>}
    </>
  );
  return stat.link ? <Anchor {...stat.link}>{face}</Anchor> : <div>{face}</div>;
}
