import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, type Plugin, type Rollup } from 'vite';

const run = promisify(execFile);

/** A page as `drawPages` tells it: `screen` ends the name of the module that draws it, `markup` goes into the root. */
type Drawn = { path: string; screen: string; title: string; description: string; markup: string };

type Options = {
  /** Project root: the pre-rendering app is bundled beneath it, so it finds its packages. */
  root: string;
  /** Module whose `drawPages` draws them. */
  entry: string;
  /** Directory of the built client. */
  outDir: string;
  /** The client's: what is drawn names its files. */
  assetFileNames: (asset: { names: string[] }) => string;
  define?: Record<string, string>;
  /** What the drawn app is bundled with. */
  plugins?: Plugin[];
};

/**
 * Pre-renders the public pages as HTML beside the client: `index.html` for `/`, `<path>.html` for the others. They
 * paint at once, before any script has loaded; `boot.js` then loads the app (`data-parts`). Vite's `index.html` becomes
 * `app.html`, the page of every other address.
 */
export function prerender({ root, entry, outDir, assetFileNames, define = {}, plugins = [] }: Options): Plugin {
  return {
    name: 'muster:prerender',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    writeBundle: {
      // before the service worker, whose list holds these pages
      order: 'pre',
      sequential: true,
      async handler(_options, bundle) {
        const shell = await readFile(join(outDir, 'index.html'), 'utf8');
        await rename(join(outDir, 'index.html'), join(outDir, 'app.html'));
        for (const page of await draw({ root, entry, assetFileNames, define, plugins })) {
          const name = page.path === '/' ? 'index' : page.path.slice(1);
          await writeFile(join(outDir, `${name}.html`), pageOf(shell, page, partsOf(bundle, page.screen)));
        }
      },
    },
  };
}

/** What the screens read of a browser while they are drawn: a visitor, online, on a phone; the server knows the host. */
const BROWSER = `
  const put = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true });
  put('navigator', { userAgent: '', onLine: true });
  put('location', { pathname: '/', search: '', host: '%PUBLIC_HOST%', protocol: 'https:' });
`;

/** Bundles the app for Node and renders it in a separate process, where its partial browser globals disturb nothing. */
async function draw({ root, entry, assetFileNames, define, plugins }: Omit<Options, 'outDir'>): Promise<Drawn[]> {
  const directory = await mkdtemp(join(root, 'node_modules/.prerender-'));
  try {
    await build({
      configFile: false,
      root: join(root, 'app'),
      logLevel: 'error',
      plugins: plugins ?? [],
      define: { ...define, 'process.env.NODE_ENV': '"production"' },
      // Under this condition the router leaves open whether it is on a server: `drawPages` tells it.
      ssr: { noExternal: [/^@tanstack\//], resolve: { conditions: ['development', 'node', 'import'] } },
      build: {
        ssr: true,
        outDir: directory,
        emptyOutDir: true,
        copyPublicDir: false,
        assetsInlineLimit: 0,
        rolldownOptions: { input: entry, output: { entryFileNames: 'draw.mjs', assetFileNames } },
      },
    });
    const module = JSON.stringify(pathToFileURL(join(directory, 'draw.mjs')).href);
    const program = `${BROWSER}
      const { drawPages } = await import(${module});
      process.stdout.write(JSON.stringify(await drawPages()), () => process.exit());`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { maxBuffer: 2 ** 24 });
    return JSON.parse(stdout) as Drawn[];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Parts = { scripts: string[]; styles: string[] };

/** The chunk that holds the screen, with all that it imports, and their styles, as addresses. */
function partsOf(bundle: Rollup.OutputBundle, screen: string): Parts {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const first = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${screen}`)));
  if (!first) throw new Error(`${screen} is no chunk of the client`);
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const add = (chunk: Rollup.OutputChunk): void => {
    if (scripts.has(chunk.fileName)) return;
    scripts.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') add(imported);
    }
  };
  add(first);
  return { scripts: [...scripts].map((name) => `/${name}`), styles: [...styles].map((name) => `/${name}`) };
}

const START = /\n\s*<script type="module"[^>]*src="([^"]+)"><\/script>/;

function pageOf(shell: string, { title, description, markup }: Drawn, { scripts, styles }: Parts): string {
  const entry = START.exec(shell)?.[1];
  if (!entry) throw new Error('the built page starts nothing');
  const parts = [entry, ...scripts.filter((script) => script !== entry)];
  const missing = styles.filter((style) => !shell.includes(style));
  const put = (text: string, from: string | RegExp, to: string): string => {
    const written = text.replace(from, () => to);
    if (written === text) throw new Error(`the built page has no ${String(from)}`);
    return written;
  };
  let page = put(shell, START, '').replace(/\n\s*<link rel="modulepreload"[^>]*>/g, '');
  page = put(page, '<script src="/boot.js">', `<script src="/boot.js" data-parts="${parts.join(' ')}">`);
  page = put(page, /<title>.*?<\/title>/, `<title>${title} · %PRODUCT_NAME%</title>`);
  page = put(page, /(?<=<meta name="description" content=")[^"]*/, description);
  page = put(page, '<div id="root"></div>', `<div id="root">${markup}</div>`);
  const links = missing.map((style) => `\n    <link rel="stylesheet" crossorigin href="${style}">`).join('');
  return links === '' ? page : put(page, '\n  </head>', `${links}\n  </head>`);
}
