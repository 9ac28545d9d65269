import { useState } from 'react';
import { NUMBER_DECIMALS_MAX } from '../../server/contract/limits.ts';
import { Field } from './field.tsx';
import { isAmount, readNumber } from './typed-number.ts';

/** A decimal number, or none. The field shows the typed text; on blur, invalid text becomes the last valid number. */
export function AmountField(props: {
  label: string;
  hint?: string;
  error?: string | null;
  unit?: string;
  /** Whether the field may be empty. */
  optional: boolean;
  value: number | null;
  onValue: (value: number | null) => void;
}) {
  const { value, optional, onValue, ...words } = props;
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field
      {...words}
      inputMode="text"
      autoComplete="off"
      maxLength={24}
      value={typed ?? (value === null ? '' : value.toFixed(NUMBER_DECIMALS_MAX).replace(/\.?0+$/, ''))}
      onValue={(text) => {
        setTyped(text);
        const read = readNumber(text, NUMBER_DECIMALS_MAX);
        if ('value' in read && isAmount(read.value)) onValue(read.value);
        else if (optional && 'problem' in read && read.problem === 'none') onValue(null);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
