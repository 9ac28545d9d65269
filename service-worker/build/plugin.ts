import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build, type Plugin, type Rollup } from 'vite';
import { MINI_APP_PATH } from '../../server/contract/pages.ts';

type Options = {
  /** Entry module of the service worker. */
  entry: string;
  /** Entry module of the worker that removes it from devices. */
  killSwitch: string;
  /** Directory of the built client; `sw.js` and `sw-off.js` go into its root. */
  outDir: string;
  /** Constants to put into the service worker, as in Vite's `define`. */
  define?: Record<string, string>;
};

/** Files that the service worker stores, so every route opens without a network. */
const PRECACHED = [
  /^\/[\w-]+\.html$/,
  /^\/manifest\.webmanifest$/,
  /^\/[\w-]+\.(js|css|svg|ico)$/,
  /^\/icons\/.+\.(png|svg|ico)$/,
  /^\/assets\/.+\.(js|css|svg)$/,
  // Other scripts are fetched when a text needs them.
  /^\/assets\/.+-latin-(?!ext).+\.woff2$/,
];
/** Parts loaded right after the first paint, whatever the screen: they belong to the first stage too. */
const SHELL_PARTS = /\/app\/(features\/shell|ui)\//;
const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest|txt)$/;

const compress = promisify(brotliCompress);
const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
};

/** Workbox has each of its packages leave a version mark for tools that count who uses it. Nobody here reads them. */
const withoutVersionMarks: Plugin = {
  name: 'muster:without-version-marks',
  load: (id) => (/workbox-[\w-]+\/_version\.js$/.test(id) ? '' : null),
};

/**
 * The store of requests that Workbox's queue brings along, a second database: nothing is ever pushed into that queue, which
 * schedules the replay alone (`service-worker/replay.ts`).
 */
const UNUSED = /workbox-background-sync\/lib\/(QueueStore|StorableRequest)\.js$/;
const QUEUE = /workbox-background-sync\/Queue\.js$/;
const CARRYING =
  /^ {4}async (?:getAll|size|(?:push|unshift|pop|shift|_add|_remove|replay)Requests?)\([\s\S]*?^ {4}\}\n/gm;
const withoutRequestStore: Plugin = {
  name: 'muster:without-request-store',
  load: (id) => (UNUSED.test(id) ? `export class ${UNUSED.exec(id)?.[1]} {}` : null),
  transform(code, id) {
    if (!QUEUE.test(id)) return null;
    if (code.match(CARRYING)?.length !== 9) throw new Error('Another Queue of Workbox: see what of it is unused now');
    return { code: code.replace(CARRYING, ''), map: null };
  },
};

/** Bundles the service worker as one classic script; the same call serves development and build. */
async function bundle(
  entry: string,
  mode: string,
  define: Record<string, string>,
): Promise<{ code: string; map: string | null }> {
  const result = (await build({
    configFile: false,
    mode,
    logLevel: 'warn',
    publicDir: false,
    plugins: [withoutVersionMarks, withoutRequestStore],
    // Development needs this too: Workbox would log several lines for each request.
    define: { ...define, 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      write: false,
      target: 'es2022',
      minify: mode === 'production',
      sourcemap: 'hidden',
      rolldownOptions: { input: entry, output: { format: 'iife', entryFileNames: 'sw.js' } },
    },
  })) as Rollup.RollupOutput;
  const { code, map } = result.output[0];
  return { code, map: map?.toString() ?? null };
}

async function filesOf(dir: string): Promise<{ path: string; url: string }[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.(map|br)$/.test(entry.name) && !/^sw(-off)?\.js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, url: `/${relative(dir, path).split(sep).join('/')}` }))
    .sort((a, b) => (a.url < b.url ? -1 : 1));
}

/**
 * Addresses of the first stage: everything but the screens' own scripts and the pictures. A script belongs to it when the
 * page's entry imports it, directly or through others, or when it is a part of the frame.
 */
function firstStage(urls: string[], bundle: Rollup.OutputBundle): string[] {
  const scripts = new Set<string>();
  const add = (file: string): void => {
    const chunk = bundle[file];
    if (chunk?.type !== 'chunk' || scripts.has(`/${file}`)) return;
    scripts.add(`/${file}`);
    chunk.imports.forEach(add);
  };
  for (const [file, output] of Object.entries(bundle))
    if (output.type === 'chunk' && (output.isEntry || SHELL_PARTS.test(output.facadeModuleId ?? ''))) add(file);
  const isLater = (url: string) => {
    const isScreen = bundle[url.slice(1)]?.type === 'chunk' && !scripts.has(url);
    return isScreen || /\.(png|ico)$/.test(url);
  };
  return urls.filter((url) => !isLater(url));
}

async function writeBrotli(path: string): Promise<void> {
  const bytes = await readFile(path);
  const small = await compress(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  if (small.length < bytes.length) await writeFile(`${path}.br`, small);
}

/**
 * Builds `/sw.js` after the client and serves it in development. The list of precached files and the name of its cache are
 * made from the written files themselves, so neither can drift from them. Writes a `.br` beside every text file.
 */
export function serviceWorker({ entry, killSwitch, outDir, define = {} }: Options): Plugin[] {
  const room = dirname(entry);
  let development: ReturnType<typeof bundle> | undefined;
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
        async handler(_options, output) {
          const files = await filesOf(outDir);
          const precached = files.filter(({ url }) => PRECACHED.some((pattern) => pattern.test(url)));
          const contents = await Promise.all(precached.map(({ path }) => readFile(path)));
          const urls = precached.map(({ url }) => url);
          const first = new Set(firstStage(urls, output));
          const rest = JSON.stringify(urls.filter((url) => !first.has(url)));
          const list = `/assets/rest-${sha256(rest).slice(0, 8)}.json`;
          await writeFile(join(outDir, list), rest);
          const scripts = { 'sw.js': entry, 'sw-off.js': killSwitch };
          for (const [name, module] of Object.entries(scripts)) {
            const { code, map } = await bundle(module, mode, {
              ...define,
              __SHELL__: JSON.stringify(sha256(...urls, ...contents)),
              // The server answers the Mini App's address with the app's page under other headers. The precache stores
              // both.
              __SHELL_FILES__: JSON.stringify([...first, MINI_APP_PATH, list]),
              __SHELL_REST__: JSON.stringify(list),
            });
            await writeFile(resolve(outDir, name), code);
            // The build moves the source maps out of the served directory later.
            if (map !== null) await writeFile(resolve(outDir, `${name}.map`), map);
          }
          const paths = [
            ...files.map(({ path }) => path),
            join(outDir, list),
            ...Object.keys(scripts).map((name) => resolve(outDir, name)),
          ];
          await Promise.all(paths.filter((path) => COMPRESSIBLE.test(path)).map(writeBrotli));
          const bytes = contents.reduce((sum, content) => sum + content.length, 0);
          this.info(
            `sw.js precaches ${first.size} + ${urls.length - first.size} files, ${Math.round(bytes / 1024)} kB`,
          );
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
          development ??= bundle(entry, 'development', {
            ...define,
            __SHELL__: '""',
            __SHELL_FILES__: '[]',
            __SHELL_REST__: '""',
          });
          development.then(({ code }) => {
            response.setHeader('content-type', 'text/javascript; charset=utf-8');
            response.setHeader('cache-control', 'no-cache');
            response.end(code);
          }, next);
        });
      },
    },
  ];
}
