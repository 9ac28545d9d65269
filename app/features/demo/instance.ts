import { BUILD_HEADER, CACHED_ONLY_HEADER } from '../../../server/contract/sw-messages.ts';
import { product } from '../../lib/product.ts';
import type { DemoRole } from './address.ts';
import { answer } from './in-memory/answer.ts';
import { type Demo, seedDemo } from './in-memory/seed.ts';
import type { Notice, Person } from './in-memory/world.ts';

/** Commands take this long: enough to see pencil become ink, without having to wait. */
const COMMAND_TAKES_MS = 500;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The demo's instance of the product: replaces the server, in this page's memory. */
export type Instance = {
  role(): DemoRole;
  setRole(role: DemoRole): void;
  /** Ids of the two roles' members. */
  people(): string[];
  /** Simulates a lost connection: every request fails. */
  isAway(): boolean;
  setAway(away: boolean): void;
  reset(): void;
  /** A picture's address, which contains its bytes; empty when there is no such picture. */
  pictureOf(id: string): string;
  /** Takes the current role's unshown notices, latest first. */
  takeNotices(): Notice[];
  onNotices(listener: () => void): void;
  fetch: typeof fetch;
};

export function createInstance(first: DemoRole, commandTakesMs = COMMAND_TAKES_MS): Instance {
  let demo: Demo = seedDemo(new Date(), zoneHere());
  let role = first;
  let away = false;
  let announced = new Set<string>();
  let onNotice = () => {};
  const me = (as = role): Person => (as === 'leader' ? demo.leader : demo.member);
  const fresh = (): Notice[] => demo.world.notices.filter(({ id, userId }) => userId === me().id && !announced.has(id));

  async function fetchHere(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const { url, method, headers, body } = requestOf(input, init);
    const isCommand = method !== 'GET' && method !== 'HEAD';
    // The sender is fixed when the request leaves, as with a cookie: the role may change on its way.
    const sender = role;
    if (isCommand && headers.has('idempotency-key')) await pause(commandTakesMs);
    init.signal?.throwIfAborted();
    if (away) throw new TypeError('The demo pretends that there is no connection.');
    // There is no other copy than this answer.
    if (headers.has(CACHED_ONLY_HEADER)) return respond(204, null);
    const asker = { world: demo.world, me: me(sender), now: new Date() };
    const key = headers.get('idempotency-key');
    const reply = await answer(asker, { method: method === 'HEAD' ? 'GET' : method, url, body, key });
    if (isCommand && fresh().length > 0) onNotice();
    return respond(reply.status, reply.body);
  }

  return {
    role: () => role,
    setRole(next) {
      role = next;
      onNotice();
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
      onNotice = listener;
    },
    fetch: fetchHere,
  };
}

/** Parses a request. Another origin gets no answer: the demo contacts nobody. @throws TypeError then */
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

/** Answers as the server does: with its build, not cacheable. The body is copied, as if it had travelled. */
function respond(status: number, body: unknown): Response {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', [BUILD_HEADER]: product.build };
  return new Response(status === 204 ? null : JSON.stringify(body), { status, headers });
}
