import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** What Node tells of each answer to a request of `node:http`, and of each of `fetch`. */
const CHANNELS = ['http.client.response.finish', 'undici:request:headers'] as const;
/** An answer counts for so long. */
const RECENT_MS = 60 * 60_000;

export type UpstreamClock = {
  /** Ms by which this machine's clock is ahead of the last upstream that answered within the hour, and which that was. */
  ahead(): { host: string; ms: number } | null;
  close(): void;
};

/**
 * Compares this machine's clock with the `Date` of answers that are read anyway. Only `hosts` count: others may say what
 * they like.
 */
export function upstreamClock(hosts: readonly string[], now: () => Date): UpstreamClock {
  let last: { host: string; ms: number; at: number } | null = null;
  const noteDate = (host: string, date: string | undefined) => {
    const [at, told] = [now().getTime(), Date.parse(date ?? '')];
    if (hosts.includes(host) && !Number.isNaN(told)) last = { host, ms: at - told, at };
  };
  const onHttp = (message: unknown) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    noteDate(String(request.getHeader('host')), response.headers.date);
  };
  const onFetch = (message: unknown) => {
    const { request, response } = message as { request: { origin: string }; response: { headers: Buffer[] } };
    const at = response.headers.findIndex((name, index) => index % 2 === 0 && /^date$/i.test(String(name)));
    if (at >= 0) noteDate(new URL(request.origin).host, String(response.headers[at + 1]));
  };
  const listeners = [onHttp, onFetch];
  for (const [at, channel] of CHANNELS.entries()) subscribe(channel, listeners[at] ?? onHttp);
  return {
    ahead: () => (last && Math.abs(now().getTime() - last.at) < RECENT_MS ? last : null),
    close() {
      for (const [at, channel] of CHANNELS.entries()) unsubscribe(channel, listeners[at] ?? onHttp);
    },
  };
}
