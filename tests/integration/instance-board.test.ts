import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDrift } from '../../server/features/ledger/drift.ts';
import { countForInstance } from '../../server/features/ledger/instance.ts';
import { buildServer } from '../support/built-server.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { startProcess } from '../support/storage-processes.ts';

const home = folderOfFile();

async function command(method: string, path: string, cookie: string, body: unknown) {
  const reply = await server.command(method, path, { cookie, body });
  expect(reply.status, `${path}: ${reply.text}`).toBeLessThan(300);
  return reply.json;
}
/** A community as anybody founds it, with a friend of the founder's. */
async function found(slug: string) {
  const [leader, friend] = [await server.person(), await server.person()];
  const { id } = await command('POST', '/api/communities', leader.cookie, { name: slug, slug, description: '' });
  const at = `/api/communities/${id}`;
  await command('POST', `${at}/join`, friend.cookie, undefined);
  const earn = async () => {
    const [{ id: taskId }] = await server.sql<[{ id: string }]>`
      insert into tasks (community_id, kind, title, points, recurrence, created_by)
      values (${id}, 'check_in', 'Check in', 5, 'once', ${leader.userId}) returning id`;
    await command('POST', `${at}/tasks/${taskId}/claims`, friend.cookie, {});
  };
  return { id, at, leader, friend, earn };
}
async function pointsOf(cookie: string): Promise<number> {
  await countForInstance(server.runtime);
  const board = (await server.request('GET', '/api/leaderboard?period=all', { cookie })).json;
  return board.me?.points ?? 0;
}
const muster = async (...args: string[]) => {
  const env = { MUSTER_HOME: home, DATABASE_URL: server.runtime.config.databaseUrl ?? '' };
  const { ended, lines } = startProcess(join(built.directory, 'muster.js'), { env, args });
  return { code: await ended, said: lines.map((line) => line['text']).join('\n') };
};
const [server, built] = await Promise.all([
  ofFile(testServer({ sandbox: false })),
  ofFile(buildServer({ muster: 'server/cli/muster.ts' })),
]);
const admin = (await server.person({ role: 'admin' })).cookie;

test('a new community does not count on the board of the instance, nor what its leader gives a friend', async () => {
  const { id, at, leader, friend, earn } = await found('new-walkers');
  await earn();
  const gift = { userId: friend.userId, points: 100_000, reason: 'A friend' };
  await command('POST', `${at}/adjustments`, leader.cookie, gift);
  expect(await pointsOf(friend.cookie)).toBe(0);

  const listed = async () =>
    (await server.request('GET', '/api/admin/instance-board', { cookie: admin })).json.find(
      (one: { id: string }) => one.id === id,
    );
  expect(await listed()).toMatchObject({ slug: 'new-walkers', counts: false });
  await command('PUT', '/api/admin/instance-board', admin, { communityId: id, counts: true, reason: 'Plays fair' });
  expect(await listed()).toMatchObject({ counts: true });
  await earn();
  await command('POST', `${at}/adjustments`, leader.cookie, gift);
  expect(await pointsOf(friend.cookie)).toBe(5);
  await command('PUT', '/api/admin/instance-board', admin, {
    communityId: id,
    counts: false,
    reason: 'Gave points away',
  });
  await earn();
  expect(await pointsOf(friend.cookie)).toBe(5);
  expect(await readDrift(server.sql)).toEqual([]);
  const audited =
    await server.sql`select action from audit_entries where subject_id = ${id} and action like 'board.%' order by id`;
  expect(audited.map(({ action }) => action)).toEqual(['board.counted', 'board.not_counted']);
});

test('an administrator says so by a command as well', async () => {
  const { friend, earn } = await found('other-walkers');
  expect((await muster('board', 'list')).said).toMatch(/^- +other-walkers {2}other-walkers, 2 members$/m);
  expect(await muster('board', 'count', 'other-walkers')).toEqual({
    code: 0,
    said: "other-walkers (other-walkers) counts on the instance's board from now on.",
  });
  await earn();
  expect(await pointsOf(friend.cookie)).toBe(5);
  expect((await muster('board', 'uncount', 'other-walkers')).code).toBe(0);
  await earn();
  expect(await pointsOf(friend.cookie)).toBe(5);
  expect(await muster('board', 'count', 'nowhere')).toEqual({ code: 1, said: expect.stringContaining('board list') });
});

test('at the command line a link to an administrator is made, which the audit tells of without telling it', async () => {
  const { code, said } = await muster('admin', 'link');
  expect(code).toBe(0);
  const token = /\/admin\/first#([\w-]{43})$/.exec(said)?.[1] ?? '';
  const person = await server.person();
  const open = () => server.request('POST', '/api/auth/admin-link', { cookie: person.cookie, body: { token } });
  // There is an administrator already: whoever has the machine may make another.
  expect((await open()).status).toBe(200);
  const [made] = await server.sql`select via, actor_id, reason from audit_entries where action = 'admin_link.made'`;
  expect(made).toEqual({ via: 'cli', actor_id: null, reason: 'From the command line' });
  const everything = await server.sql`select coalesce(jsonb_agg(to_jsonb(a)), '[]')::text as text from audit_entries a`;
  expect(everything[0]?.['text']).not.toContain(token);
});
