import sprite from './sprite.svg?url';

/** Icons of the sprite; `back forward undo send sign-out` are mirrored in right-to-left scripts. */
export type IconName =
  | 'today'
  | 'board'
  | 'explore'
  | 'you'
  | 'communities'
  | 'review'
  | 'outbox'
  | 'inbox'
  | 'search'
  | 'filter'
  | 'more'
  | 'close'
  | 'back'
  | 'forward'
  | 'down'
  | 'plus'
  | 'check'
  | 'retry'
  | 'edit'
  | 'discard'
  | 'undo'
  | 'clock'
  | 'offline'
  | 'phone'
  | 'server'
  | 'lock'
  | 'gate'
  | 'bell'
  | 'bell-off'
  | 'send'
  | 'link'
  | 'photo'
  | 'quiz'
  | 'calculator'
  | 'poll'
  | 'pin'
  | 'code'
  | 'invite'
  | 'text'
  | 'reward'
  | 'season'
  | 'streak'
  | 'level'
  | 'ledger'
  | 'shield'
  | 'settings'
  | 'theme'
  | 'globe'
  | 'install'
  | 'update'
  | 'export'
  | 'warning'
  | 'info'
  | 'eye'
  | 'sign-out'
  | 'copy'
  | 'appeal'
  | 'announce'
  | 'bolt'
  | 'assistant'
  | 'stop';

const MIRRORED: ReadonlySet<IconName> = new Set(['back', 'forward', 'undo', 'send', 'sign-out']);

/** A decorative icon: put text beside it or label the control. */
export function Icon({ name, size = 20 }: { name: IconName; size?: 16 | 20 | 24 }) {
  const classes = ['icon', size === 20 ? '' : `icon--${size}`, MIRRORED.has(name) ? 'icon--mirrored' : ''];
  return (
    <svg className={classes.filter(Boolean).join(' ')} aria-hidden="true">
      <use href={`${sprite}#i-${name}`} />
    </svg>
  );
}

/** State of one action, from open to ink. Look: "Marks: the life of one act". */
export type MarkState = 'slot' | 'pencil' | 'sending' | 'received' | 'ink' | 'changes' | 'refused' | 'reversed';

/** The mark of an action, default 28 px; put the state's name beside it. */
export function Mark({ state, size }: { state: MarkState; size?: number }) {
  const style = size === undefined ? undefined : { inlineSize: size, blockSize: size };
  return (
    <svg className="mark" aria-hidden="true" {...(style ? { style } : {})}>
      <use href={`${sprite}#m-${state}`} />
    </svg>
  );
}

/** Widths of one to four strokes in the sprite's units. */
const STROKE_WIDTHS = [11.5, 20, 28.5, 37] as const;
const GATES_SHOWN = 5;

/**
 * Days as strokes in gates of five. Past 25 days only the last gates that fit are drawn, because the number is beside
 * them.
 * @param days strokes in ink
 * @param pencil today's stroke is on this device only
 * @param open today has no stroke yet: a dotted slot
 * @param label replaces the strokes for screen readers
 */
export function Tally(props: { days: number; pencil?: boolean; open?: boolean; label: string }) {
  const rest = props.days % 5;
  const isOpen = props.pencil || props.open;
  // The fifth stroke crosses the other four.
  const crossing = rest === 4 && isOpen ? (props.pencil ? '-pencil' : '-slot') : '';
  const gates = Math.min(Math.floor(props.days / 5), GATES_SHOWN);
  const last = STROKE_WIDTHS[rest - 1];
  return (
    <div className="tally" role="img" aria-label={props.label}>
      {Array.from({ length: gates }, (_, gate) => `gate ${gate}`).map((gate) => (
        <svg key={gate} viewBox="0 0 38 32" aria-hidden="true">
          <use href={`${sprite}#tally-5`} width="38" height="32" />
        </svg>
      ))}
      {last !== undefined && (
        <svg
          className={crossing ? undefined : `tally__strokes-${rest}`}
          viewBox={`0 0 ${crossing ? 38 : last} 32`}
          aria-hidden="true"
        >
          <use href={`${sprite}#tally-${rest}${crossing}`} width="38" height="32" />
        </svg>
      )}
      {isOpen && !crossing && <Mark state={props.pencil ? 'pencil' : 'slot'} />}
    </div>
  );
}

const percent = (part: number) => `${Math.round(Math.min(1, Math.max(0, part)) * 1000) / 10}%`;

/** Progress as leaning strokes. `done` and `pencil` are fractions of one; pencil is never added to done. */
export function Hatch({ done, pencil = 0, label }: { done: number; pencil?: number; label: string }) {
  const style = { '--counted': percent(done), '--pencilled': percent(pencil) };
  return <div className="hatch" role="img" aria-label={label} style={style} />;
}

/** The logo: four strokes stepping to an M, one across. Default 32 px, minimum 20. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} aria-hidden="true">
      <use href={`${sprite}#logo`} />
    </svg>
  );
}
