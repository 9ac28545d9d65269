import * as z from 'zod/mini';

/** The designed set; each has its drawing and its words on the client. */
export const BadgeCode = z.enum([
  'first_step',
  'ten_done',
  'hundred_done',
  'week_streak',
  'month_streak',
  'level_five',
  'level_ten',
  'all_rounder',
  'good_host',
  'steady_hand',
  'season_podium',
  'season_winner',
]);
export type BadgeCode = z.infer<typeof BadgeCode>;
export const Badge = z.object({
  code: BadgeCode,
  /** Null for what is earned over all communities. */
  communityId: z.nullable(z.string()),
  earnedAt: z.string(),
});
export type Badge = z.infer<typeof Badge>;

export const Streak = z.object({
  days: z.number(),
  best: z.number(),
  countedToday: z.boolean(),
  /** Freezes held now; each saves one missed day. */
  freezes: z.number(),
  /** Day from which the automatic repair is ready again; null when it is. */
  repairReadyOn: z.nullable(z.string()),
  /** The first day that counted; null before there is one. A day before it was not missed. */
  since: z.nullable(z.string()),
  /** The last days in the member's time zone, the oldest first. */
  calendar: z.array(z.object({ day: z.string(), mark: z.enum(['counted', 'frozen', 'repaired', 'missed', 'open']) })),
});
export type Streak = z.infer<typeof Streak>;
