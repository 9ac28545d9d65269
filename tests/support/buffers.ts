import { connectTo } from '../../server/storage/connect.ts';
import type { TestDatabase } from './database.ts';

/** Pages that a statement reads: the same on a slow machine and a fast one. */
export type Read = { query: string; buffers: number };
type Plan = Record<'Shared Hit Blocks' | 'Shared Read Blocks' | 'Temp Read Blocks' | 'Temp Written Blocks', number>;
const UNDO = new Error('undone');

/** Every statement that `act` sends and the pages it reads: done once, and once more to be counted, which is undone. */
export async function readsOf(
  { url }: Pick<TestDatabase, 'url'>,
  act: (sql: TestDatabase['sql']) => Promise<unknown>,
): Promise<Read[]> {
  const sent: { query: string; parameters: unknown[]; types: number[] }[] = [];
  const watched = connectTo(url, {
    max: 1,
    debug: (_connection, query, parameters, types) => sent.push({ query, parameters, types }),
  });
  const reads: Read[] = [];
  try {
    await act(watched);
    for (const { query, parameters, types } of sent.splice(0)) {
      if (!/^\s*(select|with|insert|update|delete)/i.test(query)) continue;
      await watched
        .begin(async (tx) => {
          const given = parameters.map((value, at) => (types[at] ? tx.typed(value as never, types[at]) : value));
          const [row] = await tx.unsafe(`explain (analyze, buffers, format json) ${query}`, given as never[]);
          const plan: Plan = row?.['QUERY PLAN'][0].Plan;
          const buffers =
            plan['Shared Hit Blocks'] +
            plan['Shared Read Blocks'] +
            plan['Temp Read Blocks'] +
            plan['Temp Written Blocks'];
          reads.push({ query: query.replace(/\s+/g, ' ').trim(), buffers });
          throw UNDO;
        })
        .catch((error: unknown) => {
          if (error !== UNDO) throw error;
        });
    }
  } finally {
    await watched.end();
  }
  return reads;
}
