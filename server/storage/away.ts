/** Errors of the driver and of PostgreSQL that mean "storage is away just now", not "what was asked is wrong". */
const AWAY = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  '53300', // too many connections
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // starting up
]);

/** Whether an error says that a connection was lost or could not be had. */
export function isStorageAway(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  // ENOENT of a missing Unix socket is storage that is away; ENOENT of a file is a mistake of ours.
  return AWAY.has(error.code) || (error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect');
}
