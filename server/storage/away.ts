import { WAITED_TOO_LONG } from './deadline.ts';
import { SILENT } from './silence.ts';

/** Errors of the driver and of PostgreSQL that mean "storage is down", not "the request is wrong". */
const AWAY = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  WAITED_TOO_LONG,
  SILENT,
  '08000', // connection exceptions
  '08001',
  '08003',
  '08004',
  '08006',
  '25006', // read-only: a standby answers in the place of its primary
  '28000', // not let in, as while a password is changed
  '28P01',
  '3D000', // no such database
  '53300', // too many connections
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // starting up
  '57P04', // database dropped
]);

/** For a file these codes are our mistakes; for a connection they mean a missing Unix socket or an unresolved name. */
const AWAY_WHEN: Readonly<Record<string, string>> = {
  ENOENT: 'connect',
  ENOTFOUND: 'getaddrinfo',
  EAI_AGAIN: 'getaddrinfo',
};

/** Whether a connection was lost or could not be made. */
export function isStorageAway(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return AWAY.has(error.code) || ('syscall' in error && error.syscall === AWAY_WHEN[error.code]);
}

/** A disk that is full, or broken; memory that ran out. Told by PostgreSQL, or by Node of a file of ours. */
const OUT_OF: Readonly<Record<string, 'disk' | 'memory'>> = {
  '53100': 'disk',
  '58030': 'disk',
  ENOSPC: 'disk',
  EDQUOT: 'disk',
  '53200': 'memory',
};

/** What storage is out of (`disk` …); null for any other error. Nothing was written. */
export function outOf(error: unknown): 'disk' | 'memory' | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return OUT_OF[error.code] ?? null;
}
