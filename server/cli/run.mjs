// @ts-check
/**
 * `npm start` and `npm run muster`: becomes the named program. The first builds where the build is missing or stale; a
 * command builds nothing: without a fresh build it runs from the sources. npm's `pre` scripts do not serve: with
 * `ignore-scripts`, which protects against installed packages, npm skips them too.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '../..');
const [program = '', ...args] = process.argv.slice(2);
const runsUnbuilt = program === 'muster' && existsSync(join(root, 'node_modules/vite'));

/** @param {string[]} options */
const build = (...options) =>
  spawnSync(process.execPath, [join(folder, 'build-if-stale.mjs'), ...options], { stdio: 'inherit' }).status ?? 1;

const status = runsUnbuilt ? build('--look') : build();
if (status !== 0 && !runsUnbuilt) process.exit(status);
const path = join(root, status === 0 ? `dist/server/${program}.js` : `server/cli/${program}.ts`);
process.argv = [process.execPath, path, ...args];
if (status === 0) await import(pathToFileURL(path).href);
else {
  const { runnerImport } = await import('vite');
  await runnerImport(path, { configFile: false, logLevel: 'error', root, define: { __BUILD__: '"sources"' } });
}
