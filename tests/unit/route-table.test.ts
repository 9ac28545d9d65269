import { expect, test } from 'vitest';
import type { Declaration } from '../../server/contract/route.ts';
import { routes } from '../../server/contract/routes.ts';
import type { Handlers } from '../../server/http/handler.ts';
import { openApi } from '../../server/http/openapi.ts';
import { routeTable } from '../../server/http/route-table.ts';

const declared = (access: Declaration['access'] = 'public', extra: Partial<Declaration> = {}): Declaration => ({
  access,
  summary: 'A route',
  cache: 'no-store',
  perMinute: 1,
  ...extra,
});
/** Handlers under keys that the contract does not have. */
const handling = (...keys: string[]) =>
  Object.fromEntries(keys.map((key) => [key, () => ({ empty: true })])) as Handlers;

test('a handler without a declaration stops the start', () => {
  expect(() => routeTable([handling('GET /a', 'GET /b')], { 'GET /a': declared() })).toThrow(
    'GET /b has a handler but no declaration',
  );
});

test('a declaration without a handler stops the start', () => {
  expect(() => routeTable([handling('GET /a')], { 'GET /a': declared(), 'POST /b': declared() })).toThrow(
    'POST /b is declared but has no handler',
  );
});

test('two handlers for one route stop the start', () => {
  expect(() => routeTable([handling('GET /a'), handling('GET /a')], { 'GET /a': declared() })).toThrow('two handlers');
});

test('all problems are named at once', () => {
  expect(() => routeTable([handling('GET /x')], { 'GET /a': declared(), 'GET /b': declared() })).toThrow(
    /GET \/x[\s\S]*GET \/a[\s\S]*GET \/b/,
  );
});

test('two names for the parameter of one path stop the start', () => {
  const [mine, theirs] = ['GET /things/:id', 'PUT /things/:thingId'];
  expect(() => routeTable([handling(mine, theirs)], { [mine]: declared(), [theirs]: declared() })).toThrow(
    'names its parameters unlike another route',
  );
});

test.each([
  ['GET /things', declared('leader'), 'names no community'],
  ['POST /things', declared('public', { idempotent: true }), 'idempotent but for nobody'],
  ['GET /things', declared('user', { idempotent: true }), 'changes something'],
  ['GET /health', declared('user', { probe: true }), 'is a probe but not for everybody'],
  ['FETCH /things', declared(), 'is not "METHOD /path"'],
])('%s cannot be declared so', (key, declaration, problem) => {
  expect(() => routeTable([handling(key)], { [key]: declaration })).toThrow(problem);
});

test('each route of the contract is limited, at the most to a hundred calls a second', () => {
  const isLimited = ({ perMinute }: Declaration) => Number.isInteger(perMinute) && perMinute > 0 && perMinute <= 6_000;
  expect(Object.entries(routes).flatMap(([key, declaration]) => (isLimited(declaration) ? [] : key))).toEqual([]);
});

test('OpenAPI lists exactly the routes of the contract', () => {
  const document = openApi(routes, { title: 'Muster', version: '1', server: 'http://localhost', cookie: 'sid' });
  const paths = document['paths'] as Record<
    string,
    Record<string, { operationId: string; parameters: { in: string }[] }>
  >;
  const listed = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(listed.sort()).toEqual(Object.keys(routes).sort());
  const claim = paths['/api/communities/{communityId}/tasks/{taskId}/claims']?.['post'];
  expect(claim?.operationId).toBe('postCommunityTaskClaims');
  expect(claim?.parameters.map((parameter) => parameter.in)).toEqual(['path', 'path', 'header']);
});
