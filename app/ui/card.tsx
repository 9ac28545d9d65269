import type { ComponentProps, ReactNode } from 'react';
import { signed } from '../lib/format.ts';
import type { Target } from '../lib/target.ts';
import { Anchor } from './button.tsx';
import { Icon, type IconName, Mark, type MarkState } from './icon.tsx';

/** Paper with a hairline. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={`card ${className ?? ''}`.trim()} />;
}

/** `+40`, dashed pencil while it is on this device only. */
export function Points({ value, pencil }: { value: number; pencil?: boolean }) {
  return <bdi dir="ltr">{pencil ? <span className="pencil">{signed(value)}</span> : signed(value)}</bdi>;
}

/** States whose card is drawn without paper (look: "Marks"). */
const PENCIL: ReadonlySet<MarkState> = new Set(['pencil', 'sending']);
const QUIET: ReadonlySet<MarkState> = new Set(['ink', 'reversed']);

/**
 * A task and the state of the member's answer. The whole card is pressable (`link` or `onPress`), beside any controls
 * inside it (`children`).
 */
export function TaskCard(props: {
  mark: MarkState;
  title: string;
  meta: ReactNode;
  points: number;
  link?: Target;
  onPress?: () => void;
  /** Recedes behind other cards: nothing can be done here now. */
  quiet?: boolean;
  children?: ReactNode;
}) {
  const pencil = PENCIL.has(props.mark);
  const className = `task-card${pencil ? ' pencil-card' : ''}${props.quiet || QUIET.has(props.mark) ? ' task-card--done' : ''}`;
  // Buttons cannot be nested: with controls inside, the title is the button and stretches over the card.
  const opens = props.onPress !== undefined && Boolean(props.children);
  const face = (
    <>
      <Mark state={props.mark} />
      <div>
        <h3>
          {opens ? (
            <button type="button" className="task-card__open" onClick={props.onPress}>
              {props.title}
            </button>
          ) : (
            props.title
          )}
        </h3>
        <p className="task-card__meta">{props.meta}</p>
      </div>
      <span className={props.mark === 'reversed' ? 'task-card__points task-card__points--struck' : 'task-card__points'}>
        <Points value={props.points} pencil={pencil} />
      </span>
      {props.children && <div className="task-card__body">{props.children}</div>}
    </>
  );
  if (props.link)
    return (
      <Anchor {...props.link} className={className}>
        {face}
      </Anchor>
    );
  if (props.onPress && !opens)
    return (
      <button type="button" className={className} onClick={props.onPress}>
        {face}
      </button>
    );
  return <div className={opens ? `${className} task-card--opens` : className}>{face}</div>;
}

/** A person's words about something that was not counted, or (`asks`) still to be done. */
export function Quote(props: { lead: string; children?: ReactNode; by?: ReactNode; asks?: boolean }) {
  const { lead, children, by } = props;
  return (
    <p className={props.asks ? 'quote quote--asks' : 'quote'}>
      <b>{lead}</b> {children} {by && <span className="text-muted">{by}</span>}
    </p>
  );
}

/** A list row of at least 56 px; the list draws the hairlines (`className="ruled-list"` around the rows). */
export function ListRow(props: {
  lead?: ReactNode;
  title: ReactNode;
  line?: ReactNode;
  end?: ReactNode;
  link?: Target;
  onPress?: () => void;
}) {
  const face = (
    <>
      {props.lead && <span className="list-row__lead">{props.lead}</span>}
      <span>
        <b>{props.title}</b>
        {props.line && <span className="list-row__line">{props.line}</span>}
      </span>
      <span>{props.end ?? (props.link || props.onPress ? <Icon name="forward" size={16} /> : null)}</span>
    </>
  );
  if (props.link)
    return (
      <Anchor {...props.link} className="list-row">
        {face}
      </Anchor>
    );
  if (props.onPress)
    return (
      <button type="button" className="list-row" onClick={props.onPress}>
        {face}
      </button>
    );
  return <div className="list-row">{face}</div>;
}

type ChipKind = 'plain' | 'ink' | 'cross' | 'no' | 'lake' | 'pencil';
const CHIPS: Record<ChipKind, string> = {
  plain: 'chip',
  ink: 'chip chip--ink',
  cross: 'chip chip--cross',
  no: 'chip chip--refused',
  lake: 'chip chip--lake',
  pencil: 'chip chip--pencil',
};

/** A label; not pressable. */
export function Chip(props: { kind?: ChipKind; icon?: IconName; children: ReactNode }) {
  return (
    <span className={CHIPS[props.kind ?? 'plain']}>
      {props.icon && <Icon name={props.icon} />}
      {props.children}
    </span>
  );
}

/** A section's head: `h2`, and at its end a stamp, a link or a count. */
export function SectionHead({ title, end }: { title: ReactNode; end?: ReactNode }) {
  return (
    <div className="section-head">
      <h2>{title}</h2>
      {end}
    </div>
  );
}
