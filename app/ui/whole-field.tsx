import { useState } from 'react';
import { Field } from './field.tsx';
import { wholeIn } from './typed-number.ts';

/**
 * A whole number from `min` to `max`. While it is typed the field holds what is typed, also nothing; left with what is no
 * such number it goes back to the last one that was.
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
