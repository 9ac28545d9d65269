/** So long nothing of a transaction may move. A slow phone reads five hundred rows in a good second. */
const STILL_MS = 2_500;

/** Whether nothing of a transaction moved for too long, so that nothing of it was done. */
export const isHeldUp = (error: unknown): boolean => (error as Error | null)?.name === 'TimeoutError';

/**
 * Runs a transaction as long as something of it moves. Whoever is paused or frozen in the midst of one keeps all others
 * waiting: Chromium for a minute, Firefox without end. Then it is aborted, so that nothing of it is done when they go on.
 * @param run gets what tells that something has moved
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
