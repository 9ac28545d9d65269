/**
 * All stored data: every table and every other store, its purpose, how long it is stored, which job deletes
 * it, whether a person's download contains it, and what an erasure does. The privacy policy is drawn from it, archive
 * and erasure follow it, and a test compares it with the schema (`tests/integration/stored.test.ts`). The columns with
 * personal data are in `server/features/person/columns.ts`.
 */
import { CHAT_LINK_LIVES_MS } from './chat-limits.ts';
import { PARTNERSHIP_RETENTION_DAYS } from './desk-limits.ts';
import { IMPORT_ID_WAITS_MS } from './import-limits.ts';
import {
  BOT_UNDO_MS,
  IDEMPOTENCY_RETENTION_DAYS,
  LEAGUE_RETENTION_WEEKS,
  LOG_RETENTION_DAYS,
  NOTIFICATION_LOG_RETENTION_MS,
  SESSION_ABSOLUTE_MS,
  SESSION_IDLE_MS,
  SIGN_IN_ATTEMPT_MS,
  UNUSED_IMAGE_RETENTION_MS,
  WEBHOOK_LOG_RETENTION_MS,
  X_PROOF_CODE_MS,
  X_RELINK_LOCK_MS,
} from './limits.ts';
import { LIVE_RETENTION_MS } from './open-limits.ts';
import { ACTIVE_COUNT_RETENTION_MS, BOT_MESSAGE_RETENTION_MS, LOG_IDS_RETENTION_DAYS } from './person-limits.ts';

/** Headings of the list for people. */
export const STORED_GROUPS = [
  'account',
  'sessions',
  'memberships',
  'claims',
  'pictures',
  'points',
  'boards',
  'rewards',
  'quizzes',
  'notices',
  'applications',
  'leading',
  'connections',
  'audit',
  'receipts',
  'assistant',
  'reports',
  'consents',
  'erasure',
  'instance',
] as const;
export type StoredGroup = (typeof STORED_GROUPS)[number];

/**
 * How long: as long as the account, the community or the instance is there; for ever, without a name once its person was
 * erased; or so many milliseconds, after which the job of that name (`server/runtime.ts`) deletes it.
 */
export type Retention = { until: 'account' | 'community' | 'instance' | 'ever' } | { ms: number; job: string };
/**
 * What an erasure does with a person's rows: deletes them; removes their words and names and keeps the rest for sums;
 * leaves them under a placeholder name, because they belong to a community or another person; leaves them to expire; or
 * there are none.
 */
export type Fate = 'deleted' | 'emptied' | 'stays' | 'expires' | 'nobody';
export type StoredTable = { group: StoredGroup; retention: Retention; fate: Fate; inArchive: boolean };

const DAY_MS = 24 * 60 * 60_000;
const ACCOUNT = { until: 'account' } as const;
const COMMUNITY = { until: 'community' } as const;
const INSTANCE = { until: 'instance' } as const;
const EVER = { until: 'ever' } as const;
const MINUTES = { ms: 5 * 60_000, job: 'sweep' } as const;
const QUEUED = { ms: 60_000, job: 'counts' } as const;
const LOGS = { ms: LOG_RETENTION_DAYS * DAY_MS, job: 'client-logs' } as const;
/** Same as `HEALTH_DAYS_KEPT` of the desk. */
const HEALTH = { ms: 400 * DAY_MS, job: 'health' } as const;
const NOTICES = { ms: NOTIFICATION_LOG_RETENTION_MS, job: 'notifications-log' } as const;

const row = (group: StoredGroup, retention: Retention, fate: Fate, inArchive: boolean): StoredTable => ({
  group,
  retention,
  fate,
  inArchive,
});
const own = (group: StoredGroup, retention: Retention = ACCOUNT): StoredTable => row(group, retention, 'deleted', true);
const nobodys = (group: StoredGroup, retention: Retention): StoredTable => row(group, retention, 'nobody', false);

export const STORED = {
  users: row('account', ACCOUNT, 'emptied', true),
  sessions: own('sessions', { ms: SESSION_ABSOLUTE_MS, job: 'sweep' }),
  sign_in_attempts: row('sessions', { ms: SIGN_IN_ATTEMPT_MS, job: 'sweep' }, 'deleted', false),
  x_proof_codes: row('account', { ms: X_PROOF_CODE_MS, job: 'sweep' }, 'deleted', false),
  x_unlinked: own('account', { ms: X_RELINK_LOCK_MS, job: 'sweep' }),
  x_tokens: row('account', ACCOUNT, 'deleted', false),
  x_revocations: row('account', { ms: 7 * DAY_MS, job: 'x-revocations' }, 'expires', false),
  used_signatures: nobodys('sessions', { ms: SIGN_IN_ATTEMPT_MS, job: 'sweep' }),
  forgotten_sessions: row('erasure', { ms: SESSION_ABSOLUTE_MS, job: 'sweep' }, 'expires', false),

  communities: row('leading', COMMUNITY, 'stays', true),
  community_members: own('memberships'),
  invites: own('memberships'),
  referrals: row('memberships', COMMUNITY, 'stays', true),
  imports: row('leading', COMMUNITY, 'stays', true),
  imported_people: row('memberships', { ms: IMPORT_ID_WAITS_MS, job: 'imports-forgotten' }, 'emptied', true),
  closed_offers: own('memberships'),
  announcements: row('leading', COMMUNITY, 'stays', true),
  saved_replies: nobodys('leading', COMMUNITY),
  leader_applications: own('applications'),
  audit_entries: row('audit', EVER, 'emptied', true),

  tasks: row('leading', COMMUNITY, 'stays', true),
  claims: row('claims', ACCOUNT, 'emptied', true),
  claim_events: row('claims', ACCOUNT, 'emptied', true),
  images: own('pictures'),
  event_keys: nobodys('leading', COMMUNITY),
  partner_keys: nobodys('leading', COMMUNITY),
  partner_checks: nobodys('claims', COMMUNITY),
  x_checks: nobodys('claims', { ms: DAY_MS, job: 'x-checks' }),
  x_budgets: nobodys('leading', COMMUNITY),
  x_spend: nobodys('leading', COMMUNITY),

  seasons: row('leading', COMMUNITY, 'stays', true),
  season_results: row('boards', COMMUNITY, 'stays', true),
  rewards: nobodys('rewards', COMMUNITY),
  reward_winners: row('rewards', COMMUNITY, 'stays', true),
  reward_entrants: row('rewards', COMMUNITY, 'stays', true),
  badges: own('points'),

  point_events: row('points', EVER, 'emptied', true),
  instance_queue: nobodys('points', EVER),
  point_days: nobodys('boards', COMMUNITY),
  scores: row('boards', EVER, 'stays', true),
  league_weeks: nobodys('boards', { ms: LEAGUE_RETENTION_WEEKS * 7 * DAY_MS, job: 'leagues' }),
  league_places: row('boards', { ms: LEAGUE_RETENTION_WEEKS * 7 * DAY_MS, job: 'leagues' }, 'stays', true),
  frozen_boards: row('boards', COMMUNITY, 'stays', true),
  score_counts: nobodys('boards', COMMUNITY),
  bucket_counts: nobodys('boards', COMMUNITY),

  vapid_keys: nobodys('instance', INSTANCE),
  push_subscriptions: own('notices', { ms: SESSION_ABSOLUTE_MS, job: 'sweep' }),
  push_origins: nobodys('notices', NOTICES),
  notification_settings: own('notices'),
  notification_choices: own('notices'),
  notification_days: own('notices', NOTICES),
  notifications: own('notices', NOTICES),
  notification_people: own('notices', NOTICES),
  notification_chunks: row('notices', NOTICES, 'emptied', false),
  notification_services: nobodys('notices', NOTICES),
  notification_events: own('notices', NOTICES),

  client_log_ids: nobodys('reports', { ms: LOG_IDS_RETENTION_DAYS * DAY_MS, job: 'client-logs' }),
  client_log_inbox: row('reports', MINUTES, 'deleted', true),
  client_log_entries: own('reports', LOGS),
  client_log_messages: row('reports', LOGS, 'emptied', false),
  client_log_releases: nobodys('reports', INSTANCE),
  client_log_issues: row('reports', LOGS, 'emptied', false),
  client_log_groups: nobodys('reports', LOGS),
  client_log_issue_events: row('reports', LOGS, 'stays', false),
  client_log_hours: nobodys('reports', LOGS),
  client_log_days: nobodys('reports', LOGS),
  client_log_facets: nobodys('reports', LOGS),
  client_log_people: row('reports', LOGS, 'deleted', false),
  client_log_series: nobodys('reports', LOGS),
  client_log_values: nobodys('reports', INSTANCE),
  client_log_devices: row('reports', LOGS, 'deleted', false),
  client_log_drops: row('reports', LOGS, 'deleted', false),
  client_log_daily: nobodys('reports', { ms: 365 * DAY_MS, job: 'client-logs' }),
  client_log_senders: row('reports', { ms: DAY_MS, job: 'client-logs' }, 'deleted', false),
  client_log_rules: row('instance', INSTANCE, 'stays', true),
  client_log_alerts: row('reports', LOGS, 'deleted', false),

  webhooks: row('connections', COMMUNITY, 'stays', true),
  webhook_deliveries: row('connections', { ms: WEBHOOK_LOG_RETENTION_MS, job: 'sweep' }, 'deleted', false),
  api_keys: own('connections', COMMUNITY),

  bot_messages: own('notices', { ms: BOT_MESSAGE_RETENTION_MS, job: 'sweep' }),
  bot_places: own('notices'),
  bot_check_ins: own('receipts', { ms: BOT_UNDO_MS, job: 'bot-check-ins' }),
  bot_updates: nobodys('receipts', { ms: 2 * DAY_MS, job: 'sweep' }),

  idempotency_keys: own('receipts', { ms: IDEMPOTENCY_RETENTION_DAYS * DAY_MS, job: 'sweep' }),
  rate_limits: row('receipts', MINUTES, 'deleted', false),

  quiz_packs: row('leading', COMMUNITY, 'stays', true),
  quiz_attempts: own('quizzes'),
  assistant_questions: own('assistant', { ms: 2 * DAY_MS, job: 'sweep' }),
  assistant_communities: nobodys('assistant', { ms: 2 * DAY_MS, job: 'sweep' }),
  assistant_days: nobodys('assistant', { ms: 2 * DAY_MS, job: 'sweep' }),

  erasures: own('erasure'),
  consents: own('consents'),

  instance_switches: row('instance', INSTANCE, 'stays', false),
  job_runs: nobodys('instance', INSTANCE),
  health_states: nobodys('instance', INSTANCE),
  health_days: nobodys('instance', HEALTH),
  backups: nobodys('instance', HEALTH),
  ledger_checks: nobodys('instance', INSTANCE),
  ledger_marks: nobodys('points', EVER),
  score_checks: row('boards', EVER, 'stays', false),
  visit_days: nobodys('instance', EVER),
  count_queue: nobodys('instance', QUEUED),
  state_queue: row('instance', QUEUED, 'expires', false),
  state_counts: nobodys('claims', COMMUNITY),
  member_days: row('claims', EVER, 'stays', true),
  counted_days: nobodys('instance', EVER),
  active_months: row('claims', EVER, 'stays', true),
  active_counts: nobodys('claims', { ms: ACTIVE_COUNT_RETENTION_MS, job: 'counts-compared' }),
  claim_days: nobodys('claims', COMMUNITY),
  wait_days: nobodys('claims', COMMUNITY),
  push_days: nobodys('notices', EVER),

  partnership_requests: own('applications', { ms: PARTNERSHIP_RETENTION_DAYS * DAY_MS, job: 'partnerships' }),
  former_names: own('account'),
  admin_links: nobodys('instance', INSTANCE),

  community_chats: row('leading', COMMUNITY, 'stays', true),
  chat_links: own('leading', { ms: 2 * CHAT_LINK_LIVES_MS, job: 'chat-links' }),
  chat_members: own('memberships'),
  chat_activity: own('claims'),

  change_queue: nobodys('instance', { ms: 60_000, job: 'changes' }),
  changes: nobodys('instance', { ms: LIVE_RETENTION_MS, job: 'changes-swept' }),
  schema_migrations: nobodys('instance', INSTANCE),
} as const satisfies Record<string, StoredTable>;
export type StoredName = keyof typeof STORED;

/** Parts of a table that end sooner than the rest of it. */
export const SOONER: readonly { group: StoredGroup; ms: number; job: string; of: 'idle' | 'unused' }[] = [
  { group: 'sessions', ms: SESSION_IDLE_MS, job: 'sweep', of: 'idle' },
  { group: 'pictures', ms: UNUSED_IMAGE_RETENTION_MS, job: 'images', of: 'unused' },
];

/** Stores outside of the database. `onDevice`: in the person's own browser, not in the instance. */
export const ELSEWHERE = [
  { id: 'server_log', onDevice: false },
  { id: 'backups', onDevice: false },
  { id: 'device_store', onDevice: true },
  { id: 'device_hints', onDevice: true },
  { id: 'device_caches', onDevice: true },
] as const;
export type ElsewhereId = (typeof ELSEWHERE)[number]['id'];
