import type { StoredName } from '../../contract/stored.ts';

/**
 * Columns with personal data, by table. All other columns are times, numbers, choices, or references to something else.
 */
export type PersonColumns = {
  /** Name the person whose row it is. */
  of: readonly string[];
  /** Name a person who did something to it: they stay, and are the tombstone's name once that person is erased. */
  by?: readonly string[];
  /** Hold words, names or addresses of the person; an erasure empties them where the row stays. */
  words?: readonly string[];
  /** Hold words that are the community's, another person's, or the instance's. */
  others?: readonly string[];
  /** Secrets and others' data, which no export contains. */
  secret?: readonly string[];
};

export const PERSON_COLUMNS: Partial<Record<StoredName, PersonColumns>> = {
  users: {
    of: ['id'],
    words: [
      'telegram_user_id',
      'telegram_username',
      'display_name',
      'words',
      'x_user_id',
      'twitter_username',
      'x_linked_by',
      'locale',
      'time_zone',
      'time_zone_before',
      'suspended_reason',
      'membership_source',
    ],
  },
  sessions: { of: ['user_id'], words: ['user_agent'], secret: ['token_hash'] },
  sign_in_attempts: { of: ['user_id'], words: ['next_path'], secret: ['state_hash', 'browser_hash', 'code_verifier'] },
  x_proof_codes: { of: ['user_id'], secret: ['code_hash'] },
  x_unlinked: { of: ['user_id'], words: ['x_user_id', 'name'] },
  x_tokens: { of: ['user_id'], secret: ['refresh_token', 'access_token'] },
  x_revocations: { of: ['user_id'], secret: ['refresh_token'] },
  forgotten_sessions: { of: ['user_id'], secret: ['token_hash'] },

  communities: {
    of: [],
    by: ['created_by'],
    others: [
      'slug',
      'name',
      'slug_look',
      'name_look',
      'description',
      'rules',
      'tags',
      'languages',
      'x_handle',
      'suspended_reason',
    ],
  },
  community_members: { of: ['user_id'], words: ['words'] },
  community_chats: {
    of: [],
    by: ['connected_by'],
    others: ['sort', 'title', 'username', 'invite_link', 'missing', 'gate'],
  },
  chat_links: { of: ['user_id'], words: ['sort', 'problem'], secret: ['code_hash'] },
  chat_members: { of: ['user_id'], words: ['source'] },
  chat_activity: { of: ['user_id'], words: ['period'] },
  invites: { of: ['user_id'], words: ['code'] },
  referrals: { of: ['invitee_id', 'inviter_id'] },
  imports: { of: [], by: ['created_by', 'undone_by'], others: ['source', 'file_name'] },
  // Names exist only until their owner is found.
  imported_people: { of: ['user_id'], words: ['telegram_user_id', 'telegram_username', 'x_handle', 'name'] },
  closed_offers: { of: ['user_id'] },
  announcements: { of: [], by: ['created_by'], others: ['title', 'body'] },
  leader_applications: { of: ['user_id'], by: ['decided_by'], words: ['about', 'plan', 'link', 'reason'] },
  audit_entries: { of: ['subject_id'], by: ['actor_id'], words: ['subject', 'reason'], others: ['action', 'via'] },

  tasks: {
    of: [],
    by: ['created_by'],
    others: ['title', 'instructions', 'config', 'local_window', 'conditions'],
  },
  claims: {
    of: ['user_id'],
    by: ['decided_by'],
    words: ['evidence', 'checks', 'answer_hash', 'reason', 'appeal_text'],
    others: ['period'],
  },
  claim_events: { of: [], by: ['actor_id'], words: ['reason', 'evidence'], others: ['from_state', 'to_state'] },
  images: { of: ['user_id'], words: ['sha256', 'bytes'] },

  seasons: { of: [], by: ['created_by'], others: ['name', 'rules'] },
  season_results: { of: ['user_id'] },
  reward_winners: { of: ['user_id'] },
  reward_entrants: { of: ['user_id'] },
  badges: { of: ['user_id'], others: ['code'] },

  point_events: { of: ['user_id'], by: ['actor_id'], words: ['reason'], others: ['period'] },
  scores: { of: ['user_id'] },
  score_checks: { of: ['user_id'] },
  league_places: { of: ['user_id'] },
  frozen_boards: { of: ['user_id'], others: ['period'] },

  push_subscriptions: {
    of: ['user_id'],
    words: ['endpoint', 'origin', 'user_agent'],
    others: ['vapid_key'],
    secret: ['p256dh', 'auth'],
  },
  notification_settings: { of: ['user_id'] },
  notification_choices: { of: ['user_id'], others: ['topic'] },
  notification_days: { of: ['user_id'] },
  notifications: {
    of: ['user_id'],
    by: ['created_by'],
    words: ['title', 'body', 'path'],
    others: ['topic', 'audience', 'local_time'],
  },
  notification_people: { of: ['user_id'] },
  notification_chunks: { of: ['targets'] },
  notification_events: { of: ['user_id'] },
  bot_messages: { of: ['user_id'], words: ['text', 'url'], others: ['origin', 'button', 'keys'] },
  bot_places: { of: ['user_id'] },
  bot_check_ins: { of: ['user_id'], others: ['origin'] },

  client_log_inbox: { of: ['sender'], words: ['data'], others: ['kind'] },
  client_log_entries: {
    of: ['user_id', 'person'],
    words: ['message', 'source', 'route', 'url', 'device', 'address', 'user_agent', 'data'],
    others: ['community', 'release', 'engine', 'browser', 'os', 'display', 'connection'],
  },
  client_log_messages: { of: [], words: ['message'] },
  client_log_issues: {
    of: [],
    words: ['title'],
    others: ['type', 'culprit', 'resolved_in', 'ignored_until', 'ignored_from', 'first_release', 'last_release'],
  },
  client_log_issue_events: { of: [], by: ['by_user'], others: ['what', 'detail'] },
  client_log_people: { of: ['person'] },
  client_log_devices: {
    of: ['person'],
    others: ['release', 'engine', 'browser', 'os', 'display', 'push', 'storage'],
  },
  client_log_drops: { of: ['user_id'], words: ['device'] },
  client_log_senders: { of: ['sender'] },
  client_log_rules: {
    of: [],
    by: ['created_by'],
    others: ['name', 'condition', 'quiet', 'failure', 'setting'],
    secret: ['channel'],
  },
  client_log_alerts: { of: [], words: ['title', 'text'], others: ['once', 'error'] },

  webhooks: { of: [], by: ['created_by'], others: ['url', 'events'], secret: ['secret'] },
  webhook_deliveries: { of: ['body'], others: ['event', 'error'] },
  api_keys: { of: ['user_id'], words: ['name'], others: ['scopes', 'prefix'], secret: ['hash'] },

  idempotency_keys: { of: ['user_id'], words: ['key'], others: ['route'], secret: ['request_hash', 'answer', 'ids'] },
  rate_limits: { of: ['key'] },

  quiz_packs: { of: [], by: ['created_by'], others: ['title', 'about', 'language', 'questions'] },
  // An attempt's questions contain the keys of a pack that is used again.
  quiz_attempts: { of: ['user_id'], words: ['answers'], others: ['pack', 'title'], secret: ['questions'] },
  assistant_questions: { of: ['user_id'] },

  state_queue: { of: ['user_id'] },
  member_days: { of: ['user_id'] },
  active_months: { of: ['user_id'] },
  partnership_requests: { of: ['user_id'], words: ['name', 'organisation', 'contact', 'message', 'answer'] },
  former_names: { of: ['user_id'], words: ['name'] },

  erasures: { of: ['user_id'], words: ['names', 'suspended_reason'], others: ['asked_by'] },
  consents: { of: ['user_id'], others: ['document', 'version'] },
  instance_switches: { of: [], by: ['changed_by'], others: ['name', 'reason'] },
};
