import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const tests = resolve(import.meta.dirname, '..');
const MOST_LINES = 600;

test(`no file of tests has more than ${MOST_LINES} lines: a subject each, and what they share in tests/support`, () => {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((name) => /\.test\.tsx?$/.test(name));
  expect(files.length).toBeGreaterThan(100);
  const long = files
    .map((name) => ({ name, lines: readFileSync(join(tests, name), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > MOST_LINES);
  expect(long).toEqual([]);
});
