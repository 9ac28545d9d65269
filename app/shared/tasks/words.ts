import type { ChatSort } from '../../../server/contract/chats.ts';
import type { CommunityRole } from '../../../server/contract/community.ts';
import type { Recurrence } from '../../../server/contract/tasks.ts';
import { isSameDay, listing, number, stampTime, timeOfDay } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';

const RECURRENCE_WORDS: Record<Recurrence, () => string> = {
  once: m.member_recurrence_once,
  daily: m.member_recurrence_daily,
  weekly: m.member_recurrence_weekly,
  monthly: m.member_recurrence_monthly,
};
export const recurrenceWord = (recurrence: Recurrence): string => RECURRENCE_WORDS[recurrence]();

export function roleWord(role: CommunityRole): string {
  if (role === 'leader') return m.member_role_leader();
  return role === 'moderator' ? m.member_role_moderator() : m.member_role_member();
}

/** A Telegram chat's type in words. */
export const sortWord = (sort: ChatSort): string => (sort === 'group' ? m.chats_group() : m.chats_channel());

/** `Ilse, Jon or Sam reviews`; reviewers without a name are left out. */
export const reviewerWords = (reviewers: string[]): string =>
  reviewers.length > 0
    ? m.member_reviewed_by({ who: listing(reviewers, 'disjunction') })
    : m.member_reviewed_by_nobody();

/** `11:52` today, else with the day. */
export const whenWord = (at: string | number): string => (isSameDay(at, Date.now()) ? timeOfDay(at) : stampTime(at));

export const memberCount = (count: number): string => m.member_count_members({ count, n: number(count) });
export const taskCount = (count: number): string => m.member_count_tasks({ count, n: number(count) });
export const dayCount = (count: number): string => m.member_count_days({ count, n: number(count) });
export const pointCount = (count: number): string => m.member_count_points({ count, n: number(count) });

const languageNames = new Map<string, Intl.DisplayNames>();
/** `German` for `de`, in the page's language. */
export function languageWord(code: string, pageLanguage: string): string {
  const names = languageNames.get(pageLanguage) ?? new Intl.DisplayNames([pageLanguage], { type: 'language' });
  languageNames.set(pageLanguage, names);
  return names.of(code) ?? code;
}
