import type { Runtime } from '../../base/runtime.ts';
import { routes } from '../../contract/routes.ts';
import { sessionCookie } from '../../http/cookies.ts';
import { serverGoing, storageAway, storageFull } from '../../http/errors.ts';
import type { CachedJson, Handlers } from '../../http/handler.ts';
import { openApi } from '../../http/openapi.ts';
import { cachedJson } from '../../http/send.ts';
import { type Readiness, readiness } from '../../storage/ready.ts';

function describe({ config, build }: Pick<Runtime, 'config' | 'build'>): Record<string, unknown> {
  return openApi(routes, {
    title: config.productName,
    version: build,
    server: config.publicOrigin,
    cookie: sessionCookie(config, 'web'),
  });
}

/** Built at first use: it is large and never changes while the process runs. */
const description = (runtime: Runtime): Promise<CachedJson> => cachedJson(describe(runtime));

/** `Expires` of security.txt (RFC 9116: less than a year). */
const SECURITY_TEXT_MS = 180 * 24 * 60 * 60_000;

function securityText({ config, now }: Pick<Runtime, 'config' | 'now'>): string {
  const { publicOrigin, securityContact } = config;
  const day = 24 * 60 * 60_000;
  // The same all day, so a copy can be recognized by its tag.
  const expires = new Date(Math.floor((now().getTime() + SECURITY_TEXT_MS) / day) * day);
  return [
    `Contact: ${securityContact ?? `${publicOrigin}/partnerships`}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicOrigin}/.well-known/security.txt`,
    '',
  ].join('\n');
}

/** Probes come from several sides, and share an answer for as many ms. */
const PROBE_SHARED_MS = 250;

function probes(runtime: Runtime): () => Promise<Readiness> {
  let last = { until: 0, answer: Promise.resolve<Readiness>('ready') };
  return () => {
    if (last.until <= performance.now())
      last = { until: performance.now() + PROBE_SHARED_MS, answer: readiness(runtime) };
    return last.answer;
  };
}

/** Whether this process was told to stop: it serves on, but proxies shall turn to another one. */
export const handOver = (_runtime: Runtime): { isGoing: boolean } => ({ isGoing: false });

export const healthHandlers = {
  'GET /livez': ({ way }) => ({ json: { ok: true, way: way() } }),
  'GET /readyz': async ({ runtime }) => {
    if (runtime.own(handOver).isGoing) throw serverGoing();
    const found = await runtime.own(probes)();
    if (found === 'away') throw storageAway();
    if (found !== 'ready') throw storageFull(found);
    return { json: { ok: true } };
  },
  'GET /api/health': ({ runtime }) => ({ json: { ok: true, build: runtime.build } }),
  'GET /.well-known/security.txt': ({ runtime }) => ({
    file: { type: 'text/plain', content: Buffer.from(securityText(runtime)), name: null },
  }),
  'GET /api/openapi.json': async ({ runtime }) => ({ cached: await runtime.own(description) }),
} satisfies Handlers;
