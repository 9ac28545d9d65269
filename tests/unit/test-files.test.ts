import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const tests = resolve(import.meta.dirname, '..');
const MOST_LINES = 600;
const ROOMS = ['app', 'worker', 'service-worker', 'server'];
const MOST_PRODUCT_LINES = 350;
/** What a longer file of the product says near its head, with its reason. */
const REASON = 'A long file, because';

test(`no file of tests has more than ${MOST_LINES} lines: a subject each, and what they share in tests/support`, () => {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((name) => /\.test\.tsx?$/.test(name));
  expect(files.length).toBeGreaterThan(100);
  const long = files
    .map((name) => ({ name, lines: readFileSync(join(tests, name), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > MOST_LINES);
  expect(long).toEqual([]);
});

test(`no file of the product has more than ${MOST_PRODUCT_LINES} lines without its reason at its head`, () => {
  const files = ROOMS.flatMap((room) =>
    readdirSync(resolve(tests, '..', room), { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
  ).filter((name) => /\.(tsx?|css|sql|mjs)$/.test(name) && !name.includes('paraglide'));
  expect(files.length).toBeGreaterThan(500);
  const long = files.filter((name) => {
    const lines = readFileSync(resolve(tests, '..', name), 'utf8').split('\n');
    return lines.length - 1 > MOST_PRODUCT_LINES && !lines.slice(0, 25).join('\n').includes(REASON);
  });
  expect(long).toEqual([]);
});
