export type StopSignal = {
  readonly given: boolean;
  /** Resolves once, at a stop signal. */
  wait: Promise<void>;
  /** Resolves where nobody waits for a hand-over: Ctrl-C, a second signal, or the end of the process that started this one. */
  hurry: Promise<void>;
};

const ORPHAN_CHECK_MS = 250;

/**
 * SIGTERM, SIGINT, or the end of the process that started this one (seen by its closed channel, or
 * under npm, whose shell a SIGTERM kills without a word to us, by having another parent). A repeat does no more than
 * hurry: Ctrl-C reaches every process of the terminal and is forwarded as well.
 */
export function stopSignal(): StopSignal {
  let given = false;
  let hurryUp = () => {};
  const hurry = new Promise<void>((resolve) => {
    hurryUp = resolve;
  });
  const wait = new Promise<void>((resolve) => {
    const stop = () => {
      if (given) hurryUp();
      given = true;
      resolve();
    };
    const stopAtOnce = () => {
      hurryUp();
      stop();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stopAtOnce);
    if (process.send) process.on('disconnect', stopAtOnce);
    else if (process.env['npm_lifecycle_event']) stopWhenOrphaned(stopAtOnce);
  });
  return {
    get given() {
      return given;
    },
    wait,
    hurry,
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
