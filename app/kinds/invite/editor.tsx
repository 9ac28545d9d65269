import { INVITES_NEEDED_MAX } from '../../../server/contract/limits.ts';
import { m } from '../../paraglide/messages.js';
import { WholeField } from '../../ui/whole-field.tsx';
import type { FieldsProps, LeaderParts } from '../kind.ts';

export const inviteEditor: LeaderParts<'invite'> = {
  hint: m.leader_kind_invite_hint,
  usualPoints: 100,
  empty: () => ({ kind: 'invite', needed: 1 }),
  preview: (setup) => setup,
  Fields: InviteFields,
};

function InviteFields({ setup, onSetup }: FieldsProps<'invite'>) {
  return (
    <WholeField
      label={m.leader_setup_needed()}
      hint={m.leader_setup_needed_hint()}
      min={1}
      max={INVITES_NEEDED_MAX}
      value={setup.needed}
      onValue={(needed) => onSetup({ ...setup, needed })}
    />
  );
}
