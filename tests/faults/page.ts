import type { Served } from '../../worker/open.ts';

/** What the harness does inside the product's page. Every function here is sent to the browser: it may use nothing of this file. */

/** The product's own line to its device worker, as its page opened it. */
type Line = {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
};
declare global {
  /** Asks the device worker something, as the product's page does. */
  var askDevice: (name: string, ...values: unknown[]) => Promise<unknown>;
}

/** Before the product's scripts: keeps hold of the line, and speaks on it as the page does. */
export function listenIn(): void {
  let line: Line | undefined;
  for (const name of ['SharedWorker', 'Worker'] as const) {
    const Original = globalThis[name] as unknown as new (...values: unknown[]) => object;
    if (Original === undefined) continue;
    const Watched = new Proxy(Original, {
      construct(target, values) {
        const worker = Reflect.construct(target, values) as Worker & Partial<SharedWorker>;
        line = worker.port ?? worker;
        return worker;
      },
    });
    Object.defineProperty(globalThis, name, { value: Watched, configurable: true, writable: true });
  }
  globalThis.askDevice = (name, ...values) =>
    new Promise((done, fail) => {
      if (!line) return fail(new Error('The page has no device worker'));
      const open = line;
      const id = `${Date.now()}-${Math.random()}`;
      const hear = ({ data }: MessageEvent) => {
        if (data?.id !== id) return;
        open.removeEventListener('message', hear);
        if (data.type === 'RAW') done(data.value.answer);
        else fail(new Error(JSON.stringify(data.value)));
      };
      open.addEventListener('message', hear);
      open.postMessage({
        id,
        type: 'APPLY',
        path: ['call' satisfies keyof Served],
        argumentList: [name, values, Number.POSITIVE_INFINITY].map((value) => ({ type: 'RAW', value })),
      });
    });
}

/** Lets go at once of what the product holds for its member to undo, as a page does that is left; not where a case wants it held. */
export function letGo(): void {
  setInterval(() => localStorage.getItem('faults-hold') ?? dispatchEvent(new Event('pagehide')), 200);
}

export type Load = {
  tag: string;
  userId: string;
  errors: [number, number];
  debugs: [number, number];
  tasks: string[];
  /** Nobody but the page itself asks the device anything. */
  alone?: boolean;
};

/** Open tasks whose cards can be pressed. */
export function openTasks(): string[] {
  const titles = [...document.querySelectorAll('main button')].map(
    (button) => /^Post \d\d/.exec(button.textContent ?? '')?.[0],
  );
  return [...new Set(titles)].filter((title) => title !== undefined).sort();
}

/** The screen says of these tasks that they are done, or that they could not be kept: after so many milliseconds, or null. */
export async function marked({ tasks, withinMs }: { tasks: string[]; withinMs: number }): Promise<number | null> {
  const begun = performance.now();
  const isOpen = () => {
    const buttons = [...document.querySelectorAll('main button')].map((button) => button.textContent ?? '');
    return tasks.some((title) => buttons.some((text) => text.startsWith(title)));
  };
  const isRefused = () => document.body.innerText.includes('This could not be saved');
  while (isOpen() && !isRefused()) {
    if (performance.now() - begun > withinMs) return null;
    await new Promise((next) => setTimeout(next, 20));
  }
  return performance.now() - begun;
}

/**
 * Throws uncaught errors and rejections, presses cards, writes debug entries. Errors first: each press leaves an entry of its
 * own, and after a failure only the five oldest are sent. Ends with the answer to the last write:
 * the line and the database keep their order, so everything before it is written then.
 */
export async function raise({ tag, userId, errors, debugs, tasks, alone = false }: Load): Promise<void> {
  for (let at = errors[0]; at < errors[1]; at += 1) {
    const error = new Error(`${tag}-error-${at}`);
    if (at % 2 === 0) reportError(error);
    else void Promise.reject(error);
  }
  // The browser tells of rejections after this task.
  await new Promise((done) => setTimeout(done, 0));
  const buttons = [...document.querySelectorAll('main button')] as HTMLButtonElement[];
  for (const title of tasks) {
    // By its own name: the card of a task that was just done names the next one, and has an Undo to press.
    const opens = buttons.find((button) => button.textContent?.startsWith(title));
    const press = opens?.closest('[data-card]')?.querySelector<HTMLElement>('[data-focus]');
    if (!press) throw new Error(`no card of ${title} can be pressed`);
    press.click();
  }
  if (alone) return;
  const written: Promise<unknown>[] = [];
  for (let at = debugs[0]; at < debugs[1]; at += 1)
    written.push(
      globalThis.askDevice('appendLog', 'debug', {
        action: `${tag}-debug-${at}`,
        data: null,
        source: 'faults',
        timestamp: new Date().toISOString(),
      }),
    );
  await Promise.all(written);
  await globalThis.askDevice('outbox', userId);
}

/** How many log entries the device keeps. */
export async function keptLogs(): Promise<number> {
  const db = await new Promise<IDBDatabase>((done, fail) => {
    const opening = indexedDB.open('muster');
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => fail(opening.error);
  });
  const count = await new Promise<number>((done) => {
    const counting = db.transaction('logs').objectStore('logs').count();
    counting.onsuccess = () => done(counting.result);
  });
  db.close();
  return count;
}

/** Fills the origin's database storage until not even a row of the size of an act fits. Answers whether that came to be. */
export async function fillUp(): Promise<boolean> {
  const db = await new Promise<IDBDatabase>((done, fail) => {
    const opening = indexedDB.open('ballast', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('rows', { autoIncrement: true });
    opening.onerror = () => fail(opening.error);
    opening.onsuccess = () => done(opening.result);
  });
  const fits = (size: number) =>
    new Promise<boolean>((done) => {
      // Zeros would be packed.
      const row = new Uint8Array(size);
      for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(row.subarray(at, at + 65_536));
      try {
        const writing = db.transaction('rows', 'readwrite');
        writing.objectStore('rows').add(row);
        writing.oncomplete = () => done(true);
        writing.onabort = () => done(false);
      } catch {
        // The browser has closed it.
        done(false);
      }
    });
  for (let size = 1 << 20; size >= 128; size /= 2) for (let rows = 0; rows < 5_000 && (await fits(size)); rows += 1);
  return !(await fits(512));
}
