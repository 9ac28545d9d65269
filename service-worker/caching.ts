import { registerQuotaErrorCallback } from 'workbox-core';
import { Strategy, StrategyHandler } from 'workbox-strategies';
import { READ_FALLBACK_AFTER_MS, SEND_TIMEOUT_MS } from '../server/contract/limits.ts';
import { CACHED_ONLY_HEADER, FRESH_HEADER, MEMBER_HEADER } from '../server/contract/sw-messages.ts';
import { PUBLIC_PARTITION, partitionOf } from './member.ts';
import { learning, mayBeStored, type Read, type ReadOf, type ReadPorts, storing } from './reads.ts';

/** After one slow answer, reads fall back to the cached copy this soon, for this long. */
const FALLBACK_WHEN_SLOW_MS = 300;
const SLOW_FOR_MS = 30_000;
/** A copy is tried to be stored so often: where the disk is full, images make room first, then public reads. */
const STORE_ATTEMPTS = 3;

/** What the reads of all members share. */
type Shared = ReadPorts & {
  readOf: ReadOf;
  strategyOf: (userId: string | null) => MemberReads;
  /** Epoch milliseconds until which the network counts as slow. */
  slowUntil: number;
};
type Answered = { response: Response; stored: Promise<unknown> };

/**
 * Answers API reads from one member's cache partition. The strategy is network first, so a read after an acknowledged
 * command is correct without bookkeeping. When the network fails or is slow, the member's cached copy is returned with
 * its time, and a later answer is broadcast once. A page that has nothing to show asks for the cached copy in parallel
 * (`CACHED_ONLY_HEADER`).
 */
class MemberReads extends Strategy {
  readonly #shared: Shared;

  constructor(userId: string | null, shared: Shared, plugins: Strategy['plugins']) {
    super({ cacheName: partitionOf(userId), plugins, matchOptions: { ignoreVary: true } });
    this.#shared = shared;
  }

  async _handle(request: Request, handler: StrategyHandler): Promise<Response | undefined> {
    const shared = this.#shared;
    const { now, wait, members } = shared;
    const read = shared.readOf(handler.event);
    const cached = () => handler.cacheMatch(request).catch(() => undefined);
    if (request.headers.has(CACHED_ONLY_HEADER)) return (await cached()) ?? new Response(null, { status: 204 });
    const isPatient = request.headers.has(FRESH_HEADER);
    const isSlow = now() < shared.slowUntil;
    const patience = isPatient ? SEND_TIMEOUT_MS : isSlow ? FALLBACK_WHEN_SLOW_MS : READ_FALLBACK_AFTER_MS;
    const answered = new AbortController();
    const server = this.#fromServer(read, request, handler);
    void handler.waitUntil(server.then(({ stored }) => stored).catch(() => undefined));
    const first = await Promise.race([
      server.catch(() => 'away' as const),
      wait(patience, answered.signal).then(() => 'late' as const),
    ]);
    answered.abort();
    // A server that is overloaded or has lost its storage answers 502 or more: that does not replace a copy.
    if (typeof first === 'object' && first.response.status < 502) return first.response;
    // The copy is read only now, so a member who signed out during the wait gets none.
    const copy = read.epoch === members.epoch() ? await cached() : undefined;
    if (first === 'late' && copy) {
      shared.slowUntil = now() + SLOW_FOR_MS;
      void handler.waitUntil(this.#announce(request.url, server).catch(() => undefined));
    }
    return copy ?? (await server).response;
  }

  /** The server's answer; `stored` ends when its copy is written. A copy that fails does not fail the answer. */
  async #fromServer({ startedAt }: Read, request: Request, handler: StrategyHandler): Promise<Answered> {
    const response = await handler.fetch(request);
    if (this.#shared.now() - startedAt < READ_FALLBACK_AFTER_MS) this.#shared.slowUntil = 0;
    return { response, stored: this.#store(request, response.clone(), handler).catch(() => undefined) };
  }

  /** Stores an answer in the partition of the member that it names. That may be another member than the reader. */
  async #store(request: Request, response: Response, handler: StrategyHandler): Promise<void> {
    const owner = this.#shared.strategyOf(response.headers.get(MEMBER_HEADER));
    if (owner === this) return storeWithRoom(handler, request, response);
    const theirs = new StrategyHandler(owner, { event: handler.event, request });
    await storeWithRoom(theirs, request, response).finally(() => theirs.destroy());
  }

  /** Tells the pages of the server's late answer: what they were given is other, or as of another time. */
  async #announce(url: string, late: Promise<Answered>): Promise<void> {
    const { response, stored } = await late;
    await stored;
    const { broadcast, now } = this.#shared;
    if (mayBeStored(response)) broadcast({ type: 'READ_REFRESHED', url, at: now() });
  }
}

/** After each attempt on a full disk Workbox has the quota callbacks make room (`makeRoom`). */
async function storeWithRoom(handler: StrategyHandler, request: Request, response: Response): Promise<void> {
  for (let attempt = 1; attempt < STORE_ATTEMPTS; attempt += 1)
    try {
      return void (await handler.cachePut(request, response.clone()));
    } catch (error) {
      if ((error as Error).name !== 'QuotaExceededError') throw error;
    }
  await handler.cachePut(request, response);
}

/** Answers the API's reads: one strategy for each member's partition. */
export function createReads(ports: ReadPorts): (event: FetchEvent) => Promise<Response> {
  const { members, now } = ports;
  const begun = new WeakMap<ExtendableEvent, Read>();
  const strategies = new Map<string | null, MemberReads>();
  const readOf: ReadOf = (event) => {
    const read = begun.get(event);
    if (!read) throw new Error('not a read');
    return read;
  };
  const plugins = [learning(ports, readOf), storing(ports, readOf), { handlerDidError: async () => Response.error() }];
  function strategyOf(userId: string | null): MemberReads {
    const strategy = strategies.get(userId) ?? new MemberReads(userId, shared, plugins);
    strategies.set(userId, strategy);
    return strategy;
  }
  const shared: Shared = { ...ports, readOf, strategyOf, slowUntil: 0 };
  return async (event) => {
    const read = {
      epoch: members.epoch(),
      purges: members.purges(),
      member: await members.current(),
      startedAt: now(),
    };
    begun.set(event, read);
    const [answer, isOver] = strategyOf(read.member).handleAll({ event, request: event.request });
    isOver.catch(() => undefined);
    return answer;
  };
}

/**
 * Makes room when the disk is full, a step each time: images first, then public reads. What the member did lies in the
 * device's database, which no step touches.
 */
async function makeRoom(): Promise<void> {
  if ((await dropImages()) === 0) await caches.delete(PUBLIC_PARTITION);
}

/** Answers how many it dropped. */
async function dropImages(): Promise<number> {
  let dropped = 0;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const images = (await cache.keys()).filter(({ url }) => /\.(png|jpe?g|webp)$/.test(new URL(url).pathname));
    await Promise.all(images.map((image) => cache.delete(image)));
    dropped += images.length;
  }
  return dropped;
}

/** Workbox runs it after a copy did not fit. */
export const makeRoomWhenFull = (): void => registerQuotaErrorCallback(makeRoom);
