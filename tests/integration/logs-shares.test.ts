import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { LOG_ENTRY_BYTES, LOG_NEW_GROUPS } from '../../server/contract/limits.ts';
import { watchDisk } from '../../server/features/client-logs/disk.ts';
import type { Sender } from '../../server/features/client-logs/entry.ts';
import { cleanLogs } from '../../server/features/client-logs/housekeeping.ts';
import { ingestInbox } from '../../server/features/client-logs/ingest.ts';
import { createIntake } from '../../server/features/client-logs/intake.ts';
import { logServiceOf } from '../../server/features/client-logs/service.ts';
import { framesOf } from '../../server/features/client-logs/stack.ts';
import { type Budget, budgetOf, createUsage } from '../../server/features/client-logs/usage.ts';
import { ask, fill, ingested, release, send } from '../support/client-logs.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

const server = await ofFile(testServer({ sandbox: false }));
const ops = await server.person({ role: 'ops' });

beforeEach(() => server.advance(2 * 60 * 60_000));

const letters = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
const invented = (of: string) => (at: number) => ({ message: `Error: ${of} ${letters(at)} is invented` });
const network = (n: number) => ({ address: `10.0.${n}.0/24` });
const issues = async (q: string) => (await ask(server, ops.cookie, '/issues', { q })).json.issues;
const groups = async (where: string) =>
  Number((await server.sql.unsafe(`select count(*) from client_log_groups where ${where}`))[0]?.['count']);

describe('groups', () => {
  test('a real error of a member is its own issue after a stranger invented 6,250', async () => {
    await fill(server, 6_250, invented('flood'), () => network(1));
    await ingested(server);
    expect(await groups(`why->>'message' like '%flood%'`)).toBe(LOG_NEW_GROUPS.stranger);
    const member = await server.person();
    const id = await send(server, { data: { message: 'Error: something real' }, cookie: member.cookie });
    await ingested(server);
    const [issue] = await issues('something real');
    expect(issue).toMatchObject({ isOther: false, countAll: 1, title: 'Error: something real' });
    expect((await ask(server, ops.cookie, `/entries/${id}`)).json.entry.issueId).toBe(issue.id);
  });

  test('a sender may open more in the next hour, and what they opened before still counts alike', async () => {
    await fill(server, LOG_NEW_GROUPS.stranger + 1, invented('hourly'), () => network(2));
    await ingested(server);
    server.advance(60 * 60_000);
    await fill(
      server,
      2,
      (at) => invented('hourly')(LOG_NEW_GROUPS.stranger + at),
      () => network(2),
    );
    await ingested(server);
    expect(await groups(`why->>'message' like '%hourly%'`)).toBe(LOG_NEW_GROUPS.stranger + 2);
    expect(await groups(`why->>'message' like '%hourly%' and count > 1`)).toBe(0);
  });

  test('strangers leave a part to the build that runs and to members; those of one stranger go first', async () => {
    const other = await testServer({ sandbox: false });
    const { sql, now, build } = other.runtime;
    const { group, releases } = logServiceOf(other.runtime);
    const ingest = () => ingestInbox({ sql, now, build, group, releases, groupsMax: 20 });
    const member = { userId: randomUUID() };
    const titles = async () =>
      (await sql<{ title: string }[]>`select title from client_log_issues where not is_other order by title`).map(
        ({ title }) => title,
      );
    await release(other, build);
    // Two strangers met the first one: it is no longer one stranger's word.
    for (const n of [1, 2])
      await fill(
        other,
        1,
        () => ({ message: 'Error: met by two' }),
        () => network(n),
      );
    await ingest();
    await fill(other, 30, invented('a'), network);
    await ingest();
    expect(await titles()).toHaveLength(16);
    await fill(other, 5, (at) => ({ message: `Error: running ${letters(at)}`, release: build }), network);
    await ingest();
    // Two are new beside the rest, three took the place of one that nobody else had met.
    expect((await titles()).filter((title) => title.includes('running'))).toHaveLength(5);
    expect(await titles()).toHaveLength(18);
    await fill(
      other,
      10,
      (at) => ({ message: `Error: of a member ${letters(at)}` }),
      () => member,
    );
    await ingest();
    expect((await titles()).filter((title) => title.includes('of a member'))).toHaveLength(10);
    expect(await titles()).toHaveLength(20);
    expect(await titles()).toContain('Error: met by two');
    // Nothing is lost: what gave way is counted, and shown, under "other".
    const [sums] = await sql`select (select sum(count)::int from client_log_groups) as counted,
      (select count(*)::int from client_log_entries e join client_log_groups g on g.id = e.group_id) as shown,
      (select sum(count)::int from client_log_hours) as hours, (select sum(count)::int from client_log_days) as days,
      (select sum(count)::int from client_log_facets where dimension = 'delay') as facets`;
    expect(sums).toEqual({ counted: 47, shown: 47, hours: 47, days: 47, facets: 47 });
    await other.close();
  });
});

describe('rows and bytes', () => {
  const stranger = (n: number): Sender => ({ userId: null, userAgent: null, sentAt: null, ...network(n) });
  const member = (): Sender => ({ ...stranger(0), userId: randomUUID() });
  const entries = (count: number, data: object = { action: 'a' }) =>
    Array.from({ length: count }, () => ({ id: randomUUID(), type: 'debug', data }));
  const intakeOf = (change: Partial<Budget>) => {
    const usage = createUsage(server.sql, { ...budgetOf(server.runtime.config), ...change });
    const intake = createIntake(server.sql, { usage });
    const store = async (sender: Sender, sent = entries(1)) => {
      try {
        const results = await intake.store(sent, sender, server.runtime.now());
        return results.map(({ status, reason }) => reason ?? status);
      } catch (error) {
        return error;
      }
    };
    return { usage, store };
  };
  const tooMany = { status: 429, reason: 'TOO_MANY_REQUESTS', retryAfterSeconds: 900 };
  const mega = 1_000_000;

  test('of one sender end with their share of the hour; others, and the next hour, are not touched', async () => {
    const { store } = intakeOf({ stranger: { rows: 10, bytes: mega }, member: { rows: 20, bytes: mega } });
    const one = member();
    expect(await store(stranger(1), entries(10))).toEqual(Array(10).fill('stored'));
    expect(await store(stranger(1))).toMatchObject(tooMany);
    expect(await store(stranger(2))).toEqual(['stored']);
    expect(await store(one, entries(20))).toEqual(Array(20).fill('stored'));
    expect(await store(one)).toMatchObject(tooMany);
    server.advance(60 * 60_000);
    expect(await store(stranger(1))).toEqual(['stored']);
    expect(await store(one)).toEqual(['stored']);
  });

  test('a share counts what is on the disk, not requests', async () => {
    const { store } = intakeOf({ stranger: { rows: 1_000, bytes: 10_000 } });
    const large = entries(1, { action: 'a', x: 'y'.repeat(1_800) });
    for (let n = 0; n < 5; n += 1) await store(stranger(3), [{ ...large[0], id: randomUUID() } as (typeof large)[0]]);
    expect(await store(stranger(3))).toMatchObject(tooMany);
  });

  test('what another process took in counts too, once both have written it down', async () => {
    const share = { stranger: { rows: 10, bytes: mega } };
    const [one, two] = [intakeOf(share), intakeOf(share)];
    await one.store(stranger(4), entries(9));
    await one.usage.flush();
    await two.store(stranger(4), entries(1));
    await two.usage.flush();
    expect(await two.store(stranger(4))).toMatchObject(tooMany);
  });

  test('of a day end for strangers at their part, and for members with all of it', async () => {
    server.advance(24 * 60 * 60_000);
    const budget = { day: { rows: 6, bytes: mega }, strangers: { rows: 3, bytes: mega } };
    const { store, usage } = intakeOf(budget);
    expect(await store(stranger(5), entries(3))).toEqual(Array(3).fill('stored'));
    expect(await store(stranger(6))).toEqual(['DAILY_CAP']);
    expect(await store(member(), entries(3))).toEqual(Array(3).fill('stored'));
    expect(await store(member())).toEqual(['DAILY_CAP']);
    await usage.flush();
    const [day] = await server.sql`
      select stored::int, refused::int, stranger_rows::int as strangers from client_log_daily order by day desc limit 1`;
    expect(day).toEqual({ stored: 6, refused: 2, strangers: 3 });
    // A process that starts later goes on from there.
    expect(await intakeOf(budget).store(member())).toEqual(['DAILY_CAP']);
  });

  test('beyond what is kept in all, the oldest days go, and never today', async () => {
    const other = await testServer({ sandbox: false });
    const days = () =>
      other.sql`
      select relname from pg_class where relname ~ '^client_log_entries_\\d{8}$' order by 1`.then(
        (rows) => rows.length,
      );
    for (let n = 0; n < 4; n += 1) {
      await fill(other, 3_000, () => ({ message: `Error: ${'long '.repeat(150)}` }));
      await ingested(other);
      other.advance(24 * 60 * 60_000);
    }
    const { sql, now, config } = other.runtime;
    const keep = (clientLogTotalMb: number) => cleanLogs({ sql, now, config: { ...config, clientLogTotalMb } });
    await keep(1_000);
    // Four, today and tomorrow.
    expect(await days()).toBe(6);
    await keep(9);
    const kept = await days();
    expect(kept).toBeGreaterThan(2);
    expect(kept).toBeLessThan(6);
    await keep(1);
    expect(await days()).toBe(2);
    await other.close();
  });
});

describe('one entry', () => {
  const frames = Array.from(
    { length: 60 },
    (_, at) => `    at f${at} (https://m.example/assets/app-12345678.js:1:${at})`,
  );
  const sized = async (cookie?: string) => {
    const data = {
      message: `TypeError: ${'x '.repeat(2_500)}`,
      stack: [`TypeError: ${'x '.repeat(2_500)}`, ...frames].join('\n'),
      url: 'https://m.example/leaderboard',
      additionalData: { large: 'y'.repeat(20_000) },
      note: 'ä'.repeat(3_000),
    };
    const id = await send(server, { data, ...(cookie === undefined ? {} : { cookie }) });
    await ingested(server);
    const [row] = await server.sql<[{ bytes: number; data: { message: string; stack: string; url: string } }]>`
      select octet_length(data::text) as bytes, data from client_log_entries where id = ${id}`;
    return { bytes: row.bytes, ...row.data };
  };

  test('takes no more room than it may, and keeps the frames that say where it happened', async () => {
    const member = await server.person();
    for (const { kept, most } of [
      { kept: await sized(), most: LOG_ENTRY_BYTES.stranger },
      { kept: await sized(member.cookie), most: LOG_ENTRY_BYTES.member },
    ]) {
      expect(kept.bytes).toBeLessThanOrEqual(most);
      expect(kept.message).toMatch(/^TypeError: x x x/);
      expect(
        framesOf(kept.stack)
          .slice(0, 5)
          .map(({ column }) => column),
      ).toEqual([null, 1, 2, 3, 4]);
      expect(kept.url).toBe('https://m.example/leaderboard');
    }
  });
});

describe('the disk', () => {
  const disk = (free: number, size: number) =>
    watchDisk('/', async () => ({ bavail: free, blocks: size, bsize: 1_000_000 }));
  const settled = async (isLow: () => boolean) => {
    await new Promise((next) => setImmediate(next));
    return isLow();
  };

  test('is low with less than a tenth free, or less than five gigabytes of a large one', async () => {
    expect(await settled(disk(5, 64))).toBe(true);
    expect(await settled(disk(7, 64))).toBe(false);
    expect(await settled(disk(4_999, 4_000_000))).toBe(true);
    expect(await settled(disk(5_001, 4_000_000))).toBe(false);
    expect(await settled(watchDisk('/', () => Promise.reject(new Error('no such folder'))))).toBe(false);
  });

  test('that is low stops intake before anything is read, in words and with the time to come back', async () => {
    let isLow = true;
    const usage = createUsage(server.sql, budgetOf(server.runtime.config));
    const intake = createIntake(server.sql, { usage, isDiskLow: () => isLow });
    expect(() => intake.admit()).toThrow(
      expect.objectContaining({ status: 503, reason: 'STORAGE_FULL', retryAfterSeconds: 60 }),
    );
    isLow = false;
    expect(() => intake.admit()).not.toThrow();
  });
});
