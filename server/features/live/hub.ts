import type { Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { ChangeTopic } from '../../contract/live.ts';
import { LIVE_STREAM_MS } from '../../contract/open-limits.ts';
import { comeBack } from '../../http/streams.ts';
import { CHANGES_CHANNEL } from './tell.ts';

const KEEP_ALIVE_MS = 20_000;

/** What a client watches: a community, or null for the instance; and which topics. */
export type Watched = { communityId: string | null; topics: ReadonlySet<ChangeTopic> };
type Row = { id: string; communityId: string | null; topic: ChangeTopic };

/** A client: its pending changes, and how to wake it. */
type Follower = { watched: Watched; waiting: Set<ChangeTopic>; last: bigint; wake: () => void };

export type Hub = {
  /**
   * Server-sent events: `ready`, then a `change` for whatever changed of what is watched, also since the event `after`; until
   * `gone`, half an hour is over or the process stops.
   */
  follow(watched: Watched, after: string | undefined, gone: AbortSignal): AsyncIterable<string>;
  /** How many follow. */
  count(): number;
  close(): Promise<void>;
};

export const hubOf = ({ own }: Pick<Runtime, 'own'>): Hub => own(hub);

const hub = ({ sql, log }: Runtime): Hub =>
  createHub(sql, (error) => log.warn({ err: error }, 'changes were not told'));

/** One `LISTEN` and one timer for all clients of a process, only while there are any. */
export function createHub(sql: Sql, onTrouble: (error: unknown) => void): Hub {
  const followers = new Set<Follower>();
  const followersOf = new Map<string, Set<Follower>>();
  let listening: Promise<{ unlisten(): Promise<void> }> | null = null;
  let keepAlive: ReturnType<typeof setInterval> | undefined;
  let heard = 0n;
  let reading: Promise<void> = Promise.resolve();
  let closed = false;

  const keyOf = (communityId: string | null) => communityId ?? '';

  /** Reads new changes and wakes the clients that they concern. Serialized, so nothing is read twice or skipped. */
  function catchUp(): Promise<void> {
    reading = reading
      .then(async () => {
        const rows = await sql<Row[]>`
          select id::text, community_id as "communityId", topic from changes where id > ${String(heard)} order by id`;
        for (const { id, communityId, topic } of rows) {
          heard = BigInt(id);
          for (const one of followersOf.get(keyOf(communityId)) ?? []) {
            if (!one.watched.topics.has(topic)) continue;
            one.waiting.add(topic);
            one.last = heard;
            one.wake();
          }
        }
      })
      .catch(onTrouble);
    return reading;
  }

  async function begin(): Promise<void> {
    const [row] = await sql<[{ last: string }]>`select coalesce(max(id), 0)::text as last from changes`;
    heard = BigInt(row.last);
    keepAlive = setInterval(() => {
      for (const one of followers) one.wake();
    }, KEEP_ALIVE_MS).unref();
  }

  async function join(one: Follower): Promise<void> {
    followers.add(one);
    const key = keyOf(one.watched.communityId);
    followersOf.set(key, (followersOf.get(key) ?? new Set()).add(one));
    // Also after a lost connection: changes of the gap are read then.
    listening ??= begin().then(() =>
      sql.listen(
        CHANGES_CHANNEL,
        () => void catchUp(),
        () => void catchUp(),
      ),
    );
    await listening;
  }

  async function leave(one: Follower): Promise<void> {
    followers.delete(one);
    const key = keyOf(one.watched.communityId);
    const there = followersOf.get(key);
    there?.delete(one);
    if (there?.size === 0) followersOf.delete(key);
    if (followers.size === 0) await rest();
  }

  async function rest(): Promise<void> {
    clearInterval(keepAlive);
    const held = listening;
    listening = null;
    await (await held?.catch(() => null))?.unlisten();
  }

  async function* follow(watched: Watched, after: string | undefined, gone: AbortSignal): AsyncGenerator<string> {
    const one: Follower = { watched, waiting: new Set(), last: 0n, wake: () => undefined };
    let isOver = false;
    const end = () => {
      isOver = true;
      one.wake();
    };
    const timer = setTimeout(end, LIVE_STREAM_MS).unref();
    gone.addEventListener('abort', end, { once: true });
    try {
      await join(one);
      if (after !== undefined) {
        const missed = (await isStored(sql, after, heard))
          ? (await since(sql, watched, after)).map(({ topic }) => topic)
          : watched.topics;
        for (const topic of missed) one.waiting.add(topic);
      }
      if (one.last < heard) one.last = heard;
      yield event('ready', {}, one.last) + comeBack();
      while (!isOver && !gone.aborted && !closed) {
        if (one.waiting.size > 0) {
          const topics = [...one.waiting];
          one.waiting.clear();
          yield event('change', { topics }, one.last);
          continue;
        }
        await new Promise<void>((wake) => (one.wake = wake));
        one.wake = () => undefined;
        if (one.waiting.size === 0 && !isOver && !closed) yield ': still here\n\n';
      }
    } finally {
      clearTimeout(timer);
      gone.removeEventListener('abort', end);
      await leave(one);
    }
  }

  return {
    follow,
    count: () => followers.size,
    async close() {
      closed = true;
      for (const one of followers) one.wake();
      await rest();
    },
  };
}

async function since(sql: Sql, { communityId, topics }: Watched, after: string): Promise<Pick<Row, 'topic'>[]> {
  return sql<Pick<Row, 'topic'>[]>`
    select topic from changes
    where id > ${after} and community_id ${communityId === null ? sql`is null` : sql`= ${communityId}`}
      and topic = any(${[...topics]}) order by id`;
}

/** Whether all changes after it are still stored; otherwise clients refetch everything. */
async function isStored(sql: Sql, after: string, heard: bigint): Promise<boolean> {
  const [row] = await sql<[{ first: string | null }]>`select min(id)::text as first from changes`;
  return row.first !== null ? BigInt(row.first) <= BigInt(after) + 1n : BigInt(after) === heard;
}

/** JSON has no line breaks, so one event is one line of data. */
const event = (name: string, data: object, id: bigint): string =>
  `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
