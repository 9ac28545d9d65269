import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What becomes of one request. */
export type Fault =
  | { answer: number; headers?: Record<string, string> }
  /** The server did what was asked and has begun to answer; the caller never hears of it. */
  | { cutAfterCommit: () => void };

export type FaultProxy = {
  port: number;
  /** Port of the server behind it. */
  to: number;
  /** When each write went through to the server (`performance.now()`). */
  writes: number[];
  /** Every API request waits so long before it goes on. */
  delayMs: number;
  rule: (method: string, path: string) => Fault | null;
  /** Resets every connection, present and future. */
  cut(): void;
  mend(): void;
  /** Takes what is asked and passes nothing on, until what this returns is called. */
  hold(): () => void;
  close(): void;
};

export const noFault = (): null => null;

/** Stands between browser and server and spoils what it is told to. It sees pages, workers and service workers alike. */
export async function startProxy(port: number, to: number): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: false });
  const sockets = new Set<Socket>();
  let isCut = false;
  let held: Promise<void> | undefined;

  async function pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [method, path] = [req.method ?? 'GET', req.url ?? '/'];
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    await held;
    if (proxy.delayMs > 0 && path.startsWith('/api/')) await sleep(proxy.delayMs);
    const fault = proxy.rule(method, path);
    if (fault && 'answer' in fault) {
      res.writeHead(fault.answer, { 'content-type': 'text/plain', ...fault.headers }).end('on purpose');
      return;
    }
    if (method === 'POST') proxy.writes.push(performance.now());
    const upstream = request(
      { host: '127.0.0.1', port: proxy.to, method, path, headers: req.headers, agent },
      (answer) => {
        if (fault) {
          fault.cutAfterCommit();
          answer.destroy();
          req.socket.resetAndDestroy();
          return;
        }
        res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.on('error', () => req.socket.resetAndDestroy());
        answer.pipe(res);
      },
    );
    upstream.once('error', () => req.socket.resetAndDestroy());
    res.once('close', () => upstream.destroy());
    upstream.end(Buffer.concat(chunks));
  }

  const server = createServer((req, res) => void pass(req, res).catch(() => req.socket.resetAndDestroy()));
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    if (isCut) return void socket.resetAndDestroy();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  const proxy: FaultProxy = {
    port: (server.address() as AddressInfo).port,
    to,
    writes: [],
    delayMs: 0,
    rule: noFault,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend() {
      isCut = false;
    },
    hold() {
      let letGo = () => {};
      held = new Promise((done) => {
        letGo = done;
      });
      return () => {
        held = undefined;
        letGo();
      };
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return proxy;
}
