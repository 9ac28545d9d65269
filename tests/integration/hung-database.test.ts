import { connect } from 'node:net';
import type { Sql } from 'postgres';
import { afterEach, describe, expect, test } from 'vitest';
import type { Handlers } from '../../server/http/handler.ts';
import { handlers } from '../../server/runtime.ts';
import { connectTo, serving } from '../../server/storage/connect.ts';
import { createTestDatabase } from '../support/database.ts';
import { hangingDatabase } from '../support/hanging-database.ts';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES, fill, idsOfNothing, queryOf, sampleBody } from '../support/samples.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { until } from '../support/storage-processes.ts';
import { community, memberOf } from '../support/world.ts';

const db = await ofFile(createTestDatabase());
await db.sql`create table written (what text not null)`;

const written = async () => (await db.sql<{ what: string }[]>`select what from written`).map(({ what }) => what);

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});
const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: unknown }) => error.code,
  );
/** As an app has it, but for the time that a statement may take. */
async function pool(url: string, limits?: { statementMs: number; silentMs: number }): Promise<Sql> {
  const base = connectTo(url);
  undo.push(() => base.end({ timeout: 0 }));
  return serving(base, 4, limits);
}

describe('a statement', () => {
  test('is ended by the database after its time, and so is a transaction that does nothing', async () => {
    const sql = await pool(db.url, { statementMs: 200, silentMs: 60_000 });
    expect(await code(sql`select pg_sleep(60)`)).toBe('57014');
    const open = async () =>
      (await db.sql`select from pg_stat_activity where state = 'idle in transaction' and query like '%idle-one%'`)
        .length;
    const idle = sql.begin(async (tx) => {
      await tx`insert into written values ('idle-one')`.simple();
      await until('it waits', async () => (await open()) === 1);
      await until('it is ended', async () => (await open()) === 0);
      return tx`select 1`;
    });
    expect(await code(idle)).toBe('CONNECTION_CLOSED');
    expect(await written()).toEqual([]);
  });

  test('of a database that says nothing fails, and the next one goes over a new connection', async () => {
    const between = await hangingDatabase(db.url);
    undo.push(() => between.close());
    const sql = await pool(between.url, { statementMs: 60_000, silentMs: 1_000 });
    await sql`select 1`;
    between.hang();
    const waiting = [
      code(sql`insert into written values ('statement')`.execute()),
      code(sql.unsafe(`insert into written values ('unsafe')`).execute()),
      code(
        sql.begin(async (tx) => {
          await tx`insert into written values ('transaction')`;
        }),
      ),
    ];
    // Who needs a further connection cannot even open it.
    for (const one of await Promise.all(waiting)) expect(['CONNECTION_SILENT', 'CONNECT_TIMEOUT']).toContain(one);
    between.recover();
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    expect(await sql.begin((tx) => tx`select 2 as two`)).toEqual([{ two: 2 }]);
    expect(await written()).toEqual([]);
  });

  test('has its time behind a pooler that knows no such setting, too', async () => {
    const text = 'SERROR\0C08P01\0Munsupported startup parameter: statement_timeout\0\0';
    const refusal = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(text)]);
    refusal.writeUInt32BE(refusal.length - 1, 1);
    const pooler = await hangingDatabase(db.url, {
      refuse: (begun) => (begun.includes('statement_timeout') ? refusal : null),
    });
    undo.push(() => pooler.close());
    const sql = await pool(pooler.url, { statementMs: 60_000, silentMs: 1_000 });
    expect(await sql`select current_setting('statement_timeout') as set`).toEqual([{ set: '0' }]);
    pooler.hang();
    expect(await code(sql`select 1`)).toBe('CONNECTION_SILENT');
  });
});

/** A server on the database, whose list of communities takes a minute. */
async function slowServer(): Promise<{ server: TestServer; working: () => Promise<number> }> {
  const slow: Handlers = {
    'GET /api/communities': async ({ sql }) => {
      await sql`select pg_sleep(60), 'slow'`;
      return { json: [] };
    },
  };
  const others = handlers.filter((feature) => !Object.hasOwn(feature, 'GET /api/communities'));
  const features = handlers.filter((feature) => Object.hasOwn(feature, 'GET /api/communities'));
  const server = await testServer({
    sandbox: false,
    handlers: [...others, ...features.map((one) => ({ ...one, ...slow }))],
  });
  undo.push(() => server.close());
  const working = async () => {
    const [row] = await server.sql<[{ count: number }]>`
      select count(*)::int from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%''slow''%' and pid <> pg_backend_pid()`;
    return row.count;
  };
  return { server, working };
}

describe('an answer', () => {
  test('comes from every route while the database hangs: to come again, with the time of it', async () => {
    const between = await hangingDatabase(db.url);
    undo.push(() => between.close());
    const database = { ...db, url: between.url, sql: await pool(between.url), drop: async () => undefined };
    const server = await testServer({ database, sandbox: false });
    undo.push(() => server.close());
    const place = await community(server, (await server.person()).userId);
    const { cookie } = await memberOf(server, place.id, 'leader', { role: 'admin' });
    between.hang();
    const answers = await Promise.all(
      ALL_ROUTES.filter(({ declaration }) => !declaration.probe).map(async ({ key, method, path, declaration }) => {
        const body = sampleBody(key);
        const type = declaration.bodyTypes?.[0];
        const reply = await server.command(
          method,
          fill(path, { ...idsOfNothing(), communityId: place.id }) + queryOf(path),
          {
            cookie,
            body,
            ...(type === undefined ? {} : { raw: 'a,b\n1,2\n' }),
            headers: { ...(type && { 'content-type': type }) },
          },
        );
        return [key, reply.status, reply.headers.has('retry-after')];
      }),
    );
    const others = answers.filter(([, status, isTold]) => status !== 503 || !isTold);
    // What a browser goes to is sent back with the reason, and a flood is refused before anything is looked up.
    expect(others.filter(([, status]) => status !== 302)).toEqual([]);
    expect((await server.request('GET', '/livez')).status).toBe(200);
    expect((await server.request('GET', '/readyz')).status).toBe(503);
    between.recover();
    await until('it answers again', async () => (await server.request('GET', '/api/communities')).status === 200);
  });

  test('that comes too late is no answer any more, and its statement is cancelled', async () => {
    const { server, working } = await slowServer();
    const reply = await server.request('GET', '/api/communities');
    expect([reply.status, reply.json.reason, reply.headers.get('retry-after')]).toEqual([503, 'TOO_SLOW', '5']);
    await until('the statement is cancelled', async () => (await working()) === 0);
  });

  test('that nobody waits for costs the database nothing more', async () => {
    const { server, working } = await slowServer();
    const socket = connect(server.runtime.config.port, '127.0.0.1');
    socket.write('GET /api/communities HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until('the statement runs', async () => (await working()) === 1);
    socket.destroy();
    await until('the statement is cancelled', async () => (await working()) === 0, 8_000);
  });
});
