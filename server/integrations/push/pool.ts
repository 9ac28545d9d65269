import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Batch, createSender, type Result, type Sender, type SenderOptions } from './send.ts';

/** Built beside the server's files; from the sources there is none, and this thread sends. */
const THREAD = join(import.meta.dirname, 'push-thread.js');

/** Sends on this thread: a few messages are not worth another one. */
export type PushSending = {
  here: Sender;
  /** A thread for each core. Close it when the rush is over. */
  many(): Sender;
};

export function createPushSending(options: SenderOptions): PushSending {
  const here = createSender(options);
  return { here, many: () => (existsSync(THREAD) ? threads(THREAD, options) : createSender(options)) };
}

/** A thread holds nothing between messages, so a small heap suffices and saves a few hundred MB. @public */
export const SMALL = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

type Waiting = { batch: Batch; done: (results: Result[]) => void; fail: (error: Error) => void };

/** A sender over as many threads as there are cores; batches go to whichever has the least to do. */
function threads(path: string, options: SenderOptions): Sender {
  let calls = 0;
  const workers = Array.from({ length: availableParallelism() }, () => {
    const worker = new Worker(path, { workerData: options, resourceLimits: SMALL });
    const waiting = new Map<number, Waiting>();
    worker.on('message', ({ call, results }: { call: number; results: Result[] }) => {
      waiting.get(call)?.done(results);
      waiting.delete(call);
    });
    worker.on('error', (error) => {
      for (const { fail } of waiting.values()) fail(error as Error);
      waiting.clear();
    });
    return { worker, waiting };
  });
  return {
    send: (batch) =>
      new Promise((done, fail) => {
        const least = workers.reduce((a, b) => (b.waiting.size < a.waiting.size ? b : a));
        calls += 1;
        least.waiting.set(calls, { batch, done, fail });
        least.worker.postMessage({ call: calls, batch });
      }),
    close() {
      for (const { worker } of workers) void worker.terminate();
    },
  };
}
