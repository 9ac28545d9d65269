import * as z from 'zod/mini';
import { Badge, Streak } from './badges.ts';
import { LedgerEntry } from './ledger.ts';

/** `GET /api/auth/user`: the five fields of the specification and what the shell needs beside them. */
export const User = z.object({
  id: z.string(),
  telegramUserId: z.string(),
  telegramUsername: z.nullable(z.string()),
  twitterUsername: z.nullable(z.string()),
  isVerified: z.boolean(),
  displayName: z.string(),
  role: z.enum(['member', 'ops', 'admin']),
});
export type User = z.infer<typeof User>;

export const SessionSummary = z.object({
  id: z.string(),
  kind: z.enum(['web', 'mini_app']),
  current: z.boolean(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  userAgent: z.nullable(z.string()),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

/** The member's own page: standing in each community, and the state of X linking. */
export const Profile = z.object({
  user: User,
  joinedAt: z.string(),
  /** The one that was chosen last. */
  timeZone: z.string(),
  /** When it begins to count, at the end of a day by the one before; null when it counts already. */
  timeZoneFrom: z.nullable(z.string()),
  points: z.number(),
  /** When the time zone may be changed again, or null when it may be now. */
  timeZoneChangeAt: z.nullable(z.string()),
  streak: Streak,
  badges: z.array(Badge),
  /** Whether others see my name on rows. */
  hidden: z.boolean(),
  /** When X may be linked to another account, or null when it may be now. */
  relinkAllowedAt: z.nullable(z.string()),
  communities: z.array(
    z.object({
      id: z.string(),
      slug: z.string(),
      name: z.string(),
      role: z.enum(['leader', 'moderator', 'member']),
      points: z.number(),
    }),
  ),
  /** The latest of them; the rest is read page by page. */
  ledger: z.array(LedgerEntry),
});
export type Profile = z.infer<typeof Profile>;

export const ProfileChange = z.strictObject({
  /** IANA name, as `Europe/Lisbon`. */
  timeZone: z.string().check(z.minLength(1), z.maxLength(64)),
});
export type ProfileChange = z.infer<typeof ProfileChange>;

/** The instance's knowledge of the required channel: never guessed, with source and time. */
export const MembershipStatus = z.object({
  required: z.boolean(),
  channelTitle: z.nullable(z.string()),
  rejoinUrl: z.nullable(z.string()),
  state: z.enum(['member', 'left', 'kicked', 'restricted', 'unknown']),
  checkedAt: z.nullable(z.string()),
  /** False when Telegram did not answer: then nothing changed. */
  asked: z.boolean(),
});
export type MembershipStatus = z.infer<typeof MembershipStatus>;
