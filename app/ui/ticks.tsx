import { useId } from 'react';

/** A group of checkboxes; `error` replaces the hint. */
export function Ticks<T extends string>(props: {
  legend: string;
  hint?: string;
  error?: string | null;
  /** Each on a line of its own. */
  isList?: boolean;
  options: readonly { value: T; label: string }[];
  value: readonly T[];
  onValue: (value: T[]) => void;
}) {
  const { hint, error, value: ticked } = props;
  const id = useId();
  const ticks = props.options.map(({ value, label }) => (
    <label key={value} className="tick-line">
      <input
        type="checkbox"
        checked={ticked.includes(value)}
        onChange={({ currentTarget }) =>
          props.onValue(currentTarget.checked ? [...ticked, value] : ticked.filter((one) => one !== value))
        }
      />
      {label}
    </label>
  ));
  return (
    <fieldset
      className="form-group"
      {...((error || hint) && { 'aria-describedby': id })}
      {...(error && { 'aria-invalid': true, tabIndex: -1 })}
    >
      <legend>{props.legend}</legend>
      {(error || hint) && (
        <p id={id} className={error ? 'quote' : 'text-small text-muted'} {...(error && { role: 'alert' })}>
          {error || hint}
        </p>
      )}
      {props.isList ? ticks : <div className="tick-lines">{ticks}</div>}
    </fieldset>
  );
}
