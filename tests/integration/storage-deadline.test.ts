import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { connectTo, serving } from '../../server/storage/connect.ts';
import { createTestDatabase } from '../support/database.ts';
import { ofFile } from '../support/of-file.ts';
import { signal } from '../support/signal.ts';
import { until } from '../support/storage-processes.ts';

const db = await ofFile(createTestDatabase());
await db.sql`create table written (what text not null)`;

const written = async () => (await db.sql<{ what: string }[]>`select what from written`).map(({ what }) => what);

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

function pool(url: string) {
  const sql = connectTo(url, { max: 1 });
  undo.push(() => sql.end({ timeout: 0 }));
  return sql;
}

/** What it was refused with. */
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('it was done'),
    (reason: { code?: unknown }) => reason.code,
  );

/** The process's timers, and the driver's, in the test's hand: the machine may take as long as it likes. */
function timersInHand() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  undo.push(() => vi.useRealTimers());
}

test('what waits for a connection waits 3 s, and is then not done later', async () => {
  const sql = pool(db.url);
  const [held, goOn] = [signal(), signal()];
  const holding = sql.begin(async (tx) => {
    await tx`select 1`;
    held.resolve();
    await goOn.promise;
  });
  await held.promise;
  timersInHand();
  let begun = false;
  const refused: unknown[] = [];
  const late = [
    sql`insert into written values ('statement')`.execute(),
    sql.unsafe(`insert into written values ('unsafe')`).execute(),
    sql.begin(async (tx) => {
      begun = true;
      await tx`insert into written values ('transaction')`;
    }),
  ].map(async (work: Promise<unknown>) => refused.push(await refusal(work)));
  await vi.advanceTimersByTimeAsync(2_999);
  expect(refused).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(late);
  expect(refused).toEqual(Array(3).fill('CONNECTION_WAIT'));
  vi.useRealTimers();
  goOn.resolve();
  await holding;
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  expect(begun).toBe(false);
  expect(await written()).toEqual([]);
});

test('what waited too long while others were answered is told that the database is busy, not that it is away', async () => {
  const base = connectTo(db.url);
  undo.push(() => base.end({ timeout: 0 }));
  const sql = await serving(base, 1);
  const [held, goOn] = [signal(), signal()];
  const holding = sql.begin(async (tx) => {
    await tx`select 1`;
    held.resolve();
    await goOn.promise;
  });
  await held.promise;
  timersInHand();
  const late = refusal(sql`insert into written values ('busy')`.execute());
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await late).toBe('CONNECTION_BUSY');
  vi.useRealTimers();
  goOn.resolve();
  await holding;
  expect(await written()).toEqual([]);
});

/** Stands before the database, and does with each connection what it is told to. */
async function relay(take: (socket: Socket, number: number) => void, at = 0): Promise<{ url: string; port: number }> {
  let number = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    take(socket, number);
    number += 1;
  }).listen(at, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const { username, pathname } = new URL(db.url);
  return { url: `postgres://${username}@127.0.0.1:${port}${pathname}`, port };
}
function passOn(socket: Socket): void {
  const { port, hostname, searchParams } = new URL(db.url);
  const folder = searchParams.get('host');
  const there = folder ? connect(`${folder}/.s.PGSQL.${port || 5432}`) : connect(Number(port || 5432), hostname);
  there.on('error', () => socket.destroy());
  socket.pipe(there).pipe(socket);
}

test('a connection that is made too late for a statement serves the next one, and not that', async () => {
  // Nothing answers at first; then somebody does, too late.
  const late = signal<Socket>();
  const { url } = await relay((socket, number) => number === 1 && late.resolve(socket));
  const sql = pool(url);
  timersInHand();
  const first = refusal(sql`insert into written values ('first')`.execute());
  const second = refusal(sql`insert into written values ('second')`.execute());
  await vi.advanceTimersByTimeAsync(2_500);
  expect(await first).toBe('CONNECT_TIMEOUT');
  await vi.advanceTimersByTimeAsync(100);
  const socket = await late.promise;
  await vi.advanceTimersByTimeAsync(400);
  expect(await second).toBe('CONNECTION_WAIT');
  passOn(socket);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  expect(await written()).toEqual([]);
});

test('a database that was away for long is used within a second of its return', async () => {
  const { url, port } = await relay((socket) => socket.destroy());
  await undo.pop()?.();
  const sql = pool(url);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  undo.push(() => timers.mockRestore());
  for (let tried = 0; tried < 15; tried += 1) expect(await refusal(sql`select 1`)).toBe('ECONNREFUSED');
  // However often it was refused, the driver's next try is never further away.
  const waits = timers.mock.calls.flatMap(([work, ms = 0]) => (work.name === 'connect' ? ms : []));
  expect(waits.length).toBeGreaterThan(10);
  expect(Math.max(...waits)).toBeLessThan(1_000);
  await relay(passOn, port);
  await until('it answers', () =>
    sql`select 1`.then(
      () => true,
      () => false,
    ),
  );
});
