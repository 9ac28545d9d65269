import { MEMBERSHIP_REVOKED } from '../server/contract/errors.ts';
import { READ_FALLBACK_AFTER_MS, SEND_TIMEOUT_MS } from '../server/contract/limits.ts';
import {
  CACHED_AT_HEADER,
  FRESH_HEADER,
  KEPT_ONLY_HEADER,
  MEMBER_HEADER,
  type SwBroadcast,
} from '../server/contract/sw-messages.ts';
import type { DeviceEvent } from '../worker/schema.ts';
import { type Members, PUBLIC_PARTITION, partitionOf } from './member.ts';

/** After the network has kept a reader waiting, the next readers wait this long, for this time. */
const FALLBACK_WHEN_SLOW_MS = 300;
const SLOW_FOR_MS = 30_000;
/** Copies kept per partition; the oldest go first. */
const COPIES_MAX = 200;
/** Gateways answer so when the server behind them is away: no answer of ours. */
const AWAY = new Set([502, 503, 504]);
const USER = '/api/auth/user';
/** So long an answer waits to be kept for whom it is for: as long as the read of the user may take. */
const NAMED_WITHIN_MS = SEND_TIMEOUT_MS;

export type ReadPorts = {
  members: Members;
  fetch: (request: Request) => Promise<Response>;
  now: () => number;
  /** Resolves after a time (milliseconds), or never once the signal has fired. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  tell: (message: SwBroadcast | DeviceEvent) => void;
};
type Reader = { url: string; member: string | null; era: number; purges: number; startedAt: number };

/** The server's word alone decides what may be kept: `private` without `no-store`, a whole answer. */
export function mayBeKept(response: Response): boolean {
  const control = (response.headers.get('cache-control') ?? '').toLowerCase();
  const said = control.split(',').map((part) => part.trim());
  return response.status === 200 && !response.redirected && said.includes('private') && !said.includes('no-store');
}

/** Puts a copy; where the disk is full images make room first, then public reads. What the member did lies elsewhere. */
async function putWithRoom(cache: Cache, url: string, copy: Response): Promise<void> {
  for (const makeRoom of [dropImages, () => caches.delete(PUBLIC_PARTITION)]) {
    try {
      return await cache.put(url, copy.clone());
    } catch {
      await makeRoom();
    }
  }
  await cache.put(url, copy);
}
async function dropImages(): Promise<void> {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const images = (await cache.keys()).filter(({ url }) => /\.(png|jpe?g|webp)$/.test(new URL(url).pathname));
    await Promise.all(images.map((image) => cache.delete(image)));
  }
}

/**
 * Answers the API's reads. Network first, so that a read after a delivered action is right without any bookkeeping;
 * the device's copy when the network fails or keeps the reader waiting, with the time it is from. An answer that comes
 * later is announced, once. A page that has nothing to show yet asks for the copy beside its read (`KEPT_ONLY_HEADER`) and
 * paints that meanwhile.
 */
export function createReads({ members, fetch, now, wait, tell }: ReadPorts) {
  let slowUntil = 0;
  let toldRevoked = false;

  async function keptCopy({ url, member }: Reader): Promise<Response | undefined> {
    return caches
      .open(partitionOf(member))
      .then((cache) => cache.match(url, { ignoreVary: true }))
      .catch(() => undefined);
  }

  /**
   * The era in which the owner of an answer is the member, or null. Of reads beside each other that of the user may be
   * answered last: the others are kept once it was.
   */
  async function eraOf(owner: string | null): Promise<number | null> {
    const look = async () => {
      const era = members.era();
      return { era, member: await members.current() };
    };
    let seen = await look();
    if (owner !== null && seen.member === null) {
      const told = new AbortController();
      await Promise.race([members.named(), wait(NAMED_WITHIN_MS, told.signal)]);
      told.abort();
      seen = await look();
    }
    return seen.member === owner ? seen.era : null;
  }

  async function keep(reader: Reader, response: Response): Promise<void> {
    if (!mayBeKept(response)) return;
    const headers = new Headers(response.headers);
    headers.set(CACHED_AT_HEADER, String(now()));
    headers.delete('vary');
    const copy = new Response(await response.arrayBuffer(), { status: 200, headers });
    // The server names whose answer it is. Between asking and answering somebody may have signed in or out.
    const owner = response.headers.get(MEMBER_HEADER);
    const era = await eraOf(owner);
    if (era === null) return;
    const isOvertaken = () => reader.purges !== members.purges() || era !== members.era();
    if (isOvertaken()) return;
    const cache = await caches.open(partitionOf(owner));
    await putWithRoom(cache, reader.url, copy);
    // A purge between the look and the writing would have opened the partition anew.
    if (isOvertaken()) return void (await cache.delete(reader.url));
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - COPIES_MAX)).map((key) => cache.delete(key)));
  }

  /** Learns from an answer who is signed in, and forgets what the server would no longer say. */
  async function learn(reader: Reader, response: Response): Promise<void> {
    // Asked before somebody signed in or out: it says nothing about now.
    if (reader.era !== members.era()) return;
    const owner = response.headers.get(MEMBER_HEADER);
    const isUser = new URL(reader.url).pathname === USER;
    if (response.status === 200 && owner !== null) {
      if (isUser) toldRevoked = false;
      // Whom the device has signed out stays so until the user is asked for: a sign-out may be owed to the server still.
      const current = await members.current();
      if (!isUser && (owner === current || (current === null && !members.isExpected()))) return;
      const before = await members.become(owner);
      if (before !== owner) tell({ type: 'MEMBER_CHANGED', userId: owner });
    } else if (response.status === 401) {
      const before = await members.become(null);
      if (before !== null) tell({ type: 'SIGNED_OUT' });
    } else if (response.status === 403 && (await response.clone().text()).includes(MEMBERSHIP_REVOKED)) {
      await members.purge();
      // Once: pages answer it with a read of the user, which is refused in the same words.
      if (!toldRevoked) tell({ type: 'MEMBERSHIP_REVOKED' });
      toldRevoked = true;
    } else if ([403, 404, 410].includes(response.status)) {
      await (await caches.open(partitionOf(reader.member))).delete(reader.url);
    }
  }

  /** Of a session that another of the same member's has replaced meanwhile nobody is signed in: asked once more. */
  async function ask(reader: Reader, request: Request): Promise<Response> {
    const response = await fetch(request);
    if (response.status !== 401 || reader.member === null) return response;
    await members.renewed();
    const isReplaced = reader.era !== members.era() && reader.member === (await members.current());
    return isReplaced ? fetch(request) : response;
  }

  /** The server's answer, learnt from and kept; `keeping` ends when the copy is written. A failed copy never fails the answer. */
  async function fromServer(reader: Reader, request: Request): Promise<{ response: Response; keeping: Promise<void> }> {
    const response = await ask(reader, request);
    // Nothing of ours: a hotel's sign-in page answers for the server, a gateway in its own name, whatever the status.
    if (response.headers.get('content-type')?.includes('html')) throw new Error('html');
    if (now() - reader.startedAt < READ_FALLBACK_AFTER_MS) slowUntil = 0;
    // Somebody signed in or out meanwhile: an answer for the one before is nobody's to see.
    const owner = response.headers.get(MEMBER_HEADER);
    if (owner !== null && reader.era !== members.era() && owner !== (await members.current()))
      throw new Error('overtaken');
    await learn(reader, response).catch(() => undefined);
    return { response, keeping: keep(reader, response.clone()).catch(() => undefined) };
  }

  /** Tells the pages of the server's late answer: what they were given is other, or as of another time. */
  async function announce(url: string, late: Promise<{ response: Response; keeping: Promise<void> }>) {
    const { response, keeping } = await late;
    await keeping;
    if (mayBeKept(response)) tell({ type: 'READ_REFRESHED', url, at: now() });
  }

  return async function read(request: Request, holdOpen: (work: Promise<unknown>) => void): Promise<Response> {
    const reader: Reader = {
      url: request.url,
      era: members.era(),
      purges: members.purges(),
      member: await members.current(),
      startedAt: now(),
    };
    if (request.headers.has(KEPT_ONLY_HEADER)) return (await keptCopy(reader)) ?? new Response(null, { status: 204 });
    const isPatient = request.headers.has(FRESH_HEADER);
    const patience = isPatient ? SEND_TIMEOUT_MS : now() < slowUntil ? FALLBACK_WHEN_SLOW_MS : READ_FALLBACK_AFTER_MS;
    const answered = new AbortController();
    const server = fromServer(reader, request);
    holdOpen(server.then(({ keeping }) => keeping).catch(() => undefined));
    const first = await Promise.race([
      server.catch(() => 'away' as const),
      wait(patience, answered.signal).then(() => 'late' as const),
    ]);
    answered.abort();
    if (typeof first === 'object' && !AWAY.has(first.response.status)) return first.response;
    // Looked up only now: who was signed out meanwhile gets no copy.
    const copy = reader.era === members.era() ? await keptCopy(reader) : undefined;
    if (first === 'late' && copy) {
      slowUntil = now() + SLOW_FOR_MS;
      holdOpen(announce(reader.url, server).catch(() => undefined));
    }
    if (copy) return copy;
    return server.then(({ response }) => response).catch(() => Response.error());
  };
}
