import { connect } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { certificate } from '../support/certificate.mjs';

/** Puts TLS in front of a port of this machine, with a certificate made for this run. A reset behind it ends the connection. */
export async function secure(port: number, to: number): Promise<Server> {
  const server = createServer(certificate('localhost'), (near) => {
    const far = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      one.once('error', () => other.destroy());
      one.once('close', () => other.destroy());
    }
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  return server;
}
