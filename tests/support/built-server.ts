import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { guides } from '../../server/build/guides.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * Bundles server entries as a release does, into a folder of their own, for tests that start and kill real processes.
 * `entries` maps a name to a path from the project's root. Remove it with `remove`.
 */
export async function buildServer(entries: Record<string, string>): Promise<{ directory: string; remove(): void }> {
  const base = join(root, 'node_modules/.tmp');
  mkdirSync(base, { recursive: true });
  const directory = mkdtempSync(join(base, 'built-'));
  await build({
    configFile: false,
    root,
    plugins: [guides({ folder: join(root, 'app/guides') })],
    logLevel: 'error',
    define: { __BUILD__: '"test"' },
    build: {
      ssr: true,
      target: 'node20',
      outDir: directory,
      copyPublicDir: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
      },
    },
  });
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
