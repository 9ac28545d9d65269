import { mkdirSync, writeFileSync } from 'node:fs';
import { join as joined } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readInvite } from '../../server/features/invites/invites.ts';
import { createPreviews } from '../../server/features/previews/previews.ts';
import type { Preview } from '../../server/http/preview.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { community, memberOf, type TestCommunity } from '../support/world.ts';

/** The server's own, once it is there. */
let previews: (path: string) => Promise<Preview | null> = async () => null;
const folder = folderOfFile();
mkdirSync(joined(folder, 'assets'));
const page = '<!doctype html><head><title>%PRODUCT_NAME%</title><meta name="description" content="Plain."></head>app';
writeFileSync(joined(folder, 'app.html'), page);
const server = await ofFile(testServer({ sandbox: false, client: { dir: folder, preview: (path) => previews(path) } }));

let place: TestCommunity;
let leader: { userId: string; cookie: string };
beforeEach(async () => {
  server.advance(70_000);
  previews = createPreviews(server.runtime);
  leader = await server.person({ name: 'Ilse <b>' });
  place = await community(server, leader.userId);
  await server.sql`
    insert into community_members (community_id, user_id, role) values (${place.id}, ${leader.userId}, 'leader')`;
});

const get = (path: string, headers: Record<string, string> = {}) => server.request('GET', path, { headers });
const NAVIGATION = { accept: 'text/html,*/*;q=0.8' };
const tagsOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<meta property="([^"]+)" content="([^"]*)">/g)].map(([, name, text]) => [name, text]),
  );
const codeOf = async () =>
  (await readInvite(server.sql, { communityId: place.id, userId: leader.userId, origin: server.url, now: new Date() }))
    .code;
const hide = (how: string) =>
  how === 'private'
    ? server.sql`update communities set visibility = 'private' where id = ${place.id}`
    : server.sql`update communities set status = 'suspended' where id = ${place.id}`;

describe('a link', () => {
  test('of an invite shows who invites into what, and is the app for whoever opens it', async () => {
    await server.sql`update communities set description = ${'"><script>alert(1)</script>'} where id = ${place.id}`;
    const code = await codeOf();
    const page = await get(`/i/${code}`, NAVIGATION);
    expect(page.text).toMatch(/<\/head>app$/);
    expect(page.text).not.toContain('<script>');
    const { name } = (await get(`/api/communities/${place.id}`)).json;
    expect(page.text).toContain(`<title>Join ${name} on Muster</title>`);
    expect(tagsOf(page.text)).toMatchObject({
      'og:title': `Join ${name} on Muster`,
      'og:description': expect.stringContaining('Ilse &lt;b&gt; invites you. 2 members · 2 open tasks.'),
      'og:url': `${server.url}/i/${code}`,
      'og:image': `${server.url}/api/communities/${place.id}/card`,
      'twitter:card': 'summary_large_image',
    });
    expect(
      (
        await readInvite(server.sql, {
          communityId: place.id,
          userId: leader.userId,
          origin: 'https://a.example',
          now: new Date(),
        })
      ).url,
    ).toBe(`https://a.example/i/${code}`);
  });

  test.each(['private', 'suspended'])('of a %s community says no more than one that leads nowhere', async (how) => {
    const code = await codeOf();
    await hide(how);
    const nowhere = (await get('/i/zzzzzzzzzz', NAVIGATION)).text.replaceAll('zzzzzzzzzz', code);
    expect((await get(`/i/${code}`, NAVIGATION)).text).toBe(nowhere);
    expect(tagsOf((await get(`/community/${place.slug}`, { ...NAVIGATION, cookie: leader.cookie })).text)).toEqual({});
    for (const cookie of ['', leader.cookie])
      expect((await get(`/api/communities/${place.id}/card`, { cookie })).status).toBe(404);
  });

  test('of a public community shows it, and its picture is the same for whoever asks', async () => {
    await server.sql`update communities set name = ${'Ходоки & Co <b>'} where id = ${place.id}`;
    expect(tagsOf((await get(`/community/${place.slug}`, NAVIGATION)).text)).toMatchObject({
      'og:title': 'Ходоки &amp; Co &lt;b&gt; on Muster',
    });
    const picture = await get(`/api/communities/${place.id}/card`);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const again = await Promise.all(Array.from({ length: 20 }, () => get(`/api/communities/${place.id}/card`)));
    expect(new Set(again.map(({ headers }) => headers.get('etag')))).toEqual(new Set([picture.headers.get('etag')]));
  });

  test('a flood of addresses is not looked up without end', async () => {
    let asked = 0;
    const sql = new Proxy(server.sql, {
      apply: (target, self, args) => {
        if (String(args[0]).includes('og') || Array.isArray(args[0])) asked += 1;
        return Reflect.apply(target as never, self, args);
      },
    });
    const flooded = createPreviews({ ...server.runtime, sql, now: () => new Date(0) });
    const found = await Promise.all(Array.from({ length: 500 }, (_, at) => flooded(`/i/code${at}`)));
    expect(found.filter((one) => one !== null)).toHaveLength(50);
    expect(asked).toBeLessThan(200);
  });
});

describe('another site', () => {
  const API = (rest = '') => `/api/public/communities/${place.slug}${rest}`;
  const EMBED = (rest: string) => `/api/embed/${place.slug}/${rest}`;
  const allow = () => server.sql`update communities set embedding = true where id = ${place.id}`;
  const earn = async (name: string, points: number) => {
    const { userId } = await memberOf(server, place.id, 'member', { name });
    await server.command('POST', `/api/communities/${place.id}/adjustments`, {
      cookie: leader.cookie,
      body: { userId, points, reason: 'Thanks' },
    });
    return userId;
  };

  test('sees nothing until a leader has switched it on', async () => {
    for (const path of [API(), API('/board'), EMBED('card'), EMBED('board')])
      expect((await get(path)).status).toBe(404);
    const change = (cookie: string) =>
      server.command('PATCH', `/api/communities/${place.id}`, { cookie, body: { embedding: true } });
    expect((await change((await memberOf(server, place.id, 'moderator')).cookie)).status).toBe(403);
    expect((await change(leader.cookie)).status).toBe(200);
    server.advance(11_000);
    for (const path of [API(), API('/board'), EMBED('card'), EMBED('board')])
      expect((await get(path)).status).toBe(200);
    expect((await get(`/api/communities/${place.id}`, { cookie: leader.cookie })).json.embedding).toBe(true);
    expect((await get(`/api/communities/${place.id}`)).json.embedding).toBeUndefined();
  });

  test('reads the board as a stranger does, whoever is signed in, and nobody is known by more than a name', async () => {
    await allow();
    const userId = await earn('Mira </li><script>', 40);
    const { cookie } = await memberOf(server, place.id, 'member');
    const board = await get(API('/board'), { cookie, origin: 'https://shop.example' });
    expect(board.json).toMatchObject({
      community: { slug: place.slug, url: `${server.url}/community/${place.slug}` },
      period: 'all',
      state: 'open',
      rows: [{ rank: 1, name: 'Mira </li><script>', points: 40 }],
    });
    expect(board.text).not.toContain(userId);
    expect(Object.fromEntries(board.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=60',
      etag: expect.any(String),
    });
    expect(board.headers.has('set-cookie')).toBe(false);
    const page = await get(EMBED('board?rows=1&theme=dark'), { cookie });
    expect(page.text).toContain('Mira &lt;/li&gt;&lt;script&gt;');
    expect(page.text).not.toMatch(/<script|<img|<form| on\w+=/i);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors \*$/);
    expect(page.headers.has('x-frame-options')).toBe(false);
    expect(page.headers.has('set-cookie')).toBe(false);
    // Every other page of ours stays out of frames.
    expect((await get('/api/health')).headers.get('x-frame-options')).toBe('DENY');
    expect((await get('/', NAVIGATION)).headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test.each(['private', 'suspended'])('sees nothing of a community that has become %s', async (how) => {
    await allow();
    expect((await get(API())).status).toBe(200);
    await hide(how);
    server.advance(11_000);
    for (const path of [API(), API('/board'), EMBED('card'), EMBED('board')])
      expect((await get(path, { cookie: leader.cookie })).status).toBe(404);
  });

  test('sees no rows of a hidden board, and none of who is suspended', async () => {
    await allow();
    const userId = await earn('Gone', 10);
    await earn('Here', 5);
    await server.sql`update users set suspended_at = now() where id = ${userId}`;
    expect((await get(API('/board'))).json.rows.map(({ name }: { name: string }) => name)).toEqual(['Here']);
    await server.sql`update communities set board_state = 'hidden' where id = ${place.id}`;
    server.advance(11_000);
    expect((await get(API('/board'))).json).toMatchObject({ state: 'hidden', rows: [] });
    expect((await get(EMBED('board'))).text).toContain('This board is hidden for now.');
  });

  test('that asks too often is told when to come back, and costs the database nothing', async () => {
    await allow();
    const all = await Promise.all(Array.from({ length: 200 }, () => get(API())));
    const refused = all.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(50);
    expect(refused[0]?.headers.get('retry-after')).toBeTruthy();
    expect(refused[0]?.headers.get('access-control-allow-origin')).toBe('*');
  });
});
