import type { Logger } from 'pino';
import type { Sql } from 'postgres';
import { LOG_TAIL_MS } from '../../contract/limits.ts';
import type { LogEntry, LogFilters } from '../../contract/ops-logs.ts';
import { comeBack } from '../../http/streams.ts';
import { entriesByIds } from './entries.ts';
import { matches } from './filters.ts';
import { TAIL_CHANNEL } from './ingest.ts';

/** Events that may wait for a slow reader; further ones are counted, not stored. */
const WAITING_MAX = 200;
const KEEP_ALIVE_MS = 15_000;

type Piece = { entries: readonly LogEntry[]; skipped: number };
type Listener = (piece: Piece) => void;

export type Tail = {
  /** Server-sent events of new entries that match, until `gone`, an hour is over or the process stops. */
  follow(filters: LogFilters, gone: AbortSignal): AsyncIterable<string>;
  close(): Promise<void>;
};

/** One `LISTEN` for all readers of a process, only while there are any. */
export function createTail(sql: Sql, log: Pick<Logger, 'warn'>): Tail {
  const listeners = new Set<Listener>();
  const ends = new AbortController();
  let listening: Promise<{ unlisten(): Promise<void> }> | null = null;

  const onNotice = async (payload: string) => {
    try {
      const { ids, skipped } = JSON.parse(payload) as { ids: string[]; skipped: number };
      const entries = await entriesByIds(sql, ids);
      for (const send of listeners) send({ entries, skipped });
    } catch (error) {
      log.warn({ err: error }, 'new client log entries were not shown to those who follow');
    }
  };

  async function leave(listener: Listener): Promise<void> {
    listeners.delete(listener);
    if (listeners.size > 0 || !listening) return;
    const held = listening;
    listening = null;
    await (await held).unlisten();
  }

  async function* follow(filters: LogFilters, gone: AbortSignal): AsyncGenerator<string> {
    const waiting: LogEntry[] = [];
    let skipped = 0;
    let wake = () => {};
    const listener: Listener = (piece) => {
      skipped += piece.skipped;
      for (const entry of piece.entries) {
        if (!matches(entry, filters)) continue;
        if (waiting.length < WAITING_MAX) waiting.push(entry);
        else skipped += 1;
      }
      wake();
    };
    const until = AbortSignal.any([gone, ends.signal, AbortSignal.timeout(LOG_TAIL_MS)]);
    listeners.add(listener);
    try {
      listening ??= sql.listen(TAIL_CHANNEL, (payload) => void onNotice(payload));
      await listening;
      yield event('ready', {}) + comeBack();
      while (!until.aborted) {
        const entry = waiting.shift();
        if (entry) yield event('entry', entry, entry.id);
        else if (skipped > 0) {
          yield event('behind', { skipped });
          skipped = 0;
        } else if (!(await woken(until, (ready) => (wake = ready)))) yield ': still here\n\n';
      }
    } finally {
      await leave(listener);
    }
  }

  return {
    follow,
    async close() {
      ends.abort();
      const held = listening;
      listening = null;
      await held?.then((one) => one.unlisten());
    },
  };
}

/** JSON has no line breaks, so one event is one line of data. */
const event = (name: string, data: object, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

/** True once something came, false after a while without. */
function woken(until: AbortSignal, onWake: (wake: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (came: boolean) => {
      clearTimeout(timer);
      until.removeEventListener('abort', onCame);
      resolve(came);
    };
    const onCame = () => done(true);
    const timer = setTimeout(() => done(false), KEEP_ALIVE_MS);
    until.addEventListener('abort', onCame, { once: true });
    onWake(onCame);
  });
}
