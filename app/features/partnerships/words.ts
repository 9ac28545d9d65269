import type { PartnershipKind, PartnershipState } from '../../../server/contract/partnerships.ts';
import { m } from '../../paraglide/messages.js';
import type { MarkState } from '../../ui/icon.tsx';

export const KIND_WORDS: Record<PartnershipKind, () => string> = {
  community: m.partner_kind_community,
  reward: m.partner_kind_reward,
  software: m.partner_kind_software,
  hosting: m.partner_kind_hosting,
  other: m.partner_kind_other,
};
export const STATE_WORDS: Record<PartnershipState, () => string> = {
  new: m.partner_state_new,
  in_talk: m.partner_state_in_talk,
  accepted: m.partner_state_accepted,
  declined: m.partner_state_declined,
};
export const STATE_MARKS: Record<PartnershipState, MarkState> = {
  new: 'received',
  in_talk: 'changes',
  accepted: 'ink',
  declined: 'refused',
};

const PATH = '/api/partnership-requests/';
export const pathOf = (id: string): string => `${PATH}${id}`;
/** The request in an API address; null for other addresses. */
export const requestIn = (path: string): string | null => (path.startsWith(PATH) ? path.slice(PATH.length) : null);
export const subjectOf = (id: string): string => `partnership:${id}`;
