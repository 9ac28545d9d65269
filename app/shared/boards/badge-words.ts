import type { BadgeCode } from '../../../server/contract/badges.ts';
import { m } from '../../paraglide/messages.js';

export const BADGE_WORDS: Record<BadgeCode, { name: () => string; how: () => string }> = {
  first_step: { name: m.member_badge_first_step, how: m.member_badge_first_step_how },
  ten_done: { name: m.member_badge_ten_done, how: m.member_badge_ten_done_how },
  hundred_done: { name: m.member_badge_hundred_done, how: m.member_badge_hundred_done_how },
  week_streak: { name: m.member_badge_week_streak, how: m.member_badge_week_streak_how },
  month_streak: { name: m.member_badge_month_streak, how: m.member_badge_month_streak_how },
  level_five: { name: m.member_badge_level_five, how: m.member_badge_level_five_how },
  level_ten: { name: m.member_badge_level_ten, how: m.member_badge_level_ten_how },
  all_rounder: { name: m.member_badge_all_rounder, how: m.member_badge_all_rounder_how },
  good_host: { name: m.member_badge_good_host, how: m.member_badge_good_host_how },
  steady_hand: { name: m.member_badge_steady_hand, how: m.member_badge_steady_hand_how },
  season_podium: { name: m.member_badge_season_podium, how: m.member_badge_season_podium_how },
  season_winner: { name: m.member_badge_season_winner, how: m.member_badge_season_winner_how },
};
export const BADGE_CODES = Object.keys(BADGE_WORDS) as BadgeCode[];
