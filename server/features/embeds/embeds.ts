import type { Sql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import type { BoardPeriod } from '../../contract/boards.ts';
import type { PublicBoard, PublicCommunity } from '../../contract/embeds.ts';
import { EMBED_CACHE_MS, EMBED_ROWS_MAX } from '../../contract/open-limits.ts';
import { lru } from '../../domain/lru.ts';
import { SNAPSHOT } from '../../domain/snapshot.ts';
import { readLeaderboard } from '../boards/leaderboard.ts';
import { readSummary } from '../communities/rows.ts';

const CACHED_MAX = 500;
type CacheEntry = { at: number; value: Promise<unknown> };
const answers = () => lru<CacheEntry>(CACHED_MAX);

/** Concurrent reads are shared and cached for some seconds. A failure is not cached. */
function once<T>({ own, now }: Pick<Runtime, 'own' | 'now'>, key: string, read: () => Promise<T>): Promise<T> {
  const of = own(answers);
  const cached = of.get(key);
  const at = now().getTime();
  if (cached && at - cached.at < EMBED_CACHE_MS && at >= cached.at) return cached.value as Promise<T>;
  const value = read();
  of.set(key, { at, value });
  value.catch(() => of.set(key, { at: Number.NEGATIVE_INFINITY, value }));
  return value;
}

type EmbedPorts = Pick<Runtime, 'sql' | 'now' | 'own' | 'config'>;

/** Throws 404 `NOT_FOUND` where the community is not public any more, or its leader has not switched embedding on. */
async function requireOpen(sql: Sql, communityId: string): Promise<void> {
  const [open] = await sql`
    select from communities where id = ${communityId} and visibility = 'public' and status = 'active' and embedding`;
  if (!open) throw notFound('community');
}

const pageOf = ({ config }: EmbedPorts, slug: string): string => `${config.publicOrigin}/community/${slug}`;

/** A community for other sites. Throws 404 `NOT_FOUND`. */
export function publicCommunity(ports: EmbedPorts, communityId: string): Promise<PublicCommunity> {
  return once(ports, communityId, async () => {
    await requireOpen(ports.sql, communityId);
    const { slug, name, description, tags, languages, members, openTasks } = await readSummary(
      ports.sql,
      communityId,
      null,
    );
    const url = pageOf(ports, slug);
    const asOf = ports.now().toISOString();
    return { slug, name, description, tags, languages, members, openTasks, url, asOf };
  });
}

export const EMBED_ROWS_DEFAULT = 10;

/** The first rows of a board, as a stranger sees it. Throws 404 `NOT_FOUND`, 409 `NO_SEASON`. */
export async function publicBoard(
  ports: EmbedPorts,
  communityId: string,
  { period = 'all', rows }: { period?: BoardPeriod | undefined; rows?: string | undefined },
): Promise<PublicBoard> {
  const board = await once(ports, `${communityId} ${period}`, () => readBoard(ports, communityId, period));
  const count = Math.min(EMBED_ROWS_MAX, Math.max(1, Number(rows ?? EMBED_ROWS_DEFAULT)));
  return { ...board, rows: board.rows.slice(0, count) };
}

async function readBoard(ports: EmbedPorts, communityId: string, period: BoardPeriod): Promise<PublicBoard> {
  await requireOpen(ports.sql, communityId);
  const stranger = { communityId, role: null, me: null, now: ports.now(), period };
  return ports.sql.begin(SNAPSHOT, async (snapshot) => {
    const [board, { slug, name }] = await Promise.all([
      readLeaderboard(snapshot, stranger),
      readSummary(snapshot, communityId, null),
    ]);
    return {
      community: { slug, name, url: pageOf(ports, slug) },
      period,
      season: board.season?.name ?? null,
      state: board.state,
      asOf: board.asOf,
      // Nothing that identifies a person beyond the name on the board.
      rows: board.top.map(({ rank, displayName, points }) => ({ rank, name: displayName, points })),
    };
  });
}
