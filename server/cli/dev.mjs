// @ts-check
/**
 * Development on one port with hot reload: Vite serves the client and mounts the server's app (server/dev-plugin.ts).
 * Without Telegram's credentials the sandbox runs in this process, on SANDBOX_PORT or PORT+1.
 */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer, isRunnableDevEnvironment } from 'vite';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
if (process.env['NODE_ENV'] === 'production') {
  console.error('Development needs NODE_ENV unset. For production: npm start');
  process.exit(78);
}
const port = Number(process.env['PORT'] ?? 3000);
const origin = process.env['PUBLIC_ORIGIN'] ?? `http://localhost:${port}`;
const vite = await createServer({ configFile: join(root, 'vite.config.ts'), server: { port, strictPort: true } });

/** @param {string} path @returns {Promise<any>} the module, by way of Vite */
function load(path) {
  const environment = vite.environments['server'];
  if (!environment || !isRunnableDevEnvironment(environment)) throw new Error('no runnable server environment');
  return environment.runner.import(join(root, 'server', path));
}

/** @type {{ url: string, close(): Promise<void> } | null} */
let sandbox = null;
const real = ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_CLIENT_ID', 'TELEGRAM_CLIENT_SECRET'].some((name) => process.env[name]);
if (!real) {
  const { startSandbox } = await load('sandbox/sandbox.ts');
  const { sandboxEnvironment } = await load('sandbox/settings.ts');
  sandbox = await startSandbox({ port: Number(process.env['SANDBOX_PORT'] ?? port + 1), appOrigin: origin });
  Object.assign(process.env, sandboxEnvironment(sandbox?.url));
}
await vite.listen();
if (sandbox) {
  const directory = await (await fetch(`http://localhost:${port}/api/communities`)).json();
  const { seedSample } = await load('sandbox/seed.ts');
  if (Array.isArray(directory) && directory.length === 0) await seedSample(origin, sandbox.url);
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
// npm's shell dies of a SIGTERM without a word to us.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && stop(), 250).unref();
