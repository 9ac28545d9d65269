/**
 * What the harness does to the rooms of a device themselves: ends, pauses and holds them up, at a moment of its choice, in any
 * engine. The functions here are sent to the browser: they may use nothing of this file.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is to come over a room; pages tell it over the channel `faults`. */
export type Strike = {
  room: 'device' | 'service-worker';
  trouble: 'dies' | 'pauses';
  ms?: number;
  /**
   * Now, also with the lock of the drain; or in the next keeping of an act: as it is taken up, before its writing, in its
   * transaction, after it and before the answer.
   */
  at: 'now' | 'lock' | 'taken' | 'before' | 'in' | 'after';
};

/** Goes before the script of a worker. */
export function rigRoom(room: string): void {
  const scope = globalThis as unknown as { close?(): void; postMessage?(...values: never[]): void };
  let armed: Strike | null = null;
  let isWritten = false;
  let isDead = false;
  const come = ({ trouble, ms = 0 }: Strike): void => {
    armed = null;
    if (trouble === 'dies') {
      scope.close?.();
      // The browser lets it run to the end of its turn: a dead one says no more, and does no more.
      isDead = true;
      throw new Error('ended by the harness');
    }
    try {
      // A true pause: nothing runs meanwhile, and no processor.
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
      Atomics.wait(new Int32Array(memory.buffer), 0, 0, ms);
    } catch {
      for (const end = Date.now() + ms; Date.now() < end; );
    }
  };
  const comes = (at: string) => armed?.at === at && come(armed);
  new BroadcastChannel('faults').addEventListener('message', ({ data }: MessageEvent<Strike>) => {
    if (data.room !== room) return;
    armed = data;
    comes('now');
    if (armed?.at === 'lock') void navigator.locks.request('muster-drain', async () => comes('lock'));
  });
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...values: Parameters<typeof transaction>) {
    if (String(values[0]) === 'outbox,meta') comes('taken');
    return transaction.apply(this, values);
  };
  const { add } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.add = function (this: IDBObjectStore, ...values: Parameters<typeof add>) {
    if (this.name !== 'outbox' || armed === null) return add.apply(this, values);
    comes('before');
    const adding = add.apply(this, values);
    adding.addEventListener('success', () => comes('in'));
    this.transaction.addEventListener('complete', () => {
      isWritten = armed?.at === 'after';
    });
    return adding;
  };
  const answering = (of: { postMessage?(...values: never[]): void }) => {
    const { postMessage } = of;
    if (!postMessage) return;
    of.postMessage = function (this: unknown, ...values: never[]) {
      if (isWritten) comes('after');
      if (isDead) return;
      postMessage.apply(this, values as never);
    };
  };
  answering(MessagePort.prototype as never);
  answering(scope);
}

/** Which workers the browser gives from now on: as it does, one for each tab, or none that begins. */
export type Workers = 'shared' | 'dedicated' | 'silent' | 'failing';
export const WORKERS = 'faults-workers';

/** Goes before the page's own scripts. */
export function rigPage(): void {
  const wanted = () => localStorage.getItem('faults-workers');
  const { SharedWorker: Shared, Worker: Own } = globalThis;
  class Stillborn extends EventTarget {
    readonly port = new MessageChannel().port1;
    constructor() {
      super();
      if (wanted() === 'failing') setTimeout(() => this.dispatchEvent(new Event('error')));
    }
    postMessage(): void {}
    terminate(): void {}
  }
  const given = <T extends abstract new (...values: never[]) => object>(original: T) =>
    new Proxy(original, {
      construct(target, values) {
        if (wanted() === 'silent' || wanted() === 'failing') return new Stillborn();
        if (wanted() === 'dedicated' && (target as unknown) === Shared) throw new DOMException('none', 'SecurityError');
        return Reflect.construct(target, values) as object;
      },
    });
  for (const [name, original] of Object.entries({ SharedWorker: Shared, Worker: Own }))
    if (original)
      Object.defineProperty(globalThis, name, { value: given(original), configurable: true, writable: true });
}

/** Puts the rig into a build: before its first script, and before the scripts of the device worker and the service worker. */
export function rigBuild(client: string, firstScript: string): void {
  const before = (path: string, code: string) => {
    writeFileSync(path, `${code}\n${readFileSync(path, 'utf8')}`);
    rmSync(`${path}.br`);
  };
  before(join(client, 'boot.js'), `(${rigPage})();${firstScript}`);
  before(join(client, 'sw.js'), `(${rigRoom})('service-worker');`);
  for (const name of readdirSync(join(client, 'assets'))) {
    const path = join(client, 'assets', name);
    if (name.endsWith('.js') && readFileSync(path, 'utf8').includes('onconnect'))
      before(path, `(${rigRoom})('device');`);
  }
}
