import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const partner: Kind<'partner'> = {
  word: m.kinds_kind_partner,
  pace: 'when-checked',
  checker: ({ host }) => host,
  line: ({ host, asks }, { answer }) =>
    answer === undefined ? m.kinds_partner_sent({ host }) : m.kinds_partner_typed({ asks, answer }),
};
