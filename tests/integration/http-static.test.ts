import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BUILD_HEADER, SHARED, VISITOR_MARK } from '../../server/contract/sw-messages.ts';
import { retainAssets } from '../../server/http/retained-assets.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

const SCRIPT = `export const words = ${JSON.stringify('muster '.repeat(500))};\n`;
const READY = brotliCompressSync(Buffer.from('/* compressed by the build */'));
const PAGE = '<!doctype html><html data-build="%BUILD%"><title>%PRODUCT_NAME%</title><a href="/%PRODUCT_SLUG%-ai">';

const outside = folderOfFile();
const folder = join(outside, 'client');
const write = (path: string, content: string | Buffer) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content);
};
write('index.html', `${PAGE}landing`);
write('app.html', `${PAGE}app`);
write('terms.html', `${PAGE}terms of %PUBLIC_HOST%`);
write('sw.js', 'self.skipWaiting();');
write('manifest.webmanifest', '{"name":"%PRODUCT_NAME%"}');
write('icons/icon.png', Buffer.from([1, 2, 3]));
write('assets/app-1a2b3c.js', SCRIPT);
write('assets/app-1a2b3c.js.map', '{"sources":[]}');
write('assets/ready-9f.css', 'a{}');
write('assets/ready-9f.css.br', READY);
write('.vite/manifest.json', '{}');
write('sw-off.js', 'self.registration.unregister();');
write('../shelf/before/app-0f0f0f.js', 'export const build = "before";');
write('../shelf/before/app-1a2b3c.js', 'not the present one');
writeFileSync(join(outside, 'secret.txt'), 'secret');
const server = await ofFile(
  testServer({
    sandbox: false,
    client: { dir: folder, shelf: join(outside, 'shelf') },
    config: { productName: `Dots & "Dashes" <b>`, productSlug: 'dots' },
  }),
);

const get = (path: string, headers: Record<string, string> = {}) => server.request('GET', path, { headers });
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('files of earlier builds', () => {
  test('each start lays its own on the shelf; the two used last stay beside it, source maps never come', () => {
    const home = mkdtempSync(join(tmpdir(), 'muster-home-'));
    const age = (build: string, seconds: number) => utimesSync(join(home, 'assets', build), seconds, seconds);
    try {
      for (const [at, build] of ['one', 'two', 'three'].entries()) {
        expect(retainAssets(folder, home, build)).toBe(join(home, 'assets'));
        age(build, 1_000 + at);
      }
      // Rolled back: it is in use again.
      retainAssets(folder, home, 'one');
      retainAssets(folder, home, 'four');
      expect(readdirSync(join(home, 'assets')).sort()).toEqual(['four', 'one', 'three']);
      expect(readdirSync(join(home, 'assets/four')).sort()).toEqual([
        'app-1a2b3c.js',
        'ready-9f.css',
        'ready-9f.css.br',
      ]);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  test('what a newer process lays there is served by one that runs, once it is whole', async () => {
    const asked = () => get('/assets/app-2c2c2c.js');
    write('../shelf/next.1.part/app-2c2c2c.js', 'half of');
    expect((await asked()).status).toBe(404);
    write('../shelf/next/app-2c2c2c.js', 'export const build = "next";');
    write('../shelf/next/app-2c2c2c.js.map', '{"sources":[]}');
    const reply = await asked();
    expect([reply.text, reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
      'export const build = "next";',
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    for (const path of [
      '/assets/app-2c2c2c.js.map',
      '/assets/..%2fsecret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/assets/next/app-2c2c2c.js',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});

test('what is shared where no service worker takes it: the page says so, whoever shares', async () => {
  const form = `--x\r\ncontent-disposition: form-data; name="picture"; filename="a.png"\r\n\r\n${'x'.repeat(99_999)}\r\n--x--\r\n`;
  const headers = { ...NAVIGATION, 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'none' };
  const answer = await fetch(server.url + SHARED, { method: 'POST', body: form, headers, redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/share?lost=missed']);
});

describe('pages drawn at the build', () => {
  test.each(['/', '/terms'])('%s: drawn for a visitor, the app for whoever has a session', async (path) => {
    const visitor = await get(path, NAVIGATION);
    expect(visitor.text).toContain(path === '/' ? 'landing' : `terms of ${new URL(server.url).host}`);
    expect(visitor.headers.get('vary')).toMatch(/Cookie/);
    for (const name of ['sid', 'sid-tma'])
      expect((await get(path, { ...NAVIGATION, cookie: `${name}=x` })).text).toMatch(/app$/);
  });
  test.each(['/', '/terms', '/communities'])('%s says whether a session can be', async (path) => {
    expect((await get(path, NAVIGATION)).headers.get('server-timing')).toBe(VISITOR_MARK);
    for (const name of ['sid', 'sid-tma'])
      expect((await get(path, { ...NAVIGATION, cookie: `${name}=x` })).headers.get('server-timing')).toBeNull();
  });
  test('a navigation opens one, and a program that takes anything; no part of a page does', async () => {
    const program = await get('/terms', { accept: '*/*' });
    expect([program.status, program.text]).toEqual([200, (await get('/terms', NAVIGATION)).text]);
    expect((await server.request('HEAD', '/communities')).status).toBe(200);
    for (const dest of ['empty', 'script', 'image'])
      expect([dest, (await get('/terms', { accept: '*/*', 'sec-fetch-dest': dest })).status]).toEqual([dest, 404]);
  });
});

describe('the Mini App’s document', () => {
  test('is the app’s page, which Telegram’s web clients may frame; no other may be framed by anybody', async () => {
    const mini = await get('/mini?screen=/communities', NAVIGATION);
    expect(mini.text).toMatch(/app$/);
    const policyOf = (reply: { headers: Headers }) => reply.headers.get('content-security-policy') ?? '';
    const others = "frame-ancestors 'none'";
    expect(policyOf(mini)).toContain('frame-ancestors https://web.telegram.org;');
    expect([policyOf(mini).includes(others), mini.headers.get('x-frame-options')]).toEqual([false, null]);
    for (const path of ['/', '/app.html', '/terms', '/communities', '/mini/x', '/admin', '/api/health', '/sw.js']) {
      const reply = await get(path, NAVIGATION);
      expect([path, policyOf(reply).includes(others), reply.headers.get('x-frame-options')]).toEqual([
        path,
        true,
        'DENY',
      ]);
    }
    // As the service worker takes it for keeping.
    expect((await get('/mini', { accept: '*/*', 'sec-fetch-dest': 'empty' })).text).toBe(mini.text);
    expect((await get('/mini', { 'if-none-match': (await get('/app.html')).headers.get('etag') ?? '' })).status).toBe(
      200,
    );
  });
});

describe('the built client', () => {
  test('hashed files never change and are compressed for who can read it', async () => {
    const reply = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'br, gzip' });
    expect(reply.text).toBe(SCRIPT);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    });
    const plain = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'identity' });
    expect([plain.headers.get('content-encoding'), plain.text]).toEqual([null, SCRIPT]);
  });

  test('hashed files of the build before are there for tabs that are still open; nothing of theirs stands before ours', async () => {
    const old = await get('/assets/app-0f0f0f.js');
    expect([old.text, old.headers.get('cache-control')]).toEqual([
      'export const build = "before";',
      'public, max-age=31536000, immutable',
    ]);
    expect((await get('/assets/app-1a2b3c.js')).text).toBe(SCRIPT);
  });

  test('the kill switch is the service worker only where it was asked for', async () => {
    expect((await get('/sw.js')).text).toBe('self.skipWaiting();');
    expect((await get('/sw-off.js')).status).toBe(404);
    const off = await testServer({ sandbox: false, client: { dir: folder }, env: { SERVICE_WORKER: 'off' } });
    expect((await off.request('GET', '/sw.js')).text).toBe('self.registration.unregister();');
    await off.close();
  });

  test('what the build compressed already is sent as it is', async () => {
    const reply = await get('/assets/ready-9f.css', { 'accept-encoding': 'br' });
    expect([reply.headers.get('content-encoding'), reply.text]).toEqual(['br', '/* compressed by the build */']);
    expect((await get('/assets/ready-9f.css', { 'accept-encoding': 'gzip' })).text).toBe('a{}');
  });

  test.each([
    ['/', 'no-cache'],
    ['/sw.js', 'no-cache'],
    ['/manifest.webmanifest', 'no-cache'],
    ['/icons/icon.png', 'public, max-age=86400'],
  ])('%s is kept as %s, under the same security headers', async (path, cache) => {
    const reply = await get(path);
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, cache]);
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    const again = await get(path, { 'if-none-match': reply.headers.get('etag') ?? '' });
    expect([again.status, again.text, again.headers.get('cache-control')]).toEqual([304, '', cache]);
    // The copy keeps its own: a visit that brings nothing new costs next to nothing.
    for (const name of ['content-security-policy', 'permissions-policy', 'cross-origin-opener-policy'])
      expect([name, again.headers.get(name)]).toEqual([name, null]);
    expect(again.headers.get(BUILD_HEADER)).toBe(reply.headers.get(BUILD_HEADER));
  });

  test('a copy with the security headers of another setting is not fresh', async () => {
    const secure = await testServer({
      sandbox: false,
      client: { dir: folder },
      config: { publicOrigin: 'https://muster.example' },
    });
    const [here, there] = [await get('/assets/app-1a2b3c.js'), await secure.request('GET', '/assets/app-1a2b3c.js')];
    expect(there.text).toBe(here.text);
    expect(there.headers.get('etag')).not.toBe(here.headers.get('etag'));
    await secure.close();
  });

  test('the product’s name stands in page and manifest, and cannot break out of either', async () => {
    expect((await get('/')).text).toBe(
      '<!doctype html><html data-build="test"><title>Dots &amp; &quot;Dashes&quot; &lt;b&gt;</title><a href="/dots-ai">landing',
    );
    expect((await get('/manifest.webmanifest')).json).toEqual({ name: `Dots & "Dashes" <b>` });
  });

  test('a navigation to any screen gets the app', async () => {
    for (const path of ['/profile', '/community/abc/dashboard', '/dots-ai', '/nowhere?x=1', '/apiary']) {
      const reply = await get(path, NAVIGATION);
      expect([path, reply.status, reply.text.endsWith('app')]).toEqual([path, 200, true]);
      expect(reply.headers.get('cache-control')).toBe('no-cache');
    }
  });

  test.each([
    ['/assets/gone-77.js', NAVIGATION],
    ['/assets/', NAVIGATION],
    ['/favicon.ico', NAVIGATION],
    ['/some/style.css', NAVIGATION],
    ['/profile', { accept: 'application/json' }],
    ['/assets/app-1a2b3c.js.map', {}],
    ['/assets/ready-9f.css.br', {}],
    ['/.vite/manifest.json', NAVIGATION],
    ['/../secret.txt', {}],
    ['/%2e%2e/secret.txt', {}],
    ['/assets/..%2f..%2fsecret.txt', {}],
    ['/index.html%00.js', {}],
  ])('%s is a plain 404, never a page', async (path, headers) => {
    const reply = await get(path, headers);
    expect([reply.status, reply.headers.get('content-type'), reply.text]).toEqual([
      404,
      'text/plain; charset=utf-8',
      'Not found\n',
    ]);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('an unknown API address is never the app, even for a navigation', async () => {
    for (const path of ['/api', '/api/', '/api/nowhere', '/api/auth/user/x.css']) {
      const reply = await get(path, NAVIGATION);
      expect([path, reply.status, reply.json?.reason]).toEqual([path, 404, 'NOT_FOUND']);
    }
  });

  test('HEAD answers as GET without the body; a change is impossible', async () => {
    const head = await server.request('HEAD', '/');
    expect([head.status, head.text, Number(head.headers.get('content-length')) > 50]).toEqual([200, '', true]);
    expect((await server.request('POST', '/profile')).json.reason).toBe('METHOD_NOT_ALLOWED');
  });

  test('an address that does not decode is the app’s to say that it leads nowhere, and a program’s mistake', async () => {
    for (const path of ['/%', '/100%', '/community/%E0%A4%A', '/embed/c/%', '/assets/%']) {
      const page = await get(path, NAVIGATION);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect([path, (await get(path, { accept: 'application/json' })).json?.reason]).toEqual([path, 'BAD_PATH']);
    }
    expect((await get('/api/communities/%', NAVIGATION)).json.reason).toBe('BAD_PATH');
  });
});
