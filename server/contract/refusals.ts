/**
 * `details` of an error response by its reason: screens compose the sentence from their own catalogue
 * (`app/lib/error-words.ts`). Listed are the reasons whose words depend on more than a number.
 */
import type { Claim } from './claims.ts';

/** What a 404 `NOT_FOUND` was about. */
export const MISSING = [
  'account',
  'address',
  'announcement',
  'application',
  'attempt',
  'chat',
  'claim',
  'community',
  'delivery',
  'entry',
  'event',
  'file',
  'import',
  'invite',
  'issue',
  'key',
  'member',
  'notification',
  'pack',
  'picture',
  'request',
  'reward',
  'rule',
  'season',
  'session',
  'task',
  'webhook',
] as const;
export type Missing = (typeof MISSING)[number];

/** What is wrong with one field of a request; `other` is unspecific. */
export const INPUT_FAULTS = [
  'blank',
  'characters',
  'missing',
  'order',
  'other',
  'too_few',
  'too_large',
  'too_long',
  'too_many',
  'too_short',
  'too_small',
  'twice',
] as const;
export type InputFault = (typeof INPUT_FAULTS)[number];

/** `field`: its path, as `setup.hosts.0`; empty for the whole body. `limit`: of what is too long, too many, too small … */
export type InputProblem = { field: string; message: string; fault: InputFault; limit?: number };

/** Why a member was not found in a chat of the community. `at`: when Telegram was asked, ISO. */
export type NotSeen =
  | { why: 'no_chat' }
  | { why: 'unknown' | 'blind' | 'no_reaction'; title: string }
  | { why: 'left' | 'removed'; title: string; at: string }
  | { why: 'messages'; title: string; count: number; needed: number; minLength: number };

/** `until` and `reason` are null where there is none. */
type Suspension = { until: string | null; reason: string | null };

export type ErrorDetails = {
  /** The member's newer answer, which an appeal would be in the way of. */
  ANSWERED_AGAIN: { claim: Claim };
  /** `differs`: the stored one has other content than was sent. */
  APPEAL_USED: { claim: Claim; differs: boolean };
  /** `of`: another member has it; `claim`: the stored claim; `differs`: it has other content than was sent. */
  ALREADY_CLAIMED: { of: 'them' } | { claim: Claim; differs?: boolean };
  /**
   * A claim without a reviewer was decided by the task itself. `differs`: the stored one has other content than was
   * sent.
   */
  ALREADY_DECIDED: { claim: Claim; differs?: boolean } | { application: { state: string } } | { state: string };
  CAP_REACHED: { cap: 'total' | 'member'; of?: 'them' };
  CHAT_NOT_CONNECTED: { field: string; sort: 'group' | 'channel' };
  CLAIM_CHANGED: { claim: Claim };
  CODE_WRONG: { field: 'code'; why: 'unknown' | 'other_moment' | 'outside' };
  COMMUNITY_SUSPENDED: Suspension;
  DATE_NOT_ALLOWED: { field: 'date'; earliest: string | null; latest: string | null; problem: 'early' | 'late' };
  /** `days`: how long a season may last; null where it would be over at once. */
  DATE_OUT_OF_RANGE:
    | { field: 'date' | 'from' | 'pinnedUntil' | 'sendAt' | 'startsAt' }
    | { field: 'endsAt'; days: number | null };
  /** `asks`: what the member must type for a partner. */
  EVIDENCE_REQUIRED: { asks?: string };
  INVALID_INPUT: { problems: InputProblem[] };
  /** `title`: of the group whose message it should be. */
  MESSAGE_NOT_HERE: { field: string; title?: string };
  NOT_ALLOWED: { needs: 'leader' | 'moderator' };
  NOT_FOUND: { what: Missing };
  NOT_SEEN_YET: NotSeen;
  /** `of`: another person than the caller is meant. */
  NOT_VERIFIED: { of?: 'them' };
  NUMBER_NOT_ALLOWED: {
    field: 'value';
    min: number | null;
    max: number | null;
    decimals: number;
    unit: string;
    problem: 'low' | 'high' | 'decimals';
  };
  ONLY_LEADER: { communities: { name: string }[] };
  /** Whose requests are too many: one network's, one account's, or all visitors'. */
  PARTNERSHIP_LIMIT: { whose: 'network' | 'account' | 'strangers' };
  MODEL_FAILED: { isCounted: boolean };
  QUESTIONS_USED_UP: { whose: 'member' | 'community' | 'all' };
  SUSPENDED: Suspension;
  TASK_LOCKED: { by: 'claims'; season: null } | { by: 'season'; season: string };
  TIME_ZONE_LOCKED: { allowedAt: string };
  /** `hosts`: where a link must lead; `needs`: what kind of address is wanted instead. */
  URL_NOT_ALLOWED: { field?: string; hosts: string[] } | { field: string; needs: 'web' | 'open_https' };
  X_RELINK_LOCKED: { allowedAt: string };
};
