import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** Earlier builds whose files are still served, for tabs that were opened before a deploy. */
const BUILDS_MAX = 2;

/**
 * Lays a copy of this build's hashed files into `<home>/assets/<build>` for the starts to come, and answers the folders of
 * the builds before, the latest first. Older ones are removed. Source maps are not copied: they are not served.
 * Throws when the folder cannot be written.
 */
export function retainAssets(clientDir: string, home: string, build: string): string[] {
  const shelf = join(home, 'assets');
  const own = join(shelf, build);
  mkdirSync(shelf, { recursive: true });
  if (!existsSync(own)) {
    // Written under another name first: a start that is killed leaves no partial build.
    const unfinished = `${own}.${process.pid}.part`;
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
  const before = readdirSync(shelf)
    .filter((name) => name !== build && !name.endsWith('.part'))
    .map((name) => ({ path: join(shelf, name), at: statSync(join(shelf, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of before.slice(BUILDS_MAX)) rmSync(path, { recursive: true, force: true });
  return before.slice(0, BUILDS_MAX).map(({ path }) => path);
}
