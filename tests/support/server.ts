import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import type { Sql } from 'postgres';
import { createRuntime, type Runtime } from '../../server/base/runtime.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { metricsAnswer } from '../../server/features/admin/metrics.ts';
import { createApp } from '../../server/http/app.ts';
import { type SessionKind, sessionCookie } from '../../server/http/cookies.ts';
import { EXPRESS_CLASSES } from '../../server/http/express.ts';
import type { Handlers } from '../../server/http/handler.ts';
import { loadMetrics } from '../../server/http/metrics.ts';
import { createSession } from '../../server/http/session.ts';
import type { Client } from '../../server/http/static.ts';
import type { World } from '../../server/integrations/outward/post.ts';
import { createPrices } from '../../server/integrations/prices/client.ts';
import { createPushSending } from '../../server/integrations/push/pool.ts';
import type { PushWorld } from '../../server/integrations/push/send.ts';
import { createTelegram } from '../../server/integrations/telegram/client.ts';
import { createX } from '../../server/integrations/x/client.ts';
import { handlers } from '../../server/runtime.ts';
import { startSandbox } from '../../server/sandbox/sandbox.ts';
import { sandboxEnvironment } from '../../server/sandbox/settings.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export type Reply = {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed JSON, undefined when the body is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any;
};
export type Ask = {
  cookie?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Uint8Array<ArrayBuffer>;
  /** `null` takes a header away that would be sent by default. */
  headers?: Record<string, string | null>;
};
export type NewPerson = {
  verified?: boolean;
  membership?: 'member' | 'left' | 'kicked' | 'restricted' | 'unknown';
  suspended?: boolean;
  role?: 'member' | 'ops' | 'admin';
  session?: SessionKind;
  name?: string;
};
export type TestServer = {
  url: string;
  sql: Sql;
  runtime: Runtime;
  /** Origin of the sandbox; empty when it was not started. */
  sandboxUrl: string;
  /** Moves the server's clock. */
  advance(ms: number): void;
  /** One request as the app's own page sends it: same-origin, JSON; redirects are answers. */
  request(method: string, path: string, ask?: Ask): Promise<Reply>;
  /** The same for a command: under an idempotency key, of its own where none is named. */
  command(method: string, path: string, ask?: Ask & { key?: string | undefined }): Promise<Reply>;
  /** Tells the sandbox what happens there; its answer. */
  control(method: string, path: string, body?: object): Promise<Reply['json']>;
  /**
   * Signs in one of the sandbox's people through the real protocol, in a browser of its own or in the one that holds
   * the given `Cookie`; gives the `Cookie` header of the session.
   */
  signIn(personId: string | number, held?: string): Promise<string>;
  /** A person with a session, written straight into the database. */
  person(options?: NewPerson): Promise<{ userId: string; cookie: string }>;
  close(): Promise<void>;
};
export type TestServerOptions = {
  /** Instead of a fresh one, as another process beside it; what stands behind `drop` is the caller's. */
  database?: TestDatabase;
  /** False starts no sandbox: Telegram and X are then not configured. */
  sandbox?: boolean;
  env?: Record<string, string>;
  config?: Partial<Config>;
  client?: Client;
  /** Of the client that is served: its service worker takes pages of its own build alone. */
  build?: string;
  /** How often whoever listens to a stream is asked for their session again. */
  streamCheckMs?: number;
  handlers?: Handlers[];
  /** What stands in the place of the open internet for push services. */
  pushWorld?: PushWorld;
  /** The same for the source of prices. */
  pricesWorld?: World;
  /** What the server writes down; a silent one when absent. */
  log?: Logger;
};

let people = 5_000_000;

/** The real app on a port of its own, on a fresh database, against a real sandbox. */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase());
  const sandbox = options.sandbox === false ? null : await startSandbox({ port: 0 });
  const server = createServer(EXPRESS_CLASSES);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://localhost:${port}`;
  const config: Config = {
    ...readConfig({
      PORT: String(port),
      DATABASE_URL: database.url,
      PUBLIC_ORIGIN: url,
      ...(sandbox ? sandboxEnvironment(sandbox.url) : {}),
      ...options.env,
    }),
    ...options.config,
  };
  const log = options.log ?? pino({ level: process.env['TEST_LOG'] ?? 'silent' });
  let ahead = 0;
  const runtime = createRuntime({
    config,
    sql: database.sql,
    log,
    telegram: createTelegram(config, log),
    x: createX(config, log),
    push: createPushSending({ hosts: config.push.hosts, ...(options.pushWorld ? { world: options.pushWorld } : {}) }),
    prices: createPrices(config, log, options.pricesWorld),
    now: () => new Date(Date.now() + ahead),
    build: options.build ?? 'test',
    startedAt: new Date(),
  });
  await loadMetrics(config);
  const app = createApp(runtime, options.handlers ?? handlers, {
    metrics: runtime.own(metricsAnswer)?.guarded ?? null,
    ...(options.client ? { client: options.client } : {}),
    ...(options.streamCheckMs === undefined ? {} : { streamCheckMs: options.streamCheckMs }),
  });
  server.on('request', app);
  // The name `localhost` may mean ::1 first; the server listens on one address.
  const base = `http://127.0.0.1:${port}`;

  const request = async (method: string, path: string, ask: Ask = {}): Promise<Reply> => {
    const headers = new Headers();
    if (method !== 'GET' && method !== 'HEAD') headers.set('sec-fetch-site', 'same-origin');
    if (ask.cookie !== undefined) headers.set('cookie', ask.cookie);
    if (ask.body !== undefined) headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(ask.headers ?? {})) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    const body = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    const response = await fetch(base + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    // A live stream has no end to wait for.
    const isLive = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isLive) await response.body?.cancel();
    const text = isLive ? '' : await response.text();
    const isJson = response.headers.get('content-type')?.match(/[/+]json\b/) && text !== '';
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  };

  return {
    url,
    sql: database.sql,
    runtime,
    sandboxUrl: sandbox?.url ?? '',
    advance: (ms) => {
      ahead += ms;
    },
    request,
    command: (method, path, { key = randomUUID(), ...ask } = {}) =>
      request(method, path, { ...ask, headers: { 'idempotency-key': key, ...ask.headers } }),
    async control(method, path, body) {
      const headers = { 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
      const answer = await fetch(`${sandbox?.url}/control${path}`, { method, ...sent });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    async signIn(personId, held) {
      const start = await request('GET', '/api/auth/telegram/start');
      const authorize = new URL(located(start));
      authorize.searchParams.set('person', String(personId));
      const approved = await fetch(authorize, { redirect: 'manual' });
      const back = new URL(approved.headers.get('location') ?? '');
      const done = await request('GET', back.pathname + back.search, {
        cookie: [held ?? [], cookiesOf(start)].flat().join('; '),
      });
      located(done);
      const name = sessionCookie(config, 'web');
      const cookie = cookiesOf(done)
        .split('; ')
        .find((pair) => pair.startsWith(`${name}=`));
      if (!cookie) throw new Error(`sign-in of ${personId} gave no session: ${done.headers.get('location')}`);
      return cookie;
    },
    async person(wanted = {}) {
      people += 1;
      const [user] = await database.sql<[{ id: string }]>`
        insert into users (telegram_user_id, display_name, is_verified, role, membership, suspended_at)
        values (${people}, ${wanted.name ?? `Person ${people}`}, ${wanted.verified ?? true}, ${wanted.role ?? 'member'},
          ${wanted.membership ?? 'member'}, ${wanted.suspended ? new Date() : null})
        returning id`;
      const kind = wanted.session ?? 'web';
      const now = runtime.now();
      const { token } = await createSession(database.sql, { userId: user.id, kind, userAgent: 'test', now });
      return { userId: user.id, cookie: `${sessionCookie(config, kind)}=${token}` };
    },
    async close() {
      await runtime.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await sandbox?.close();
      await database.drop();
    },
  };
}

function located(reply: Reply): string {
  const location = reply.headers.get('location');
  if (reply.status !== 302 || !location) throw new Error(`expected a redirect, got ${reply.status}: ${reply.text}`);
  return location;
}

/** Cookies that an answer sets, as the `Cookie` header of the next request. */
export const cookiesOf = (reply: Reply): string =>
  reply.headers
    .getSetCookie()
    .filter((line) => !/max-age=0/i.test(line))
    .map((line) => line.split(';', 1)[0])
    .join('; ');
