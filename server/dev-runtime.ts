import type { RequestListener } from 'node:http';
import { readConfig } from './config.ts';
import { createApp } from './http/app.ts';
import { startJobs } from './jobs.ts';
import { createLog } from './log.ts';
import { handlers, jobs, openRuntime } from './runtime.ts';

/** The app without its client and its port: Vite has both in development. */
export async function createDevRuntime(): Promise<{ app: RequestListener; close(): Promise<void> }> {
  const config = readConfig(process.env);
  const { runtime, storage } = await openRuntime(config, createLog(config.logLevel));
  const working = startJobs(runtime, jobs);
  return {
    app: createApp(runtime, handlers),
    async close() {
      await working.stop();
      await runtime.close();
      await storage.close();
    },
  };
}
