import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { QuizPack } from '../../server/contract/quiz.ts';

const client = resolve(import.meta.dirname, '../../dist/client');
const brotli = (file: string) =>
  brotliCompressSync(readFileSync(join(client, file)), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
const html = (page = 'app.html') => readFileSync(join(client, page), 'utf8');
/** Pages that were drawn at the build. */
const DRAWN = readdirSync(client).filter((file) => file.endsWith('.html') && file !== 'app.html');

/** Scripts that a script imports statically. */
function importsOf(entry: string): string[] {
  const code = readFileSync(join(client, entry), 'utf8');
  const dir = entry.slice(0, entry.lastIndexOf('/') + 1);
  const found = code.matchAll(/(?:^|[;}\s])(?:im|ex)port\s*(?:[\w${},*\s]+from\s*)?["']\.\/([^"']+\.js)["']/g);
  return [...found].map(([, from]) => `${dir}${from}`);
}
/** A chunk and all that it imports statically: what the browser must have before the first line runs. */
function closure(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const one of importsOf(entry)) closure(one, seen);
  return seen;
}

test('no script waits for one that waits for it: what it takes from there would not be there yet', () => {
  const scripts = readdirSync(join(client, 'assets')).filter((file) => file.endsWith('.js'));
  const circles = scripts
    .map((file) => `assets/${file}`)
    .flatMap((file) =>
      importsOf(file)
        .filter((one) => closure(one).has(file))
        .map((one) => `${file} ↔ ${one}`),
    );
  expect(circles).toEqual([]);
});

test('every script has a source map, the service worker too, and none lies where it could be served', () => {
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' });
  const maps = readdirSync(resolve(client, '../maps'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  // The guides are data: there is no line of theirs in which anything could go wrong.
  for (const file of files.filter((name) => /^(assets\/(?!guides-).+|sw(-off)?)\.js$/.test(name)))
    expect(maps, file).toContain(`${file}.map`);
});

describe('what a phone downloads', () => {
  test('entry JavaScript with all it imports is at most 111 kB of brotli', () => {
    const entries = [...html().matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file]) => String(file));
    expect(entries.length).toBeGreaterThan(0);
    const files = new Set(entries.flatMap((entry) => [...closure(entry)]));
    const bytes = [...files].reduce((sum, file) => sum + brotli(file), 0);
    console.log(`entry ${(bytes / 1000).toFixed(1)} kB br in ${files.size} files`);
    expect(bytes).toBeLessThanOrEqual(111_000);
  });

  test('a page asks for few scripts: each of them is a way through the service worker', () => {
    const screens = readdirSync(join(client, 'assets')).filter((file) => /-screen-[\w-]+\.js$/.test(file));
    expect(screens.length).toBeGreaterThan(20);
    for (const screen of screens) expect([...closure(`assets/${screen}`)].length, screen).toBeLessThanOrEqual(8);
    // A first visit: the page, `boot.js`, styles, pictures and scripts that it names.
    const named = new Set(html('index.html').match(/\/(?:assets|icons)\/[\w.-]+|\/boot\.js/g));
    expect([...named].length + 1).toBeLessThanOrEqual(10);
  });

  test('the entry stylesheet is at most 12 kB of brotli', () => {
    for (const page of ['app.html', ...DRAWN]) {
      const sheets = [...html(page).matchAll(/href="\/(assets\/[^"]+\.css)"/g)].map(([, file]) => String(file));
      const bytes = sheets.reduce((sum, file) => sum + brotli(file), 0);
      console.log(`css of ${page} ${(bytes / 1000).toFixed(1)} kB br`);
      expect(sheets.length, page).toBeGreaterThan(0);
      expect(bytes, page).toBeLessThanOrEqual(12_000);
    }
  });

  test('pages that anybody may read are whole before any script has come, and start the app behind', () => {
    const names = [
      'index',
      'learn-more',
      'how-to-use',
      'demo',
      'community-guidelines',
      'privacy-policy',
      'terms',
      'cookie-policy',
    ];
    expect([...DRAWN].sort()).toEqual(names.map((name) => `${name}.html`).sort());
    for (const page of DRAWN) {
      const text = html(page);
      expect(text.match(/<h1[ >]/g), page).toHaveLength(1 + (text.match(/<noscript>[\s\S]*<h1/g)?.length ?? 0));
      expect(text, page).toMatch(/<div id="root">.*<main id="main"/);
      expect(text, page).toMatch(/<meta name="description" content="[^"]{20,}/);
      expect(text, page).toMatch(/<title>[^<]+ · %PRODUCT_NAME%<\/title>/);
      for (const [, named] of text.matchAll(/"\/(assets\/[\w./-]+)/g))
        expect(existsSync(join(client, String(named))), `${page} names ${named}`).toBe(true);
      // The policy allows neither; `boot.js` is the only script, and it brings the rest after the first paint.
      expect(text, page).not.toMatch(/ style="|<style|<script(?! src="\/boot\.js" data-parts="\/assets\/)/);
      const parts = /data-parts="([^"]+)"/.exec(text)?.[1]?.split(' ') ?? [];
      for (const part of parts) expect(readFileSync(join(client, part)).length, part).toBeGreaterThan(0);
      expect(html()).toContain(`src="${parts[0]}"`);
    }
  });

  test('sw.js is at most 16 KiB of brotli', () => {
    console.log(`sw.js ${(brotli('sw.js') / 1000).toFixed(1)} kB br`);
    expect(brotli('sw.js')).toBeLessThanOrEqual(16 * 1024);
  });

  test('the device worker is at most 40 kB of brotli', () => {
    const workers = readdirSync(join(client, 'assets')).filter(
      (file) => /\.js$/.test(file) && readFileSync(join(client, 'assets', file), 'utf8').includes('Dexie'),
    );
    expect(workers.length).toBeGreaterThan(0);
    for (const file of workers) {
      console.log(`${file} ${(brotli(`assets/${file}`) / 1000).toFixed(1)} kB br`);
      expect(brotli(`assets/${file}`)).toBeLessThanOrEqual(40_000);
    }
  });

  test('no graded question of the quiz reaches the page, by its words, its explanation or its key', () => {
    const bank = resolve(import.meta.dirname, '../../server/features/quiz/bank');
    const texts = readdirSync(bank).flatMap((file) => {
      const { questions }: QuizPack = JSON.parse(readFileSync(join(bank, file), 'utf8'));
      return questions.flatMap(({ text, explanation }) => [text, explanation]);
    });
    expect(texts.length).toBeGreaterThanOrEqual(200);
    const files = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(js|html|json|css|webmanifest)$/.test(name),
    );
    // As scripts write text: quotes and what is not ASCII may be escaped.
    const plain = (text: string) =>
      text
        .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        .replace(/[^\p{L}\p{N}]+/gu, '');
    const served = files.map((file) => plain(readFileSync(join(client, file), 'utf8'))).join('\n');
    // The search finds what is there: practice comes with its keys.
    const practice = resolve(import.meta.dirname, '../../app/features/quiz/packs');
    const { questions: own }: QuizPack = JSON.parse(readFileSync(join(practice, 'privacy.json'), 'utf8'));
    expect(own.filter(({ explanation }) => !served.includes(plain(explanation)))).toEqual([]);
    expect(texts.filter((text) => served.includes(plain(text)))).toEqual([]);
  });

  test('no server secret and no schema library reaches the page', () => {
    for (const file of readdirSync(join(client, 'assets')).filter((name) => name.endsWith('.js'))) {
      const code = readFileSync(join(client, 'assets', file), 'utf8');
      // Not the whole script is told where something is found.
      expect(/\d{8,10}:[\w-]{35}/.exec(code)?.[0], file).toBeUndefined();
      expect(/\$ZodType|ZodMini/.exec(code)?.[0], file).toBeUndefined();
    }
  });
});
