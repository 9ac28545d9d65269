import type { Runtime } from '../../base/runtime.ts';
import { routes } from '../../contract/routes.ts';
import { sessionCookie } from '../../http/cookies.ts';
import type { Handlers } from '../../http/handler.ts';
import { openApi } from '../../http/openapi.ts';

function describe({ config, build }: Pick<Runtime, 'config' | 'build'>): Record<string, unknown> {
  return openApi(routes, {
    title: config.productName,
    version: build,
    server: config.publicOrigin,
    cookie: sessionCookie(config, 'web'),
  });
}

export const healthHandlers = {
  'GET /livez': () => ({ json: { ok: true } }),
  'GET /readyz': async ({ sql }) => {
    await sql`select 1`;
    return { json: { ok: true } };
  },
  'GET /api/health': ({ runtime }) => ({ json: { ok: true, build: runtime.build } }),
  'GET /api/openapi.json': ({ runtime }) => ({ json: describe(runtime) }),
} satisfies Handlers;
