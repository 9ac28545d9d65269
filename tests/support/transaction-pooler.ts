import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

type Backend = { socket: Socket; client: Client | null; greeting: Buffer };
type Client = { socket: Socket; backend: Backend | null; waiting: Buffer[] };

const READY = 'Z'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);

/** Cuts a stream of the protocol into its messages: a letter, then a length that counts itself. */
function messages(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 1 + rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      take(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}

/**
 * PostgreSQL behind a pooler in transaction mode, over the wire: each client talks to any session of the server that is
 * free, the one used last before others, and keeps it until its transaction ends. Give it the address of the server.
 */
export async function startTransactionPooler(serverUrl: string, size: number) {
  const backends: Backend[] = [];
  const free: Backend[] = [];
  const queue: Client[] = [];

  const serve = (client: Client, backend: Backend) => {
    client.backend = backend;
    backend.client = client;
    for (const message of client.waiting.splice(0)) backend.socket.write(message);
  };
  const release = (backend: Backend) => {
    if (backend.client) backend.client.backend = null;
    backend.client = null;
    const next = queue.shift();
    if (next) serve(next, backend);
    else free.unshift(backend);
  };
  /** A session of the server, with what it said until it was ready. */
  const open = async (startup: Buffer): Promise<Backend> => {
    const backend: Backend = { socket: connectTo(serverUrl), client: null, greeting: Buffer.alloc(0) };
    backends.push(backend);
    const said: Buffer[] = [];
    await new Promise<void>((ready) => {
      const read = messages((message) => {
        if (backend.greeting.length > 0) {
          backend.client?.socket.write(message);
          if (message[0] === READY && message[5] === IDLE) release(backend);
          return;
        }
        said.push(message);
        if (message[0] !== READY) return;
        backend.greeting = Buffer.concat(said);
        ready();
      });
      backend.socket.on('data', read);
      backend.socket.write(startup);
    });
    return backend;
  };

  const welcome = async (client: Client, startup: Buffer) => {
    const backend = backends.length < size ? await open(startup) : null;
    client.socket.write(backend?.greeting ?? backends[0]?.greeting ?? Buffer.alloc(0));
    if (backend) release(backend);
  };
  const server: Server = createServer((socket) => {
    const client: Client = { socket, backend: null, waiting: [] };
    let begun = false;
    const read = messages((message) => {
      if (message[0] === 'X'.charCodeAt(0)) return void socket.end();
      client.waiting.push(message);
      if (client.backend) return serve(client, client.backend);
      const backend = free.shift();
      if (backend) serve(client, backend);
      else if (!queue.includes(client)) queue.push(client);
    });
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      if (begun) return read(chunk);
      begun = true;
      void welcome(client, chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(serverUrl);
  return {
    url: `postgres://${url.username}@127.0.0.1:${port}${url.pathname}`,
    /** Sessions of the server that were opened. */
    sessions: () => backends.length,
    close() {
      server.close();
      for (const { socket } of backends) socket.destroy();
    },
  };
}

function connectTo(serverUrl: string): Socket {
  const url = new URL(serverUrl);
  const folder = url.searchParams.get('host');
  return folder
    ? connect(`${folder}/.s.PGSQL.${url.port || '5432'}`)
    : connect(Number(url.port || 5432), url.hostname.replace(/^\[(.*)\]$/, '$1'));
}
