import { randomUUID } from 'node:crypto';
import type { LogKind } from '../../server/contract/logs.ts';
import { logServiceOf } from '../../server/features/client-logs/service.ts';
import type { Reply, TestServer } from './server.ts';

export const LOGS = '/api/admin/client-logs';

export type Sent = {
  data?: object;
  kind?: LogKind;
  /** Session that sends it; nobody's when absent. */
  cookie?: string | undefined;
  /** How long ago it happened, in ms, by a right clock. */
  agoMs?: number;
  id?: string;
  userAgent?: string;
  dropped?: { error?: number; debug?: number };
};

/** Sends one entry as a device does and answers its id; see `ingested` for when it can be read. */
export async function send(server: TestServer, sent: Sent = {}): Promise<string> {
  const id = sent.id ?? randomUUID();
  const now = server.runtime.now();
  const timestamp = new Date(now.getTime() - (sent.agoMs ?? 0)).toISOString();
  const kind = sent.kind ?? 'error';
  const data =
    kind === 'error'
      ? { message: 'Error: it broke', timestamp, ...sent.data }
      : { action: 'tap', timestamp, ...sent.data };
  const reply = await server.request('POST', '/api/debug/client-logs/batch', {
    body: {
      sentAt: now.toISOString(),
      ...(sent.dropped ? { dropped: sent.dropped } : {}),
      entries: [{ id, type: kind, data }],
    },
    ...(sent.cookie === undefined ? {} : { cookie: sent.cookie }),
    ...(sent.userAgent === undefined ? {} : { headers: { 'user-agent': sent.userAgent } }),
  });
  if (reply.json?.results?.[0]?.status !== 'stored') throw new Error(`not stored: ${reply.text}`);
  return id;
}

/** So many errors into the inbox, of nobody where `sender` does not say. */
export async function fill(
  server: TestServer,
  count: number,
  data: (at: number) => object,
  sender: (at: number) => object = () => ({}),
): Promise<void> {
  const texts = Array.from({ length: count }, (_, at) => JSON.stringify(data(at)));
  const senders = Array.from({ length: count }, (_, at) => JSON.stringify(sender(at)));
  await server.sql`insert into client_log_inbox (id, received_at, sender, kind, data)
    select gen_random_uuid(), ${server.runtime.now()}, sender::jsonb, 'error', data::json
    from unnest(${texts}::text[], ${senders}::text[]) as r (data, sender)`;
}

/** Ingests what waits, as the server does by itself a moment later. */
export const ingested = (server: TestServer): Promise<number> => logServiceOf(server.runtime).ingest();

/** Makes a release known, newer than those before. */
export async function release(server: TestServer, name: string): Promise<void> {
  await server.sql`insert into client_log_releases (name, first_run_at) values (${name}, now()) on conflict do nothing`;
}

/** One read of ops, with its filters. */
export const ask = (
  server: TestServer,
  cookie: string,
  path: string,
  query: Record<string, string> = {},
): Promise<Reply> => server.request('GET', `${LOGS}${path}?${new URLSearchParams(query)}`, { cookie });
