import { expect, test } from 'vitest';
import type { Route } from '../../server/http/route-table.ts';
import { createRouter } from '../../server/http/router.ts';

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
    handler: () => ({}) as never,
  };
});
const router = createRouter(table, ({ key }) => key);

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
])('%s %s is answered by %s', (method, path, route, params) => {
  expect(router(method, path)).toEqual({ is: 'route', route, params });
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
  '',
])('there is nothing at %j', (path) => expect(router('GET', path)).toBeNull());

test('another method is told which ones there are', () => {
  expect(router('DELETE', '/api/things')).toEqual({ is: 'wrong method', allowed: 'GET, HEAD, POST' });
  expect(router('OPTIONS', '/api/things/7')).toEqual({ is: 'wrong method', allowed: 'GET, HEAD' });
  // A fixed path takes its name for itself, whatever the method.
  expect(router('PUT', '/api/things/newest/picture')).toEqual({ is: 'wrong method', allowed: 'GET, HEAD' });
});

test('a parameter that does not decode is the address’s fault', () => {
  expect(() => router('GET', '/api/things/%zz')).toThrow(URIError);
});
