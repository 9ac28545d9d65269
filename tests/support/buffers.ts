import type { Sql } from 'postgres';
import { connectTo } from '../../server/storage/connect.ts';
import type { TestDatabase } from './database.ts';

/** Pages that a statement reads: the same on a slow machine and a fast one. */
export type Read = { query: string; buffers: number };
/** A statement as it went to the database. */
export type Sent = { query: string; parameters: unknown[]; types: number[] };
/** What a statement reads, and through how many rows of tables it goes. */
export type Work = { buffers: number; rows: number };
type Counted =
  | 'Shared Hit Blocks'
  | 'Shared Read Blocks'
  | 'Temp Read Blocks'
  | 'Temp Written Blocks'
  | 'Actual Rows'
  | 'Actual Loops'
  | 'Rows Removed by Filter'
  | 'Rows Removed by Index Recheck';
type Plan = Partial<Record<Counted, number>> & { 'Node Type': string; Plans?: Plan[] };
const UNDO = new Error('undone');

/** For `connectTo`: notes every statement that is sent. */
export const noting = (sent: Sent[]) => (_connection: number, query: string, parameters: unknown[], types: unknown[]) =>
  void sent.push({ query, parameters, types: types as number[] });
export const isRead = ({ query }: Sent): boolean => /^\s*(select|with|insert|update|delete)/i.test(query);

const SCANS = new Set(['Seq Scan', 'Index Scan', 'Index Only Scan', 'Bitmap Heap Scan']);
/** Rows that scans gave or passed over. */
function rowsOf(plan: Plan): number {
  const each =
    (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const own = SCANS.has(plan['Node Type']) ? each * (plan['Actual Loops'] ?? 1) : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), own);
}

/**
 * What a statement reads: it is done once more, which is undone. `inSmallTables`: as the planner chooses; otherwise as in tables that
 * are too large to be read whole, where an index leads to what is looked for. `before` is the one sent before it: a setting of its
 * transaction.
 */
export async function workOf(
  sql: Sql,
  { query, parameters, types }: Sent,
  { inSmallTables = true, before }: { inSmallTables?: boolean; before?: Sent | undefined } = {},
): Promise<Work> {
  let work: Work | undefined;
  await sql
    .begin(async (tx) => {
      if (!inSmallTables) await tx`set local enable_seqscan = off`;
      if (before && /^\s*set local/i.test(before.query)) await tx.unsafe(before.query);
      const given = parameters.map((value, at) => (types[at] ? tx.typed(value as never, types[at]) : value));
      const [row] = await tx.unsafe(`explain (analyze, buffers, format json) ${query}`, given as never[]);
      const plan: Plan = row?.['QUERY PLAN'][0].Plan;
      const blocks = ['Shared Hit', 'Shared Read', 'Temp Read', 'Temp Written'] as const;
      const buffers = blocks.reduce((sum, kind) => sum + (plan[`${kind} Blocks`] ?? 0), 0);
      work = { buffers, rows: Math.round(rowsOf(plan)) };
      throw UNDO;
    })
    .catch((error: unknown) => {
      if (error !== UNDO) throw error;
    });
  if (!work) throw new Error('a statement was not explained');
  return work;
}

/** The pages that a statement reads. */
export const buffersOf = async (sql: Sql, sent: Sent): Promise<number> => (await workOf(sql, sent)).buffers;

/** Every statement that `act` sends and the pages it reads. */
export async function readsOf(
  { url }: Pick<TestDatabase, 'url'>,
  act: (sql: TestDatabase['sql']) => Promise<unknown>,
): Promise<Read[]> {
  const sent: Sent[] = [];
  const watched = connectTo(url, { max: 1, debug: noting(sent) });
  const reads: Read[] = [];
  try {
    await act(watched);
    const all = sent.splice(0);
    for (const [at, one] of all.entries()) {
      if (!isRead(one)) continue;
      const { buffers } = await workOf(watched, one, { before: all[at - 1] });
      reads.push({ query: one.query.replace(/\s+/g, ' ').trim(), buffers });
    }
  } finally {
    await watched.end();
  }
  return reads;
}
