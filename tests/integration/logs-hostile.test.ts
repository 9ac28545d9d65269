// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are strings as strangers send them
import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOG_BUCKETS, LOG_INBOX_MAX } from '../../server/contract/limits.ts';
import { ingestInbox } from '../../server/features/client-logs/ingest.ts';
import { createIntake } from '../../server/features/client-logs/intake.ts';
import { logServiceOf, startLogWork } from '../../server/features/client-logs/service.ts';
import { budgetOf, createUsage } from '../../server/features/client-logs/usage.ts';
import { fc, runs } from '../support/chance.ts';
import { ask, fill, ingested, LOGS, send } from '../support/client-logs.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

const server = await ofFile(testServer({ sandbox: false }));
const ops = await server.person({ role: 'ops' });

beforeEach(() => server.advance(120_000));
afterEach(() => expect(Object.keys(Object.prototype)).toEqual([]));

const batch = (entries: object[], more: { cookie?: string } = {}) =>
  server.request('POST', '/api/debug/client-logs/batch', {
    body: { sentAt: server.runtime.now().toISOString(), entries },
    ...more,
  });
const error = (message: string, data: object = {}) => ({ id: randomUUID(), type: 'error', data: { message, ...data } });

/** A selection in the manner of the Big List of Naughty Strings, and our own. */
const NAUGHTY = [
  ...[
    'undefined',
    'NULL',
    '(null)',
    'NaN',
    '1/0',
    '0x0',
    '1e1000',
    '__proto__',
    'constructor',
    '; drop table users; --',
    "' or 1=1 -- -",
  ],
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '<svg/onload=alert(1)>',
    '{{7*7}}',
    '<%= 7*7 %>',
  ],
  ...[
    '${jndi:ldap://127.0.0.1/a}',
    '%s%s%s%n',
    '%d',
    '$(touch /tmp/x)',
    '`id`',
    '../../etc/passwd',
    'file:///etc/passwd',
    '\\\\host\\share',
  ],
  ...['=1+1', '+1+1', '-1+1', '@SUM(A1)', "=cmd|' /C calc'!A0", '＝1+1', '\t=1', '\r=1', '|calc', '%0A=1'],
  ...[
    '\u001b[2J\u001b[31mred',
    '\u001b]0;title\u0007',
    '\u009b31m',
    '\u202egnp.exe',
    '\u2066x\u2069',
    'a\u2028b\u2029c',
    '\ufeffbom',
    '\u200bzero',
    '\u{e0041}tag',
  ],
  ...[
    'Ω≈ç√∫',
    '田中さんにあげて下さい',
    '🏳️‍🌈👩‍👩‍👧',
    'Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮',
    'ﷺ',
    '˙ɐnbᴉlɐ',
    '\u0000nul',
    'half \ud83d',
    '\udfff half',
    'line\nbreak\r\nand\ttab',
  ],
];
const ACTS = /(?![\t\n\r])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

describe('whatever is sent', () => {
  test('is stored as it is, shown as JSON, and exported inert', async () => {
    const ids: string[] = [];
    for (let at = 0; at < NAUGHTY.length; at += 20) {
      const entries = NAUGHTY.slice(at, at + 20).map((text) =>
        error(text, {
          stack: text,
          source: text,
          url: text,
          additionalData: { [text]: [text, { deep: text }] },
          deviceId: text,
          release: text,
        }),
      );
      ids.push(...entries.map(({ id }) => id));
      const reply = await batch(entries);
      expect(reply.json.results.map(({ status }: { status: string }) => status)).toEqual(entries.map(() => 'stored'));
    }
    await ingested(server);
    for (const id of ids) {
      const page = await ask(server, ops.cookie, `/entries/${id}`);
      expect([page.status, page.headers.get('content-type'), page.headers.get('x-content-type-options')]).toEqual([
        200,
        'application/json; charset=utf-8',
        'nosniff',
      ]);
      expect((await ask(server, ops.cookie, `/issues/${page.json.entry.issueId}`)).status).toBe(200);
    }
    const csv = await ask(server, ops.cookie, '/export', { format: 'csv' });
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="client-logs-\d{4}-\d\d-\d\d\.csv"$/);
    expect(csv.text).not.toMatch(ACTS);
    const rows = cellsOf(csv.text);
    expect(rows).toHaveLength(NAUGHTY.length + 1);
    for (const row of rows) for (const value of row) expect(value).not.toMatch(/^\s*[=+\-@|%＝](?!\d*$)/);
    const ndjson = await ask(server, ops.cookie, '/export', { format: 'ndjson' });
    expect(ndjson.text).not.toMatch(ACTS);
    const lines = ndjson.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; data: { message: string } });
    expect(lines.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const jndi = lines.find(({ data }) => data.message.includes('jndi'));
    expect(jndi?.data.message).toBe('${jndi:ldap://127.0.0.1/a}');
  });

  test('a search for it finds or finds nothing, and breaks nothing', async () => {
    for (const q of NAUGHTY.filter((text) => !/[\0\ud83d\udfff]/u.test(text) || /\p{L}/u.test(text)).map((text) =>
      text.replace(/\0|\p{Surrogate}/gu, ''),
    ))
      for (const path of ['/issues', '/entries', '/histogram'])
        expect([q, path, (await ask(server, ops.cookie, path, { q, source: q.slice(0, 100) || 'x' })).status]).toEqual([
          q,
          path,
          200,
        ]);
  });

  test('every entry of a random batch ends stored or rejected, and its neighbours are stored', async () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<unknown>(
        ...NAUGHTY,
        1e308,
        -0,
        2 ** 60,
        '2026-11-21',
        '+275760-09-13T00:00:00.000Z',
        Number.MIN_VALUE,
      ),
    );
    const data = fc.dictionary(
      fc.constantFrom(
        'message',
        'action',
        'stack',
        'timestamp',
        'source',
        'url',
        'sequence',
        'repeats',
        'deviceId',
        'offlineSince',
        'breadcrumbs',
        'data',
        'connection',
        'storage',
        'x',
      ),
      value,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(data, { minLength: 1, maxLength: 8 }), async (poison) => {
        server.advance(5_000);
        const entries = poison.flatMap((one, at) => [
          { id: randomUUID(), type: at % 2 ? 'debug' : 'error', data: one },
          error(`neighbour ${at}`),
        ]);
        const reply = await batch(entries);
        expect(reply.status, reply.text).toBe(200);
        const statuses = reply.json.results.map(({ status }: { status: string }) => status);
        for (const [at, status] of statuses.entries())
          expect(at % 2 ? ['stored'] : ['stored', 'rejected']).toContain(status);
        await ingested(server);
        const kept = reply.json.results.flatMap(({ id, status }: { id: string; status: string }) =>
          status === 'stored' ? [id] : [],
        );
        const [{ count }] = await server.sql<
          [{ count: number }]
        >`select count(*)::int as count from client_log_entries where id = any(${kept}::uuid[])`;
        expect(count).toBe(kept.length);
        for (const id of kept.slice(0, 2)) expect((await ask(server, ops.cookie, `/entries/${id}`)).status).toBe(200);
        await server.sql`delete from rate_limits`;
      }),
      { numRuns: runs(20, 100) },
    );
  });
});

/** Rows of cells by RFC 4180, told apart from what we write by nothing but the standard. */
function cellsOf(csv: string): string[][] {
  return csv
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')
    .map((row) =>
      [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
      ),
    );
}

test('a planted secret is nowhere: not in the database, the exports or the answers', async () => {
  const secrets = Array.from({ length: 12 }, () => randomBytes(24).toString('base64url'));
  const [a, b, c, d, e, f, g, h, i, j, k, l] = secrets;
  const who = await server.person();
  const entries = [
    error(`GET https://muster.example/twitter-return?code=${a}&state=${b} failed`),
    error('x', {
      url: `https://muster.example/x?token=${c}#tgWebAppData=${c}`,
      route: `/x?token=${c}`,
      source: `https://x.example/?sid=${c}`,
    }),
    error('x', { stack: `Error: x\n    at f (https://muster.example/assets/a.js?key=${d}:1:2)\n    at Bearer ${d}` }),
    error('x', { additionalData: { a: { b: { c: { d: { accessToken: e, Authorization: `Bearer ${e}` } } } } } }),
    error(`Authorization: Bearer ${f}`),
    error('x', { breadcrumbs: [{ message: `fetch /api/auth/x/complete?code=${g}`, data: { initData: g } }] }),
    {
      id: randomUUID(),
      type: 'debug',
      data: { action: `opened /cb?code=${h}`, data: { cookie: `sid=${h}`, url: `https://a.example/?q=${h}` } },
    },
    error('x', { context: { secretKey: i, password: i }, headers: [`cookie: sid=${i}`, { 'set-cookie': i }] }),
    error(`query_id=AA&user=%7B%7D&auth_date=1&hash=${j}`),
    error(`{"refresh_token":"${k}"}`),
    error('x', { userAgent: `Mozilla Bearer ${l}` }),
  ];
  await batch(entries, { cookie: who.cookie });
  const single = await server.request('POST', '/api/debug/client-logs', {
    body: { type: 'error', data: entries[0]?.data },
    headers: { 'user-agent': `X Bearer ${l}` },
  });
  expect(single.status).toBe(201);
  const holds = async () => {
    const found: string[] = [];
    const tables = await server.sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_name like 'client_log%'`;
    for (const { name } of tables) {
      const [row] = await server.sql<
        [{ text: string | null }]
      >`select string_agg(t::text, ' ') as text from ${server.sql(name)} t`;
      for (const secret of secrets) if (row.text?.includes(secret)) found.push(`${name}: ${secrets.indexOf(secret)}`);
    }
    return found;
  };
  expect(await holds()).toEqual([]);
  await ingested(server);
  expect(await holds()).toEqual([]);
  const answers = [
    await ask(server, ops.cookie, '/export', { format: 'csv' }),
    await ask(server, ops.cookie, '/export', { format: 'ndjson' }),
    ...(await Promise.all(entries.map(({ id }) => ask(server, ops.cookie, `/entries/${id}`)))),
    await ask(server, ops.cookie, '/timeline', { user: who.userId }),
  ];
  for (const { text } of answers) for (const secret of secrets) expect(text).not.toContain(secret);
});

describe('a flood', () => {
  test('from one address is answered 429 with the time to come back; other routes go on', async () => {
    server.advance(600_000);
    const many = Array.from({ length: LOG_BUCKETS.address.burst * 3 }, () =>
      server.request('POST', '/api/debug/client-logs', { body: { type: 'debug', data: { action: 'flood' } } }),
    );
    const replies = await Promise.all(many);
    const refused = replies.filter(({ status }) => status === 429);
    expect(replies.filter(({ status }) => status === 201).length).toBeLessThan(LOG_BUCKETS.address.burst * 1.5);
    expect(refused.length).toBeGreaterThan(LOG_BUCKETS.address.burst);
    for (const { headers, json } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(json.reason).toBe('TOO_MANY_REQUESTS');
    }
    expect((await server.request('GET', '/api/auth/user', { cookie: ops.cookie })).status).toBe(200);
    server.advance(2_000);
    expect(
      (await server.request('POST', '/api/debug/client-logs', { body: { type: 'debug', data: { action: 'after' } } }))
        .status,
    ).toBe(201);
  });

  test('that waits for storage is not held in memory without end', async () => {
    let release = () => {};
    const away = new Promise<never[]>((done) => {
      release = () => done([]);
    });
    const stuck = Object.assign(() => away, server.sql) as unknown as typeof server.sql;
    const usage = createUsage(stuck, budgetOf(server.runtime.config));
    const intake = createIntake(stuck, { usage });
    const sender = { userId: randomUUID(), userAgent: null, address: null, sentAt: null };
    const big = 'x'.repeat(3_900);
    const tries = Array.from({ length: 150 }, () =>
      intake
        .store(
          Array.from({ length: 25 }, () => ({ id: randomUUID(), type: 'error', data: { message: big } })),
          sender,
          new Date(),
        )
        .then(
          () => 'stored',
          (problem: { reason?: string }) => problem.reason,
        ),
    );
    await new Promise((next) => setImmediate(next));
    const early = await Promise.race([
      Promise.all(tries.slice(-20)),
      new Promise((next) => setTimeout(() => next('waiting'), 2_000)),
    ]);
    expect(early).toEqual(Array(20).fill('TOO_MANY_REQUESTS'));
    release();
    await Promise.all(tries);
  });

  test('of the day ends at its cap: what is over is refused by name and counted, what was stored stays acknowledged', async () => {
    const other = await testServer({ sandbox: false });
    const budget = budgetOf(other.runtime.config);
    const usage = createUsage(other.sql, { ...budget, day: { ...budget.day, rows: 3 } });
    const intake = createIntake(other.sql, { usage });
    const sender = { userId: null, userAgent: null, address: null, sentAt: null };
    const entries = Array.from({ length: 3 }, () => ({ id: randomUUID(), type: 'debug', data: { action: 'a' } }));
    const at = new Date('2026-11-21T10:00:00Z');
    expect((await intake.store(entries, sender, at)).map(({ status }) => status)).toEqual([
      'stored',
      'stored',
      'stored',
    ]);
    const more = [...entries.slice(0, 1), { id: randomUUID(), type: 'debug', data: { action: 'b' } }];
    expect(await intake.store(more, sender, at)).toMatchObject([
      { status: 'duplicate' },
      { status: 'rejected', reason: 'DAILY_CAP' },
    ]);
    await usage.flush();
    expect(await other.sql`select stored::int, refused::int from client_log_daily`).toEqual([
      { stored: 3, refused: 1 },
    ]);
    const next = new Date('2026-11-22T10:00:00Z');
    expect(await intake.store(more.slice(1), sender, next)).toMatchObject([{ status: 'stored' }]);
    await other.close();
  });
});

test('distinct messages of very many networks make 5,001 groups at most, and what is known keeps its group', async () => {
  const other = await testServer({ sandbox: false });
  const member = await other.person();
  await send(other, { data: { message: 'Error: known from before' }, cookie: member.cookie });
  await ingested(other);
  const letters = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const TOTAL = runs(12_000, 100_000);
  const AT_ONCE = TOTAL / 5;
  for (let from = 0; from < TOTAL; from += AT_ONCE) {
    // A network of its own for every fifty.
    await fill(
      other,
      AT_ONCE,
      (at) => ({ message: `Error: ${letters(from + at)} is wrong` }),
      (at) => ({ address: `10.${Math.floor((from + at) / 50)}.0.0/24` }),
    );
    await ingested(other);
  }
  await send(other, { data: { message: 'Error: known from before' } });
  await ingested(other);
  const [counts] = await other.sql<[{ groups: number; issues: number; other: number; all: number }]>`
    select (select count(*)::int from client_log_groups) as groups, (select count(*)::int from client_log_issues) as issues,
      (select count::int from client_log_groups where version = 0) as other, (select sum(count)::int from client_log_groups) as all`;
  expect(counts.groups).toBeLessThanOrEqual(5_001);
  expect(counts).toEqual({
    groups: counts.groups,
    issues: counts.groups,
    other: TOTAL - counts.groups + 2,
    all: TOTAL + 2,
  });
  const boss = await other.person({ role: 'ops' });
  expect((await ask(other, boss.cookie, '/issues', { q: 'known from before' })).json.issues[0]).toMatchObject({
    countAll: 2,
  });
  const beyond = (await ask(other, boss.cookie, '/issues', { q: 'beyond the cap' })).json.issues[0];
  expect(beyond).toMatchObject({ isOther: true });
  const merge = await other.request('POST', `${LOGS}/issues/${beyond.id}/merge`, {
    cookie: boss.cookie,
    body: { issueIds: [(await ask(other, boss.cookie, '/issues', { q: 'known from before' })).json.issues[0].id] },
  });
  expect(merge.json.reason).toBe('OTHER_ISSUE');
  await other.close();
}, 240_000);

test('a row that storage cannot keep when it is ingested is noted, and its neighbours are kept', async () => {
  await server.sql`create function refuse_row() returns trigger language plpgsql as $$ begin
    if new.data->>'message' = 'poison' then raise exception using errcode = '22P05'; end if; return new; end $$`;
  // The first of its day makes the day's table.
  await batch([error('first')]);
  await ingested(server);
  const day = server.runtime.now().toISOString().slice(0, 10).replaceAll('-', '');
  await server.sql`create trigger refuse_row before insert on ${server.sql(`client_log_entries_${day}`)} for each row execute function refuse_row()`;
  const entries = [error('fine one'), error('poison'), error('fine two')];
  await batch(entries);
  await ingested(server);
  await server.sql`drop trigger refuse_row on ${server.sql(`client_log_entries_${day}`)}`;
  const messages = await Promise.all(
    entries.map(async ({ id }) => (await ask(server, ops.cookie, `/entries/${id}`)).json.entry.message),
  );
  expect(messages).toEqual(['fine one', 'This entry could not be kept as it was sent.', 'fine two']);
});

test('many processes that ingest at once ingest each entry once', async () => {
  const ids = await Promise.all(
    Array.from({ length: 30 }, () => send(server, { data: { message: 'Error: ingested by many' } })),
  );
  const { sql, now, build } = server.runtime;
  const { group, releases } = logServiceOf(server.runtime);
  await Promise.all(Array.from({ length: 4 }, () => ingestInbox({ sql, now, build, group, releases })));
  await ingested(server);
  const [row] = await server.sql<
    [{ rows: number }]
  >`select count(*)::int as rows from client_log_entries where id = any(${ids}::uuid[])`;
  expect(row.rows).toBe(30);
  expect((await ask(server, ops.cookie, '/issues', { q: 'ingested by many' })).json.issues[0]).toMatchObject({
    countAll: 30,
  });
});

test('two processes that ingest more than a batch at once ingest each entry once', async () => {
  const other = await testServer({ sandbox: false });
  const TOTAL = 2_500;
  await fill(other, TOTAL, (at) => ({ message: 'Error: by two', attempt: at }));
  const { sql, now, build } = other.runtime;
  const { group, releases } = logServiceOf(other.runtime);
  const both = await Promise.all([1, 2].map(() => ingestInbox({ sql, now, build, group, releases })));
  expect(both.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(TOTAL);
  await ingested(other);
  expect(
    await other.sql`select count(*)::int, count(distinct data->>'attempt')::int as different from client_log_entries`,
  ).toEqual([{ count: TOTAL, different: TOTAL }]);
  expect(await other.sql`select count::int from client_log_groups`).toEqual([{ count: TOTAL }]);
  await other.close();
});

test('while the inbox is full, devices are told to come back, and then are heard', async () => {
  const other = await testServer({ sandbox: false });
  await fill(other, LOG_INBOX_MAX, () => ({ message: 'm' }));
  // Another process is at it, and does not come to an end.
  const stuck = await other.sql.reserve();
  await stuck`select pg_advisory_lock(7186010)`;
  expect(await ingested(other)).toBe(0);
  const body = { type: 'error', data: { message: 'one more' } };
  const refused = await other.request('POST', '/api/debug/client-logs', { body });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  // Of what is sent nothing is read: it is refused as ever, where reading would answer 400.
  const unreadable = await other.request('POST', '/api/debug/client-logs', { body: { type: 'neither' } });
  expect(unreadable.status).toBe(429);
  await stuck`select pg_advisory_unlock(7186010)`;
  stuck.release();
  await ingested(other);
  expect((await other.request('POST', '/api/debug/client-logs', { body })).status).toBe(201);
  await other.close();
});

test('the work in the background ingests what another process left', async () => {
  const other = await testServer({ sandbox: false });
  await fill(other, 1, () => ({ message: 'm' }));
  const work = startLogWork(other.runtime);
  while ((await other.sql`select from client_log_inbox`).length > 0) await new Promise((next) => setTimeout(next, 20));
  await work.stop();
  expect((await other.sql`select from client_log_entries`).length).toBe(1);
  await other.close();
});
