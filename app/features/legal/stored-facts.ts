/** The table of stored data (`server/contract/stored.ts`) in words. */
import {
  ELSEWHERE,
  type ElsewhereId,
  type Fate,
  SOONER,
  STORED,
  STORED_GROUPS,
  type StoredGroup,
  type StoredTable,
} from '../../../server/contract/stored.ts';
import { m } from '../../paraglide/messages.js';

/** A stored item: its name (`code`: as a browser shows it), its purpose, and details. */
export type Fact = { name: string; code?: boolean; what: string; more: readonly string[] };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A duration in words: days, or minutes below one day. */
export const timeWords = (ms: number): string =>
  ms < DAY_MS ? m.data_minutes({ count: Math.round(ms / MINUTE_MS) }) : m.data_days({ count: Math.round(ms / DAY_MS) });

type Words = { name: () => string; what: () => string; why: () => string };
const GROUP_WORDS: Record<StoredGroup, Words> = {
  account: { name: m.data_group_account, what: m.data_group_account_what, why: m.data_group_account_why },
  sessions: { name: m.data_group_sessions, what: m.data_group_sessions_what, why: m.data_group_sessions_why },
  memberships: {
    name: m.data_group_memberships,
    what: m.data_group_memberships_what,
    why: m.data_group_memberships_why,
  },
  claims: { name: m.data_group_claims, what: m.data_group_claims_what, why: m.data_group_claims_why },
  pictures: { name: m.data_group_pictures, what: m.data_group_pictures_what, why: m.data_group_pictures_why },
  points: { name: m.data_group_points, what: m.data_group_points_what, why: m.data_group_points_why },
  boards: { name: m.data_group_boards, what: m.data_group_boards_what, why: m.data_group_boards_why },
  rewards: { name: m.data_group_rewards, what: m.data_group_rewards_what, why: m.data_group_rewards_why },
  quizzes: { name: m.data_group_quizzes, what: m.data_group_quizzes_what, why: m.data_group_quizzes_why },
  notices: { name: m.data_group_notices, what: m.data_group_notices_what, why: m.data_group_notices_why },
  applications: {
    name: m.data_group_applications,
    what: m.data_group_applications_what,
    why: m.data_group_applications_why,
  },
  leading: { name: m.data_group_leading, what: m.data_group_leading_what, why: m.data_group_leading_why },
  connections: {
    name: m.data_group_connections,
    what: m.data_group_connections_what,
    why: m.data_group_connections_why,
  },
  audit: { name: m.data_group_audit, what: m.data_group_audit_what, why: m.data_group_audit_why },
  receipts: { name: m.data_group_receipts, what: m.data_group_receipts_what, why: m.data_group_receipts_why },
  assistant: { name: m.data_group_assistant, what: m.data_group_assistant_what, why: m.data_group_assistant_why },
  reports: { name: m.data_group_reports, what: m.data_group_reports_what, why: m.data_group_reports_why },
  consents: { name: m.data_group_consents, what: m.data_group_consents_what, why: m.data_group_consents_why },
  erasure: { name: m.data_group_erasure, what: m.data_group_erasure_what, why: m.data_group_erasure_why },
  instance: { name: m.data_group_instance, what: m.data_group_instance_what, why: m.data_group_instance_why },
};
const UNTIL_WORDS = {
  account: m.data_kept_account,
  community: m.data_kept_community,
  instance: m.data_kept_instance,
  ever: m.data_kept_ever,
} as const;
const SOONER_WORDS = { idle: m.data_kept_idle, unused: m.data_kept_unused } as const;
const FATES = ['deleted', 'emptied', 'stays', 'expires'] as const satisfies readonly Fate[];
const FATE_WORDS = {
  deleted: m.data_fate_deleted,
  emptied: m.data_fate_emptied,
  stays: m.data_fate_stays,
  expires: m.data_fate_expires,
} as const satisfies Record<(typeof FATES)[number], () => string>;

/** Every kind of data: what, why, how long, whether a download includes it, and what an erasure does. */
export const storedFacts = (): Fact[] => STORED_GROUPS.map(factOf);

function factOf(group: StoredGroup): Fact {
  const { name, what, why } = GROUP_WORDS[group];
  const all: readonly StoredTable[] = Object.values(STORED).filter((table) => table.group === group);
  const personal = all.filter(({ fate }) => fate !== 'nobody');
  const tables = personal.length > 0 ? personal : all;
  return {
    name: name(),
    what: what(),
    more: [
      `${m.data_stored_why()}: ${why()}`,
      `${m.data_stored_long()}: ${longOf(group, tables)}.`,
      `${m.data_stored_archive()}: ${archiveWords(personal)}.`,
      `${m.data_stored_erased()}: ${erasedWords(personal)}`,
    ],
  };
}

/** The longest retention of any part; if only parts expire, their retention. */
function longOf(group: StoredGroup, tables: readonly StoredTable[]): string {
  const untils = [...new Set(tables.flatMap(({ retention }) => ('until' in retention ? retention.until : [])))];
  const most = Math.max(0, ...tables.map(({ retention }) => ('ms' in retention ? retention.ms : 0)));
  const sooner = SOONER.filter((part) => part.group === group).map(({ of, ms }) =>
    SOONER_WORDS[of]({ time: timeWords(ms) }),
  );
  const times = most === 0 ? [] : [untils.length === 0 ? timeWords(most) : m.data_kept_part({ time: timeWords(most) })];
  return [...untils.map((until) => UNTIL_WORDS[until]()), ...times, ...sooner].join('; ');
}

function archiveWords(personal: readonly StoredTable[]): string {
  if (!personal.some(({ inArchive }) => inArchive)) return m.data_not_in_archive();
  return personal.every(({ inArchive }) => inArchive) ? m.data_in_archive() : m.data_in_archive_part();
}

function erasedWords(personal: readonly StoredTable[]): string {
  const fates = FATES.filter((fate) => personal.some((table) => table.fate === fate));
  return fates.length === 0 ? m.data_fate_nobody() : fates.map((fate) => FATE_WORDS[fate]()).join(' ');
}

type StoreWords = { name: () => string; what: () => string; long: () => string; erased: () => string };
const STORE_WORDS: Record<ElsewhereId, StoreWords> = {
  server_log: {
    name: m.data_place_server_log,
    what: m.data_place_server_log_what,
    long: m.data_place_server_log_long,
    erased: m.data_place_server_log_erased,
  },
  backups: {
    name: m.data_place_backups,
    what: m.data_place_backups_what,
    long: m.data_place_backups_long,
    erased: m.data_place_backups_erased,
  },
  device_store: {
    name: m.data_place_device_store,
    what: m.data_place_device_store_what,
    long: m.data_place_device_store_long,
    erased: m.data_place_device_store_erased,
  },
  device_hints: {
    name: m.data_place_device_hints,
    what: m.data_place_device_hints_what,
    long: m.data_place_device_hints_long,
    erased: m.data_place_device_hints_erased,
  },
  device_caches: {
    name: m.data_place_device_caches,
    what: m.data_place_device_caches_what,
    long: m.data_place_device_caches_long,
    erased: m.data_place_device_caches_erased,
  },
};
const storeFact = ({ id }: { id: ElsewhereId }): Fact => {
  const { name, what, long, erased } = STORE_WORDS[id];
  const more = [`${m.data_stored_long()}: ${long()}`, `${m.data_stored_erased()}: ${erased()}`];
  return { name: name(), what: what(), more };
};

/** What the instance stores outside its database. */
export const elsewhereFacts = (): Fact[] => ELSEWHERE.filter(({ onDevice }) => !onDevice).map(storeFact);
/** What a person's browser stores. */
export const deviceFacts = (): Fact[] => ELSEWHERE.filter(({ onDevice }) => onDevice).map(storeFact);
