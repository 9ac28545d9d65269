import { useCallback, useState } from 'react';
import { ASSISTANT_HISTORY_MAX } from '../../../server/contract/limits.ts';
import { local } from '../../lib/browser.ts';
import type { Exchange } from './answer.ts';

/** One conversation, named by its first question. */
export type Thread = { id: string; turns: Exchange[] };

/** Stored on this device for one member; signing out deletes it (`forgetHints`). */
const keyOf = (userId: string): string => `muster-assistant:${userId}`;
/** Total bytes of all threads: the oldest are dropped first. */
const STORED_MAX = 200_000;

export function readThreads(userId: string): Thread[] {
  try {
    const stored: unknown = JSON.parse(local.get(keyOf(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isThread) : [];
  } catch {
    return [];
  }
}
const isThread = (one: unknown): one is Thread => {
  const { id, turns } = (one ?? {}) as Partial<Thread>;
  return (
    typeof id === 'string' &&
    Array.isArray(turns) &&
    turns.length > 0 &&
    turns.every(({ question, answer }) => question && answer)
  );
};

function writeThreads(userId: string, threads: readonly Thread[]): Thread[] {
  const stored = threads.slice(0, ASSISTANT_HISTORY_MAX);
  let text = JSON.stringify(stored);
  while (text.length > STORED_MAX && stored.length > 1) {
    stored.pop();
    text = JSON.stringify(stored);
  }
  local.set(keyOf(userId), stored.length === 0 ? null : text);
  return stored;
}

/** A member's conversations, the latest first. */
export function useThreads(userId: string) {
  const [threads, setThreads] = useState(() => readThreads(userId));
  const change = useCallback(
    (next: (threads: Thread[]) => Thread[]) => setThreads((before) => writeThreads(userId, next(before))),
    [userId],
  );
  return {
    threads,
    keep: useCallback(
      (thread: Thread) => change((all) => [thread, ...all.filter(({ id }) => id !== thread.id)]),
      [change],
    ),
    remove: useCallback((id: string) => change((all) => all.filter((one) => one.id !== id)), [change]),
    removeAll: useCallback(() => change(() => []), [change]),
  };
}
