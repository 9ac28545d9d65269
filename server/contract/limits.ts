/**
 * Every number that has a meaning outside one function, under its own name, in one home.
 * The first block is section 9 of the specification, exactly; units are in the names.
 */

// Specification, section 9
export const AUTH_USER_STALE_MS = 30_000;
export const AUTH_USER_KEPT_MS = 15 * 60_000;
export const MEMBERSHIP_CHECK_EVERY_MS = 2 * 60_000;
export const MEMBERSHIP_CHECK_STALE_MS = 60_000;
export const HEALTH_POLL_EVERY_MS = 30_000;
export const AUTOMATIC_RELOAD_COOLDOWN_MS = 5_000;
export const SERVICE_WORKER_REGISTERED_AFTER_MS = 1_000;
export const LOG_CAP_PER_KIND = 50;
export const TOOLTIP_DELAY_MS = 700;
export const TOOLTIP_SKIP_DELAY_MS = 300;
export const DEFAULT_THEME = 'light';
export const UPDATE_NOTICE_DISMISS_MS = 5_000;
export const QUERY_STALE_MS = 10 * 60_000;
export const QUERY_KEPT_MS = 30 * 60_000;
export const RETRY_FIRST_DELAY_MS = 1_000;
export const RETRY_MAX_DELAY_MS = 30_000;
export const MUTATION_KEPT_MS = 5 * 60_000;
export const TOAST_LIMIT = 1;
export const TOAST_REMOVE_DELAY_MS = 1_000_000;
export const TOAST_DURATION_MS = 5_000;
export const TOAST_SWIPE_PX = 50;
export const TOAST_HOTKEY = 'F8';

// Specification, section 8
export const QUERY_RETRIES = 2;
export const USER_QUERY_RETRIES_WHEN_AWAY = 5;
export const USER_QUERY_FIRST_DELAY_MS = 2_000;

// Specification, section 2: toast width at the medium breakpoint
/** Held against the stylesheet by a test. @public */
export const TOAST_MAX_WIDTH_PX = 420;

// HTTP
export const JSON_BODY_BYTES = 64 * 1024;
export const JSON_DEPTH = 16;
export const IDEMPOTENCY_KEPT_DAYS = 7;

// Sessions (threat model, row B1)
export const SESSION_IDLE_MS = 30 * 24 * 60 * 60_000;
export const SESSION_ABSOLUTE_MS = 90 * 24 * 60 * 60_000;
export const MINI_APP_SESSION_ABSOLUTE_MS = 24 * 60 * 60_000;
export const SIGN_IN_ATTEMPT_MS = 10 * 60_000;
export const INIT_DATA_MAX_AGE_MS = 10 * 60_000;
export const LEGACY_LOGIN_MAX_AGE_MS = 5 * 60_000;
export const SIGN_IN_CLOCK_AHEAD_MS = 60_000;
export const X_RELINK_LOCK_MS = 30 * 24 * 60 * 60_000;

// Communities and tasks
export const SLUG_MIN = 3;
export const SLUG_MAX = 32;
export const COMMUNITY_NAME_MAX = 60;
export const COMMUNITY_DESCRIPTION_MAX = 600;
export const COMMUNITY_RULES_MAX = 4_000;
export const COMMUNITY_TAGS_MAX = 8;
export const COMMUNITIES_CREATED_PER_DAY = 3;
export const TASK_TITLE_MAX = 90;
export const TASK_INSTRUCTIONS_MAX = 2_000;
export const TASK_POINTS_MAX = 1_000;
export const SUBMISSION_TEXT_MAX = 4_000;
export const DECISION_REASON_MAX = 500;
export const TASKS_PER_COMMUNITY = 200;
/** An offline act is believed when it reaches the server within this time. */
export const ACTED_AT_GRACE_MS = 48 * 60 * 60_000;
export const SAMPLE_TASKS = 5;
export const PEOPLE_PAGE = 100;
/** Names shown where a screen says who leads or reviews. */
export const NAMES_SHOWN = 10;

// Boards
export const BOARD_TOP = 50;
export const BOARD_PREVIEW = 10;
export const BOARD_AROUND_ME = 10;
export const LEDGER_PAGE = 50;
export const REVIEW_PAGE = 50;
export const DIRECTORY_PAGE = 60;

// Offline (design: durable first, bounded batches, bounded waits)
export const READ_FALLBACK_AFTER_MS = 3_000;
export const SEND_TIMEOUT_MS = 15_000;
export const LOG_BATCH_MAX = 25;
export const LOG_BATCH_AFTER_FAILURE = 5;
export const DRAIN_BACKOFF_FIRST_MS = 1_000;
export const DRAIN_BACKOFF_MAX_MS = 5 * 60_000;

// Client logs on the server (threat model, row E1)
/** Whole requests with log entries that one sender may make at once, and how many a second come back. */
export const LOG_BUCKETS = {
  address: { burst: 240, perSecond: 4 },
  session: { burst: 120, perSecond: 2 },
  instance: { burst: 3_000, perSecond: 1_500 },
} as const;
/** Entries kept a day; what is over is refused and counted. */
export const LOG_DAILY_ROWS = 500_000;
export const LOG_KEPT_DAYS = 30;
/** Groups of alike errors; what is alike to none of them goes into "other" from then on. */
export const LOG_GROUPS_MAX = 5_000;
export const LOG_PAGE = 50;
export const LOG_PAGE_MAX = 200;
export const LOG_SEARCH_MAX = 200;
export const LOG_MERGE_MAX = 100;
export const LOG_EXPORT_ROWS_MAX = 100_000;
export const LOG_TAIL_MS = 60 * 60_000;
export const ALERT_NAME_MAX = 80;
export const ALERT_RULES_MAX = 50;
export const RULE_COOLDOWN_MAX_MINUTES = 7 * 24 * 60;
export const WEBHOOK_URL_MAX = 2_000;

// Levels: 5L² + 50L + 100 points lead from level L to L + 1 (design, product rules)
export const pointsToNextLevel = (level: number): number => 5 * level * level + 50 * level + 100;

/** Level and progress within it, derived from a total of points; never stored. */
export function levelOf(total: number): { level: number; into: number; needed: number } {
  let level = 0;
  let rest = Math.max(0, total);
  while (rest >= pointsToNextLevel(level)) {
    rest -= pointsToNextLevel(level);
    level += 1;
  }
  return { level, into: rest, needed: pointsToNextLevel(level) };
}
