import type { Runtime } from '../../base/runtime.ts';
import { routes } from '../../contract/routes.ts';
import { sessionCookie } from '../../http/cookies.ts';
import { storageAway, storageFull } from '../../http/errors.ts';
import type { Handlers, Kept } from '../../http/handler.ts';
import { openApi } from '../../http/openapi.ts';
import { keptJson } from '../../http/send.ts';
import { readiness } from '../../storage/ready.ts';

function describe({ config, build }: Pick<Runtime, 'config' | 'build'>): Record<string, unknown> {
  return openApi(routes, {
    title: config.productName,
    version: build,
    server: config.publicOrigin,
    cookie: sessionCookie(config, 'web'),
  });
}

/** Made when it is first asked for: it is large, and nothing in it changes while the process runs. */
const description = (runtime: Runtime): Promise<Kept> => keptJson(describe(runtime));

export const healthHandlers = {
  'GET /livez': () => ({ json: { ok: true } }),
  'GET /readyz': async ({ runtime: { sql, config } }) => {
    const found = await readiness({ sql, embeddedHome: config.databaseUrl === null ? config.home : null });
    if (found === 'away') throw storageAway();
    if (found !== 'ready') throw storageFull(found);
    return { json: { ok: true } };
  },
  'GET /api/health': ({ runtime }) => ({ json: { ok: true, build: runtime.build } }),
  'GET /api/openapi.json': async ({ runtime }) => ({ kept: await runtime.own(description) }),
} satisfies Handlers;
