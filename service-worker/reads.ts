import type { WorkboxPlugin } from 'workbox-core/types.js';
import type { MEMBERSHIP_REVOKED, SUSPENDED } from '../server/contract/errors.ts';
import { SEND_TIMEOUT_MS } from '../server/contract/limits.ts';
import { CACHED_AT_HEADER, MEMBER_HEADER, type SwBroadcast } from '../server/contract/sw-messages.ts';
import { isOwnResponse } from '../worker/own-response.ts';
import type { DeviceEvent } from '../worker/schema.ts';
import { type Members, partitionOf } from './member.ts';

/** Held to the contract by its type alone: importing the value would bring the schemas along. */
const REVOKED: typeof MEMBERSHIP_REVOKED = 'TELEGRAM_MEMBERSHIP_REVOKED';
const SHUT: `"${typeof SUSPENDED}"` = '"SUSPENDED"';
/** Copies per partition; the oldest go first. */
const COPIES_MAX = 200;
const USER = '/api/auth/user';
/** How long an answer waits for its member to be named: as long as the read of the user may take. */
const NAMED_WITHIN_MS = SEND_TIMEOUT_MS;

export type ReadPorts = {
  members: Members;
  now: () => number;
  /** Resolves after a time (milliseconds), or never once the signal has fired. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  broadcast: (message: SwBroadcast | DeviceEvent) => void;
  /** Sees every answer of the server's. */
  onAnswer: (response: Response) => void;
};

/** What was so when a page began to read. */
export type Read = { member: string | null; epoch: number; purges: number; startedAt: number };
/** Workbox calls the plugins of a read with the event that it answers. */
export type ReadOf = (event: ExtendableEvent) => Read;

/** The server alone decides what may be stored: `private` without `no-store`, and a whole answer. */
export function mayBeStored(response: Response): boolean {
  const control = (response.headers.get('cache-control') ?? '').toLowerCase();
  const directives = control.split(',').map((part) => part.trim());
  const isPrivate = directives.includes('private') && !directives.includes('no-store');
  return response.status === 200 && !response.redirected && isPrivate;
}

const isShutOut = (text: string): boolean => text.includes(REVOKED) || text.includes(SHUT);

/** Learns from the server's answers who is signed in, and drops copies that the server would no longer answer. */
export function learning(ports: ReadPorts, readOf: ReadOf): WorkboxPlugin {
  const { members, broadcast, onAnswer } = ports;
  let hasAnnouncedRevocation = false;

  async function learn(read: Read, url: string, response: Response): Promise<void> {
    // The read began before a sign-in or sign-out: its answer says nothing about the current member.
    if (read.epoch !== members.epoch()) return;
    const owner = response.headers.get(MEMBER_HEADER);
    const isUser = new URL(url).pathname === USER;
    if (response.status === 200 && owner !== null) {
      if (isUser) hasAnnouncedRevocation = false;
      // A member whom the device has signed out stays signed out until the user is read: the server may not know of the
      // sign-out yet.
      const current = await members.current();
      if (!isUser && (owner === current || (current === null && !members.isExpected()))) return;
      const before = await members.become(owner);
      if (before !== owner) broadcast({ type: 'MEMBER_CHANGED', userId: owner });
    } else if (response.status === 401) {
      const before = await members.become(null);
      if (before !== null) broadcast({ type: 'SIGNED_OUT' });
    } else if (response.status === 403 && isShutOut(await response.clone().text())) {
      await members.purge();
      // Once: pages answer it with a read of the user, which is refused in the same words.
      if (!hasAnnouncedRevocation) broadcast({ type: 'MEMBERSHIP_REVOKED' });
      hasAnnouncedRevocation = true;
    } else if ([403, 404, 410].includes(response.status)) {
      await (await caches.open(partitionOf(read.member))).delete(url);
    }
  }

  return {
    /** @throws for an answer that no page may see. */
    async fetchDidSucceed({ event, request, response: first }) {
      const read = readOf(event);
      const response = first.status === 401 ? await retryRead(read, request, first, members) : first;
      onAnswer(response);
      if (!(await isOwnResponse(response))) throw new Error('nobody');
      // After a sign-in or sign-out during the read, an answer for the previous member must not be shown.
      const owner = response.headers.get(MEMBER_HEADER);
      if (owner !== null && read.epoch !== members.epoch() && owner !== (await members.current()))
        throw new Error('overtaken');
      await learn(read, request.url, response).catch(() => undefined);
      return response;
    },
  };
}

/** A session that was replaced during the read answers 401: the read is sent once more under the new session. */
async function retryRead(read: Read, request: Request, response: Response, members: Members): Promise<Response> {
  if (read.member === null) return response;
  await members.renewed();
  const isReplaced = read.epoch !== members.epoch() && read.member === (await members.current());
  return isReplaced ? fetch(request) : response;
}

/** Stores an answer with its time, only while the member that it names is signed in. */
export function storing({ members, now, wait }: ReadPorts, readOf: ReadOf): WorkboxPlugin {
  /**
   * The session epoch in which the owner of an answer is the member, or null. Of reads beside each other that of the user
   * may be answered last: the others are stored once it was.
   */
  async function epochOf(owner: string | null): Promise<number | null> {
    const look = async () => {
      const epoch = members.epoch();
      return { epoch, member: await members.current() };
    };
    let seen = await look();
    if (owner !== null && seen.member === null) {
      const named = new AbortController();
      await Promise.race([members.named(), wait(NAMED_WITHIN_MS, named.signal)]);
      named.abort();
      seen = await look();
    }
    return seen.member === owner ? seen.epoch : null;
  }
  const isOvertaken = ({ purges }: Read, epoch: unknown) => purges !== members.purges() || epoch !== members.epoch();

  return {
    async cacheWillUpdate({ event, response, state = {} }) {
      if (!mayBeStored(response)) return null;
      // The server names whose answer it is: the member may have changed since the request.
      state['epoch'] = await epochOf(response.headers.get(MEMBER_HEADER));
      if (state['epoch'] === null || isOvertaken(readOf(event), state['epoch'])) return null;
      const headers = new Headers(response.headers);
      headers.set(CACHED_AT_HEADER, String(now()));
      headers.delete('vary');
      return new Response(response.body, { headers });
    },
    async cacheDidUpdate({ event, cacheName, request, state = {} }) {
      // A purge between the check and the write may have deleted the partition: opening it would create it again.
      const mustGo = isOvertaken(readOf(event), state['epoch']);
      if (mustGo && !(await caches.has(cacheName))) return;
      const cache = await caches.open(cacheName);
      if (mustGo) return void (await cache.delete(request));
      const keys = await cache.keys();
      await Promise.all(keys.slice(0, Math.max(0, keys.length - COPIES_MAX)).map((key) => cache.delete(key)));
    },
  };
}
