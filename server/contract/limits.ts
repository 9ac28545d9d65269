/**
 * Every number that has a meaning outside one function, under its own name, in one home.
 * A long file, because one home is its point. The first block is section 9 of the specification, exactly; units are in the names.
 */

// Specification, section 9
export const AUTH_USER_STALE_MS = 30_000;
export const AUTH_USER_CACHE_MS = 15 * 60_000;
export const MEMBERSHIP_CHECK_EVERY_MS = 2 * 60_000;
export const MEMBERSHIP_CHECK_STALE_MS = 60_000;
export const HEALTH_POLL_EVERY_MS = 30_000;
export const AUTOMATIC_RELOAD_COOLDOWN_MS = 5_000;
export const SERVICE_WORKER_REGISTERED_AFTER_MS = 1_000;
export const LOG_CAP_PER_KIND = 50;
/** Breadcrumbs that a page holds in memory and sends with an error. */
export const BREADCRUMBS_MAX = 30;
export const TOOLTIP_DELAY_MS = 700;
export const TOOLTIP_SKIP_DELAY_MS = 300;
export const DEFAULT_THEME = 'light';
export const UPDATE_NOTICE_DISMISS_MS = 5_000;
export const QUERY_STALE_MS = 10 * 60_000;
export const QUERY_CACHE_MS = 30 * 60_000;
export const RETRY_FIRST_DELAY_MS = 1_000;
export const RETRY_MAX_DELAY_MS = 30_000;
export const MUTATION_CACHE_MS = 5 * 60_000;
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
/** For routes whose fields, in any script, can be larger. */
export const LARGE_BODY_BYTES = 256 * 1024;
export const JSON_DEPTH = 16;
/** Elements and fields of a JSON body in all; the largest body that any route takes has fewer than a third of it. */
export const JSON_VALUES = 10_000;
export const IDEMPOTENCY_RETENTION_DAYS = 7;
/** To the first byte of an answer; less than a device waits (`SEND_TIMEOUT_MS`). */
export const ANSWER_MS = 12_000;
/** The same for routes that call other services in sequence or read much. */
export const ANSWER_UPSTREAM_MS = 30_000;
export const ANSWER_LONG_MS = 60_000;

// Sessions (threat model, row B1)
/** Live ones of one person; a further sign-in ends the oldest. */
export const SESSIONS_PER_PERSON = 20;
export const SESSION_IDLE_MS = 30 * 24 * 60 * 60_000;
export const SESSION_ABSOLUTE_MS = 90 * 24 * 60 * 60_000;
export const MINI_APP_SESSION_ABSOLUTE_MS = 24 * 60 * 60_000;
export const SIGN_IN_ATTEMPT_MS = 10 * 60_000;
export const INIT_DATA_MAX_AGE_MS = 10 * 60_000;
export const LEGACY_LOGIN_MAX_AGE_MS = 5 * 60_000;
export const SIGN_IN_CLOCK_AHEAD_MS = 60_000;
export const X_RELINK_LOCK_MS = 30 * 24 * 60 * 60_000;
/** A code that proves an X account by a post. */
export const X_PROOF_CODE_MS = 15 * 60_000;
/** What a community may spend at X in a month at most, thousandths of a dollar. */
export const X_BUDGET_MAX = 10_000_000;
/** How long X is retried about a claim while it does not answer. */
export const X_CHECK_FOR_MS = 24 * 60 * 60_000;

// Communities and tasks
export const SLUG_MIN = 3;
export const SLUG_MAX = 32;
export const COMMUNITY_NAME_MAX = 60;
export const COMMUNITY_DESCRIPTION_MAX = 600;
export const COMMUNITY_RULES_MAX = 4_000;
export const COMMUNITY_TAGS_MAX = 8;
export const COMMUNITY_TAG_MAX = 24;
export const COMMUNITIES_CREATED_PER_DAY = 3;
/** Either way from zero; exact with six decimals. */
export const NUMBER_MAX = 1_000_000_000;
export const NUMBER_DECIMALS_MAX = 6;
export const NUMBER_UNIT_MAX = 24;
export const SCALE_MAX = 10;
export const SCALE_LABEL_MAX = 60;
export const PARTNER_ASKS_MAX = 80;
export const PARTNER_ANSWER_MAX = 200;
export const TASK_TITLE_MAX = 90;
export const TASK_INSTRUCTIONS_MAX = 2_000;
export const TASK_POINTS_MAX = 1_000;
/** The largest total that a condition or reward can require. */
export const TOTAL_POINTS_MAX = 10_000_000;
export const SUBMISSION_TEXT_MAX = 4_000;
export const DECISION_REASON_MAX = 500;
export const TASKS_PER_COMMUNITY = 200;
export const TASKS_PAGE = 50;
/** An offline action's device time is trusted if it arrives within this time. */
export const ACTED_AT_GRACE_MS = 48 * 60 * 60_000;
export const SAMPLE_TASKS = 5;
export const PEOPLE_PAGE = 100;
/** Names of leaders and moderators that a screen shows. */
export const NAMES_SHOWN = 10;

// Boards
export const BOARD_TOP = 50;
export const BOARD_PREVIEW = 10;
export const BOARD_AROUND_ME = 10;

// Leagues
/** Members of a group are about so many; fewer than the least play with the next division. */
export const LEAGUE_GROUP = 30;
export const LEAGUE_GROUP_LEAST = 15;
export const LEAGUE_DIVISIONS = 5;
/** One in so many of a group rises, and as many fall. */
export const LEAGUE_MOVES_ONE_IN = 5;
/** Past weeks that are stored; a member who was away longer starts in the first division. */
export const LEAGUE_RETENTION_WEEKS = 26;

// Activity of a community
/** On its members' first screen, and on one page of all of it. */
export const LATELY_SHOWN = 5;
export const ACTIVITY_PAGE = 30;
export const LEDGER_PAGE = 50;
export const REVIEW_PAGE = 50;
export const DIRECTORY_PAGE = 60;

// Offline (design: durable first, bounded batches, bounded waits)
export const READ_FALLBACK_AFTER_MS = 3_000;
export const SEND_TIMEOUT_MS = 15_000;
/** Prefetch for offline use: delay after sign-in, interval, and number of communities. */
export const WARM_UP_AFTER_MS = 4_000;
export const WARM_UP_EVERY_MS = 12 * 60 * 60_000;
export const WARM_UP_COMMUNITIES = 30;
/** Bytes of answers, unpacked, that one warm-up brings at most. */
export const WARM_UP_BYTES = 2_000_000;
export const LOG_BATCH_MAX = 25;
export const LOG_BATCH_AFTER_FAILURE = 5;
/** How long a command can be undone before it is sent. */
export const UNDO_MS = 8_000;
/** The same of a press in the bot, whose message with Undo comes a second or two later. */
export const BOT_UNDO_MS = 15_000;
export const DRAIN_BACKOFF_FIRST_MS = 1_000;
export const DRAIN_BACKOFF_MAX_MS = 5 * 60_000;

// Client logs on the server (threat model, row E1)
/** Whole requests with log entries that one sender may make at once, and how many a second come back. */
export const LOG_BUCKETS = {
  address: { burst: 240, perSecond: 4 },
  session: { burst: 120, perSecond: 2 },
  instance: { burst: 3_000, perSecond: 1_500 },
} as const;
/** Entries stored per day; more are refused and counted. */
export const LOG_DAILY_ROWS = 500_000;
export const LOG_RETENTION_DAYS = 30;
/** Megabytes (10⁶ bytes) stored per day, and in all: over it the oldest days are deleted. */
export const LOG_DAY_MB = 250;
export const LOG_TOTAL_MB = 2_000;
/** Parts of a day's rows and bytes: of all strangers together, the rest being members'; of one sender in an hour. */
export const LOG_SHARES = { strangers: 1 / 2, memberHour: 1 / 50, strangerHour: 1 / 100 } as const;
/** Bytes stored of one entry, as JSON. */
export const LOG_ENTRY_BYTES = { member: 8_000, stranger: 2_000 } as const;
/** Entries that may wait to be ingested into issues: five seconds' work at 4,000 a second, which the slowest machine does. */
export const LOG_INBOX_MAX = 20_000;
/** Groups of similar errors; beyond it, new ones go into "other". */
export const LOG_GROUPS_MAX = 5_000;
/** New groups that one sender may open in an hour. */
export const LOG_NEW_GROUPS = { member: 200, stranger: 100 } as const;
/** Parts of all groups that strangers leave free: for members, and for the build that runs. */
export const LOG_GROUPS_RESERVED = { members: 1 / 10, running: 1 / 10 } as const;
export const LOG_PAGE = 50;
export const LOG_PAGE_MAX = 200;
export const LOG_SEARCH_MAX = 200;
export const LOG_MERGE_MAX = 100;
export const LOG_EXPORT_ROWS_MAX = 100_000;
export const LOG_TAIL_MS = 60 * 60_000;

// Event streams: each holds a connection that the server writes to.
export const STREAMS_PER_PERSON = 3;
export const STREAMS_PER_PROCESS = 50;
/** How often the session and role of stream listeners are checked. */
export const STREAM_CHECK_MS = 15_000;
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

// Task setup
export const LINK_MAX = 2_000;
export const TASK_CAP_MAX = 1_000_000;
/** What the editor has a quiz wait after a failed try, where its leader chose nothing (docs/decisions/quizzes.md). */
export const QUIZ_COOL_DOWN_MINUTES = 10;
/** Least wait after a try that no check passed, whatever the leader chose. */
export const TRY_WAIT_LEAST_MINUTES = 1;
/** Such attempts of one member at one task within 24 hours. */
export const TRIES_PER_DAY = 24;
export const TASK_COOL_DOWN_MAX_MINUTES = 30 * 24 * 60;
export const CONDITIONS_PER_GROUP = 8;
export const QUIZ_QUESTIONS_MAX = 30;
export const QUIZ_OPTIONS_MAX = 6;
export const QUIZ_QUESTION_MAX = 300;
export const QUIZ_OPTION_MAX = 160;
export const QUIZ_EXPLANATION_MAX = 600;
/** Answers that come faster than this for each question are marked for a reviewer. */
export const QUIZ_HUMAN_FLOOR_MS = 1_500;
/** Longer than any quiz takes. */
export const QUIZ_TOOK_MAX_MS = 30 * 24 * 60 * 60_000;
export const POLL_OPTIONS_MAX = 10;
export const URL_HOSTS_MAX = 10;
export const INVITES_NEEDED_MAX = 100;
/** A steward's code changes this often and is taken from the step before and after too. */
export const EVENT_CODE_STEP_MS = 60_000;
export const EVENT_CODE_MAX = 300;
/** A date of a task, season or announcement lies within this much of now. */
export const PLANNED_WITHIN_MS = 2 * 366 * 24 * 60 * 60_000;

// Quiz packs and attempts (docs/decisions/quizzes.md)
export const QUIZ_PACK_TITLE_MAX = 90;
export const QUIZ_PACK_ABOUT_MAX = 300;
export const QUIZ_PACK_QUESTIONS_MAX = 60;
/** A whole pack, its fields filled in any script. */
export const QUIZ_PACK_BYTES = 1024 * 1024;
export const QUIZ_PACKS_PER_COMMUNITY = 30;
export const QUIZ_QUESTION_ID_MAX = 64;
export const QUIZ_SOURCE_TITLE_MAX = 200;
/** Entries of an ordering or of the left side of a matching; its right side may have `QUIZ_OPTIONS_MAX`. */
export const QUIZ_ITEMS_MIN = 3;
export const QUIZ_ITEMS_MAX = 6;
export const QUIZ_NUMBER_MAX = 40;
export const QUIZ_UNIT_MAX = 24;
/** Questions of a graded attempt at a pack of ours, and the percent of them that must be right. */
export const QUIZ_ATTEMPT_QUESTIONS = 5;
export const QUIZ_ATTEMPT_PASS_PERCENT = 80;
/** Failed tries of one member at one pack within 24 hours, in all tasks together: as many as our packs have fresh questions for. */
export const QUIZ_TRIES_PER_DAY = 2;
/** Attempts that a member is shown, the latest ones. */
export const QUIZ_ATTEMPTS_SHOWN = 20;
/** Answers to a pack's questions are reported from this many members on, so no individual is recognizable. */
export const QUIZ_MISSES_FROM_MEMBERS = 5;

// Claims
export const IMAGE_BYTES = 300 * 1024;
/** Size of a PDF or plain text from a member. */
export const FILE_BYTES = 1024 * 1024;
export const FILE_NAME_MAX = 120;
export const IMAGE_SIDE_MAX_PX = 4_096;
export const IMAGES_PER_MEMBER_DAY = 60;
/** An image that no claim shows is deleted after this long. */
export const UNUSED_IMAGE_RETENTION_MS = 3 * 24 * 60 * 60_000;
/** Answers that a claim is compared with, the latest ones, and how alike two are to be shown (0 to 1). */
export const SIMILAR_COMPARED = 500;
export const SIMILAR_FROM = 0.5;
export const APPEAL_MAX = 1_000;
/** An appeal is possible for this long after the decision. */
export const APPEAL_WITHIN_MS = 14 * 24 * 60 * 60_000;
export const DECISIONS_AT_ONCE = 100;
/** Largest `int` of the column. */
export const CLAIM_VERSION_MAX = 2_147_483_647;
export const SIMILAR_SHOWN = 10;
export const CLAIMS_PAGE = 50;
/** Saved replies of a community per decision. */
export const SAVED_REPLIES_MAX = 8;
/** Decided claims in a member's record. */
export const RECORD_SHOWN = 10;

// A leader's Today
export const MORNING_APPEALS = 3;
export const MORNING_TASKS = 5;
export const MORNING_NAMES = 4;
export const MORNING_STREAKS = 5;
/** Streaks that are reckoned for it, those with the most days first, and the days from which one is worth a line. */
export const MORNING_STREAKS_RECKONED = 200;
export const MORNING_STREAK_FROM_DAYS = 3;

// Points, streaks, badges
export const ADJUSTMENT_MAX = 100_000;
/** Largest sum of manual points, so PostgreSQL's integers have room for earned ones. */
export const POINTS_BY_HAND_MAX = 1_000_000_000;
export const FREEZES_HELD_MAX = 2;
/** Counted days in a row that earn a freeze. */
export const FREEZE_EARNED_EVERY_DAYS = 7;
/** One missed day is repaired automatically within this many days. */
export const REPAIR_EVERY_DAYS = 7;
/** Replaces the name of a member who hides it from others; same as `shown_name()` in the database. */
export const HIDDEN_NAME = 'Hidden member';
export const STREAK_CALENDAR_DAYS = 62;
export const TIME_ZONE_LOCK_MS = 30 * 24 * 60 * 60_000;

// Seasons and rewards
export const SEASON_NAME_MAX = 60;
export const SEASON_RULES_MAX = 2_000;
export const SEASON_MAX_DAYS = 366;
export const SEASON_GRACE_MAX_HOURS = 7 * 24;
export const SEASON_GRACE_DEFAULT_HOURS = 48;
export const SEASONS_PER_COMMUNITY = 100;
export const REWARD_NAME_MAX = 80;
export const REWARD_DESCRIPTION_MAX = 600;
export const REWARDS_PER_SEASON = 20;
export const REWARD_PLACES_MAX = 10_000;
export const WINNERS_SHOWN = 100;

// Referral
export const INVITE_CODE_MAX = 16;
export const INVITE_THRESHOLD_DEFAULT = 50;
export const INVITE_THRESHOLD_MAX = 10_000;

// Leaders' rooms
export const MEMBERS_PAGE = 50;
/** Matches of a search that are put in order; of more, the reader is told to go on typing. */
export const SEARCH_FOUND = 200;
/** Accounts are counted up to this; one more says that there are more. */
export const COUNTED_MOST = 1_000;
export const SEARCH_MAX = 60;
export const ANNOUNCEMENT_TITLE_MAX = 90;
export const ANNOUNCEMENT_BODY_MAX = 2_000;
/** Sending to or approving more than this asks for confirmation. */
export const CONFIRM_ABOVE = 10;
export const ANNOUNCEMENTS_PAGE = 20;
export const ANNOUNCEMENTS_ON_DASHBOARD = 3;
export const APPLICATION_TEXT_MAX = 1_000;
export const APPLICATIONS_PAGE = 50;
export const ACCOUNTS_PAGE = 50;
/** Acts on an account that its page shows. */
export const PERSON_HISTORY = 50;
/** A shorter suspension would end before anyone noticed. */
export const SUSPENSION_LEAST_MS = 60_000;
export const AUDIT_PAGE = 50;
/** Bytes read of a partner's answer. */
export const PARTNER_BYTES = 16 * 1024;
/** Characters shown of a partner's message to a member. */
export const PARTNER_WORDS_MAX = 300;
export const WEBHOOKS_PER_COMMUNITY = 10;
/** Deliveries that may wait for one webhook; then it is paused. */
export const WEBHOOK_WAITING_MAX = 5_000;
export const WEBHOOK_DELIVERIES_PAGE = 50;
export const WEBHOOK_RETRY_FOR_MS = 24 * 60 * 60_000;
export const WEBHOOK_RETRY_FIRST_MS = 30_000;
export const WEBHOOK_RETRY_MAX_MS = 60 * 60_000;
export const WEBHOOK_TIMEOUT_MS = 10_000;
export const WEBHOOK_LOG_RETENTION_MS = 30 * 24 * 60 * 60_000;
export const API_KEYS_PER_COMMUNITY = 10;
export const API_KEY_NAME_MAX = 60;
export const API_KEY_MAX_DAYS = 366;

// Assistant
export const ASSISTANT_QUESTION_MAX = 500;
/** Characters of an answer; a model that writes more is cut off. */
export const ASSISTANT_ANSWER_MAX = 6_000;
/** Earlier questions that the model gets. */
export const ASSISTANT_EARLIER_MAX = 3;
/** What one question to the instance's model may cost: calls to its service; bytes (UTF-8) sent to it and read from it. */
export const QUESTION_CALLS_MAX = 6;
export const QUESTION_BYTES_MAX = 60_000;
/** Parts of it: what a lookup may return, what earlier questions may take, and what is left for the answer. */
export const TOOL_RESULT_BYTES_MAX = 8_000;
export const ASSISTANT_EARLIER_BYTES_MAX = 8_000;
export const ASSISTANT_ANSWER_BYTES_RESERVED = 12_000;
/** Questions, calls and bytes in a day of UTC: of one member, of the members of a community, and of all together. */
export const ASSISTANT_QUESTIONS_PER_DAY = 20;
export const MODEL_PER_DAY = {
  member: {
    questions: ASSISTANT_QUESTIONS_PER_DAY,
    calls: ASSISTANT_QUESTIONS_PER_DAY * QUESTION_CALLS_MAX,
    bytes: ASSISTANT_QUESTIONS_PER_DAY * QUESTION_BYTES_MAX,
  },
  community: { questions: 400, calls: 1_200, bytes: 8_000_000 },
  all: { questions: 2_000, calls: 6_000, bytes: 40_000_000 },
};
/** Questions that a member gets back in a day because the service could not be reached. */
export const QUESTIONS_GIVEN_BACK_PER_DAY = 3;
/** How often a model may look something up for one answer. */
export const ASSISTANT_ROUNDS_MAX = 4;
/** From the question to the answer's last word, and between two words. */
export const ASSISTANT_DEADLINE_MS = 60_000;
export const ASSISTANT_SILENCE_MS = 20_000;
/** Questions and answers that a device stores per member. */
export const ASSISTANT_HISTORY_MAX = 40;
/** Communities of a member whose rules, tasks and announcements are searched. */
export const ASSISTANT_COMMUNITIES_MAX = 6;

// Writing tools
/** A leader's description of a task for the model. */
export const TASK_SENTENCE_MAX = 500;
/** Answers that the model summarizes at once, and characters of each. */
export const SUMMED_ANSWERS_MAX = 200;
export const SUMMED_ANSWER_MAX = 1_000;
export const SUMMED_UP_MAX = 2_000;
/** From the request to the last word that the model writes. */
export const WRITING_DEADLINE_MS = 30_000;

// Push and notifications
export const PUSH_SUBSCRIPTIONS_PER_MEMBER = 10;
export const PUSH_ENDPOINT_MAX = 2_048;
/** From the first byte to the last of one message to a push service. */
export const PUSH_TIMEOUT_MS = 10_000;
/** A signed VAPID header serves its push service for so long. */
export const VAPID_HEADER_CACHE_MS = 12 * 60 * 60_000;
/** A message that was not delivered by then has no more meaning: the TTL that a push service gets. */
export const NOTIFICATION_LIVES_MS = 24 * 60 * 60_000;
export const PUSH_RETRY_FIRST_MS = 5_000;
export const PUSH_RETRY_MAX_MS = 60 * 60_000;
/** Pause for a push service that limits us without naming a time. */
export const PUSH_THROTTLED_REST_MS = 5 * 60_000;
/** Longest pause that a push service can ask for. */
export const PUSH_RETRY_AFTER_MAX_MS = 60 * 60_000;
export const NOTIFICATION_CAP_DEFAULT = 8;
export const NOTIFICATION_CAP_MAX = 50;
export const NOTIFICATION_CHOICES_MAX = 500;
export const NOTIFICATION_LOG_RETENTION_MS = 30 * 24 * 60 * 60_000;
/** A service worker waits so long for a notification's text before it shows the general one. */
export const NOTIFICATION_TEXT_WITHIN_MS = 3_000;
export const CAMPAIGNS_PAGE = 20;
export const CAMPAIGN_BODY_MAX = 200;
/** What a streak's reminder is put off by. */
export const SNOOZE_MS = 2 * 60 * 60_000;
/** Hours of a member's own day within which a streak that ends is spoken of. */
export const STREAK_REMINDER_FROM_HOUR = 18;
export const STREAK_REMINDER_UNTIL_HOUR = 21;

// Prices of coins
export const PRICES_TIMEOUT_MS = 4_000;
export const PRICES_FRESH_MS = 60_000;
/** How long a source that failed is left alone. */
export const PRICES_REST_MS = 30_000;
export const PRICES_CACHE_MS = 24 * 60 * 60_000;
export const PRICES_ANSWER_MAX_BYTES = 64 * 1024;
