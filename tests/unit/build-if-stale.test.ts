import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const script = 'server/cli/build-if-stale.mjs';
const folder = mkdtempSync(join(tmpdir(), 'muster-build-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the step before `npm start` says in a checkout whose build tools are not installed. */
function start(...options: string[]): { code: number | null; said: string } {
  for (const room of ['app', 'worker', 'service-worker', 'server/cli'])
    mkdirSync(join(folder, room), { recursive: true });
  for (const file of ['package-lock.json', 'vite.config.ts']) writeFileSync(join(folder, file), '');
  cpSync(resolve(import.meta.dirname, '../..', script), join(folder, script));
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
