import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type HangingDatabase = {
  /** Of the database behind it. */
  url: string;
  /** From now on nothing passes either way, on connections that are made later too; nothing is closed. */
  hang(): void;
  hangs(): boolean;
  /** New connections pass again; those that hang go on hanging. */
  recover(): void;
  close(): void;
};

/**
 * Stands before a database, whose URL it is given, and can hang as a stopped process or a dead machine does: connections are
 * taken, and nothing is answered. `refuse` sees the first bytes of each connection; what it gives is answered at once. From a
 * statement with `hangsAt` in it on, that one included, it hangs by itself.
 */
export async function hangingDatabase(
  database: string,
  { refuse = () => null, hangsAt }: { refuse?: (begun: Buffer) => Buffer | null; hangsAt?: string } = {},
): Promise<HangingDatabase> {
  const { port, hostname, searchParams, username, pathname } = new URL(database);
  const folder = searchParams.get('host');
  const sockets = new Set<Socket>();
  let hangs = false;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    if (hangs) return;
    const there = folder ? connect(`${folder}/.s.PGSQL.${port || 5432}`) : connect(Number(port || 5432), hostname);
    sockets.add(there.on('error', () => socket.destroy()));
    socket.once('data', (begun) => {
      const answer = refuse(begun);
      if (answer) return void socket.end(answer);
      there.write(begun);
      socket.on('data', (said) => {
        if (hangsAt !== undefined && said.includes(hangsAt)) hang();
      });
      socket.pipe(there).pipe(socket);
    });
  }).listen(0, '127.0.0.1');
  const hang = () => {
    hangs = true;
    for (const socket of sockets) socket.unpipe().pause();
  };
  await once(server, 'listening');
  return {
    url: `postgres://${username}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    hang,
    hangs: () => hangs,
    recover() {
      hangs = false;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
