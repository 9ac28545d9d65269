// @ts-check
/**
 * Development on one port with hot reload: Vite serves the client and mounts the server's app (server/build/dev-server.ts).
 * Without Telegram's credentials the sandbox runs in this process, on SANDBOX_PORT or PORT+1.
 */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer, isRunnableDevEnvironment, runnerImport } from 'vite';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
if (process.env['NODE_ENV'] === 'production') {
  console.error('Development needs NODE_ENV unset. For production: npm start');
  process.exit(78);
}
const { module: settings } = await runnerImport(join(root, 'server/config.ts'), {
  configFile: false,
  logLevel: 'error',
  root,
});
const { ConfigError, EXIT_CONFIG, hasTelegramCredentials, readConfig } = /** @type {typeof import('../config.ts')} */ (
  settings
);

/** @returns {import('../config.ts').Config} */
function configuration() {
  try {
    return readConfig(process.env);
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error);
    process.exit(error instanceof ConfigError ? EXIT_CONFIG : 1);
  }
}

const config = configuration();
const { port, host, sandboxPort, publicOrigin } = config;
const vite = await createServer({
  configFile: join(root, 'vite.config.ts'),
  // Vite's own choice is the name `localhost`, which sign-in comes back to.
  server: { port, strictPort: true, ...(process.env['HOST'] && { host }) },
});

/** @param {string} path @returns {Promise<any>} the module, by way of Vite */
function load(path) {
  const environment = vite.environments['server'];
  if (!environment || !isRunnableDevEnvironment(environment)) throw new Error('no runnable server environment');
  return environment.runner.import(join(root, 'server', path));
}

/** @type {{ url: string, close(): Promise<void> } | null} */
let sandbox = null;
if (!hasTelegramCredentials(config)) {
  const { startSandbox } = await load('sandbox/sandbox.ts');
  const { sandboxEnvironment } = await load('sandbox/settings.ts');
  sandbox = await startSandbox({ port: sandboxPort, appOrigin: publicOrigin });
  Object.assign(process.env, sandboxEnvironment(sandbox?.url));
}
await vite.listen();
const appUrl = vite.resolvedUrls?.local[0] ?? vite.resolvedUrls?.network[0] ?? publicOrigin;
if (sandbox) {
  const { seedSample } = await load('sandbox/seed.ts');
  await seedSample(appUrl, sandbox.url).catch((/** @type {unknown} */ error) => {
    console.error(`The sample communities could not be created: ${error}`);
  });
}
vite.printUrls();
if (sandbox) console.log(`  Sandbox: ${sandbox.url}`);

let stopping = false;
async function stop() {
  if (stopping) return;
  stopping = true;
  await vite.close();
  await sandbox?.close();
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
// npm's shell ends on SIGTERM without passing it on.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && stop(), 250).unref();
