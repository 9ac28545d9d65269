import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Rollup } from 'vite';
import { expect, test } from 'vitest';
import { EntryDetail, IssueDetail } from '../../server/contract/ops-logs.ts';
import { mapsUnder, storeMaps } from '../../server/features/client-logs/maps.ts';
import { ask, ingested, release, send } from '../support/client-logs.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

const SOURCE = `import { ask } from './ask.ts';

export interface Standing {
  points: number;
}

/** Reads the points of a member. */
export function pointsOf(standing: Standing | undefined): number {
  const given = standing as Standing;
  return given.points + ask('bonus');
}

export const broken = () => pointsOf(undefined);
`;
const ASK = `export function ask(name: string): number {
  return name.length * Math.random();
}
`;

/** What was caught in the two builds, as V8 wrote it, with the scripts' addresses as a browser would say them. */
const caught: { build: string; message: string; stack: string; script: string }[] = [];

/** A build as ours is made: minified, hashed, its map apart. */
async function make(name: string, before: string): Promise<void> {
  const root = join(home, 'src', name);
  mkdirSync(join(root, 'app/features'), { recursive: true });
  writeFileSync(join(root, 'app/features/points.ts'), before + SOURCE);
  writeFileSync(join(root, 'app/features/ask.ts'), ASK);
  const out = join(root, 'dist/client');
  const result = (await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      outDir: out,
      sourcemap: 'hidden',
      minify: true,
      rolldownOptions: {
        input: join(root, 'app/features/points.ts'),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'assets/app-[hash].js', format: 'es' },
      },
    },
  })) as Rollup.RollupOutput;
  const script = result.output.find((file) => file.type === 'chunk')?.fileName ?? '';
  const maps = join(home, 'maps-of', name, dirname(script));
  mkdirSync(maps, { recursive: true });
  const map = result.output.find(({ fileName }) => fileName.endsWith('.map'));
  writeFileSync(join(home, 'maps-of', name, `${script}.map`), map?.type === 'asset' ? String(map.source) : '');
  storeMaps(join(home, 'maps-of', name), home, name);
  const file = pathToFileURL(join(out, script)).href;
  // In a process of its own: nothing between the engine and its stack.
  const run = `import { broken } from ${JSON.stringify(file)}; try { broken(); } catch ({ name, message, stack }) { console.log(JSON.stringify({ name, message, stack })); }`;
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', run], { encoding: 'utf8' });
  const { name: type, message, stack } = JSON.parse(told) as { name: string; message: string; stack: string };
  caught.push({
    build: name,
    message: `${type}: ${message}`,
    stack: stack.replaceAll(file, `https://muster.example/${script}`),
    script,
  });
}

const home = folderOfFile();
await make('build-n', '');
await make('build-n1', "import { ask as other } from './ask.ts';\n\nexport const more = () => other('more');\n\n");
const server = await ofFile(testServer({ sandbox: false, config: { home } }));
const ops = await server.person({ role: 'ops' });
for (const name of ['build-n', 'build-n1']) await release(server, name);

/** The same frames as the other engines write them. */
const asFirefox = (stack: string) =>
  [...stack.matchAll(/at (?:(\S+) \()?(https:[^)\s]+)/g)].map(([, name = '', place]) => `${name}@${place}`).join('\n');

test('a crash of two builds in three engines is one issue, with the original file, line and code', async () => {
  const [n, n1] = caught;
  if (!n || !n1) throw new Error('nothing was caught');
  expect(n.script).not.toBe(n1.script);
  const engines = [
    { release: n.build, message: n.message, stack: n.stack },
    { release: n1.build, message: n1.message, stack: n1.stack },
    {
      release: n.build,
      message: 'TypeError: can\'t access property "points", e is undefined',
      stack: asFirefox(n.stack),
    },
    {
      release: n1.build,
      message: "TypeError: undefined is not an object (evaluating 'e.points')",
      stack: `${asFirefox(n1.stack)}\n[native code]`,
    },
  ];
  const ids = await Promise.all(engines.map((data) => send(server, { data })));
  await ingested(server);
  const { issues } = (await ask(server, ops.cookie, '/issues')).json as {
    issues: { id: string; countAll: number; culprit: string }[];
  };
  expect(issues).toMatchObject([{ countAll: 4, culprit: 'app/features/points.ts in pointsOf' }]);

  const lines = await Promise.all(
    ids.map(async (id) => {
      const { stack } = EntryDetail.parse((await ask(server, ops.cookie, `/entries/${id}`)).json);
      const top = stack?.find(({ inApp }) => inApp);
      expect(top).toMatchObject({ original: true, file: 'app/features/points.ts', function: 'pointsOf' });
      expect(top?.code?.lines[(top.line ?? 0) - top.code.start]).toContain('return given.points');
      return top?.line;
    }),
  );
  expect(lines).toEqual([10, 14, 10, 14]);
  const detail = IssueDetail.parse((await ask(server, ops.cookie, `/issues/${issues[0]?.id}`)).json);
  expect(detail.groups[0]?.why.frames[0]).toContain('app/features/points.ts · pointsOf · return given.points');
  expect(detail.affected.release.map(({ value }) => value).sort()).toEqual(['build-n', 'build-n1']);
  expect(detail.sample?.asText).toContain('at pointsOf (app/features/points.ts:');
});

test('a frame of a build without maps, of an extension or of nobody stays as it was written', async () => {
  const resolve = mapsUnder(home);
  const frame = (file: string | null) => ({ function: 'f', file, line: 1, column: 20, isAsync: false });
  for (const file of [
    'https://muster.example/assets/app-zzzzzzzz.js',
    'chrome-extension://abc/x.js',
    null,
    'https://muster.example/../../etc/passwd',
    'https://muster.example/assets/..%2f..%2fx.js',
  ])
    expect(resolve(frame(file), 'build-n')).toMatchObject({ original: false, file, line: 1, column: 20, code: null });
});

test('the maps of the last thirty builds are kept, and what is broken in one harms no reading', () => {
  const place = mkdtempSync(join(tmpdir(), 'muster-kept-'));
  const from = join(place, 'dist');
  mkdirSync(join(from, 'assets'), { recursive: true });
  writeFileSync(join(from, 'assets/a.js.map'), 'no JSON');
  for (let at = 0; at < 34; at += 1) {
    storeMaps(from, place, `build${at}`);
    utimesSync(join(place, 'maps', `build${at}`), at, at);
  }
  storeMaps(from, place, 'last');
  const kept = readdirSync(join(place, 'maps'));
  expect(kept).toHaveLength(30);
  expect([
    existsSync(join(place, 'maps/build0')),
    existsSync(join(place, 'maps/build33')),
    existsSync(join(place, 'maps/last')),
  ]).toEqual([false, true, true]);
  const frame = { function: 'f', file: 'https://m.example/assets/a.js', line: 1, column: 1, isAsync: false };
  expect(mapsUnder(place)(frame, 'last').original).toBe(false);
  rmSync(place, { recursive: true, force: true });
});
