import { m } from '../../../paraglide/messages.js';
import { AUDIT_WORDS } from '../../../shared/audit/audit-words.ts';

/** Actions on the instance, its accounts and communities, by their code in the audit log. */
const ACTION_WORDS: Readonly<Record<string, () => string>> = {
  'application.approved': m.people_act_application_approved,
  'application.rejected': m.people_act_application_rejected,
  'person.suspended': m.people_act_suspended,
  'person.suspension_changed': m.people_act_suspension_changed,
  'person.restored': m.people_act_restored,
  'person.signed_out': m.people_act_signed_out,
  'person.verified': m.people_act_verified,
  'person.x_unlinked': m.people_act_x_unlinked,
  'person.x_linked': m.xtask_desk_act_link,
  'community.x_budget': m.xtask_desk_act_budget,
  'switch.x_points_on': m.xtask_desk_act_points_on,
  'switch.x_points_off': m.xtask_desk_act_points_off,
  'person.archived': m.people_act_archived,
  'person.erasure_asked': m.people_act_erasure_asked,
  'person.erasure_cancelled': m.people_act_erasure_cancelled,
  'person.erased': m.people_act_erased,
  'person.made_member': m.people_act_made_member,
  'person.made_ops': m.people_act_made_ops,
  'person.made_admin': m.people_act_made_admin,
  'person.session_ended': m.people_act_session_ended,
  'admin_link.made': m.desk_act_admin_link,
  'audit.exported': m.desk_act_exported,
  'board.counted': m.desk_act_counted,
  'board.not_counted': m.desk_act_not_counted,
  'client_logs.regrouped': m.desk_act_regrouped,
  'community.suspended': m.desk_act_suspended,
  'community.suspension_changed': m.desk_act_suspension_changed,
  'community.restored': m.desk_act_restored,
  'community.handed_over': m.desk_act_handed_over,
  'community.featured': m.desk_act_featured,
  'community.not_featured': m.desk_act_not_featured,
  'community.imports_large': m.desk_act_imports_large,
  'community.imports_small': m.desk_act_imports_small,
  'partnership.in_talk': m.partner_desk_act_in_talk,
  'partnership.accepted': m.partner_desk_act_accepted,
  'partnership.declined': m.partner_desk_act_declined,
  'push.key_rotated': m.desk_act_key_rotated,
};

/** An action of the audit log in words; an unknown one by its code. */
export const actionWord = (action: string): string => (ACTION_WORDS[action] ?? AUDIT_WORDS[action])?.() ?? action;
