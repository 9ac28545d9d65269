import { m } from '../../../paraglide/messages.js';
import { AUDIT_WORDS } from '../../leader/audit-words.ts';

/** What administrators do to an account, by its code in the audit. */
const OWN: Readonly<Record<string, () => string>> = {
  'application.approved': m.people_act_application_approved,
  'application.rejected': m.people_act_application_rejected,
  'person.suspended': m.people_act_suspended,
  'person.suspension_changed': m.people_act_suspension_changed,
  'person.restored': m.people_act_restored,
  'person.signed_out': m.people_act_signed_out,
  'person.verified': m.people_act_verified,
  'person.x_unlinked': m.people_act_x_unlinked,
  'person.archived': m.people_act_archived,
  'person.erasure_asked': m.people_act_erasure_asked,
  'person.erasure_cancelled': m.people_act_erasure_cancelled,
  'person.erased': m.people_act_erased,
  'person.made_member': m.people_act_made_member,
  'person.made_ops': m.people_act_made_ops,
  'person.made_admin': m.people_act_made_admin,
};

/** The words of an act in the audit; one that this build has no words for is named by its code. */
export const actWord = (action: string): string => (OWN[action] ?? AUDIT_WORDS[action])?.() ?? action;
