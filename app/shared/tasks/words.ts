import type { Claim } from '../../../server/contract/claims.ts';
import type { CommunityRole } from '../../../server/contract/community.ts';
import type { Recurrence, TaskKind, TaskWithClaim } from '../../../server/contract/tasks.ts';
import { isSameDay, listing, number, stampTime, timeOfDay } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';

const KIND_WORDS: Record<TaskKind, () => string> = {
  check_in: m.member_kind_check_in,
  visit_link: m.member_kind_visit_link,
  quiz: m.member_kind_quiz,
  submit_text: m.member_kind_submit_text,
  submit_url: m.member_kind_submit_url,
  submit_image: m.member_kind_submit_image,
  poll: m.member_kind_poll,
  invite: m.member_kind_invite,
  manual: m.member_kind_manual,
  telegram_event: m.member_kind_telegram_event,
  telegram_join: m.chats_kind_join,
  telegram_chat: m.chats_kind_chat,
  telegram_reaction: m.chats_kind_reaction,
  number: m.kinds_kind_number,
  date: m.kinds_kind_date,
  scale: m.kinds_kind_scale,
  file: m.kinds_kind_file,
  partner: m.kinds_kind_partner,
  x_follow: m.xtask_kind_follow,
  x_like: m.xtask_kind_like,
  x_repost: m.xtask_kind_repost,
  x_reply: m.xtask_kind_reply,
  x_quote: m.xtask_kind_quote,
  x_post: m.xtask_kind_post,
};
export const kindWord = (kind: TaskKind): string => KIND_WORDS[kind]();
/** The kind that an address names, if there is such a one. */
export const kindOf = (name: string | undefined): TaskKind | undefined =>
  (Object.keys(KIND_WORDS) as TaskKind[]).find((kind) => kind === name);

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

/** `Ilse, Jon or Sam reviews`; people without a name are nobody's to wait for. */
export const reviewerWords = (reviewers: string[]): string =>
  reviewers.length > 0
    ? m.member_reviewed_by({ who: listing(reviewers, 'disjunction') })
    : m.member_reviewed_by_nobody();

/** What is next with what the server has: who reviews it, or which partner is asked. */
export const receivedWords = (
  { ask }: Pick<TaskWithClaim, 'ask'>,
  { submittedAt, state }: Claim,
  reviewers: string[],
) => {
  const time = whenWord(submittedAt);
  if (ask.kind === 'partner' && state === 'checking') return m.kinds_partner_received({ time, host: ask.host });
  return m.member_meta_received({ time, next: reviewerWords(reviewers) });
};

/** `11:52` today, else with its day. */
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
