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

try {
  const sandbox = await startSandbox({ port, ...(appOrigin ? { appOrigin } : {}) });
  console.log(`Sandbox for Telegram and X: ${sandbox.url}`);
  const stop = () => {
    void sandbox.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // Started by the app: ends with it, also when the app was killed.
  if (process.send) {
    process.on('message', (words: { seed: string }) => void seed(words.seed, sandbox.url));
    sendToParent({ url: sandbox.url });
    process.once('disconnect', stop);
  }
} catch (error) {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  console.error(
    taken ? `Port ${port} is taken. Set SANDBOX_PORT to a free one.` : `The sandbox did not start: ${String(error)}`,
  );
  process.exit(1);
}

/** Sends to the parent process if it still exists: its end arrives as `disconnect`. */
function sendToParent(words: object): void {
  process.send?.(words, () => undefined);
}

/** Says what went wrong, or nothing. */
async function seed(appOrigin: string, sandboxUrl: string): Promise<void> {
  const trouble = await seedSample(appOrigin, sandboxUrl).then(
    () => null,
    (error: unknown) => String(error),
  );
  sendToParent({ trouble });
}
