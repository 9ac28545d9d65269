import { LOG_RETENTION_DAYS } from '../contract/limits.ts';
import { TABLES } from './tables.ts';

/** What an instance bears: its members, and means of a day. */
export type Load = { members: number; claims: number; logs: number; pictures: number };
/** What a machine for it has; `diskBytes` is what a year adds. */
export type Size = { cores: number; memoryBytes: number; diskBytes: number; restoreSeconds: number };

const MB = 2 ** 20;

/** What the reckoning stands on; `docs/operations/sizing.md` says of each where it is from. */
export const ASSUMED = {
  /** Processor time of a claim and of a read, and how many reads come with a claim. */
  claimMs: 9,
  readMs: 4,
  readsAClaim: 10,
  /** Share of a day that falls into its busiest hour, and the share of a core that people may take then. */
  busiestHour: 0.15,
  busyShare: 0.5,
  /** A core that jobs, backups and vacuum may take whatever people do. */
  coresBeside: 1,
  /** Node and PostgreSQL before any page is held in memory. */
  processBytes: 200 * MB,
  /** Days of claims that people look at; pages of them stay in memory. */
  hotDays: 30,
  pictureBytes: 150 * 1024,
  /** Steps of a claim's history, and communities of a member; days are counted for these and for the instance. */
  stepsAClaim: 1.1,
  communitiesAMember: 1.3,
  /** Room that PostgreSQL keeps free in its files, and its log. */
  slack: 1.3,
  writeAheadBytes: 1_024 * MB,
  restoreBytesASecond: 2.5 * MB,
} as const;

const bytesOf = (table: keyof typeof TABLES): number => TABLES[table].rowBytes ?? 0;
const A = ASSUMED;

/** Bytes of one claim that counts, with its history and its points. */
export const CLAIM_BYTES = bytesOf('claims') + bytesOf('claim_events') * A.stepsAClaim + bytesOf('point_events');
const MEMBER_BYTES =
  bytesOf('users') +
  bytesOf('sessions') +
  bytesOf('push_subscriptions') +
  bytesOf('consents') * 2 +
  (bytesOf('community_members') + bytesOf('scores')) * A.communitiesAMember +
  bytesOf('member_days') * (A.communitiesAMember + 1);
/** On which days a member acted. */
const MONTH_BYTES = bytesOf('active_months') * (A.communitiesAMember + 1);
/** An entry, its id, and who met its group. */
const LOG_BYTES = bytesOf('client_log_entries') + bytesOf('client_log_ids') + bytesOf('client_log_people');

/** What an instance needs, by its load. */
export function sizeFor({ members, claims, logs, pictures }: Load): Size {
  const msADay = claims * (A.claimMs + A.readMs * A.readsAClaim);
  const busyCores = (msADay * A.busiestHour) / 3_600_000 / A.busyShare;
  const people = members * MEMBER_BYTES;
  // Logs are deleted after a time, so a year adds no more of them.
  const entries = logs * LOG_RETENTION_DAYS * LOG_BYTES;
  const year = 365 * (claims * CLAIM_BYTES + pictures * A.pictureBytes) + 12 * members * MONTH_BYTES;
  return {
    cores: Math.ceil(busyCores) + A.coresBeside,
    memoryBytes: A.processBytes + people + claims * CLAIM_BYTES * A.hotDays,
    diskBytes: (people + entries + year) * A.slack + A.writeAheadBytes,
    restoreSeconds: (people + entries + year) / A.restoreBytesASecond,
  };
}
