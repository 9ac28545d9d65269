import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { routes } from '../../server/contract/routes.ts';
import { openApi } from '../../server/http/openapi.ts';
import { readMigrations, readReleased } from '../../server/release/freeze.mjs';
import { breaks, type Paths } from '../support/compatible.ts';

const root = resolve(import.meta.dirname, '../..');
const frozen = join(root, 'tests/support/released');
const releases = readdirSync(frozen).filter((file) => file.endsWith('.json.gz'));
const now = openApi(routes, { title: '', version: '', server: 'http://localhost', cookie: '' })['paths'] as Paths;

type Files = ReturnType<typeof readMigrations>;
/** How files of the schema differ from what was released. */
function changedSince(released: ReturnType<typeof readReleased>, files: Files): string[] {
  const names = Object.keys(released);
  const wrong = names.filter((file) => files.find((one) => one.file === file)?.sha256 !== released[file]?.sha256);
  const last = names.sort().at(-1) ?? '';
  const between = files.filter(({ file }) => !(file in released) && file < last);
  return [...wrong.map((file) => `${file} was changed`), ...between.map(({ file }) => `${file} comes before ${last}`)];
}

test('no file of the schema that was released is changed, and a new one comes after them', () => {
  expect(changedSince(readReleased(root), readMigrations(root))).toEqual([]);
});

test('a changed file, one that is gone, and one put between are each found', () => {
  const files = readMigrations(root);
  const released = Object.fromEntries(files.map(({ file, sha256 }) => [file, { since: '1.0.0', sha256 }]));
  const [first, second, ...rest] = files;
  if (!first || !second) throw new Error('there are no files of the schema');
  expect(changedSince(released, [{ ...first, sha256: 'other' }, ...rest])).toEqual([
    `${first.file} was changed`,
    `${second.file} was changed`,
  ]);
  const late = { file: '0001_zz.sql', sha256: 'new' };
  expect(changedSince(released, [...files, late])).toEqual([`0001_zz.sql comes before ${rest.at(-1)?.file}`]);
  expect(changedSince(released, [...files, { file: '9999_next.sql', sha256: 'new' }])).toEqual([]);
});

test('a page of each release asks nothing that this server refuses, and reads nothing that it answers no more', () => {
  const found = releases.flatMap((file) => {
    const old = JSON.parse(gunzipSync(readFileSync(join(frozen, file))).toString()) as Paths;
    return breaks(old, now).map((line) => `${file}: ${line}`);
  });
  expect(found).toEqual([]);
});

const CLAIMS = '/api/communities/{communityId}/tasks/{taskId}/claims';
// biome-ignore lint/suspicious/noExplicitAny: it reaches into documents of any shape
type Any = any;
const one = { [CLAIMS]: now[CLAIMS] ?? {} };
const bodyOf = (paths: Any) => paths[CLAIMS].post.requestBody.content['application/json'].schema;
const answerOf = (paths: Any) => paths[CLAIMS].post.responses['201'].content['application/json'].schema;

test.each<[string, (paths: Any) => void, string]>([
  ['a route that is gone', (paths) => delete paths[CLAIMS].post, 'is gone'],
  ['a field newly required', (paths) => Object.assign(bodyOf(paths), { required: ['mood'] }), 'mood is newly required'],
  ['a field taken no more', (paths) => delete bodyOf(paths).properties.actedAt, 'actedAt is gone'],
  ['a kind of answer taken no more', (paths) => bodyOf(paths).properties.evidence.oneOf.shift(), 'check_in is gone'],
  [
    'a shorter limit',
    (paths) => Object.assign(paths[CLAIMS].post.parameters[2].schema, { maxLength: 9 }),
    'maxLength is 9',
  ],
  ['a field answered no more', (paths) => delete answerOf(paths).properties.state, 'state is gone'],
  ['a field that may be missing', (paths) => answerOf(paths).required.shift(), 'may be missing'],
  [
    'a field of another type',
    (paths) => Object.assign(answerOf(paths).properties, { id: { type: 'number' } }),
    'number is no type',
  ],
  [
    'a query newly required',
    (paths) => paths[CLAIMS].post.parameters.push({ name: 'q', in: 'query', required: true }),
    'query q is newly',
  ],
])('an old page’s trouble is told: %s', (_what, change, told) => {
  const next = structuredClone(one);
  change(next);
  expect(breaks(one, next).join('\n')).toContain(told);
});

test('what is only added is no trouble', () => {
  const next: Any = structuredClone(one);
  bodyOf(next).properties.mood = { type: 'string' };
  answerOf(next).properties.mood = { type: 'string' };
  next['/api/new'] = { get: { responses: {} } };
  expect(breaks(one, next)).toEqual([]);
});
