import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ErrorRequestHandler } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpErrorOf } from '../../server/http/errors.ts';
import { createExpress, EXPRESS_CLASSES } from '../../server/http/express.ts';
import { mountRoutes } from '../../server/http/mount.ts';
import type { Route } from '../../server/http/route-table.ts';

const KEYS = [
  'GET /api/things',
  'POST /api/things',
  'GET /api/things/:thingId',
  'GET /api/things/newest',
  'GET /api/things/newest/picture',
  'PUT /api/things/:id/picture',
  'GET /api/things/:thingId/parts/:partId',
];
const table = KEYS.map((key): Route => {
  const [method = '', path = ''] = key.split(' ');
  return {
    key,
    method: method as Route['method'],
    path,
    declaration: {} as Route['declaration'],
    prepare: () => ({}) as never,
  };
});

let server: Server;
beforeAll(async () => {
  const app = createExpress();
  // Told apart from the declaration, so that nothing but the order of routes is looked at.
  mountRoutes(app, table, ({ key }) => [
    (req, res) => void res.setHeader('X-Found', JSON.stringify([key, req.params])).end(),
  ]);
  app.use((_req, res) => void res.sendStatus(404));
  app.use(((error, _req, res, _next) => void res.sendStatus(httpErrorOf(error).status)) satisfies ErrorRequestHandler);
  server = createServer(EXPRESS_CLASSES, app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server?.close());

/** As it is sent: `fetch` would tidy the path. */
async function ask(method: string, path: string) {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: '127.0.0.1', method, path }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  const found = answer.headers['x-found'];
  return {
    status: answer.statusCode,
    allow: answer.headers.allow,
    found: typeof found === 'string' ? JSON.parse(found) : undefined,
  };
}

test.each([
  ['GET', '/api/things', 'GET /api/things', {}],
  ['POST', '/api/things', 'POST /api/things', {}],
  ['HEAD', '/api/things', 'GET /api/things', {}],
  ['GET', '/api/things/7', 'GET /api/things/:thingId', { thingId: '7' }],
  ['GET', '/api/things/newest', 'GET /api/things/newest', {}],
  ['GET', '/api/things/newest/picture', 'GET /api/things/newest/picture', {}],
  // The fixed segment leads nowhere here, so it is a name like any other.
  ['GET', '/api/things/newest/parts/2', 'GET /api/things/:thingId/parts/:partId', { thingId: 'newest', partId: '2' }],
  ['PUT', '/api/things/7/picture', 'PUT /api/things/:id/picture', { id: '7' }],
  ['GET', '/api/things/a%2Fb%20c', 'GET /api/things/:thingId', { thingId: 'a/b c' }],
])('%s %s is answered by %s', async (method, path, route, params) => {
  expect(await ask(method, path)).toMatchObject({ status: 200, found: [route, params] });
});

test.each([
  '/',
  '/api',
  '/api/',
  '/api/things/',
  '/API/things',
  '//api/things',
  '/api//things',
  '/api/things//parts/1',
  '*',
])('there is nothing at %j', async (path) => expect((await ask('GET', path)).status).toBe(404));

test('another method is told which ones there are', async () => {
  expect(await ask('DELETE', '/api/things')).toMatchObject({ status: 405, allow: 'GET, HEAD, POST' });
  expect(await ask('OPTIONS', '/api/things/7')).toMatchObject({ status: 405, allow: 'GET, HEAD' });
  // A fixed path takes its name for itself, whatever the method.
  expect(await ask('PUT', '/api/things/newest/picture')).toMatchObject({ status: 405, allow: 'GET, HEAD' });
});

test('a parameter that does not decode is the address’s fault', async () => {
  expect((await ask('GET', '/api/things/%zz')).status).toBe(400);
});
