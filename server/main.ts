import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Runtime } from './base/runtime.ts';
import { type Config, ConfigError, EXIT_CONFIG, takeConfig } from './config.ts';
import { warningsOf } from './config-warnings.ts';
import { listenForMetrics, metricsAnswer } from './features/admin/metrics.ts';
import { startWatch } from './features/admin/watch.ts';
import { firstAdminWords } from './features/auth/admins.ts';
import { storeMaps } from './features/client-logs/maps.ts';
import { startLogWork } from './features/client-logs/service.ts';
import { handOver } from './features/health/routes.ts';
import { createPreviews } from './features/previews/previews.ts';
import { type AppOptions, createApp } from './http/app.ts';
import { loadMetrics } from './http/metrics.ts';
import { retainAssets } from './http/retained-assets.ts';
import { startJobs } from './jobs.ts';
import { listen, PortError } from './listen.ts';
import { createLog } from './log.ts';
import { handlers, jobs, openRuntime } from './runtime.ts';
import { sendToParent, stopSignal } from './stop-signal.ts';
import { isStorageAway } from './storage/away.ts';
import { StorageError } from './storage/error.ts';

/** Longest shutdown, and the parts of it for requests and for jobs. */
const STOP_WITHIN_MS = 9_500;
const FINISH_WITHIN_MS = 5_500;

/** One process of the product: configuration → storage → app → listen, until it gets a stop signal; then in reverse. */
async function run(config: Config, log: Logger): Promise<void> {
  const stop = stopSignal();
  let delayMs = 0;
  const handedOver = stop.wait.then(() => Promise.race([sleep(delayMs), stop.hurry]));
  // Whatever hangs, at the start as well: what is below ends in order well before.
  void handedOver.then(() => setTimeout(() => process.exit(1), STOP_WITHIN_MS + 300).unref());
  await loadMetrics(config);
  const { runtime, storage } = await openRuntime(config, log);
  let end: number | null = null;
  try {
    if (stop.given) return;
    storeOfBuild(() => storeMaps(join(import.meta.dirname, '../maps'), config.home, runtime.build), log, STACKS_UNREAD);
    const metrics = runtime.own(metricsAnswer);
    const app = createApp(runtime, handlers, { ...builtClient(runtime), metrics: metrics?.guarded ?? null });
    const server = await listen(app, config);
    delayMs = config.shutdownDelayS * 1_000;
    const metricsPort = await listenForMetrics(config, metrics);
    const working = startJobs(runtime, jobs);
    const logWork = startLogWork(runtime);
    const watch = startWatch(runtime);
    log.info({ host: config.host, port: config.port, origin: config.publicOrigin, build: runtime.build }, 'listening');
    const words = await Promise.race([firstAdminWords(runtime, process.stdout.isTTY), stop.wait]);
    if (words) console.log(words);
    sendToParent({ ready: config.publicOrigin });
    await stop.wait;
    runtime.own(handOver).isGoing = true;
    server.letGo();
    if (delayMs > 0) log.info({ seconds: config.shutdownDelayS }, 'going: proxies are told to turn to another process');
    await handedOver;
    log.info('stopping');
    end = performance.now() + STOP_WITHIN_MS;
    // Live tails and streams of open screens end with the runtime's services: their requests could not drain before.
    const finished = Promise.all([
      server.drain(),
      working.stop(),
      logWork.stop(),
      watch.stop(),
      metricsPort.close(),
      runtime.close(),
    ]);
    // A database that hangs holds up work and requests for ever.
    const late = sleep(FINISH_WITHIN_MS, 'late');
    if ((await Promise.race([finished, late])) === 'late') log.warn('what was under way did not end in time');
  } finally {
    await storage.close(end === null ? undefined : end - performance.now());
  }
}

function builtClient(runtime: Runtime): AppOptions {
  const { config, build, log } = runtime;
  const dir = join(import.meta.dirname, '../client');
  if (!existsSync(dir)) {
    log.warn({ missing: dir }, 'the client is not built, only the API answers');
    return {};
  }
  const shelf = storeOfBuild(() => retainAssets(dir, config.home, build), log, TABS_RELOAD);
  return { client: { dir, ...(shelf !== null && { shelf }), preview: createPreviews(runtime) } };
}

const STACKS_UNREAD = 'the source maps of this build cannot be kept: stacks of it stay as browsers wrote them';
const TABS_RELOAD =
  'the files of this build cannot be laid on the shelf: tabs of other builds may have to reload after a deploy';

/** Stores something of this build under the home. With an external database the home may not be writable. */
function storeOfBuild<T>(store: () => T, log: Logger, otherwise: string): T | null {
  try {
    return store();
  } catch (error) {
    log.warn({ err: error }, otherwise);
    return null;
  }
}

/** For people: what went wrong and what to do, without a stack. */
function explainStart(error: unknown): string | null {
  if (error instanceof StorageError) return error.log ? `${error.message}\n\n${error.log.trim()}` : error.message;
  return error instanceof ConfigError || error instanceof PortError ? error.message : null;
}

function fail(error: unknown, log: Logger | null): never {
  const explained = explainStart(error);
  if (explained !== null || !log) console.error(explained ?? error);
  else log.fatal({ err: error }, 'the process ends');
  process.exit(error instanceof ConfigError ? EXIT_CONFIG : 1);
}

let log: Logger | null = null;
try {
  const config = takeConfig(process.env);
  log = createLog(config.logLevel);
  const logger = log;
  for (const { name, problem } of warningsOf(config, process.env)) logger.warn({ setting: name }, `${name} ${problem}`);
  // The state is unknown now; the next start takes over the embedded server.
  process.on('uncaughtException', (error) => fail(error, logger));
  process.on('unhandledRejection', (error) => {
    // The driver does not notice a connection that is lost while it reads array types; it reads them again.
    if (isStorageAway(error)) logger.warn({ err: error }, 'a connection to storage was lost while it was made');
    else fail(error, logger);
  });
  await run(config, log);
  process.exit(0);
} catch (error) {
  fail(error, log);
}
