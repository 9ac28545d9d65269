/** Documents are held to the code: what they link to, name or tell exists. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { m } from '../../app/paraglide/messages.js';
import { type Setting, shown } from '../../server/base/environment.ts';
import { routes } from '../../server/contract/routes.ts';
import { webhookEvents } from '../../server/contract/webhook-events.ts';
import { SETTING_GROUPS, SETTINGS } from '../../server/settings.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|tsx|css|mjs|sql|md)$/.test(file) && existsSync(join(ROOT, file)));
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
/** What the project says of itself today; figures and the changelog tell of earlier days. */
const DOCUMENTS = FILES.filter((file) => /^(docs\/(?!figures\/).*|[^/]+)\.md$/.test(file) && file !== 'CHANGELOG.md');
/** What `named` finds in documents and `exists` does not know, with the document. */
const unknown = (named: RegExp, exists: (name: string) => boolean) =>
  DOCUMENTS.flatMap((file) =>
    [...textOf(file).matchAll(named)]
      .map(([, name = '']) => name)
      .filter((name) => !exists(name))
      .map((name) => `${file} names ${name}`),
  );

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

test('files and folders that documents name exist', () => {
  const path = /`((?:app|server|worker|service-worker|tests|docs)\/[\w./-]+)`/g;
  expect(unknown(path, (name) => existsSync(join(ROOT, name)))).toEqual([]);
});

test('routes that documents name are routes of the contract', () => {
  const shape = (key: string) => key.replace(/\{[^}]*\}|:\w+|<[^>]*>/g, ':');
  const declared = new Set(Object.keys(routes).map(shape));
  const route = /((?:GET|POST|PUT|PATCH|DELETE) \/(?:api\/[\w:{}<>./ -]+?|livez|readyz))(?=[`?…)]|$)/gm;
  const isRoute = (name: string) => /\/$/.test(name) || declared.has(shape(name));
  expect(unknown(route, isRoute)).toEqual([]);
});

test('scripts and commands that documents name exist', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  expect(unknown(/\bnpm run ([\w:-]+)/g, (name) => name in scripts)).toEqual([]);
  const usage = FILES.filter((file) => file.startsWith('server/cli/'))
    .map(textOf)
    .join('\n');
  const isVerb = (name: string) => usage.includes(`  ${name} `);
  expect(unknown(/`(?:npm run )?muster (?:-- )?([a-z]+(?: [a-z]+)?)/g, isVerb)).toEqual([]);
});

test('settings.md shows what server/settings.ts declares: npx vitest run --project unit documents -u writes it', async () => {
  const rowOf = ([name, { meaning, example, otherwise, fallback, secret }]: [string, Setting]) => {
    const value = shown(fallback);
    const cell = (text: string) => (text === '' ? '–' : `\`${text}\``);
    const cells = [meaning, otherwise ?? cell(value), cell(example === value ? '' : example)];
    return `| \`${name}\`${secret ? ' (secret)' : ''} | ${cells.join(' | ')} |`;
  };
  const head = '| setting | what it is for | left out | for example |\n|---|---|---|---|';
  const groups = Object.entries(SETTING_GROUPS).map(
    ([title, group]) => `## ${title}\n\n${head}\n${Object.entries<Setting>(group).map(rowOf).join('\n')}\n`,
  );
  const file = 'docs/operations/settings.md';
  const [prose] = textOf(file).split(/^## The instance$/m);
  await expect(`${prose}${groups.join('\n')}`).toMatchFileSnapshot(join(ROOT, file));
});

test('settings that documents name in a list of settings exist', () => {
  expect(unknown(/^\| `([A-Z][A-Z_]+)[=`]/gm, (name) => name in SETTINGS)).toEqual([]);
});

test('each webhook event has a word in the leader’s form, “leader_hook_event” of app/words/leader.en.json', () => {
  const words = webhookEvents.map((event) => ({ event, word: m.leader_hook_event({ event }) }));
  expect(
    words.filter(({ word }, at) => word === 'leader_hook_event' || words.findIndex((one) => one.word === word) !== at),
  ).toEqual([]);
});
