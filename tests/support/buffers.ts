import type { Sql } from 'postgres';
import { connectTo } from '../../server/storage/connect.ts';
import type { TestDatabase } from './database.ts';

/** Pages that a statement reads: the same on a slow machine and a fast one. */
export type Read = { query: string; buffers: number };
/** A statement as it went to the database. */
export type Sent = { query: string; parameters: unknown[]; types: number[] };
type Plan = Record<'Shared Hit Blocks' | 'Shared Read Blocks' | 'Temp Read Blocks' | 'Temp Written Blocks', number>;
const UNDO = new Error('undone');

/** For `connectTo`: notes every statement that is sent. */
export const noting = (sent: Sent[]) => (_connection: number, query: string, parameters: unknown[], types: unknown[]) =>
  void sent.push({ query, parameters, types: types as number[] });
export const isRead = ({ query }: Sent): boolean => /^\s*(select|with|insert|update|delete)/i.test(query);

/** The pages that a statement reads: it is done once more, which is undone. */
export async function buffersOf(sql: Sql, { query, parameters, types }: Sent): Promise<number> {
  let buffers = 0;
  await sql
    .begin(async (tx) => {
      const given = parameters.map((value, at) => (types[at] ? tx.typed(value as never, types[at]) : value));
      const [row] = await tx.unsafe(`explain (analyze, buffers, format json) ${query}`, given as never[]);
      const plan: Plan = row?.['QUERY PLAN'][0].Plan;
      buffers =
        plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] + plan['Temp Read Blocks'] + plan['Temp Written Blocks'];
      throw UNDO;
    })
    .catch((error: unknown) => {
      if (error !== UNDO) throw error;
    });
  return buffers;
}

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
    for (const one of sent.splice(0).filter(isRead))
      reads.push({ query: one.query.replace(/\s+/g, ' ').trim(), buffers: await buffersOf(watched, one) });
  } finally {
    await watched.end();
  }
  return reads;
}
