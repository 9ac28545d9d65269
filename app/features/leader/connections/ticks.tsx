/** A group of checkboxes. */
export function Ticks<T extends string>(props: {
  legend: string;
  options: readonly { value: T; label: string }[];
  values: readonly T[];
  onValues: (values: T[]) => void;
}) {
  return (
    <fieldset className="form-group">
      <legend>{props.legend}</legend>
      <div className="tick-lines">
        {props.options.map(({ value, label }) => (
          <label key={value} className="tick-line">
            <input
              type="checkbox"
              checked={props.values.includes(value)}
              onChange={({ currentTarget }) =>
                props.onValues(
                  currentTarget.checked ? [...props.values, value] : props.values.filter((one) => one !== value),
                )
              }
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
