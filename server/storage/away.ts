/** Errors of the driver and of PostgreSQL that mean "storage is away just now", not "what was asked is wrong". */
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
  '53300', // too many connections
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // starting up
]);

/** Of a file these are mistakes of ours; of a connection, a missing Unix socket or a name that is not known just now. */
const AWAY_WHEN: Readonly<Record<string, string>> = {
  ENOENT: 'connect',
  ENOTFOUND: 'getaddrinfo',
  EAI_AGAIN: 'getaddrinfo',
};

/** Whether an error says that a connection was lost or could not be had. */
export function isStorageAway(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return AWAY.has(error.code) || ('syscall' in error && error.syscall === AWAY_WHEN[error.code]);
}
