import type { MyCommunity } from '../../../server/contract/communities.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { dayCount, roleWord } from '../../shared/tasks/words.ts';

/** The member's standing in one of their communities: `3 to do · 1 in review`, for leaders `Leader · 11 to review`. */
export function standingLine({ role, todo, waiting, toReview }: MyCommunity): string {
  const parts: string[] = [];
  if (role !== null && role !== 'member') parts.push(roleWord(role));
  if (todo > 0 && role !== 'leader') parts.push(m.member_todo({ n: number(todo) }));
  if (waiting > 0) parts.push(m.member_waiting({ n: number(waiting) }));
  if (toReview > 0) parts.push(m.member_to_review({ n: number(toReview) }));
  return parts.length > 0 ? parts.join(' · ') : m.member_nothing_to_do();
}

/** As `standingLine`, with the streak: `1 to do · streak 14 days, open until midnight`. Leaders have none. */
export function needLine(community: MyCommunity): string {
  const { role, streakDays = 0, countedToday } = community;
  const line = standingLine(community);
  if (role === 'leader' || (streakDays === 0 && !countedToday)) return line;
  const days = dayCount(streakDays);
  return `${line} · ${countedToday ? m.today_streak_counted({ days }) : m.today_streak_open({ days })}`;
}
