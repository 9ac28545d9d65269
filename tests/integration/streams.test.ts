import { expect, test } from 'vitest';
import { STREAMS_PER_PERSON, STREAMS_PER_PROCESS } from '../../server/contract/limits.ts';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES, fill } from '../support/samples.ts';
import { testServer } from '../support/server.ts';
import { community, join } from '../support/world.ts';

const CHECK_MS = 200;

const server = await ofFile(testServer({ sandbox: false, streamCheckMs: CHECK_MS }));

const TAIL = '/api/admin/client-logs/tail';
/** Every route that somebody listens to; what answers a command piece by piece ends by itself. */
const STREAMS = ALL_ROUTES.filter(({ method, declaration }) => method === 'GET' && declaration.stream !== undefined);

/** A stream of one who listens; `ended` resolves when the server has ended it. */
async function listen(cookie: string, path = TAIL) {
  const hangUp = new AbortController();
  const response = await fetch(server.url.replace('localhost', '127.0.0.1') + path, {
    headers: { cookie },
    signal: hangUp.signal,
  });
  let text = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
  })().catch(() => undefined);
  return { status: response.status, response, ended, said: () => text, hangUp: () => hangUp.abort() };
}
const isOver = (ended: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([ended.then(() => true), new Promise<boolean>((late) => setTimeout(late, ms, false))]);

const LIVE = '/api/communities/:communityId/live';

test('there are streams to look at', () => expect(STREAMS.map(({ path }) => path)).toEqual(['/api/live', LIVE, TAIL]));

const LOSSES: [string, (person: { userId: string; cookie: string }) => Promise<unknown>][] = [
  ['signs out', ({ cookie }) => server.request('POST', '/api/auth/logout', { cookie })],
  ['loses the role', ({ userId }) => server.sql`update users set role = 'member' where id = ${userId}`],
  ['is suspended', ({ userId }) => server.sql`update users set suspended_at = now() where id = ${userId}`],
  ['has the session ended elsewhere', ({ userId }) => server.sql`delete from sessions where user_id = ${userId}`],
];
test.each(LOSSES)('whoever %s while listening hears nothing more', async (_what, lose) => {
  const place = await community(server, (await server.person()).userId);
  for (const stream of STREAMS) {
    const [person, other] = [await server.person({ role: 'ops' }), await server.person({ role: 'ops' })];
    for (const { userId } of [person, other]) await join(server.sql, place.id, userId, 'member');
    const path = fill(stream.path, { communityId: place.id });
    const [lost, kept] = [await listen(person.cookie, path), await listen(other.cookie, path)];
    expect([lost.status, kept.status]).toEqual([200, 200]);
    expect(await isOver(lost.ended, 3 * CHECK_MS)).toBe(false);
    await lose(person);
    expect(await isOver(lost.ended, 10 * CHECK_MS)).toBe(true);
    expect(await isOver(kept.ended, 3 * CHECK_MS)).toBe(false);
    kept.hangUp();
  }
});

test('one person has three streams, a process fifty, and a place is free when a stream is over', async () => {
  const crowd = async (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await server.person({ role: 'ops' })).cookie));
  const [cookie = '', ...others] = await crowd(1 + Math.ceil(STREAMS_PER_PROCESS / STREAMS_PER_PERSON));
  const mine = await Promise.all(Array.from({ length: STREAMS_PER_PERSON }, () => listen(cookie)));
  expect(mine.map(({ status }) => status)).toEqual(Array(STREAMS_PER_PERSON).fill(200));
  const refused = await server.request('GET', TAIL, { cookie });
  expect([refused.status, refused.json.reason]).toEqual([429, 'TOO_MANY_STREAMS']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

  const all = [...mine];
  for (const other of others)
    for (let count = 0; count < STREAMS_PER_PERSON && all.length < STREAMS_PER_PROCESS; count += 1)
      all.push(await listen(other));
  expect(all).toHaveLength(STREAMS_PER_PROCESS);
  const [stranger = ''] = await crowd(1);
  expect((await server.request('GET', TAIL, { cookie: stranger })).status).toBe(429);
  mine[0]?.hangUp();
  await expect.poll(async () => (await server.request('GET', TAIL, { cookie: stranger })).status).toBe(200);
  for (const one of all) one.hangUp();
  await expect.poll(async () => (await server.request('GET', TAIL, { cookie })).status).toBe(200);
});

// The last one: what is closed lets nobody follow any more.
test('a server that stops waits for no stream: each ends with the services of its runtime', async () => {
  const place = await community(server, (await server.person()).userId);
  const { userId, cookie } = await server.person({ role: 'ops' });
  await join(server.sql, place.id, userId, 'member');
  const paths = STREAMS.map(({ path }) => fill(path, { communityId: place.id }));
  const open = await Promise.all(paths.map((path) => listen(cookie, path)));
  await server.runtime.close();
  for (const { ended } of open) await ended;
  for (const path of paths) await (await listen(cookie, path)).ended;
});
