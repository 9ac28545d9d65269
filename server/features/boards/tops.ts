import type { BoardRow } from '../../contract/boards.ts';
import { lru } from '../../domain/lru.ts';
import type { Blocks } from './blocks.ts';

/** A board of this version: its first rows, in which `me` is nobody yet, how many stand on it, and its widest counters. */
export type Top = { version: string; rows: readonly BoardRow[]; ranked: number; wide: Blocks };

/** Boards whose first rows are kept, of some 15 kB each. */
const HELD = 200;

/**
 * First rows as this process last read them. They are shown again only when the database, in the statement that reads
 * everything else, names the very version they were read at: a version is given once and for no other content, whoever
 * writes and in whichever database, so that nobody needs to be told of a change and no two processes disagree.
 */
export const tops = lru<Top>(HELD);

/** The same rows as `me` sees them. */
export const shownTo = (rows: readonly BoardRow[], me: string | null): BoardRow[] =>
  rows.map((row) => (row.userId === me ? { ...row, me: true } : row));
