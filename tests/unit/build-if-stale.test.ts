import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const script = 'server/cli/build-if-stale.mjs';
const folder = mkdtempSync(join(tmpdir(), 'muster-build-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A checkout with nothing built: what is named of ours, and for the rest empty rooms. */
function checkout(...parts: string[]): void {
  for (const room of ['app', 'worker', 'service-worker', 'server/cli'])
    mkdirSync(join(folder, room), { recursive: true });
  for (const file of ['package-lock.json', 'vite.config.ts']) writeFileSync(join(folder, file), '');
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true });
}

/** What the step before `npm start` says where the build tools are not installed. */
function start(...options: string[]): { code: number | null; said: string } {
  checkout(script, 'server/cli/require-node.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [...options, join(folder, script)], {
    encoding: 'utf8',
  });
  return { code: status, said: stdout + stderr };
}

test('what is said of missing build tools helps with NODE_ENV=production too, with which npm leaves them out', () => {
  expect(start()).toEqual({ code: 1, said: expect.stringContaining('npm ci --include=dev && npm run build') });
});

test.each(['18.20.8', '20.18.3'])('Node.js %s is told to be too old, in one line', (version) => {
  const older = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
  const { code, said } = start('--import', `data:text/javascript,${encodeURIComponent(older)}`);
  expect([code, said]).toEqual([1, expect.stringMatching(/^Muster needs Node\.js 20\.19 or newer; this is .+\.\n$/)]);
});

test('a command of the operator builds nothing: without a build it runs from the sources', () => {
  checkout('server', 'package.json', 'tsconfig.json');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const command = [join(folder, 'server/cli/run.mjs'), 'muster', 'config', 'check'];
  const { status, stdout } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('The configuration is fine.')]);
  expect(existsSync(join(folder, 'dist'))).toBe(false);
});
