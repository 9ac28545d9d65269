// @ts-check
/** A phone's link as a TCP relay: everything that asks goes through it, the service worker too, and its bytes are counted. */
import { connect, createServer } from 'node:net';
import { wait } from './instance.mjs';

const HALF_TRIP_MS = 75;
const BYTES_PER_MS = { down: 1_600_000 / 8 / 1000, up: 750_000 / 8 / 1000 };

/**
 * @typedef {'phone' | 'fast' | 'hang' | 'refuse'} Mode `hang` accepts connections and answers nothing
 * @param {number} port where the instance listens
 */
export async function startRelay(port) {
  /** @type {Set<import('node:net').Socket>} */
  const open = new Set();
  const state = { mode: /** @type {Mode} */ ('fast'), down: 0, last: 0, free: { down: 0, up: 0 } };
  /** One link for all: the bytes of every connection queue behind each other. */
  const carry = (
    /** @type {'down' | 'up'} */ way,
    /** @type {import('node:net').Socket} */ from,
    /** @type {import('node:net').Socket} */ to,
    /** @type {number} */ firstDelay,
  ) => {
    let ready = firstDelay;
    let tail = Promise.resolve();
    from.on('data', (chunk) => {
      state.last = Date.now();
      if (way === 'down') state.down += chunk.length;
      if (state.mode !== 'phone') return void to.write(chunk);
      const begins = Math.max(Date.now() + ready, state.free[way]);
      ready = 0;
      state.free[way] = begins + chunk.length / BYTES_PER_MS[way];
      const due = state.free[way] + HALF_TRIP_MS;
      tail = tail.then(() => wait(Math.max(0, due - Date.now()))).then(() => void (to.destroyed || to.write(chunk)));
    });
    from.on('end', () => void tail.then(() => to.end()));
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client);
    client.on('close', () => open.delete(client)).on('error', () => client.destroy());
    if (state.mode === 'refuse') return void client.destroy();
    if (state.mode === 'hang') return void client.resume();
    const target = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    target.on('error', () => client.destroy()).on('close', () => open.delete(target));
    client.on('close', () => target.destroy());
    open.add(target);
    // A connection to this machine stands at once: its round trip is charged to the first bytes.
    carry('up', client, target, 2 * HALF_TRIP_MS);
    carry('down', target, client, 0);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    state,
    /** @param {Mode} mode */
    reset(mode) {
      Object.assign(state, { mode, down: 0, last: Date.now(), free: { down: 0, up: 0 } });
    },
    cut() {
      for (const socket of open) socket.destroy();
    },
    close() {
      this.cut();
      server.close();
    },
  };
}
