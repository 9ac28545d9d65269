/** Documents are held to the code: what they link to, name or tell exists. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|tsx|css|mjs|sql|md)$/.test(file) && existsSync(join(ROOT, file)));
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
test('every document that a link, a comment or a document names exists', () => {
  const missing = FILES.flatMap((file) => {
    const text = textOf(file);
    const named = [...text.matchAll(/\bdocs\/[\w/-]+\.md\b|\bdocs\/decisions\/\d{3}/g)].map(([path]) => path);
    const linked = /^(docs\/.*|[^/]+)\.md$/.test(file)
      ? [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => join(dirname(file), path))
      : [];
    return [...named, ...linked].filter((path) => !existsSync(join(ROOT, path))).map((path) => `${file} names ${path}`);
  });
  expect(missing).toEqual([]);
});

test('the index of decisions lists each of them once', () => {
  const index = textOf('docs/decisions/README.md');
  const listed = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => `docs/decisions/${name}`);
  expect(listed.sort()).toEqual(FILES.filter((file) => /^docs\/decisions\/(?!README)/.test(file)).sort());
});
