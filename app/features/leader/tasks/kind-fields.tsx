import {
  FILE_BYTES,
  NUMBER_DECIMALS_MAX,
  NUMBER_UNIT_MAX,
  PARTNER_ASKS_MAX,
  SCALE_LABEL_MAX,
  WEBHOOK_URL_MAX,
} from '../../../../server/contract/limits.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { AmountField } from '../../../ui/amount-field.tsx';
import { Field } from '../../../ui/field.tsx';
import { WholeField } from '../../../ui/whole-field.tsx';
import type { MoreKind, MoreSetup } from './more-kinds.ts';
import type { Problem } from './task-draft.ts';

type Props<K extends MoreKind> = {
  setup: Extract<MoreSetup, { kind: K }>;
  found: ReadonlySet<Problem>;
  onSetup: (setup: MoreSetup) => void;
};

/** The fields that only one of these kinds has. */
export function MoreFields({ setup, ...props }: Props<MoreKind>) {
  switch (setup.kind) {
    case 'number':
      return <NumberFields setup={setup} {...props} />;
    case 'date':
      return <DateFields setup={setup} {...props} />;
    case 'scale':
      return <ScaleFields setup={setup} {...props} />;
    case 'file':
      return <p className="text-small text-muted">{m.kinds_edit_text_hint({ size: number(FILE_BYTES / 1_024) })}</p>;
    case 'partner':
      return <PartnerFields setup={setup} {...props} />;
  }
}

function NumberFields({ setup, found, onSetup }: Props<'number'>) {
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

function DateFields({ setup, found, onSetup }: Props<'date'>) {
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

function ScaleFields({ setup, found, onSetup }: Props<'scale'>) {
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

function PartnerFields({ setup, found, onSetup }: Props<'partner'>) {
  return (
    <>
      <Field
        type="url"
        inputMode="url"
        label={m.kinds_edit_url()}
        hint={m.kinds_edit_url_hint()}
        error={found.has('partner_url') ? m.kinds_edit_url_wrong() : null}
        maxLength={WEBHOOK_URL_MAX}
        autoCapitalize="none"
        spellCheck={false}
        value={setup.url}
        onValue={(url) => onSetup({ ...setup, url })}
      />
      <Field
        label={m.kinds_edit_asks()}
        hint={m.kinds_edit_asks_hint()}
        maxLength={PARTNER_ASKS_MAX}
        value={setup.asks}
        onValue={(asks) => onSetup({ ...setup, asks })}
      />
    </>
  );
}

function ReviewField({ review, onReview }: { review: boolean; onReview: (review: boolean) => void }) {
  return (
    <div>
      <label className="tick-line">
        <input type="checkbox" checked={review} onChange={({ currentTarget }) => onReview(currentTarget.checked)} />
        {m.kinds_edit_review()}
      </label>
      <p className="text-small text-muted">{m.kinds_edit_review_hint()}</p>
    </div>
  );
}
