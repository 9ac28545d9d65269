// @ts-check
/**
 * Passes TCP connections on, resets included. Run on its own it is the browser's end of a cut-able link:
 * node relay.mjs <address to reach> <port>...
 */
import { connect, createServer } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @param {import('node:net').Socket} from @param {import('node:net').Socket} to */
function join(from, to) {
  from.pipe(to);
  from.once('error', () => to.resetAndDestroy());
  from.once('close', () => to.destroySoon());
}

/** @param {{ address: string, port: number }} from @param {{ address: string, port: number }} to @returns {Promise<import('node:net').Server>} */
export const relay = (from, to) =>
  new Promise((done, fail) => {
    const server = createServer({ noDelay: true }, (near) => {
      const far = connect({ host: to.address, port: to.port, noDelay: true });
      join(near, far);
      join(far, near);
    });
    server.once('error', fail);
    server.listen(from.port, from.address, () => done(server));
  });

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [address = '', ...ports] = process.argv.slice(2);
  await Promise.all(
    ports.map((port) => relay({ address: '127.0.0.1', port: Number(port) }, { address, port: Number(port) })),
  );
  process.stdout.write('ready\n');
  // Ends with the harness.
  process.stdin.resume().once('end', () => process.exit());
}
