export type StopSignal = {
  readonly given: boolean;
  /** Resolves once, at a stop signal. */
  wait: Promise<void>;
};

const ORPHAN_CHECK_MS = 250;

/**
 * SIGTERM, SIGINT, or the end of the process that started this one (seen by its closed channel, or
 * under npm, whose shell a SIGTERM kills without a word to us, by having another parent). Repeats are ignored:
 * Ctrl-C reaches every process of the terminal and is forwarded as well.
 */
export function stopSignal(): StopSignal {
  let given = false;
  const wait = new Promise<void>((resolve) => {
    const stop = () => {
      given = true;
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    if (process.send) process.on('disconnect', stop);
    else if (process.env['npm_lifecycle_event']) stopWhenOrphaned(stop);
  });
  return {
    get given() {
      return given;
    },
    wait,
  };
}

/** Tells the process that started this one, if it is there still: word of its end comes on the same channel, as a stop. */
export const sendToParent = (words: object): void => void process.send?.(words, () => undefined);

function stopWhenOrphaned(stop: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, ORPHAN_CHECK_MS);
  watch.unref();
}
