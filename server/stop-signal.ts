export type StopSignal = {
  readonly given: boolean;
  /** Resolves once, when the process is told to stop. */
  wait: Promise<void>;
};

/**
 * SIGTERM, SIGINT, or the end of the process that started this one (seen by its closed channel). Repeats are ignored:
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
  });
  return {
    get given() {
      return given;
    },
    wait,
  };
}
