// @ts-check
/** Files of the server, built to be called without the server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { root } from './instance.mjs';

/**
 * Builds these files, named without their ending, and gives the address of the folder where they stand as `name.js`.
 * @param {string[]} paths
 */
export async function builtParts(paths) {
  const folder = mkdtempSync(join(root, 'node_modules/.tmp-parts-'));
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      copyPublicDir: false,
      rolldownOptions: { input: Object.fromEntries(paths.map((path) => [basename(path), join(root, `${path}.ts`)])) },
    },
  });
  return { at: pathToFileURL(folder).href, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
