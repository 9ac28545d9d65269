/** Resolves after so many ms, or at once when the process wants to end. */
export function pause(ms: number, stopping: AbortSignal): Promise<void> {
  if (ms <= 0 || stopping.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopping.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stopping.addEventListener('abort', end);
  });
}
