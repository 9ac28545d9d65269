import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Runtime } from '../../base/runtime.ts';
import { createMetrics } from '../../http/metrics.ts';
import { createFigures } from './figures.ts';

type Answer = {
  /** On the instance's own port: for who knows the token. Null: not there. */
  guarded: RequestListener | null;
  /** On a port of this machine. */
  open: RequestListener;
};

/** Answers `GET /metrics` in Prometheus' text format; null where neither token nor port is set. */
export function metricsAnswer(runtime: Runtime): Answer | null {
  const metrics = runtime.own(createMetrics);
  if (metrics === null) return null;
  const refresh = createFigures(runtime, metrics);
  const { token } = runtime.config.metrics;
  const answer: RequestListener = (_req, res) => {
    const write = async () => {
      await refresh();
      const text = await metrics.register.metrics();
      res.writeHead(200, { 'content-type': metrics.register.contentType, 'cache-control': 'no-store' }).end(text);
    };
    write().catch((error: unknown) => {
      runtime.log.warn({ err: error }, 'metrics could not be written');
      res.writeHead(500).end();
    });
  };
  const guarded: RequestListener = (req, res) => {
    if (isSame(req.headers.authorization, `Bearer ${token}`)) return answer(req, res);
    res
      .writeHead(401, { 'www-authenticate': 'Bearer', 'content-type': 'text/plain' })
      .end('METRICS_TOKEN is asked for\n');
  };
  return { guarded: token === null ? null : guarded, open: answer };
}

function isSame(given: string | undefined, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(wanted));
}

/** Listens on `METRICS_PORT` of this machine, where it is set. Throws what the port throws. */
export async function listenForMetrics(
  { metrics: { port } }: Pick<Runtime['config'], 'metrics'>,
  answer: Answer | null,
): Promise<{ close(): Promise<void> }> {
  if (port === null || answer === null) return { close: () => Promise.resolve() };
  const server = createServer((req, res) =>
    req.method === 'GET' && req.url === '/metrics' ? answer.open(req, res) : res.writeHead(404).end(),
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
