import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build, type Plugin, type Rollup } from 'vite';

type Options = {
  /** Entry module of the service worker. */
  entry: string;
  /** Directory of the built client; `sw.js` goes into its root. */
  outDir: string;
  /** Constants to put into the service worker, as in Vite's `define`. */
  define?: Record<string, string>;
};

/** What the service worker keeps so that every route opens without a network. */
const KEPT = [
  /^\/(index|app)\.html$/,
  /^\/manifest\.webmanifest$/,
  /^\/[\w-]+\.(js|css|svg|ico)$/,
  /^\/icons\/.+\.(png|svg|ico)$/,
  /^\/assets\/.+\.(js|css|svg)$/,
  // Other scripts are fetched when a text needs them.
  /^\/assets\/.+-latin-(?!ext).+\.woff2$/,
];
const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest|txt)$/;

const compress = promisify(brotliCompress);
const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
};

/** Bundles the service worker as one classic script; the same call serves development and build. */
async function bundle(entry: string, mode: string, define: Record<string, string>): Promise<string> {
  const result = (await build({
    configFile: false,
    mode,
    logLevel: 'warn',
    publicDir: false,
    define: { ...define, 'process.env.NODE_ENV': JSON.stringify(mode) },
    build: {
      write: false,
      target: 'es2022',
      minify: mode === 'production',
      rolldownOptions: { input: entry, output: { format: 'iife', entryFileNames: 'sw.js' } },
    },
  })) as Rollup.RollupOutput;
  return result.output[0].code;
}

async function filesOf(dir: string): Promise<{ path: string; url: string }[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.(map|br)$/.test(entry.name) && entry.name !== 'sw.js')
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, url: `/${relative(dir, path).split(sep).join('/')}` }))
    .sort((a, b) => (a.url < b.url ? -1 : 1));
}

async function writeBrotli(path: string): Promise<void> {
  const bytes = await readFile(path);
  const small = await compress(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  if (small.length < bytes.length) await writeFile(`${path}.br`, small);
}

/**
 * Builds `/sw.js` after the client and serves it in development. The list of kept files and the name of its cache are
 * made from the written files themselves, so neither can drift from them. Writes a `.br` beside every text file.
 */
export function serviceWorker({ entry, outDir, define = {} }: Options): Plugin[] {
  const room = dirname(entry);
  let development: Promise<string> | undefined;
  let mode = 'production';
  return [
    {
      name: 'muster:service-worker-build',
      apply: 'build',
      applyToEnvironment: (environment) => environment.name === 'client',
      configResolved(config) {
        mode = config.mode;
      },
      writeBundle: {
        order: 'post',
        sequential: true,
        async handler() {
          const files = await filesOf(outDir);
          const kept = files.filter(({ url }) => KEPT.some((pattern) => pattern.test(url)));
          const contents = await Promise.all(kept.map(({ path }) => readFile(path)));
          const code = await bundle(entry, mode, {
            ...define,
            __SHELL__: JSON.stringify(sha256(...kept.map(({ url }) => url), ...contents)),
            __SHELL_FILES__: JSON.stringify(kept.map(({ url }) => url)),
          });
          const script = resolve(outDir, 'sw.js');
          await writeFile(script, code);
          const texts = [...files.map(({ path }) => path), script].filter((path) => COMPRESSIBLE.test(path));
          await Promise.all(texts.map(writeBrotli));
          const bytes = contents.reduce((sum, content) => sum + content.length, 0);
          this.info(`sw.js keeps ${kept.length} files, ${Math.round(bytes / 1024)} kB`);
        },
      },
    },
    {
      name: 'muster:service-worker-development',
      apply: 'serve',
      configureServer(server) {
        server.watcher.add(room);
        server.watcher.on('change', (file) => {
          if (file.startsWith(room)) development = undefined;
        });
        server.middlewares.use('/sw.js', (_request, response, next) => {
          development ??= bundle(entry, 'development', { ...define, __SHELL__: '""', __SHELL_FILES__: '[]' });
          development.then((code) => {
            response.setHeader('content-type', 'text/javascript; charset=utf-8');
            response.setHeader('cache-control', 'no-cache');
            response.end(code);
          }, next);
        });
      },
    },
  ];
}
