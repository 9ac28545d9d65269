import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { BOOT_KEYS } from '../contract/boot-keys.ts';
import { BUILD_HEADER } from '../contract/sw-messages.ts';

const MARK = '__BOOT_KEYS__';

/** `app/public/boot.js` as browsers get it: with the places in localStorage that it shares with the app, and the header of the server's answers. */
export function bootScript(path: string): string {
  return filled(readFileSync(path, 'utf8'));
}
function filled(source: string): string {
  const script = source.replace(MARK, JSON.stringify({ ...BOOT_KEYS, buildHeader: BUILD_HEADER }));
  if (script === source) throw new Error(`boot.js has no place for ${MARK}`);
  return script;
}

/** Fills `/boot.js` in, in the build before the service worker lists it, and in development when it is asked for. */
export function boot({ source, outDir }: { source: string; outDir: string }): Plugin {
  return {
    name: 'muster:boot',
    applyToEnvironment: (environment) => environment.name === 'client',
    configureServer(server) {
      server.middlewares.use('/boot.js', (_request, response) => {
        response.setHeader('content-type', 'text/javascript; charset=utf-8');
        response.setHeader('cache-control', 'no-cache');
        response.end(bootScript(source));
      });
    },
    writeBundle: {
      order: 'pre',
      sequential: true,
      async handler() {
        const written = join(outDir, 'boot.js');
        await writeFile(written, filled(await readFile(written, 'utf8')));
      },
    },
  };
}
