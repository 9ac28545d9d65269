/**
 * The line to the room that does the device's work. A worker may be killed, crash, be paused or frozen, and its port is as
 * silent then as that of one that is busy: nobody is told. So whoever waits for an answer listens for signs of life. Without
 * any a new worker takes over, and after it this page itself, and is asked the same (`worker/api.ts`). Nothing is listened
 * for while nothing is asked: that costs nothing, and keeps the page fit for the browser's back-forward cache.
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

/** A room that is asked for a sign of life at each tick. Ticks, not time: a page that was frozen has heard nothing meanwhile. */
const TICK_MS = 500;
/** So many ticks without a sign are silence. */
const QUIET_TICKS = 3;
/** A room that has never answered may be on its way: the first of a page from the network, those after it from this device. */
const STARTING_TICKS = 12;
const STARTING_ANEW_TICKS = 5;

/** Number of this device's worker. It only counts up, because the browser gives the silent one again under its name. */
const NUMBER = 'muster-worker';
const stored = (): number => Number(local.get(NUMBER)) || 0;

type Room = {
  served: Remote<Served>;
  /** Tabs share it: if one of them moves on, all do. */
  isShared: boolean;
  /** This page, after which there is nobody else to ask. */
  isLast: boolean;
  patience: number;
  /** Ticks since it was last heard of while somebody waits. */
  quiet: number;
  /** Those who wait, told when it is silent. */
  waiting: Set<() => void>;
  listening?: ReturnType<typeof setInterval>;
  end(): unknown;
};
type Opened = Pick<Room, 'served' | 'isShared' | 'end'>;

const channel = openChannel(DEVICE_CHANNEL);
const moveListeners = new Set<() => void>();
let number = stored();
/** Rooms in a row that did not answer. */
let silent = 0;
let patience = STARTING_TICKS;
let current = open();
patience = STARTING_ANEW_TICKS;

/** One worker for all tabs where the browser has shared workers, else one for this tab; this page where it has none. */
function open(): Room {
  const name = number === 0 ? 'muster-device' : `muster-device-${number}`;
  const opened = openWorker(trustedScriptUrl(workerUrl), { type: 'module', name }, DEVICE_CHANNEL);
  if (!opened) return openInPage(isDemo ? 'meant' : 'refused');
  const { worker, port } = opened;
  const served = wrap<Served>(port);
  const isShared = !('terminate' in worker);
  const room = roomOf({ served, isShared, end: () => ('terminate' in worker ? worker.terminate() : served.retire()) });
  worker.addEventListener('error', (event) => {
    // An error inside a worker that runs carries a message; one of its loading does not.
    if (!(event instanceof ErrorEvent && event.message)) moveOn(room);
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
      moveOn(room);
    },
  );
  return room;
}
function roomOf(opened: Opened, isLast = false): Room {
  return { ...opened, isLast, patience, quiet: 0, waiting: new Set() };
}

/** Leaves a room: for a new worker, for this page where that was silent too, and then for nobody. */
function moveOn(from: Room): void {
  const isLeft = from === current && !from.isLast;
  if (isLeft) {
    silent += 1;
    // Another tab may have moved already: the same number is the same worker.
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

/** Calls back when another room has taken over, to which nothing has been said yet, or when there is none left. */
export const onMove = (listener: () => void): void => void moveListeners.add(listener);

function tick(room: Room): void {
  room.quiet += 1;
  if (room.quiet >= room.patience) moveOn(room);
  else void room.served.isThere().then(() => hear(room));
}
function hear(room: Room): void {
  room.patience = QUIET_TICKS;
  room.quiet = 0;
  if (room === current) silent = 0;
}

/** What a room answers, or null when it is silent. */
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
    return await Promise.race([answer.finally(() => hear(room)), silence]);
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

/** Looks whether the room is there; if it is not, another takes over. */
export const look = async (): Promise<void> => void (await answerOf(current, current.served.isThere()));

/** The device's work, by whichever room does it just now. @throws in words where none does, and what the work throws */
export const device = new Proxy({} as DeviceApi, {
  get:
    (_, name: keyof DeviceApi) =>
    (...args: unknown[]) =>
      callWorker(name, args),
});
