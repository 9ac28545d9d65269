import { BUILD_HEADER, CACHED_ONLY_HEADER } from '../../../server/contract/sw-messages.ts';
import { product } from '../../lib/product.ts';
import type { DemoRole } from './address.ts';
import { answer } from './in-memory/answer.ts';
import { type Demo, seedDemo } from './in-memory/seed.ts';
import type { Notice, Person } from './in-memory/world.ts';

/** A command is seen on its way: long enough to see the pencil become ink, short enough not to wait. */
const COMMAND_TAKES_MS = 500;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The demo's instance of the product: what stands where the server is elsewhere, in the memory of this page. */
export type Instance = {
  role(): DemoRole;
  setRole(role: DemoRole): void;
  /** Ids of both whose eyes it looks through. */
  people(): string[];
  /** As if there were no connection: every request fails as in a tunnel. */
  isAway(): boolean;
  setAway(away: boolean): void;
  reset(): void;
  /** The address of a picture, which its bytes are a part of; nothing where there is no such picture. */
  pictureOf(id: string): string;
  /** Takes what whoever looks has not been told yet, the latest first. */
  takeNotices(): Notice[];
  onNotices(listener: () => void): void;
  fetch: typeof fetch;
};

export function createInstance(first: DemoRole, commandTakesMs = COMMAND_TAKES_MS): Instance {
  let demo: Demo = seedDemo(new Date(), zoneHere());
  let role = first;
  let away = false;
  let announced = new Set<string>();
  let heard = () => {};
  const me = (as = role): Person => (as === 'leader' ? demo.leader : demo.member);
  const fresh = (): Notice[] => demo.world.notices.filter(({ id, userId }) => userId === me().id && !announced.has(id));

  async function fetchHere(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const { url, method, headers, body } = requestOf(input, init);
    const isCommand = method !== 'GET' && method !== 'HEAD';
    // As a cookie does, a request names who sends it when it leaves: the role may change on its way.
    const sender = role;
    if (isCommand && headers.has('idempotency-key')) await pause(commandTakesMs);
    init.signal?.throwIfAborted();
    if (away) throw new TypeError('The demo pretends that there is no connection.');
    // There is no other copy than what is answered here.
    if (headers.has(CACHED_ONLY_HEADER)) return respond(204, null);
    const asker = { world: demo.world, me: me(sender), now: new Date() };
    const key = headers.get('idempotency-key');
    const reply = await answer(asker, { method: method === 'HEAD' ? 'GET' : method, url, body, key });
    if (isCommand && fresh().length > 0) heard();
    return respond(reply.status, reply.body);
  }

  return {
    role: () => role,
    setRole(next) {
      role = next;
      heard();
    },
    people: () => [demo.member.id, demo.leader.id],
    isAway: () => away,
    setAway(next) {
      away = next;
    },
    reset() {
      demo = seedDemo(new Date(), zoneHere());
      announced = new Set();
      away = false;
    },
    pictureOf: (id) => demo.world.pictures.get(id) ?? '',
    takeNotices() {
      const notices = fresh();
      for (const { id } of notices) announced.add(id);
      return notices;
    },
    onNotices(listener) {
      heard = listener;
    },
    fetch: fetchHere,
  };
}

/** What is asked for. Of any other origin nothing is: the demo leaves this page alone. @throws TypeError then */
function requestOf(input: RequestInfo | URL, { method = 'GET', headers, body }: RequestInit) {
  const url = new URL(input instanceof Request ? input.url : input, globalThis.location.origin);
  if (url.origin !== globalThis.location.origin) throw new TypeError('The demo asks nobody else.');
  const isJson = typeof body === 'string';
  return {
    url: url.pathname + url.search,
    method,
    headers: new Headers(headers),
    body: isJson ? (JSON.parse(body) as unknown) : (body ?? undefined),
  };
}

/** An answer as the server gives it: its build on it, nothing kept. What is answered is a copy, as if it had travelled. */
function respond(status: number, body: unknown): Response {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', [BUILD_HEADER]: product.build };
  return new Response(status === 204 ? null : JSON.stringify(body), { status, headers });
}
