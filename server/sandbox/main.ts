import { stopSignal, tellParent } from '../stop-signal.ts';
import { startSandbox } from './sandbox.ts';
import { seedSample } from './seed.ts';

const EXIT_CONFIGURATION = 78;

if (process.env['NODE_ENV'] === 'production') {
  console.error(
    'The sandbox lets anyone sign in as anyone, so it refuses to start with NODE_ENV=production.\n' +
      'Set TELEGRAM_BOT_TOKEN, TELEGRAM_CLIENT_ID and TELEGRAM_CLIENT_SECRET to use Telegram itself.',
  );
  process.exit(EXIT_CONFIGURATION);
}

const port = Number(process.env['SANDBOX_PORT'] ?? Number(process.env['PORT'] ?? 3000) + 1);
const appOrigin = process.env['PUBLIC_ORIGIN'];
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error('SANDBOX_PORT must be a port number, such as 3001.');
  process.exit(EXIT_CONFIGURATION);
}

const stop = stopSignal();
try {
  const sandbox = await startSandbox({ port, ...(appOrigin ? { appOrigin } : {}) });
  console.log(`Sandbox for Telegram and X: ${sandbox.url}`);
  process.on('message', (words: { seed: string }) => void seed(words.seed, sandbox.url));
  tellParent({ url: sandbox.url });
  void stop.wait.then(() => sandbox.close()).then(() => process.exit(0));
} catch (error) {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  console.error(
    taken ? `Port ${port} is taken. Set SANDBOX_PORT to a free one.` : `The sandbox did not start: ${String(error)}`,
  );
  process.exit(1);
}

/** Says what went wrong, or nothing. */
async function seed(appOrigin: string, sandboxUrl: string): Promise<void> {
  const trouble = await seedSample(appOrigin, sandboxUrl).then(
    () => null,
    (error: unknown) => String(error),
  );
  tellParent({ trouble });
}
