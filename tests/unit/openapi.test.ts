import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { routes } from '../../server/contract/routes.ts';
import { webhookEvents } from '../../server/contract/webhook-events.ts';
import { openApi, operationId } from '../../server/http/openapi.ts';

const documentAt = (server: string) => openApi(routes, { title: 'Muster', version: '1', server, cookie: 'sid' });
const lint = async (document: object) => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: 'openapi.json' });
  return problems.map(({ severity, ruleId, message, location }) =>
    [severity, ruleId, message, location[0]?.pointer].join(' '),
  );
};

test.each(['https://muster.example.org', 'http://localhost:3000'])(
  'the document of an instance at %s passes all of redocly’s recommended rules, warnings too',
  async (server) => {
    expect(await lint(documentAt(server))).toEqual([]);
  },
);

test('those rules do look at it', async () => {
  const { info: _, ...document } = documentAt('https://muster.example.org');
  expect((await lint(document)).join()).toContain('info');
});

test('each operation has a name of its own that programs can use', () => {
  const ids = Object.keys(routes).map(operationId);
  expect(ids.filter((id, at) => !/^[a-z][A-Za-z0-9]+$/.test(id) || ids.indexOf(id) !== at)).toEqual([]);
  expect(operationId('GET /api/health')).toBe('getHealth');
  expect(operationId('POST /api/communities/:communityId/tasks/:taskId/claims')).toBe('postCommunityTaskClaims');
});

test('formats are known ones, and each route tells how it refuses', () => {
  const document = documentAt('https://muster.example.org');
  const formats = new Set([...JSON.stringify(document).matchAll(/"format":"([^"]*)"/g)].map(([, format]) => format));
  expect([...formats].sort()).toEqual(['binary', 'date', 'date-time', 'uuid']);
  const paths = document['paths'] as Record<string, Record<string, { responses: object; security: object[] }>>;
  const posts = paths['/api/communities/{communityId}/tasks/{taskId}/claims']?.['post'];
  expect(Object.keys(posts?.responses ?? {})).toEqual([
    '201',
    '400',
    '401',
    '403',
    '404',
    '409',
    '413',
    '429',
    'default',
  ]);
});

test('each event of a webhook is described: when it happens, and what comes with it', () => {
  const webhooks = documentAt('https://muster.example.org')['webhooks'] as Record<
    string,
    { post: { summary: string } }
  >;
  expect(Object.keys(webhooks)).toEqual(webhookEvents);
  expect(webhooks['season.started']?.post.summary).toBe('A season went live');
});
