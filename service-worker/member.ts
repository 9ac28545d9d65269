import type { SwBroadcast } from '../server/contract/sw-messages.ts';
import { setMember } from '../worker/outbox.ts';
import { isOwnResponse } from '../worker/own-response.ts';
import { type DeviceStorage, getMeta, putMeta } from '../worker/storage/storage.ts';

const PREFIX = 'private-';
/** Cache of answers that belong to no member. */
export const PUBLIC_PARTITION = 'public';
/** Cache of one member's copies, or the public one. */
export const partitionOf = (userId: string | null): string =>
  userId === null ? PUBLIC_PARTITION : `${PREFIX}${userId}`;

export type Members = {
  current(): Promise<string | null>;
  /**
   * Records who is signed in, as the server named them, and drops all other members' copies. Returns who was signed in
   * before.
   */
  become(userId: string | null): Promise<string | null>;
  /** A sign-in has begun: nobody is signed in until the next private answer names the member. Copies stay. */
  expect(): Promise<void>;
  isExpected(): boolean;
  /** Resolves when the server has named the signed-in member, or said that there is none. */
  named(): Promise<void>;
  /** Runs a call that replaces the member's session by a new one. */
  renew<T>(call: () => Promise<T>): Promise<T>;
  /** Ends when no such call is on its way. */
  renewed(): Promise<unknown>;
  /** Drops every member's copies; who is signed in stays. */
  purge(): Promise<void>;
  /**
   * Session epoch: counts the changes of who is signed in. An answer to a request of an earlier epoch says nothing
   * about the current member.
   */
  epoch(): number;
  /** Counts purges: an answer to a request from before the last purge must not be stored. */
  purges(): number;
};

/** Knows who is signed in on this device. IndexedDB holds it, so a worker that starts offline knows it too. */
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
      // From nobody to nobody also counts: in between there may have been a member whom the server had not named yet.
      if (before !== userId || userId === null) epoch += 1;
      last = userId;
      expected = false;
      // Unchanged members are written too: a session that works again resumes the outbox.
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

/** Calls that may change who is signed in. */
const CHANGES_SESSION = new Set([
  'POST /api/auth/logout',
  'POST /api/auth/telegram/mini-app',
  'GET /api/auth/telegram/callback',
  'POST /api/auth/telegram/callback',
]);
/** After it the same member is signed in, by another session: the server ends the one before. */
const RENEWS_SESSION = 'POST /api/auth/x/complete';
const callOf = ({ method, url }: Request): string => `${method} ${new URL(url).pathname}`;
export const changesSession = (request: Request): boolean =>
  CHANGES_SESSION.has(callOf(request)) || callOf(request) === RENEWS_SESSION;

/**
 * Lets the call through. Unless the member stays the same, it forgets who was signed in before the page gets the
 * answer: until the server names the member, nothing is read from or stored in a member's partition. A redirect does
 * not show who signed in, so copies stay until the next answer names the member.
 */
export async function throughSession(
  request: Request,
  members: Members,
  broadcast: (message: SwBroadcast) => void,
): Promise<Response> {
  if (callOf(request) === RENEWS_SESSION) return members.renew(() => fetch(request));
  const response = await fetch(request);
  if (response.type === 'opaqueredirect') await members.expect();
  if (!response.ok || !(await isOwnResponse(response))) return response;
  await members.become(null);
  if (request.url.endsWith('/logout')) broadcast({ type: 'SIGNED_OUT' });
  else await members.expect();
  return response;
}
