import { expect, it } from 'vitest';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

const server = await ofFile(testServer({ sandbox: false }));

it('has leagues since a leader turned them on, and nobody else can', async () => {
  const place = await community(server, (await server.person()).userId);
  const path = `/api/communities/${place.id}`;
  const change = (cookie: string, leagues: boolean) => server.command('PATCH', path, { cookie, body: { leagues } });
  for (const role of ['member', 'moderator'] as const)
    expect((await change((await memberOf(server, place.id, role)).cookie, true)).status).toBe(403);
  const { cookie } = await memberOf(server, place.id, 'leader');
  const since = async () => (await server.sql`select leagues_since from communities where id = ${place.id}`)[0];
  expect((await server.request('GET', path, { cookie })).json.leagues).toBe(false);
  expect((await change(cookie, true)).json.leagues).toBe(true);
  const first = await since();
  server.advance(60_000);
  expect((await change(cookie, true)).json.leagues).toBe(true);
  expect(await since()).toEqual(first);
  expect((await change(cookie, false)).json.leagues).toBe(false);
  const { json } = await server.request('GET', `${path}/audit?action=community.changed`, { cookie });
  expect(json.items.map(({ subject }: { subject: string }) => subject)).toEqual(['leagues_since', 'leagues_since']);
});
