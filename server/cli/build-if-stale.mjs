// @ts-check
/**
 * Builds when there is no build or its sources changed; silent when it is fresh. `--mark` only records that the build
 * was made from the present sources, `--look` only says by its exit code whether it was. Contents are compared, because file times mean nothing after a checkout or copy.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import './require-node.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
// Inside the client's folder: every build empties that first, so an interrupted one leaves no mark.
const mark = join(root, 'dist/client/.made-from');
const SOURCES = ['app', 'worker', 'service-worker', 'server', 'package-lock.json', 'vite.config.ts'];
const OUTPUTS = ['dist/client/index.html', 'dist/client/sw.js', 'dist/server/start.js', 'dist/server/main.js'];

/** Generated from other sources, or kept by tools. @param {string} name @param {string} folder */
const isGenerated = (name, folder) =>
  name.startsWith('.') || name === 'paraglide' || (folder.endsWith('words.inlang') && name !== 'settings.json');

/** @param {ReturnType<typeof createHash>} hash @param {string} path */
function addFolder(hash, path) {
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (isGenerated(entry.name, path)) continue;
    hash.update(`${entry.name}\n`);
    if (entry.isDirectory()) addFolder(hash, join(path, entry.name));
    else hash.update(readFileSync(join(path, entry.name)));
  }
}

function nameOfSources() {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const path = join(root, source);
    if (/\.\w+$/.test(source)) hash.update(readFileSync(path));
    else addFolder(hash, path);
  }
  return hash.digest('hex');
}

const isBuilt = OUTPUTS.every((output) => existsSync(join(root, output)));
// A deployment may carry the build alone.
if (isBuilt && !SOURCES.every((source) => existsSync(join(root, source)))) process.exit(0);

const name = nameOfSources();
if (process.argv.includes('--mark')) {
  writeFileSync(mark, name);
} else if (!isBuilt || !existsSync(mark) || readFileSync(mark, 'utf8') !== name) {
  if (process.argv.includes('--look')) process.exit(1);
  // With NODE_ENV=production npm leaves out the build tools, also where it is set only for the coming start.
  if (!existsSync(join(root, 'node_modules/vite'))) {
    console.error(
      'There is no up-to-date build and the build tools are not installed. Run: npm ci --include=dev && npm run build',
    );
    process.exit(1);
  }
  console.log('Building (first start, or the sources have changed) …');
  rmSync(mark, { force: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // Quiet unless it fails: then all output is shown.
  const built = spawnSync(npm, ['run', 'build'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  });
  if (built.status !== 0) {
    console.error(`${built.stdout ?? ''}${built.stderr ?? ''}${built.error ?? ''}\nThe build failed.`);
    process.exit(built.status ?? 1);
  }
  writeFileSync(mark, name);
}
