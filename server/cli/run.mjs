// @ts-check
/**
 * `npm start` and `npm run muster`: builds if needed and becomes the named program. npm's `pre` scripts do not serve:
 * with `ignore-scripts`, which protects against installed packages, npm skips them too.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const [program = '', ...args] = process.argv.slice(2);
const { status } = spawnSync(process.execPath, [join(folder, 'build-if-stale.mjs')], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
const path = join(folder, '../../dist/server', `${program}.js`);
process.argv = [process.execPath, path, ...args];
await import(pathToFileURL(path).href);
