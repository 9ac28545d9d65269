import type { DeviceApi } from './api.ts';

/** What became of an ask. `late`: it was taken up too late to be wanted still, so nothing was done. */
export type Answered = { answer: unknown } | 'late';

/** What a room that does the device's work offers a page: the worker, or the page itself where no worker answers. */
export type Served = {
  /** Answers from the event loop alone: no store, no network. */
  isThere(): Promise<true>;
  /** Does one thing, until `until` (epoch milliseconds): its page has asked elsewhere by then. @throws whatever the thing throws */
  ask(name: keyof DeviceApi, args: unknown[], until: number): Promise<Answered>;
  /** Another room has taken over: this one ends as soon as it hears of it. */
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
