import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import type { Who } from '../../composer/written.ts';

const SEEN_DAYS = 30;
/** Possible audiences on the instance. */
export const instanceWho = (): readonly Who[] => [
  { value: 'everyone', title: m.desk_announce_everyone(), line: m.desk_announce_everyone_line(), audience: {} },
  {
    value: 'seen',
    title: m.desk_announce_seen(),
    line: m.desk_announce_seen_line({ n: number(SEEN_DAYS) }),
    audience: { activeDays: SEEN_DAYS },
  },
  {
    value: 'staff',
    title: m.desk_announce_staff(),
    line: m.desk_announce_staff_line(),
    audience: { roles: ['leader', 'moderator'] },
  },
];
