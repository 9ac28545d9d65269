import { type ComponentProps, type ReactNode, useId } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from './icon.tsx';

type Words = { label: string; hint?: ReactNode; error?: string | null | undefined };

/** Label above, hint below; `error` says what would be valid and replaces the hint. */
function Frame({ label, hint, error, id, children }: Words & { id: string; children: ReactNode }) {
  return (
    <div className={error ? 'field field--wrong' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {children}
      {(error || hint) && (
        <span className="field__hint" id={`${id}-hint`} {...(error ? { role: 'alert' } : {})}>
          {error || hint}
        </span>
      )}
    </div>
  );
}
const wiring = (id: string, { hint, error }: Words) => ({
  id,
  ...(hint || error ? { 'aria-describedby': `${id}-hint` } : {}),
  ...(error ? { 'aria-invalid': true } : {}),
});

/** React focuses new elements, a sheet the marked ones when it opens: until then nothing in it takes the focus. */
const focused = (wanted: boolean | undefined) => (wanted ? { autoFocus: true, 'data-focus': '' } : {});

/**
 * A text input. `onValue` gets the text at each change; `unit` is shown at its end and read with its label; other
 * attributes go to the input.
 */
export function Field(
  props: Words & { unit?: string | undefined; onValue?: (value: string) => void } & ComponentProps<'input'>,
) {
  const { label, hint, error, unit, onValue, autoFocus, className, ...rest } = props;
  const id = useId();
  const words = { label, hint, error };
  const input = (
    <input
      {...(onValue && { onChange: (event) => onValue(event.currentTarget.value) })}
      {...rest}
      {...focused(autoFocus)}
      {...wiring(id, words)}
      {...(unit && { 'aria-label': `${label}, ${unit}` })}
      className={`field__input ${className ?? ''}`.trim()}
    />
  );
  return (
    <Frame {...words} id={id}>
      {unit ? (
        <span className="field__measured">
          {input}
          <span className="field__unit" aria-hidden="true">
            {unit}
          </span>
        </span>
      ) : (
        input
      )}
    </Frame>
  );
}

export function TextArea(props: Words & { onValue?: (value: string) => void } & ComponentProps<'textarea'>) {
  const { label, hint, error, onValue, autoFocus, className, ...rest } = props;
  const id = useId();
  const words = { label, hint, error };
  return (
    <Frame {...words} id={id}>
      <textarea
        {...(onValue && { onChange: (event) => onValue(event.currentTarget.value) })}
        {...rest}
        {...focused(autoFocus)}
        {...wiring(id, words)}
        className={`field__input ${className ?? ''}`.trim()}
      />
    </Frame>
  );
}

export function Select<T extends string>(
  props: Words & {
    options: readonly { value: T; label: string }[];
    value: T;
    onValue: (value: T) => void;
  } & Omit<ComponentProps<'select'>, 'value'>,
) {
  const { label, hint, error, options, onValue, className, ...rest } = props;
  const id = useId();
  const words = { label, hint, error };
  return (
    <Frame {...words} id={id}>
      <span className="field__chosen">
        <select
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.currentTarget.value);
            if (chosen) onValue(chosen.value);
          }}
          {...rest}
          {...wiring(id, words)}
          className={`field__input ${className ?? ''}`.trim()}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
    </Frame>
  );
}

/** Shows a form's errors and scrolls to the first, which may be far above the button or in a collapsed part. */
export function showWrong(form: HTMLElement, report: () => void): void {
  flushSync(report);
  const wrong = form.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]');
  const folded = wrong?.closest('details');
  if (folded) folded.open = true;
  wrong?.focus();
  wrong?.scrollIntoView({ block: 'center' });
}
