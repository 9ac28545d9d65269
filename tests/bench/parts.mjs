// @ts-check
/** Files of the server, built to be called without the server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, loadConfigFromFile } from 'vite';
import { root } from './instance.mjs';

/** Plugins of the product's own build that make what the server imports. */
const MAKES = ['muster:guides', 'muster:safe-words'];

/**
 * Builds these files, named without their ending, and gives the address of the folder where they stand as `name.js`.
 * @param {string[]} paths
 */
export async function builtParts(paths) {
  const folder = mkdtempSync(join(root, 'node_modules/.tmp-parts-'));
  const own = await loadConfigFromFile({ command: 'build', mode: 'production' }, join(root, 'vite.config.ts'));
  const plugins = /** @type {import('vite').Plugin[]} */ (own?.config.plugins?.flat() ?? []);
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    define: own?.config.define ?? {},
    plugins: plugins.filter((plugin) => plugin && MAKES.includes(plugin.name)),
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
