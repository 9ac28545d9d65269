import type { TableName } from '../schema.ts';
import type { Transaction } from './storage.ts';

/** What one version of the database has beyond the one before: tables, and rows of another shape. */
export type Version = { adds: readonly TableName[]; upgrade?: (tx: Transaction) => Promise<void> };
/** Every version that a build has had, oldest first; the last is this build's. Never changed, only added to. */
export const VERSIONS: readonly Version[] = [
  { adds: ['settings', 'meta', 'logs', 'outbox'] },
  // What the server has answered and cached reads may not show yet. Earlier builds had it in localStorage.
  { adds: ['acknowledged'] },
];
/** Dexie's version number times this is the native one, which is the one on disk. */
export const NATIVE_PER_VERSION = 10;
