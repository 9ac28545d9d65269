import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { clientOf, type Document } from '../support/openapi-client.ts';
import { testServer } from '../support/server.ts';
import { community } from '../support/world.ts';

const TSC = new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname;
const OPTIONS = ['--strict', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable', '--module', 'nodenext'];

/** The product's story as a program of somebody else: it knows the document and nothing of this repository. */
const STORY = `
import { createClient } from './client.js';

export async function play(origin: string, slug: string, approve: (to: string) => Promise<URL>) {
  const call = createClient(origin);
  const { answer: health } = await call('getHealth', {});
  const start = await call('getAuthTelegramStart', { query: { next: '/' } });
  const back = await approve(start.location ?? '');
  await call('getAuthTelegramCallback', { query: Object.fromEntries(back.searchParams) });
  const atX = await approve((await call('getAuthXStart', {})).location ?? '');
  const code = atX.searchParams.get('code') ?? '';
  const linked = await call('postAuthXComplete', { body: { code, state: atX.searchParams.get('state') ?? '' } });
  const name: string = linked.answer.user.displayName;

  await call('postCommunityJoin', { path: { communityId: slug }, header: { 'Idempotency-Key': 'join-1' } });
  const { answer: today } = await call('getCommunityDashboard', { path: { communityId: slug } });
  const task = today.tasks.find(({ kind }) => kind === 'check_in');
  if (!task) throw new Error('There is no check-in.');
  const claimed = await call('postCommunityTaskClaims', {
    path: { communityId: today.community.id, taskId: task.id },
    header: { 'Idempotency-Key': 'claim-1' },
    body: { evidence: { kind: 'check_in' } },
  });
  const board = await call('getCommunityLeaderboard', { path: { communityId: slug }, query: { period: 'all' } });
  const own = board.answer.top.find((row) => row.displayName === name);
  return { ok: health.ok, name, status: claimed.status, state: claimed.answer.state, rank: own?.rank, points: own?.points };
}
`;
const WRONG = [
  `call('getHealths', {})`,
  `call('postCommunityJoin', { path: { communityId: 'x' } })`,
  `call('postCommunityTaskClaims', { path: { communityId: 'x' }, header: { 'Idempotency-Key': 'k' }, body: {} })`,
  `call('getCommunityLeaderboard', { path: { communityId: 'x' }, query: { period: 'for ever' } })`,
  `call('postAuthXComplete', { body: { code: 1, state: 's' } })`,
  `call('getHealth', {}).then(({ answer }) => answer.nothing)`,
];

const server = await ofFile(testServer());
const folder = folderOfFile();
const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as Document;
await writeFile(join(folder, 'package.json'), '{"type":"module"}');
await writeFile(join(folder, 'client.ts'), clientOf(document));
await writeFile(join(folder, 'story.ts'), STORY);
const wrong = WRONG.map((line) => `// @ts-expect-error\nvoid ${line};`).join('\n');
const imports = `import { createClient } from './client.js';\nconst call = createClient('http://localhost');\n`;
await writeFile(join(folder, 'wrong.ts'), imports + wrong);

test('a client that is generated from the document compiles, and plays the story: sign in, join, check in, board', async () => {
  // Fails with what the compiler says; `wrong.ts` fails where a wrong call would be let through.
  const files = ['story.ts', 'wrong.ts'].map((file) => join(folder, file));
  await promisify(execFile)(process.execPath, [TSC, ...OPTIONS, ...files], { cwd: folder }).catch(({ stdout }) =>
    expect(stdout).toBe(''),
  );
  const { play } = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'story.js')).href);
  const place = await community(server, (await server.person({ name: 'Ilse' })).userId);
  const approve = async (to: string) => {
    const authorize = new URL(to);
    authorize.searchParams.set('person', '1001');
    return new URL((await fetch(authorize, { redirect: 'manual' })).headers.get('location') ?? '');
  };
  expect(await play(server.url, place.slug, approve)).toEqual({
    ok: true,
    name: 'Maya Lindqvist',
    status: 201,
    state: 'approved',
    rank: 1,
    points: 5,
  });
});
