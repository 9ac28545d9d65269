import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

export type Member = { cookie: string };
export type Load = {
  /** Requests that got another answer than theirs, or none. */
  failed: string[];
  asked: number;
  /** Claims that were acknowledged, as `member task`. */
  claimed: Set<string>;
  /** How often a live view came back. */
  returned: number;
  stop(): Promise<void>;
};

/** Pairs of a member and a task that are claimed once each. */
type Acts = Iterator<{ member: number; path: string; task: string }>;
type Wanted = {
  port: number;
  perSecond: number;
  members: readonly Member[];
  acts: Acts;
  reads: readonly string[];
  streams: number;
  live: string;
};

const EVERY_MS = 50;

/** Each member comes from an address of their own, as the limits of the product count them. */
const addressOf = (member: number) => `127.0.1.${(member % 250) + 1}`;

/**
 * Asks through the proxy, evenly, four reads and one claim in turn, each once: what is not answered has failed. Beside that
 * live views are open, which come back when they end, as a browser's do.
 */
export function startLoad({ port, perSecond, members, acts, reads, streams, live }: Wanted): Load {
  const agents = members.map(
    (_, at) => new Agent({ keepAlive: true, maxSockets: 20, localAddress: addressOf(at), rejectUnauthorized: false }),
  );
  const begun = performance.now();
  const open = new Set<Promise<void>>();
  let isOver = false;
  const load: Load = {
    failed: [],
    asked: 0,
    claimed: new Set(),
    returned: 0,
    async stop() {
      clearInterval(timer);
      isOver = true;
      await Promise.all(open);
      for (const agent of agents) agent.destroy();
    },
  };

  function send(
    member: number,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body = '',
  ): Promise<IncomingMessage> {
    const agent = agents[member];
    const cookie = members[member]?.cookie ?? '';
    return new Promise((done, fail) => {
      const asked = request(
        {
          host: '127.0.0.1',
          servername: 'localhost',
          port,
          agent,
          method,
          path,
          headers: { host: `localhost:${port}`, cookie, ...headers },
        },
        done,
      );
      asked.once('error', fail).end(body);
    });
  }
  const seconds = () => Math.round((performance.now() - begun) / 100) / 10;
  async function ask(
    member: number,
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: string,
  ): Promise<boolean> {
    load.asked += 1;
    try {
      const answer = await send(member, method, path, headers, body);
      let text = '';
      for await (const chunk of answer) text += String(chunk);
      if ((answer.statusCode ?? 500) < 300) return true;
      load.failed.push(
        `${method} ${answer.statusCode} ${/"reason":"\w+"/.exec(text)?.[0] ?? ''} after ${seconds()} s: ${path}`,
      );
    } catch (error) {
      load.failed.push(`${method} ${error} after ${seconds()} s: ${path}`);
    }
    return false;
  }
  async function claim(): Promise<void> {
    const { value, done } = acts.next();
    if (done) throw new Error('all that can be claimed is claimed: give the load more tasks');
    const headers = {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'idempotency-key': randomUUID(),
    };
    if (await ask(value.member, 'POST', value.path, headers, '{}')) load.claimed.add(`${value.member} ${value.task}`);
  }
  async function follow(member: number): Promise<void> {
    while (!isOver) {
      try {
        const answer = await send(member, 'GET', live, { accept: 'text/event-stream' });
        if (answer.statusCode !== 200) load.failed.push(`live: ${answer.statusCode}`);
        let retry = 500;
        const end = setInterval(() => isOver && answer.destroy(), 200);
        try {
          for await (const chunk of answer) retry = Number(/^retry: (\d+)$/m.exec(String(chunk))?.[1] ?? retry);
        } finally {
          clearInterval(end);
        }
        await new Promise((next) => setTimeout(next, retry));
      } catch (error) {
        if (!isOver) load.failed.push(`live: ${error}`);
      }
      if (!isOver) load.returned += 1;
    }
  }
  const begin = (work: Promise<void>) => {
    open.add(work);
    void work.finally(() => open.delete(work));
  };
  for (let at = 0; at < streams; at += 1) begin(follow(at));
  let turn = 0;
  const timer = setInterval(() => {
    // As many as are due: a timer of a busy machine comes late.
    for (const due = ((performance.now() - begun) / 1_000) * perSecond; turn < due; ) {
      turn += 1;
      const read = reads[turn % reads.length] ?? '/';
      begin(turn % 5 === 0 ? claim() : ask(turn % members.length, 'GET', read).then(() => undefined));
    }
  }, EVERY_MS);
  return load;
}
