import { NUMBER_DECIMALS_MAX, NUMBER_UNIT_MAX } from '../../../server/contract/limits.ts';
import { numberProblem } from '../../../server/kinds/number/rules.ts';
import { m } from '../../paraglide/messages.js';
import { AmountField } from '../../ui/amount-field.tsx';
import { Field } from '../../ui/field.tsx';
import { WholeField } from '../../ui/whole-field.tsx';
import type { FieldsProps, LeaderParts, SetupOf } from '../kind.ts';
import { ReviewField } from '../review-field.tsx';

export const numberEditor: LeaderParts<'number'> = {
  hint: m.kinds_hint_number,
  usualPoints: 20,
  empty: () => ({ kind: 'number', unit: '', min: 0, max: null, decimals: 0, review: true }),
  problems,
  tidy: (setup) => ({ ...setup, unit: setup.unit.trim() }),
  // Lists each field, so the expected number is left out.
  preview: ({ kind, unit, min, max, decimals }) => ({ kind, unit, min, max, decimals }),
  Fields: NumberFields,
};

function problems(setup: SetupOf<'number'>): string[] {
  const { min, max, expected } = setup;
  if (min !== null && max !== null && min > max) return ['number_bounds'];
  return expected && numberProblem(setup, expected.value) !== null ? ['number_expected'] : [];
}

function NumberFields({ setup, found, onSetup }: FieldsProps<'number'>) {
  const { min, max, decimals, expected } = setup;
  return (
    <div className="form-stack">
      <div className="two-columns">
        <Field
          label={m.kinds_edit_unit()}
          hint={m.kinds_edit_unit_hint()}
          maxLength={NUMBER_UNIT_MAX}
          value={setup.unit}
          onValue={(unit) => onSetup({ ...setup, unit })}
        />
        <WholeField
          label={m.kinds_edit_decimals()}
          hint={m.kinds_edit_decimals_hint()}
          min={0}
          max={NUMBER_DECIMALS_MAX}
          value={decimals}
          onValue={(value) => onSetup({ ...setup, decimals: value })}
        />
      </div>
      <div className="two-columns">
        <AmountField
          label={m.kinds_edit_min()}
          hint={m.kinds_edit_no_bound()}
          optional
          value={min}
          onValue={(value) => onSetup({ ...setup, min: value })}
        />
        <AmountField
          label={m.kinds_edit_max()}
          hint={m.kinds_edit_no_bound()}
          error={found.has('number_bounds') ? m.kinds_edit_bounds_wrong() : null}
          optional
          value={max}
          onValue={(value) => onSetup({ ...setup, max: value })}
        />
      </div>
      <div className="two-columns">
        <AmountField
          label={m.kinds_edit_expected()}
          hint={m.kinds_edit_expected_hint()}
          error={found.has('number_expected') ? m.kinds_edit_expected_wrong() : null}
          optional
          value={expected?.value ?? null}
          onValue={(value) => {
            const { expected: before, ...rest } = setup;
            onSetup(value === null ? rest : { ...rest, expected: { tolerance: 0, ...before, value } });
          }}
        />
        {expected && (
          <AmountField
            label={m.kinds_edit_tolerance()}
            hint={m.kinds_edit_tolerance_hint()}
            optional={false}
            value={expected.tolerance}
            onValue={(tolerance) => {
              if (tolerance !== null && tolerance >= 0) onSetup({ ...setup, expected: { ...expected, tolerance } });
            }}
          />
        )}
      </div>
      {!expected && <ReviewField review={setup.review} onReview={(review) => onSetup({ ...setup, review })} />}
    </div>
  );
}
