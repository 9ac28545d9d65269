import { SCALE_LABEL_MAX } from '../../../server/contract/limits.ts';
import { m } from '../../paraglide/messages.js';
import { Field } from '../../ui/field.tsx';
import type { FieldsProps, LeaderParts } from '../kind.ts';
import { ScaleStands } from './scale-stands.tsx';

const isLabel = (label: string): boolean => label.trim() !== '' && label.length <= SCALE_LABEL_MAX;

export const scaleEditor: LeaderParts<'scale'> = {
  hint: m.kinds_hint_scale,
  usualPoints: 10,
  empty: () => ({ kind: 'scale', low: '', high: '' }),
  problems: ({ low, high }) => (isLabel(low) && isLabel(high) ? [] : ['scale_ends']),
  tidy: (setup) => ({ ...setup, low: setup.low.trim(), high: setup.high.trim() }),
  preview: (setup) => setup,
  Fields: ScaleFields,
  Stands: ScaleStands,
};

function ScaleFields({ setup, found, onSetup }: FieldsProps<'scale'>) {
  const wrong = found.has('scale_ends');
  return (
    <div className="two-columns">
      <Field
        label={m.kinds_edit_low()}
        hint={m.kinds_edit_low_hint()}
        error={wrong && setup.low.trim() === '' ? m.kinds_edit_scale_wrong() : null}
        maxLength={SCALE_LABEL_MAX}
        value={setup.low}
        onValue={(low) => onSetup({ ...setup, low })}
      />
      <Field
        label={m.kinds_edit_high()}
        hint={m.kinds_edit_high_hint()}
        error={wrong && setup.high.trim() === '' ? m.kinds_edit_scale_wrong() : null}
        maxLength={SCALE_LABEL_MAX}
        value={setup.high}
        onValue={(high) => onSetup({ ...setup, high })}
      />
    </div>
  );
}
