import { m } from '../../paraglide/messages.js';
import { Field } from '../../ui/field.tsx';
import type { FieldsProps, LeaderParts } from '../kind.ts';

export const submitTextEditor: LeaderParts<'submit_text'> = {
  hint: m.leader_kind_submit_text_hint,
  usualPoints: 30,
  empty: () => ({ kind: 'submit_text' }),
  preview: ({ kind, minLength = 1 }) => ({ kind, minLength }),
  Fields: SubmitTextFields,
};

function SubmitTextFields({ setup, onSetup }: FieldsProps<'submit_text'>) {
  return (
    <Field
      label={m.leader_setup_min_length()}
      hint={m.leader_setup_min_length_hint()}
      inputMode="numeric"
      value={setup.minLength === undefined ? '' : String(setup.minLength)}
      onValue={(text) => {
        const minLength = Number(text.replace(/\D/g, ''));
        onSetup(minLength > 0 ? { ...setup, minLength: Math.min(minLength, 4_000) } : { kind: setup.kind });
      }}
    />
  );
}
