import { existsSync } from 'node:fs';
import { parentPort, Worker } from 'node:worker_threads';

/** An idle thread ends after this time, which frees its memory. */
const ENDS_AFTER_MS = 30_000;

/** As many calls wait as are allowed. */
export class TooManyWait extends Error {}

type WorkerCall<Given> = { call: number; given: Given };
type WorkerResult<Done> = { call: number; done?: Done; failed?: string };
/** Long work of one kind. The buffers in `moved` are transferred to it. */
type Work<Given, Done> = (given: Given, moved?: readonly ArrayBuffer[]) => Promise<Done>;

/** The same work, one call at a time: it costs the process at most one core. Throws `TooManyWait`. */
export function oneByOne<Given, Done>(work: Work<Given, Done>, waitingMax: number): Work<Given, Done> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (given, moved) => {
    if (waiting >= waitingMax) return Promise.reject(new TooManyWait('too many wait already'));
    waiting += 1;
    const done = last.then(() => work(given, moved));
    last = done.catch(() => undefined).then(() => (waiting -= 1));
    return done;
  };
}

/**
 * Runs work in a worker thread, so it never blocks the event loop. `path` is the thread's program in the build; from
 * the sources there is none, and `here` does the work on this thread.
 */
export const inOwnThread = <Given, Done>(path: string, here: Work<Given, Done>): Work<Given, Done> =>
  existsSync(path) ? inThread<Given, Done>(path) : here;

function inThread<Given, Done>(path: string): Work<Given, Done> {
  let worker: Worker | null = null;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  let call = 0;
  return (given, moved = []) =>
    new Promise<Done>((done, fail) => {
      clearTimeout(idleTimer);
      call += 1;
      const mine = call;
      const thread = worker ?? new Worker(path);
      worker = thread;
      const end = () => {
        thread.off('message', onMessage).off('error', onError).unref();
        idleTimer = setTimeout(() => {
          worker = null;
          void thread.terminate();
        }, ENDS_AFTER_MS).unref();
      };
      const onMessage = (result: WorkerResult<Done>) => {
        if (result.call !== mine) return;
        end();
        if (result.failed === undefined) done(result.done as Done);
        else fail(new Error(result.failed));
      };
      const onError = (error: Error) => {
        worker = null;
        thread.off('message', onMessage).off('error', onError);
        fail(error);
      };
      thread.on('message', onMessage).on('error', onError).ref();
      thread.postMessage({ call: mine, given } satisfies WorkerCall<Given>, [...moved]);
    });
}

/** The thread's side: does the work of each message and posts the result. */
export function answerAsThread<Given, Done>(work: (given: Given) => Promise<Done>): void {
  parentPort?.on('message', ({ call, given }: WorkerCall<Given>) => {
    const reply = (result: WorkerResult<Done>) => parentPort?.postMessage(result);
    work(given).then(
      (done) => reply({ call, done }),
      (error: unknown) => reply({ call, failed: String(error) }),
    );
  });
}
