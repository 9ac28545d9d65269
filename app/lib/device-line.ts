/**
 * Connects to the room that does the device's work. A worker may be killed, crash, be paused or frozen, and no event
 * tells: its port is as silent as a busy worker's. So a caller that waits for an answer listens for signs of life.
 * Without any, a new worker takes over, then this page itself, and gets the same call (`worker/api.ts`). Nothing is
 * monitored while no call is open: that costs nothing and keeps the page eligible for the back-forward cache.
 */
import { type Remote, wrap } from 'comlink';
import { DEVICE_CHANNEL } from '../../server/contract/sw-messages.ts';
import type { DeviceApi } from '../../worker/api.ts';
import type { InPage } from '../../worker/in-page.ts';
import workerUrl from '../../worker/index.ts?worker&url';
import type { Answered, Served } from '../../worker/open.ts';
import type { DeviceEvent } from '../../worker/schema.ts';
import { m } from '../paraglide/messages.js';
import { isDemo, local, openChannel, openWorker } from './browser.ts';
import { trustedScriptUrl } from './trusted-types.ts';

/** The worker is pinged at each tick. Ticks, not time, because a frozen page received nothing in the meantime. */
const TICK_MS = 500;
/** After this many ticks without a sign, the worker counts as silent. */
const QUIET_TICKS = 3;
/** A worker without any answer may still be loading: a page's first from the network, later ones from this device. */
const STARTING_TICKS = 12;
const RESTARTING_TICKS = 5;

/** Name of this device's worker. Its number only counts up: an old name would return the silent worker. */
const NUMBER = 'muster-worker';
const stored = (): number => Number(local.get(NUMBER)) || 0;

type Room = {
  served: Remote<Served>;
  /** Tabs share it: when one of them moves on, all do. */
  isShared: boolean;
  /** This page, after which there is no further fallback. */
  isLast: boolean;
  patience: number;
  /** Ticks since its last sign of life, counted while a call is open. */
  quiet: number;
  /** Called when the worker turns out silent. */
  waiting: Set<() => void>;
  listening?: ReturnType<typeof setInterval>;
  end(): unknown;
};
type Opened = Pick<Room, 'served' | 'isShared' | 'end'>;

const channel = openChannel(DEVICE_CHANNEL);
const moveListeners = new Set<() => void>();
let number = stored();
/** Workers in a row that did not answer. */
let silent = 0;
let patience = STARTING_TICKS;
let current = open();
patience = RESTARTING_TICKS;

/** One worker for all tabs where the browser has shared workers, else one for this tab, else this page. */
function open(): Room {
  const name = number === 0 ? 'muster-device' : `muster-device-${number}`;
  const opened = openWorker(trustedScriptUrl(workerUrl), { type: 'module', name }, DEVICE_CHANNEL);
  if (!opened) return openInPage(isDemo ? 'meant' : 'refused');
  const { worker, port } = opened;
  const served = wrap<Served>(port);
  const isShared = !('terminate' in worker);
  const room = roomOf({ served, isShared, end: () => ('terminate' in worker ? worker.terminate() : served.retire()) });
  worker.addEventListener('error', (event) => {
    // An error inside a running worker carries a message; a loading error does not.
    if (!(event instanceof ErrorEvent && event.message)) switchRoom(room);
  });
  return room;
}
function openInPage(why: InPage): Room {
  const { port1, port2 } = new MessageChannel();
  const room = roomOf({ served: wrap<Served>(port1), isShared: false, end: () => undefined }, true);
  import('../../worker/in-page.ts').then(
    ({ serveInPage }) => serveInPage(port2, openChannel(DEVICE_CHANNEL), why),
    () => {
      room.patience = 0;
      switchRoom(room);
    },
  );
  return room;
}
function roomOf(opened: Opened, isLast = false): Room {
  return { ...opened, isLast, patience, quiet: 0, waiting: new Set() };
}

/** Leaves a silent room: for a new worker, then for this page, then for nothing. */
function switchRoom(from: Room): void {
  const isLeft = from === current && !from.isLast;
  if (isLeft) {
    silent += 1;
    // Another tab may have moved already. The same number leads to the same worker.
    number = Math.max(number + 1, stored());
    local.set(NUMBER, String(number));
    current = silent > 1 ? openInPage('silent') : open();
    from.end();
    channel.postMessage({ type: 'MOVED', to: number } satisfies DeviceEvent);
  }
  for (const giveUp of from.waiting) giveUp();
  if (isLeft || from.isLast) for (const listener of moveListeners) listener();
}
channel.addEventListener('message', ({ data }: MessageEvent<DeviceEvent>) => {
  if (data.type !== 'MOVED' || data.to <= number || !current.isShared) return;
  number = data.to;
  current = open();
  for (const listener of moveListeners) listener();
});

/** Calls back when another room, which has no state yet, has taken over, or when none is left. */
export const onMove = (listener: () => void): void => void moveListeners.add(listener);

function tick(room: Room): void {
  room.quiet += 1;
  if (room.quiet >= room.patience) switchRoom(room);
  else void room.served.isThere().then(() => noteSign(room));
}
function noteSign(room: Room): void {
  room.patience = QUIET_TICKS;
  room.quiet = 0;
  if (room === current) silent = 0;
}

/** A room's answer, or null when it is silent. */
async function answerOf<T>(room: Room, answer: Promise<T>): Promise<T | null> {
  let giveUp = () => {};
  const silence = new Promise<null>((done) => {
    giveUp = () => done(null);
  });
  if (room.waiting.size === 0) {
    room.quiet = 0;
    room.listening = setInterval(tick, TICK_MS, room);
  }
  room.waiting.add(giveUp);
  try {
    return await Promise.race([answer.finally(() => noteSign(room)), silence]);
  } finally {
    room.waiting.delete(giveUp);
    if (room.waiting.size === 0) clearInterval(room.listening);
  }
}

async function callWorker(name: keyof DeviceApi, args: unknown[]): Promise<unknown> {
  for (;;) {
    const room = current;
    const until = Date.now() + (room.patience - room.quiet) * TICK_MS;
    const answered = await answerOf<Answered>(room, room.served.call(name, args, until));
    if (answered !== null && answered !== 'late') return answered.answer;
    if (answered === null && room.isLast) throw new Error(m.shell_device_silent());
  }
}

/** Checks whether the room is alive; if not, another takes over. */
export const checkAlive = async (): Promise<void> => void (await answerOf(current, current.served.isThere()));

/** The device's work, done by the current room. @throws in words where no room works, and what the work throws */
export const device = new Proxy({} as DeviceApi, {
  get:
    (_, name: keyof DeviceApi) =>
    (...args: unknown[]) =>
      callWorker(name, args),
});
