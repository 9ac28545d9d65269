import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { LOG_BATCH_MAX } from '../../server/contract/limits.ts';
import { logServiceOf } from '../../server/features/client-logs/service.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

const server = await ofFile(testServer({ sandbox: false }));

beforeEach(() => server.advance(60_000));

const at = '2026-11-21T12:00:00.000Z';
const error = (data: object = {}) => ({ type: 'error', data: { message: 'it broke', timestamp: at, ...data } });
const debug = (data: object = {}) => ({ type: 'debug', data: { action: 'tap', timestamp: at, ...data } });
const entry = (content: { type: unknown; data: unknown }, id: string = randomUUID()) => ({ id, ...content });

const batch = (entries: unknown[], more: object = {}, cookie?: string) =>
  server.request('POST', '/api/debug/client-logs/batch', {
    body: { sentAt: at, entries, ...more },
    ...(cookie === undefined ? {} : { cookie }),
  });
const stored = async (id: string) => {
  await logServiceOf(server.runtime).ingest();
  const [row] = await server.sql`select * from client_log_entries where id = ${id}`;
  return row;
};

describe('one entry', () => {
  test.each([
    [
      'error',
      error({ stack: 'Error\n at x', source: 'window', url: null, userAgent: 'device', additionalData: { a: [1] } }),
    ],
    ['debug', debug({ data: { step: 2 }, source: null })],
  ])('of kind %s is stored as it was sent', async (kind, body) => {
    const reply = await server.request('POST', '/api/debug/client-logs', {
      body,
      headers: { 'user-agent': 'Browser/1' },
    });
    expect([reply.status, reply.json.status]).toEqual([201, 'stored']);
    expect(await stored(reply.json.id)).toMatchObject({
      kind,
      data: body.data,
      user_id: null,
      user_agent: 'Browser/1',
      sent_at: null,
    });
  });

  test('without a time of its own is stored with the time of its receipt', async () => {
    const body = { type: 'error', data: { message: 'it broke' } };
    const reply = await server.request('POST', '/api/debug/client-logs', { body });
    expect([reply.status, reply.json.status]).toEqual([201, 'stored']);
    const row = await stored(reply.json.id);
    expect(row?.['happened_at']).toEqual(row?.['received_at']);
  });

  test.each([
    ['milliseconds', Date.parse(at), at],
    ['more than any date has', 1e20, null],
  ])('of another client that writes its time as %s is stored', async (_what, timestamp, kept) => {
    const reply = await server.request('POST', '/api/debug/client-logs', { body: error({ timestamp }) });
    expect([reply.status, reply.json.status]).toEqual([201, 'stored']);
    expect((await stored(reply.json.id))?.['data']).toMatchObject({ timestamp: kept });
  });

  test('without its message is refused, naming the field', async () => {
    const body = { type: 'error', data: { timestamp: at } };
    const reply = await server.request('POST', '/api/debug/client-logs', { body });
    expect(reply.json).toMatchObject({
      status: 400,
      reason: 'INVALID_INPUT',
      message: expect.stringContaining('data.message'),
    });
  });
});

describe('a batch', () => {
  test('stores each entry once, however often it is sent', async () => {
    const entries = [entry(error()), entry(debug())];
    const statuses = (reply: { json: { results: { status: string }[] } }) =>
      reply.json.results.map(({ status }) => status);
    expect(statuses(await batch(entries))).toEqual(['stored', 'stored']);
    expect(statuses(await batch([...entries, entry(debug())]))).toEqual(['duplicate', 'duplicate', 'stored']);
    const twice = entry(error());
    expect(statuses(await batch([twice, twice]))).toEqual(['stored', 'duplicate']);
  });

  test('sent ten times at once stores once', async () => {
    const entries = Array.from({ length: 5 }, () => entry(error()));
    const replies = await Promise.all(Array.from({ length: 10 }, () => batch(entries)));
    const all = replies.flatMap(({ json }) => json.results as { status: string }[]);
    expect(all.filter(({ status }) => status === 'stored')).toHaveLength(5);
    expect(all.filter(({ status }) => status === 'duplicate')).toHaveLength(45);
  });

  test('a poisoned entry is rejected with its reason and holds nobody up', async () => {
    const poison: [string, { type: unknown; data: unknown }][] = [
      ['no kind', { type: 'other', data: {} }],
      ['no data', { type: 'error', data: null }],
      ['a list', { type: 'error', data: [1] }],
      ['no message', { type: 'error', data: { timestamp: at } }],
      ['nothing for a text', { type: 'debug', data: { action: null, timestamp: at } }],
    ];
    const neighbours = poison.map(() => entry(error()));
    const entries = poison.flatMap(([, content], index) => [entry(content), neighbours[index]]);
    const reply = await batch(entries);
    expect(reply.status).toBe(200);
    const statuses = reply.json.results.map((result: { status: string }) => result.status);
    expect(statuses).toEqual(poison.flatMap(() => ['rejected', 'stored']));
    for (const result of reply.json.results)
      if (result.status === 'rejected') expect(result.reason).toMatch(/^INVALID/);
  });

  test('what is no text where one belongs is made one, alone and among others', async () => {
    const deep = JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`) as unknown;
    const given: [change: object, wanted: object][] = [
      [{ stack: ['Error: it broke', 'at a (b.js:1:2)'] }, { stack: 'Error: it broke\nat a (b.js:1:2)' }],
      [{ message: { message: 'within', code: 7 } }, { message: 'within' }],
      [{ message: { code: 7 } }, { message: '{"code":7}' }],
      [
        { message: 7, stack: { lines: [] }, url: false, timestamp: {} },
        { message: '7', stack: '{"lines":[]}' },
      ],
      [{ message: deep }, { message: expect.stringMatching(/^\[/) }],
    ];
    for (const [change, wanted] of given) {
      const content = { type: 'error', data: { message: 'it broke', timestamp: at, ...change } };
      const sent = entry(content);
      const reply = await batch([sent, entry(error())]);
      expect(reply.json.results.map((result: { status: string }) => result.status)).toEqual(['stored', 'stored']);
      expect((await stored(sent.id))?.['data'], JSON.stringify(change).slice(0, 80)).toMatchObject(wanted);
      const alone = await server.request('POST', '/api/debug/client-logs', { body: content });
      expect([alone.status, alone.json.status]).toEqual([201, 'stored']);
    }
  });

  test('odd but readable entries are mended and stored', async () => {
    const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown;
    const odd = [
      error({ message: 'NUL \u0000 and \ud800' }),
      error({ additionalData: JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1,"\\u0000":"\\udfff"}') }),
      error({ additionalData: deep }),
      error({ message: 'm'.repeat(20_000) }),
      error({ timestamp: 'never' }),
      error({ timestamp: '-271821-04-20T00:00:00.000Z' }),
      error({ timestamp: '+275760-09-13T00:00:00.000Z' }),
      error({ message: '\u202e \u2028 $\u007bjndi:ldap://x} %s%n {{7*7}} <script>alert(1)</script>' }),
      debug({ data: 1e308 }),
    ];
    for (const content of odd) {
      const sent = entry(content);
      const reply = await batch([sent, entry(debug())]);
      expect(reply.json.results.map((result: { status: string }) => result.status)).toEqual(['stored', 'stored']);
      expect(await stored(sent.id)).toBeDefined();
    }
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  test('that brings what was kept before keeps the rest, each under its own id with its own words', async () => {
    const [known, before, fresh, last] = ['known', 'before', 'fresh', 'last'].map((message) =>
      entry(error({ message })),
    );
    await batch([known, before]);
    const reply = await batch([fresh, before, last, known]);
    expect(reply.json.results.map(({ status }: { status: string }) => status)).toEqual([
      'stored',
      'duplicate',
      'stored',
      'duplicate',
    ]);
    const ids = [known, before, fresh, last].map((one) => one?.id ?? '');
    expect(await Promise.all(ids.map(async (id) => (await stored(id))?.['data'].message))).toEqual([
      'known',
      'before',
      'fresh',
      'last',
    ]);
    expect(await server.sql`select count(*)::int from client_log_entries where id = any(${ids}::uuid[])`).toEqual([
      { count: 4 },
    ]);
  });

  test('an entry of 30,000 levels is kept as far as is sensible', async () => {
    const id = randomUUID();
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const reply = await server.request('POST', '/api/debug/client-logs/batch', {
      raw: `{"sentAt":"${at}","entries":[{"id":"${id}","type":"debug","data":{"action":"a","timestamp":"${at}","data":${deep}}}]}`,
      headers: { 'content-type': 'application/json' },
    });
    expect(reply.json.results).toEqual([{ id, status: 'stored' }]);
    expect(JSON.stringify((await stored(id))?.['data'])).toContain('deeper than is kept');
  });

  test('the database is asked again one by one when it refuses the whole', async () => {
    await server.sql`alter table client_log_inbox add constraint no_bad check (data->>'message' <> 'bad')`;
    // A check is a failure of ours (class 23) and must not pass for the entry's fault.
    expect((await batch([entry(error({ message: 'bad' }))])).status).toBe(500);
    await server.sql`alter table client_log_inbox drop constraint no_bad`;
    await server.sql`create function refuse_bad() returns trigger language plpgsql as $$ begin
      if new.data->>'message' = 'bad' then raise exception using errcode = '22P05'; end if; return new; end $$`;
    await server.sql`create trigger refuse_bad before insert on client_log_inbox for each row execute function refuse_bad()`;
    const reply = await batch([entry(error()), entry(error({ message: 'bad' })), entry(error())]);
    await server.sql`drop trigger refuse_bad on client_log_inbox`;
    expect(reply.json.results).toMatchObject([
      { status: 'stored' },
      { status: 'rejected', reason: 'UNSTORABLE' },
      { status: 'stored' },
    ]);
  });

  test('is attributed by the session, never by its words', async () => {
    const { userId, cookie } = await server.person();
    const revoked = await server.person({ membership: 'left' });
    for (const [who, id] of [
      [cookie, userId],
      [undefined, null],
      [revoked.cookie, revoked.userId],
    ] as const) {
      const sent = entry(error({ userId: randomUUID(), user_id: randomUUID() }));
      expect((await batch([sent], {}, who)).status).toBe(200);
      expect(await stored(sent.id)).toMatchObject({ user_id: id });
    }
  });

  test('its times are corrected by how wrong the device’s clock was', async () => {
    const now = server.runtime.now();
    const wrong = new Date(now.getTime() - 400 * 86_400_000);
    const sent = entry(error({ timestamp: new Date(wrong.getTime() - 5_000).toISOString() }));
    await batch([sent], { sentAt: wrong.toISOString() });
    const row = await stored(sent.id);
    expect(Math.abs(row?.['happened_at'].getTime() - (now.getTime() - 5_000))).toBeLessThan(2_000);
    expect(row?.['sent_at'].toISOString()).toBe(wrong.toISOString());
  });

  test('may name its entries as it likes; each name is stored once', async () => {
    const entries = [
      entry(error(), 'first'),
      entry(debug(), 'FIRST'),
      entry(debug(), 'first'),
      entry(debug(), '\u0000'),
    ];
    const statuses = ['stored', 'stored', 'duplicate', 'stored'];
    const reply = await batch(entries);
    expect(reply.json.results).toEqual(entries.map(({ id }, index) => ({ id, status: statuses[index] })));
    expect((await batch([entry(error(), 'first')])).json.results).toEqual([{ id: 'first', status: 'duplicate' }]);
  });

  test('of too many entries, or with an entry without a name, is refused as a whole', async () => {
    const many = Array.from({ length: LOG_BATCH_MAX + 1 }, () => entry(debug()));
    expect((await batch(many)).json.reason).toBe('INVALID_INPUT');
    expect((await batch([entry(debug(), '')])).json.message).toContain('entries.0.id');
    expect((await batch([])).json).toEqual({ results: [] });
  });

  test('may say what the device dropped', async () => {
    for (const dropped of [{ error: 3, debug: 0 }, { error: 3 }, 31])
      expect((await batch([], { dropped })).status).toBe(200);
    expect((await batch([], { dropped: { other: 1 } })).json.reason).toBe('INVALID_INPUT');
  });
});
