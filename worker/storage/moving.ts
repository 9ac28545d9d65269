/**
 * A transaction without progress for this long is aborted. A slow phone reads five hundred rows in just over a second.
 */
const STILL_MS = 2_500;

/** Whether a transaction was aborted for lack of progress, with nothing written. */
export const isHeldUp = (error: unknown): boolean => (error as Error | null)?.name === 'TimeoutError';

/**
 * Runs a transaction as long as it makes progress. A page that is frozen during one blocks all others: a minute in
 * Chromium, for ever in Firefox. So a stalled transaction is aborted, and nothing of it happens later.
 * @param run gets a function to call on each progress
 * @throws what `run` throws, and an error that `isHeldUp`
 */
export async function moving<T>(run: (moved: () => void) => Promise<T>, abort: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<T>((done, fail) => {
      const moved = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          fail(new DOMException('Held up', 'TimeoutError'));
          abort();
        }, STILL_MS);
      };
      moved();
      run(moved).then(done, fail);
    });
  } finally {
    clearTimeout(timer);
  }
}
