import { setMember } from '../worker/outbox.ts';
import { type DeviceStorage, getMeta, putMeta } from '../worker/storage/storage.ts';

const PREFIX = 'private-';
/** Cache of what nobody in particular was answered. */
export const PUBLIC_PARTITION = 'public';
/** Cache of one member's copies, or the public one. */
export const partitionOf = (userId: string | null): string =>
  userId === null ? PUBLIC_PARTITION : `${PREFIX}${userId}`;

export type Members = {
  current(): Promise<string | null>;
  /** Takes note of who is signed in, as the server said; everybody else's copies go. Answers who it was before. */
  become(userId: string | null): Promise<string | null>;
  /** Somebody is signing in: until the next private answer names them, it is nobody. Copies stay where they are. */
  expect(): Promise<void>;
  isExpected(): boolean;
  /** Ends when the server has said (again) who is signed in, or that nobody is. */
  named(): Promise<void>;
  /** Runs a call that puts another session of the same member in the place of theirs. */
  renew<T>(call: () => Promise<T>): Promise<T>;
  /** Ends when no such call is on its way. */
  renewed(): Promise<unknown>;
  /** Drops every member's copies; who is signed in stays. */
  purge(): Promise<void>;
  /**
   * The session epoch counts the changes of who is signed in: what was asked in an earlier one says nothing about who is
   * signed in now.
   */
  epoch(): number;
  /** Counts the purges: what was asked before the last one must not be stored any more. */
  purges(): number;
};

/** Who is signed in on this device: in IndexedDB, so that a worker started offline knows it, and the page's rooms too. */
export function createMembers(storage: DeviceStorage): Members {
  let epoch = 0;
  let purges = 0;
  let expected = false;
  let last: string | null = null;
  let renewal: Promise<unknown> = Promise.resolve();
  const waiting: (() => void)[] = [];

  async function current(): Promise<string | null> {
    try {
      last = await storage.run(['meta'], (tx) => getMeta(tx, 'member'));
    } catch {
      // No database: this worker's own memory is all there is.
    }
    return last;
  }
  async function dropAllBut(partition: string | null): Promise<void> {
    const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== partition);
    await Promise.all(names.map((name) => caches.delete(name)));
  }
  return {
    current,
    async become(userId) {
      const before = await current();
      // Nobody after nobody may have been a member whom the server had not named yet.
      if (before !== userId || userId === null) epoch += 1;
      last = userId;
      expected = false;
      // Also when it is no news: a session that works again lets the outbox go on.
      await setMember(storage, userId).catch(() => undefined);
      await dropAllBut(userId === null ? null : partitionOf(userId));
      for (const resolve of waiting.splice(0)) resolve();
      return before;
    },
    async expect() {
      expected = true;
      epoch += 1;
      last = null;
      await storage.run(['meta'], (tx) => putMeta(tx, 'member', null)).catch(() => undefined);
    },
    isExpected: () => expected,
    named: () => new Promise((resolve) => waiting.push(resolve)),
    renew(call) {
      // Before and after: the session of before ends somewhere between.
      epoch += 1;
      const done = call().finally(() => {
        epoch += 1;
      });
      renewal = done.catch(() => undefined);
      return done;
    },
    renewed: () => renewal,
    async purge() {
      purges += 1;
      await dropAllBut(null);
    },
    epoch: () => epoch,
    purges: () => purges,
  };
}
