import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Moves the source maps out of the built client, so nothing that serves the client can serve them. The server reads
 * stacks by them.
 */
export function mapsApart({ from, to }: { from: string; to: string }): Plugin {
  return {
    name: 'muster:maps-apart',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        await rm(to, { recursive: true, force: true });
        for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
          if (!entry.isFile() || !entry.name.endsWith('.map')) continue;
          const path = join(entry.parentPath, entry.name);
          const kept = join(to, relative(from, path));
          await mkdir(dirname(kept), { recursive: true });
          await rename(path, kept);
        }
      },
    },
  };
}
