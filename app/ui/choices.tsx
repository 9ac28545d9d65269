import './choices.css';
import { useId } from 'react';

/** A single or multiple choice; each row is pressable as a whole. */
export function Choices(props: {
  legend: string;
  /** The question's number. */
  lead?: string;
  options: readonly { id: string; text: string }[];
  multiple: boolean;
  hint?: string;
  chosen: readonly string[];
  onChoose: (chosen: string[]) => void;
}) {
  const name = useId();
  const { chosen, multiple } = props;
  const press = (id: string) => {
    if (!multiple) return props.onChoose([id]);
    props.onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  };
  return (
    <fieldset className="choices">
      <legend>
        {props.lead && <span className="text-muted">{props.lead} </span>}
        {props.legend}
      </legend>
      {props.hint && <p className="text-small text-muted">{props.hint}</p>}
      {props.options.map(({ id, text }) => (
        <label key={id}>
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.includes(id)}
            onChange={() => press(id)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
