import { useState } from 'react';
import { Field } from './field.tsx';
import { wholeIn } from './typed-number.ts';

/**
 * A whole number from `min` to `max`. The field shows the typed text, even empty; on blur, invalid text is replaced by
 * the last valid number.
 */
export function WholeField(props: {
  label: string;
  hint?: string;
  min: number;
  max: number;
  value: number;
  onValue: (value: number) => void;
}) {
  const { min, max, value, onValue, ...words } = props;
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field
      {...words}
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
      value={typed ?? String(value)}
      onValue={(text) => {
        setTyped(text);
        const whole = wholeIn(text, min, max);
        if (whole !== null) onValue(whole);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
