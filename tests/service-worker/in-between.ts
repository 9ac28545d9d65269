/** A device whose every request passes somebody who may answer in their own name: what both tests of that share. */
import { vi } from 'vitest';
import { MEMBER_HEADER, type SwBroadcast } from '../../server/contract/sw-messages.ts';
import { createReads } from '../../service-worker/caching.ts';
import { createMembers, throughSession } from '../../service-worker/member.ts';
import { appendLog } from '../../worker/client-logs.ts';
import { drain } from '../../worker/drain.ts';
import { addEntry, listEntries, setMember } from '../../worker/outbox.ts';
import { storeSubscription } from '../../worker/push.ts';
import type { DeviceEvent } from '../../worker/schema.ts';
import type { DrainPorts } from '../../worker/send.ts';
import { sendOverNetwork } from '../../worker/send.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';
import { getMeta } from '../../worker/storage/storage.ts';
import { FakeEvent, get, installCaches, installFetch, installTimers, ORIGIN, OWN } from './scope.ts';

export const USER = '/api/auth/user';
export const BOARD = '/api/communities/c1/leaderboard';
/** Stands in whatever somebody in between says. */
export const FOREIGN = 'not of the product';
export const MEMBER = 'A';

/** An answer, of whomever. */
export type FakeAnswer = { status: number; type: string | null; body: string; headers?: Record<string, string> };

/** 204 and 304 carry nothing. */
export function responseOf({ status, type, body, headers = {} }: FakeAnswer): Response {
  const isEmpty = status === 204 || status === 304;
  const response = new Response(isEmpty ? null : body, { status, headers });
  if (type === null) response.headers.delete('content-type');
  else response.headers.set('content-type', type);
  return response;
}

const ok = (body: unknown, more: Record<string, string> = {}): Response =>
  Response.json(body, { headers: { ...OWN, 'cache-control': 'no-store', ...more } });

/** The product's server: it counts each command and stores each log entry once, whatever is asked twice. */
function createServer() {
  const commands = new Map<string, number>();
  const logs = new Map<string, number>();
  const saved: string[] = [];
  const keys = new Set<string>();
  return {
    commands,
    logs,
    saved,
    answer(method: string, path: string, headers: Headers, body: unknown): Response {
      if (method === 'GET') {
        const isMembers = { 'cache-control': 'private, no-cache', [MEMBER_HEADER]: MEMBER };
        return ok(path === USER ? { id: MEMBER } : { of: path }, isMembers);
      }
      if (path.startsWith('/api/debug/')) {
        const { entries } = body as { entries: { id: string }[] };
        for (const { id } of entries) logs.set(id, (logs.get(id) ?? 0) + Number(!logs.has(id)));
        return ok({ results: entries.map(({ id }) => ({ id, status: 'stored' })) });
      }
      if (path.startsWith('/api/auth/')) return ok({ ok: true });
      const key = headers.get('idempotency-key') ?? '';
      if (!keys.has(key)) {
        if (path === '/api/pwa/subscribe') saved.push((body as { publicKey: string }).publicKey);
        else commands.set((body as { act: string }).act, (commands.get((body as { act: string }).act) ?? 0) + 1);
      }
      keys.add(key);
      return ok({ id: 'x' });
    },
  };
}

/** A device of member A's with both rooms, and one server. `between` says who answers; without an answer the server does. */
export async function openDevice() {
  const caches = installCaches();
  installTimers();
  vi.stubGlobal('navigator', { onLine: true });
  const storage = memoryStorage();
  const server = createServer();
  const members = createMembers(storage);
  const told: (SwBroadcast | DeviceEvent)[] = [];
  const held: Promise<unknown>[] = [];
  let ids = 0;
  const self = {
    caches,
    storage,
    server,
    members,
    told,
    /** Epoch milliseconds. */
    time: 1_000_000,
    now: () => self.time,
    /** Answers in the place of the server, before or after that did what was asked; null lets it answer. */
    between: (): { said: () => Response; afterwards: boolean } | null => null,
    newId: () => {
      ids += 1;
      return `id${ids}`;
    },
    command: (act: string, lane = 'x') =>
      addEntry(self, {
        ...{ id: self.newId(), userId: MEMBER, lane, method: 'POST', path: '/api/x', body: { act }, label: '' },
        subject: 's',
      }),
    log: (message: string) => appendLog(self, 'error', { message }),
    saveSubscription: (publicKey: string) =>
      storeSubscription(self, {
        ...{ id: self.newId(), userId: MEMBER, publicKey, label: '' },
        subscription: { endpoint: `https://push.example/${publicKey}`, keys: { p256dh: '', auth: '' } },
      }),
    drain: () => drain(ports, { hurry: true }),
    /** The page's read, once nothing of it is being stored any more. */
    async read(path: string): Promise<Response> {
      const event = Object.assign(new FakeEvent('fetch', held), { request: get(path) });
      const response = await readWith(event as unknown as FetchEvent);
      while (held.length > 0) await Promise.all(held.splice(0));
      return response;
    },
    session: (method: 'GET' | 'POST', path: string) =>
      throughSession(new Request(ORIGIN + path, { method }), members, (message) => void told.push(message)),
    /** Everything that somebody in between must not change. */
    async state() {
      const meta = await storage.run(['meta'], async (tx) => ({
        member: await getMeta(tx, 'member'),
        paused: await getMeta(tx, 'paused'),
      }));
      const logs = await storage.run(['logs'], (tx) => tx.all('logs'));
      return {
        ...meta,
        outbox: (await listEntries(storage, MEMBER)).map(({ id, state, error }) => [id, state, error?.status ?? null]),
        logs: logs.map(({ id }) => id),
        copies: await caches.contents(),
      };
    },
  };
  const ports: DrainPorts = {
    storage,
    send: sendOverNetwork,
    now: () => self.time,
    random: () => 0.5,
    lock: (work) => work(true),
    broadcast: (event) => void told.push(event),
  };
  const readWith = createReads({
    members,
    now: () => self.time,
    broadcast: (message) => void told.push(message),
    onAnswer: () => undefined,
    // Nothing is late here.
    wait: () => new Promise(() => undefined),
  });
  installFetch(async (input, init = {}) => {
    const request = input instanceof Request ? input : null;
    const method = request?.method ?? init.method ?? 'GET';
    const path = request ? new URL(request.url).pathname : String(input);
    const other = self.between();
    const answer = () =>
      server.answer(method, path, new Headers(init.headers), JSON.parse(String(init.body ?? 'null')) as unknown);
    if (!other) return answer();
    if (other.afterwards) answer();
    return other.said();
  });
  await setMember(storage, MEMBER);
  return self;
}
