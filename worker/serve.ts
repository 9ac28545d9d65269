import type { DeviceApi } from './api.ts';

/** Result of a call. `late`: the call was picked up after its time, so nothing was done. */
export type Answered = { answer: unknown } | 'late';

/** What a room that does the device's work offers a page: the worker, or the page itself where no worker answers. */
export type Served = {
  /** Answers from the event loop alone: no store, no network. */
  isThere(): Promise<true>;
  /**
   * Makes one call if it is picked up by `until` (epoch milliseconds): after that its page has called another worker.
   * @throws what the call throws
   */
  ask(name: keyof DeviceApi, args: unknown[], until: number): Promise<Answered>;
  /** Another worker has taken over: this one ends. */
  retire(): Promise<void>;
};

/** @param end ends the room */
export const serve = (device: DeviceApi, end: () => void): Served => ({
  isThere: async () => true,
  async ask(name, args, until) {
    if (Date.now() > until) return 'late';
    return { answer: await (device[name] as (...args: unknown[]) => Promise<unknown>)(...args) };
  },
  retire: async () => end(),
});
