import { dateProblem } from '../../../server/kinds/date/rules.ts';
import { m } from '../../paraglide/messages.js';
import { Field } from '../../ui/field.tsx';
import type { FieldsProps, LeaderParts } from '../kind.ts';
import { ReviewField } from '../review-field.tsx';

export const dateEditor: LeaderParts<'date'> = {
  hint: m.kinds_hint_date,
  usualPoints: 10,
  empty: () => ({ kind: 'date', earliest: null, latest: null, review: true }),
  problems: ({ earliest, latest }) =>
    latest !== null && dateProblem({ earliest, latest: null }, latest) ? ['date_order'] : [],
  preview: ({ kind, earliest, latest }) => ({ kind, earliest, latest }),
  Fields: DateFields,
};

function DateFields({ setup, found, onSetup }: FieldsProps<'date'>) {
  return (
    <div className="form-stack">
      <div className="two-columns">
        <Field
          type="date"
          label={m.kinds_edit_earliest()}
          hint={m.kinds_edit_no_bound()}
          value={setup.earliest ?? ''}
          onValue={(date) => onSetup({ ...setup, earliest: date || null })}
        />
        <Field
          type="date"
          label={m.kinds_edit_latest()}
          hint={m.kinds_edit_no_bound()}
          error={found.has('date_order') ? m.kinds_edit_date_wrong() : null}
          value={setup.latest ?? ''}
          onValue={(date) => onSetup({ ...setup, latest: date || null })}
        />
      </div>
      <ReviewField review={setup.review} onReview={(review) => onSetup({ ...setup, review })} />
    </div>
  );
}
