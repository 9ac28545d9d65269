import { createHash, randomInt } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { boot } from './server/build/boot.ts';
import { chunksOf } from './server/build/chunks.ts';
import { serverInVite } from './server/build/dev-server.ts';
import { guides } from './server/build/guides.ts';
import { mapsApart } from './server/build/maps.ts';
import { prerender } from './server/build/prerender.ts';
import { safeWords } from './server/build/safe-words.ts';
import { serviceWorker } from './service-worker/build/plugin.ts';

const at = (...parts: string[]) => resolve(import.meta.dirname, ...parts);

/** A build is named by what it is made of: the same sources give the same name on every machine. */
function buildName(): string {
  const hash = createHash('sha256');
  for (const room of ['app', 'worker', 'service-worker', 'server', 'package-lock.json', 'vite.config.ts'])
    addTo(hash, at(room));
  return hash.digest('hex').slice(0, 12);
}
function addTo(hash: ReturnType<typeof createHash>, path: string): void {
  const entries = statSync(path).isFile() ? null : readdirSync(path, { withFileTypes: true });
  if (!entries) return void hash.update(readFileSync(path));
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    // what the word compiler writes beside the sources is no source
    if (entry.name === 'paraglide' || entry.name === 'README.md' || entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) addTo(hash, join(path, entry.name));
    else hash.update(entry.name).update(readFileSync(join(path, entry.name)));
  }
}

const compiledGuides = () => guides({ folder: at('app/guides') });
const words = () => safeWords({ folder: at('app/words') });
const wordCompiler = async () =>
  (await import('@inlang/paraglide-js')).paraglideVitePlugin({
    project: at('app/words.inlang'),
    outdir: at('app/paraglide'),
    strategy: ['baseLocale'],
  });
const isTest = process.env['VITEST'] !== undefined;
const build = buildName();
/** What tests leave to chance comes anew in each run, and again to who sets the seed of a run that was red. */
if (isTest) {
  process.env['SEED'] ??= String(randomInt(1_000_000));
  console.log(`SEED=${process.env['SEED']}`);
}
const node = { environment: 'node' as const };
/** No test is about how busy the machine is, nor how long a whole model plays. */
const patient = {
  testTimeout: process.env['TIER'] === 'all' ? 600_000 : 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
};

/** From version 25 on Node has a store of its own under the page's name, which is nobody's and hides that of a test's page. */
const NO_STORE = '--no-experimental-webstorage';
const storeless = { execArgv: process.allowedNodeEnvironmentFlags.has(NO_STORE) ? [NO_STORE] : [] };

/** Files share one process for each core: a process of its own would load the same modules anew for each file. */
const shared = { isolate: false };

/**
 * Files for browsers that `npm test` leaves to the full tier: deploys, members one after another on one device, an app that is
 * installed, pushed to or refused things, a whole season.
 */
const FULL_TIER = ['installed', 'purge', 'push', 'refused', 'season', 'update', 'still'];
/** Of them and the others what the full tier plays in Firefox as well: where engines have differed. */
const IN_FIREFOX = ['story', 'every-page', 'purge', 'refused'];
/** Of what only Chromium tells: what moves on a page. */
const CHROMIUM_ALONE = ['still'];
const tier = process.env['TIER'];
const isFirefox = process.env['BROWSER'] === 'firefox';
const filesOf = (names: string[]) => names.map((name) => `**/${name}.test.ts`);
/** `TIER=test` plays the gate's, `TIER=full` what that leaves, and in Firefox a sample; otherwise each file. */
const browserFiles = {
  include: tier === 'full' ? filesOf(isFirefox ? IN_FIREFOX : FULL_TIER) : ['**/*.test.ts'],
  exclude: [...(tier === 'test' ? filesOf(FULL_TIER) : []), ...(isFirefox ? filesOf(CHROMIUM_ALONE) : [])],
};
/** Notifications have a server inside their test, and that a database of its own. */
const isPushPlayed = tier !== 'test' && !(tier === 'full' && isFirefox);
const browserSetup = ['prepared-home', ...(isPushPlayed ? ['global-postgres'] : [])];

const MEMBER = [
  'dashboard/dashboard-screen.tsx',
  'leaderboard/leaderboard-screen.tsx',
  'communities/communities-screen.tsx',
  'profile/profile-screen.tsx',
  'shell/member-frame.tsx',
];
const DRAWN = [
  'landing/landing-screen.tsx',
  'guides/how-to-use-screen.tsx',
  'guides/learn-more-screen.tsx',
  'legal/legal-screen.tsx',
  'demo/demo-screen.tsx',
];

/** Of a style, a font or the sprite. The drawn pages name them as well, so both builds write them alike. */
const assetFileNames = ({ names: [name = ''] }: { names: string[] }) =>
  `assets/${name.replace(/~.*(?=\.)|\.[^.]*$/g, '')}-[hash][extname]`;

export default defineConfig({
  root: at('app'),
  publicDir: at('app/public'),
  cacheDir: at('node_modules/.vite'),
  define: { __BUILD__: JSON.stringify(build) },
  plugins: [
    react(),
    compiledGuides(),
    words(),
    // A compilation inside Vitest keeps its process from ending, and loading the compiler takes a second: tests take what
    // `npm run words` wrote, all in one file, where a build's chunks want a file a message.
    !isTest && wordCompiler(),
    boot({ source: at('app/public/boot.js'), outDir: at('dist/client') }),
    prerender({
      root: at('.'),
      entry: at('app/prerender.tsx'),
      outDir: at('dist/client'),
      assetFileNames,
      define: { __BUILD__: JSON.stringify(build) },
      plugins: [compiledGuides()],
    }),
    serviceWorker({
      entry: at('service-worker/index.ts'),
      killSwitch: at('service-worker/kill-switch.ts'),
      outDir: at('dist/client'),
      define: { __BUILD__: JSON.stringify(build) },
    }),
    mapsApart({ from: at('dist/client'), to: at('dist/maps') }),
    serverInVite(at('server/dev-runtime.ts')),
  ],
  worker: { format: 'es' },
  server: { port: 3000, strictPort: true, fs: { allow: [at('.')] } },
  environments: {
    client: {
      build: {
        outDir: at('dist/client'),
        emptyOutDir: true,
        target: 'es2022',
        assetsInlineLimit: 0,
        sourcemap: 'hidden',
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: chunksOf({
                drawn: DRAWN.map((screen) => at('app/features', screen)),
                behind: [at('app/features/shell/start.ts'), at('app/features/shell/extras.tsx')],
                member: MEMBER.map((screen) => at('app/features', screen)),
              }),
            },
            // What several share would be called by all their names.
            chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
            assetFileNames,
          },
        },
      },
    },
    server: {
      consumer: 'server',
      resolve: { external: true },
      build: {
        outDir: at('dist/server'),
        emptyOutDir: true,
        target: 'node20',
        ssr: true,
        copyPublicDir: false,
        rolldownOptions: {
          input: {
            main: at('server/main.ts'),
            start: at('server/start.ts'),
            sandbox: at('server/sandbox/main.ts'),
            muster: at('server/cli/muster.ts'),
            'push-thread': at('server/integrations/push/thread.ts'),
            'import-thread': at('server/features/imports/thread.ts'),
            'card-thread': at('server/integrations/cards/thread.ts'),
          },
        },
      },
    },
  },
  test: {
    projects: [
      {
        plugins: [compiledGuides()],
        define: { __BUILD__: '"test"' },
        test: { ...node, ...patient, ...shared, name: 'unit', root: at('tests/unit'), include: ['**/*.test.ts'] },
      },
      {
        plugins: [compiledGuides()],
        define: { __BUILD__: '"test"' },
        test: {
          ...node,
          ...patient,
          ...shared,
          name: 'integration',
          root: at('tests/integration'),
          include: ['**/*.test.ts'],
          // How long a stop or the longest turn of the event loop takes is told by a machine that does nothing else.
          exclude: tier === 'all' ? [] : ['**/bodies-loop.test.ts', '**/hung-process.test.ts'],
          globalSetup: at('tests/support/global-postgres.ts'),
        },
      },
      {
        define: { __BUILD__: '"test"' },
        test: {
          ...node,
          ...patient,
          ...shared,
          name: 'worker',
          root: at('tests/worker'),
          include: ['**/*.test.ts'],
          setupFiles: ['fake-indexeddb/auto'],
        },
      },
      {
        define: { __BUILD__: '"test"' },
        test: {
          ...node,
          ...patient,
          ...shared,
          name: 'service-worker',
          root: at('tests/service-worker'),
          include: ['**/*.test.ts'],
          setupFiles: ['fake-indexeddb/auto'],
          // Workbox as it ships: in development it writes to the console and asks for classes of the browser's own.
          env: { NODE_ENV: 'production' },
          // Its packages do not say that they are modules. Each worker that a test starts has its own.
          server: { deps: { inline: [/\/workbox-/] } },
        },
      },
      {
        plugins: [react(), compiledGuides(), words()],
        define: { __BUILD__: '"test"' },
        test: {
          ...patient,
          ...storeless,
          ...shared,
          // The app's modules come anew in each file (`tests/app/page.ts`). A megabyte of words does not.
          server: { deps: { external: [/\/app\/paraglide\//] } },
          name: 'app',
          root: at('tests/app'),
          environment: 'happy-dom',
          include: ['**/*.test.{ts,tsx}'],
          setupFiles: [at('tests/app/setup.ts')],
        },
      },
      {
        plugins: [compiledGuides()],
        define: { __BUILD__: '"test"' },
        test: {
          ...node,
          name: 'proxies',
          root: at('tests/proxies'),
          // They need Debian's nginx.
          include: tier === 'all' ? ['**/*.test.ts'] : [],
          globalSetup: at('tests/support/global-postgres.ts'),
          testTimeout: 600_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          ...node,
          name: 'audits',
          root: at('tests/audits'),
          // They fetch their tools, and make the release in one place.
          include: tier === 'all' ? ['**/*.test.ts'] : [],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        plugins: [compiledGuides()],
        define: { __BUILD__: '"test"' },
        test: {
          ...node,
          ...patient,
          name: 'browser',
          root: at('tests/browser'),
          ...browserFiles,
          globalSetup: browserSetup.map((name) => at(`tests/support/${name}.ts`)),
          // One process after the others, with one browser.
          ...shared,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          testTimeout: 180_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
  builder: {
    async buildApp(builder) {
      const { client, server } = builder.environments;
      if (client) await builder.build(client);
      if (server) await builder.build(server);
    },
  },
});
