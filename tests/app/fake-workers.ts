/** Workers that fail as a browser's do, over one store that outlives them all. Stands in for `SharedWorker` or `Worker`. */
import { type Endpoint, expose } from 'comlink';
import { vi } from 'vitest';
import type { DeviceApi } from '../../worker/api.ts';
import { createDevice } from '../../worker/device.ts';
import { serve } from '../../worker/open.ts';
import type { StorageState } from '../../worker/schema.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';

export const TROUBLES = ['dies', 'hangs'] as const;
export type Trouble = (typeof TROUBLES)[number];
/** When it comes over a worker, seen from a call that writes. */
export const MOMENTS = ['before it', 'taken up', 'before the write', 'after the write', 'answered'] as const;
export type Moment = (typeof MOMENTS)[number];

type Listener = (event: MessageEvent) => void;
const turn = globalThis.setImmediate;
/** Lets so much time of the page pass, and everything happen that happens meanwhile. */
export async function pass(ms: number): Promise<void> {
  for (let left = ms; left >= 0; left -= 100) {
    for (let turns = 0; turns < 8; turns += 1) await new Promise((next) => turn(() => next(undefined)));
    if (left > 0) vi.advanceTimersByTime(Math.min(100, left));
  }
}

type FakeWorker = {
  name: string;
  /** What it was asked, by the names of it. */
  calls: string[];
  end(): void;
  wake(): void;
  /** It comes over it now, where nobody has called. */
  strike(): void;
  /** It does this once more, and dies before it has said so. */
  loseAnswer(name: keyof DeviceApi): void;
  isDead(): boolean;
  /** A port of its own for a page: what is said on either side arrives at the other as long as the worker lives. */
  connect(): Endpoint & { start(): void };
};

export function fakeWorkers() {
  const store = memoryStorage();
  const workers: FakeWorker[] = [];
  /** Whom it comes over next, in their order. */
  const plans: { trouble: Trouble; moment: Moment }[] = [];
  /** Workers whose script does not load. */
  let unloadable = 0;
  let storeIsBusy: Promise<void> | null = null;
  let state: StorageState = { kind: 'durable' };

  function begin(name: string): FakeWorker {
    const plan = plans.shift();
    let isDead = false;
    let lost = '';
    let wake: (() => void) | null = null;
    let awake: Promise<void> = Promise.resolve();
    const hang = () => {
      awake = new Promise((done) => {
        wake = done;
      });
    };
    /** The program of the worker comes to this moment. A dead one goes no further, one that hangs once it is awake. */
    const comes = async (to: Moment | null) => {
      if (plan && plan.moment === to && !isDead) plan.trouble === 'dies' ? end() : hang();
      await awake;
      if (isDead) await new Promise(() => undefined);
    };
    const end = () => {
      isDead = true;
      wake?.();
    };
    const device = createDevice({
      storage: {
        ...store,
        state: async () => state,
        async run(tables, work) {
          const writes = tables.includes('outbox') && tables.includes('meta') && tables.length === 2;
          await comes(writes ? 'before the write' : null);
          await storeIsBusy;
          const result = await store.run(tables, work);
          await comes(writes ? 'after the write' : null);
          return result;
        },
      },
      send: () => new Promise(() => undefined),
      now: Date.now,
      random: Math.random,
      lock: (work) => work(true),
      broadcast: () => undefined,
      wakeAt: () => undefined,
    });
    const watched = new Proxy(device, {
      get: (of, called: keyof DeviceApi) =>
        called === 'enqueue'
          ? async (...args: never[]) => {
              await comes('taken up');
              return (of[called] as (...args: never[]) => unknown)(...args);
            }
          : of[called],
    });
    const self: FakeWorker = {
      name,
      calls: [],
      end,
      wake: () => wake?.(),
      strike: () => void comes('before it'),
      loseAnswer(name) {
        lost = name;
      },
      isDead: () => isDead,
      connect() {
        const [page, worker] = [new Set<Listener>(), new Set<Listener>()];
        const tell = (to: Set<Listener>, data: unknown) =>
          queueMicrotask(() => {
            for (const listener of to) listener(new MessageEvent('message', { data }));
          });
        const end = (from: Set<Listener>, say: (message: unknown) => void) => ({
          addEventListener: (_type: string, listener: Listener) => void from.add(listener),
          removeEventListener: (_type: string, listener: Listener) => void from.delete(listener),
          postMessage: (message: unknown) => say(structuredClone(message)),
          start: () => undefined,
        });
        const own = end(worker, (message) => {
          void comes(null).then(() => {
            tell(page, message);
            if (JSON.stringify(message).includes('"answer"')) void comes('answered');
          });
        });
        const served = serve(watched, end_);
        expose(
          {
            ...served,
            isThere() {
              self.calls.push('isThere');
              return served.isThere();
            },
            async call(...args: Parameters<typeof served.call>) {
              self.calls.push(args[0]);
              const answer = await served.call(...args);
              if (args[0] === lost) end_();
              return answer;
            },
          },
          own as Endpoint,
        );
        return end(page, (message) => void comes(null).then(() => tell(worker, message))) as never;
      },
    };
    const end_ = end;
    // The first of a page has worked before.
    if (workers.length > 0) self.strike();
    workers.push(self);
    return self;
  }

  /** What the browser gives a page that asks for a worker of this name. */
  function open(name: string, isShared: boolean) {
    const events = new EventTarget();
    if (unloadable > 0) {
      unloadable -= 1;
      queueMicrotask(() => events.dispatchEvent(new Event('error')));
      return { events, port: { ...silentPort }, end: () => undefined };
    }
    // The one of that name, also while it hangs.
    const there = isShared ? workers.find((worker) => worker.name === name && !worker.isDead()) : undefined;
    const worker = there ?? begin(name);
    return { events, port: worker.connect(), end: worker.end };
  }
  const silentPort = {
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    postMessage: () => undefined,
    start: () => undefined,
  };

  return {
    store,
    workers,
    plans,
    setUnloadable: (count: number) => {
      unloadable = count;
    },
    setState: (next: StorageState) => {
      state = next;
    },
    /** The store takes its time; answers what ends that. */
    keepStoreBusy() {
      let end = () => {};
      storeIsBusy = new Promise((done) => {
        end = done;
      });
      return () => {
        storeIsBusy = null;
        end();
      };
    },
    begin,
    /** Puts them in the place of the browser's. */
    install(kind: 'shared' | 'dedicated') {
      vi.stubGlobal('SharedWorker', function SharedWorker(_url: string, { name }: { name: string }) {
        if (kind === 'dedicated') throw new DOMException('none', 'SecurityError');
        const { events, port } = open(name, true);
        return Object.assign(events, { port });
      });
      vi.stubGlobal('Worker', function Worker(_url: string, { name }: { name: string }) {
        const { events, port, end } = open(name, false);
        const { addEventListener: hear, removeEventListener: unhear, postMessage } = port;
        return Object.assign(events, {
          postMessage,
          terminate: end,
          addEventListener: (type: string, listener: never) =>
            type === 'message'
              ? hear(type, listener)
              : EventTarget.prototype.addEventListener.call(events, type, listener),
          removeEventListener: unhear,
        });
      });
    },
    /** Acts that are kept, by their ids. */
    kept: () => store.run(['outbox'], async (tx) => (await tx.all('outbox')).map(({ id }) => id)),
  };
}
export type FakeWorkers = ReturnType<typeof fakeWorkers>;
