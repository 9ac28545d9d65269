import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Other builds whose files are still served, for tabs that were opened before a deploy. */
const BUILDS_MAX = 2;
/** Its copy is under way. */
const UNFINISHED = '.part';
/** A hashed file, and no way out of the shelf. */
const NAME = /^\/assets\/(\w[\w.-]*)$/;

/**
 * Lays a copy of this build's hashed files on the shelf, `<home>/assets/<build>`, and answers the shelf. All processes with
 * this home serve from it, so call it before the process listens: a browser with its page may ask another process for the
 * parts. Of other builds those used last stay. Source maps are not copied: they are not served. Throws when the folder
 * cannot be written.
 */
export function retainAssets(clientDir: string, home: string, build: string): string {
  const shelf = join(home, 'assets');
  const own = join(shelf, build);
  mkdirSync(shelf, { recursive: true });
  if (!existsSync(own)) {
    // Written under another name first: a start that is killed leaves no partial build.
    const unfinished = `${own}.${process.pid}${UNFINISHED}`;
    try {
      cpSync(join(clientDir, 'assets'), unfinished, { recursive: true, filter: (path) => !path.endsWith('.map') });
      renameSync(unfinished, own);
    } catch (error) {
      // A full disk would get a part of it at every start.
      rmSync(unfinished, { recursive: true, force: true });
      // Another process of the same build may have been quicker.
      if (!existsSync(own)) throw error;
    }
  }
  const now = new Date();
  utimesSync(own, now, now);
  const others = readdirSync(shelf)
    .filter((name) => name !== build && !name.endsWith(UNFINISHED))
    // Another process may have removed it just now.
    .map((name) => ({
      path: join(shelf, name),
      at: statSync(join(shelf, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of others.slice(BUILDS_MAX)) rmSync(path, { recursive: true, force: true });
  return shelf;
}

export type Shelved = { bytes: Buffer; brotli: Buffer | null };

/** Reads a file of another build from the shelf as it is now: of an earlier one, or of one that a new process has just laid there. */
export async function fromShelf(shelf: string, path: string): Promise<Shelved | null> {
  const name = NAME.exec(path)?.[1];
  if (name === undefined) return null;
  const builds = await readdir(shelf).catch(() => []);
  for (const build of builds.filter((one) => !one.endsWith(UNFINISHED))) {
    const at = join(shelf, build, name);
    const bytes = await readIfThere(at);
    if (bytes) return { bytes, brotli: await readIfThere(`${at}.br`) };
  }
  return null;
}

const readIfThere = (path: string): Promise<Buffer | null> => readFile(path).catch(() => null);
