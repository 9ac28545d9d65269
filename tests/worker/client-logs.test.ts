import { describe, expect, test } from 'vitest';
import { ClientLogBatch } from '../../server/contract/logs.ts';
import { appendLog, wireEntry } from '../../worker/client-logs.ts';
import { drainLogs, LOG_BATCH_PATH } from '../../worker/drain-logs.ts';
import { uuidv7 } from '../../worker/ids.ts';
import { setMember } from '../../worker/outbox.ts';
import type { SendAnswer, SendRequest } from '../../worker/send.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';
import { getMeta } from '../../worker/storage/storage.ts';

type Batch = { dropped: Record<string, number>; entries: { id: string; data: Record<string, unknown> }[] };
const json = (status: number, body: unknown, retryAfter: string | null = null): SendAnswer => ({
  status,
  retryAfter,
  date: null,
  body,
});
const storedAll = ({ body }: SendRequest): SendAnswer =>
  json(200, { results: (body as Batch).entries.map(({ id }) => ({ id, status: 'stored' })) });

function device() {
  const storage = memoryStorage();
  const requests: SendRequest[] = [];
  const self = {
    storage,
    time: 1_000_000,
    answer: storedAll as (request: SendRequest) => SendAnswer | Promise<SendAnswer>,
    requests,
    now: () => self.time,
    random: () => 0.5,
    newId: () => uuidv7(self.time, Math.random),
    send: async (request: SendRequest) => {
      requests.push(request);
      return self.answer(request);
    },
    error: (message: string, stack = '') => appendLog(self, 'error', { message, stack }),
    kept: () => storage.run(['logs'], (tx) => tx.all('logs')),
    messages: async () => (await self.kept()).map((row) => row.data['message'] ?? row.data['action']),
    dropped: () => storage.run(['meta'], (tx) => getMeta(tx, 'dropped')),
    lock: <T>(work: (alone: boolean) => Promise<T>) => work(true),
    drain: (hurry = false) => drainLogs(self, { hurry }),
    batches: () => requests.map(({ body }) => body as Batch),
  };
  return self;
}
const away = () => Promise.reject(new TypeError('Failed to fetch'));

describe('what is kept', () => {
  test('50 of each kind: the oldest goes first and every loss is counted', async () => {
    const one = device();
    for (let n = 0; n < 53; n += 1) await one.error(`e${n}`);
    await appendLog(one, 'debug', { action: 'quiet' });
    const messages = await one.messages();
    expect(messages).toHaveLength(51);
    expect(messages[0]).toBe('e3');
    expect(messages).toContain('quiet');
    expect(await one.dropped()).toEqual({ error: 3, debug: 0 });
  });
  test('a loss counts every repeat that was folded into it', async () => {
    const one = device();
    for (let n = 0; n < 7; n += 1) await one.error('again');
    for (let n = 0; n < 50; n += 1) await one.error(`e${n}`);
    expect(await one.dropped()).toEqual({ error: 7, debug: 0 });
  });
  test('identical entries within a minute fold; another frame, a minute later or another member does not', async () => {
    const one = device();
    const stack = 'Error: x\n    at render (app.js:1:2)\n    at below (app.js:3:4)';
    expect(await one.error('x', stack)).toBe(true);
    expect(await one.error('x', stack.replace('below', 'elsewhere'))).toBe(false);
    expect(await one.error('x', stack.replace('render', 'paint'))).toBe(true);
    await setMember(one.storage, 'A');
    expect(await one.error('x', stack)).toBe(true);
    one.time += 60_000;
    expect(await one.error('x', stack)).toBe(true);
    expect((await one.kept()).map((row) => row.repeats)).toEqual([2, 1, 1, 1]);
  });
  test('nothing folds into an entry that was on the air: its count may be stored already', async () => {
    const one = device();
    await one.error('x');
    one.answer = away;
    await one.drain();
    await one.error('x');
    expect((await one.kept()).map((row) => row.repeats)).toEqual([1, 1]);
  });
  test('entries are numbered, scrubbed and bounded, and have what the contract asks for', async () => {
    const one = device();
    await appendLog(one, 'error', { url: 'https://m.example/p?token=abc', additionalData: 'y'.repeat(90_000) });
    await appendLog(one, 'debug', { data: Array.from({ length: 40 }, () => 'z'.repeat(3_000)) });
    const long = { message: 'm'.repeat(3_900), stack: 's'.repeat(3_900), url: 'https://m.example/p' };
    await appendLog(one, 'error', { ...long, breadcrumbs: Array.from({ length: 30 }, () => 'z'.repeat(300)) });
    const rows = await one.kept();
    expect(rows.map((row) => row.sequence)).toEqual([1, 2, 3]);
    expect(rows[2]?.data).toMatchObject({ ...long, breadcrumbs: '[too large to keep]' });
    expect(rows[0]?.data).toMatchObject({ message: 'unknown', url: 'https://m.example/p' });
    expect(rows[1]?.data).toMatchObject({ action: 'unknown', data: '[too large to keep]' });
    const batch = { sentAt: '', dropped: { error: 0, debug: 0 }, entries: rows.map(wireEntry) };
    expect(ClientLogBatch.safeParse(batch).success).toBe(true);
  });
});

describe('delivery', () => {
  test('25 at a time, oldest first, deleted only by the ids that the server answers', async () => {
    const one = device();
    for (let n = 0; n < 30; n += 1) await one.error(`e${n}`);
    await one.drain();
    expect(one.requests[0]).toMatchObject({ method: 'POST', path: LOG_BATCH_PATH });
    expect(one.batches().map((batch) => batch.entries.length)).toEqual([25, 5]);
    expect(one.batches()[0]?.entries[0]?.data).toMatchObject({ message: 'e0', sequence: 1, repeats: 1 });
    expect(await one.kept()).toEqual([]);
  });
  test('five after a failure, growing back; nothing is sent before its time, unless in a hurry', async () => {
    const one = device();
    for (let n = 0; n < 40; n += 1) await one.error(`e${n}`);
    one.answer = away;
    await one.drain();
    await one.drain();
    expect(one.requests).toHaveLength(1);
    await one.drain(true);
    expect(one.requests).toHaveLength(2);
    one.answer = storedAll;
    one.time += 5 * 60_000;
    await one.drain();
    expect(one.batches().map((batch) => batch.entries.length)).toEqual([25, 5, 5, 10, 20, 5]);
    expect(await one.kept()).toEqual([]);
  });
  test('Retry-After is obeyed to the second, in a hurry too', async () => {
    const one = device();
    await one.error('x');
    one.answer = () => json(429, {}, '90');
    await one.drain();
    one.time += 89_999;
    await one.drain(true);
    expect(one.requests).toHaveLength(1);
    one.time += 1;
    await one.drain();
    expect(one.requests).toHaveLength(2);
  });
  test('an entry that the server rejects goes, is counted, and holds nobody up', async () => {
    const one = device();
    for (const message of ['a', 'poison', 'b']) await one.error(message);
    one.answer = ({ body }) =>
      json(200, {
        results: (body as Batch).entries.map(({ id, data }) => ({
          id,
          status: data['message'] === 'poison' ? 'rejected' : 'stored',
        })),
      });
    await one.drain();
    expect(await one.kept()).toEqual([]);
    expect(await one.dropped()).toEqual({ error: 1, debug: 0 });
  });
  test('a batch that the server cannot read is made smaller until the one that poisons it is alone', async () => {
    const one = device();
    for (let n = 0; n < 12; n += 1) await one.error(n === 7 ? 'poison' : `e${n}`);
    const stored: unknown[] = [];
    let told = 0;
    one.answer = (request) => {
      const { entries, dropped } = request.body as Batch;
      if (entries.some(({ data }) => data['message'] === 'poison')) return json(400, { reason: 'BAD_JSON' });
      stored.push(...entries.map(({ data }) => data['message']));
      told += dropped['error'] ?? 0;
      return storedAll(request);
    };
    await one.drain();
    expect(stored).toHaveLength(11);
    expect(await one.kept()).toEqual([]);
    expect(told).toBe(1);
  });
  test('an answer that is lost costs no entry and stores none twice', async () => {
    const one = device();
    const stored = new Set<string>();
    for (let n = 0; n < 8; n += 1) await one.error(`e${n}`);
    let isFirst = true;
    one.answer = (request) => {
      const { entries } = request.body as Batch;
      const results = entries.map(({ id }) => ({ id, status: stored.has(id) ? 'duplicate' : 'stored' }));
      for (const { id } of entries) stored.add(id);
      if (!isFirst) return json(200, { results });
      isFirst = false;
      return away();
    };
    await one.drain();
    await one.drain(true);
    expect(stored.size).toBe(8);
    expect(await one.kept()).toEqual([]);
  });
  test('the count of the lost travels once, and what arrived after all is not among them', async () => {
    const one = device();
    for (let n = 0; n < 52; n += 1) await one.error(`e${n}`);
    one.answer = async (request) => {
      // Two more come in while the first batch is on the air and push out two that the server is storing.
      if (one.requests.length === 1) for (const late of ['l1', 'l2']) await one.error(late);
      return storedAll(request);
    };
    await one.drain();
    expect(one.batches().map((batch) => batch.dropped['error'])).toEqual([2, 0, 0]);
    expect(await one.dropped()).toEqual({ error: 0, debug: 0 });
  });
  test('entries of a member who is not signed in any more travel without a session', async () => {
    const one = device();
    await setMember(one.storage, 'A');
    await one.error('of A');
    await setMember(one.storage, 'B');
    await one.error('of B');
    await one.drain();
    expect(one.requests.map((request) => request.credentials)).toEqual(['omit', 'include']);
  });
  test("under another member's session the server refuses them, and gets them as nobody's", async () => {
    const one = device();
    await setMember(one.storage, 'A');
    await one.error('of A');
    one.answer = (request) =>
      request.headers['X-Actor'] === 'A' ? json(409, { reason: 'ACTOR_MISMATCH' }) : storedAll(request);
    await one.drain();
    expect(one.requests.map(({ credentials, headers }) => [credentials, headers])).toEqual([
      ['include', { 'X-Actor': 'A' }],
      ['omit', {}],
    ]);
    expect(await one.kept()).toEqual([]);
  });
  test('an entry over which the server stumbles holds nobody up', async () => {
    const one = device();
    for (let n = 0; n < 12; n += 1) await one.error(n === 0 ? 'poison' : `e${n}`);
    one.answer = (request) =>
      (request.body as Batch).entries.some(({ data }) => data['message'] === 'poison')
        ? json(500, {})
        : storedAll(request);
    for (let tries = 0; tries < 20; tries += 1) {
      one.time += 5 * 60_000;
      await one.drain();
    }
    expect(await one.messages()).toEqual(['poison']);
  });
  test('every entry names the device that numbers it', async () => {
    const one = device();
    await one.error('a');
    await appendLog(one, 'debug', { action: 'b' });
    const [first, second] = (await one.kept()).map(({ data }) => data['deviceId']);
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(second).toBe(first);
  });
  test('an answer that names none of the entries is a failure', async () => {
    const one = device();
    await one.error('x');
    for (const answer of [json(200, undefined), json(200, { results: [] }), json(200, null)]) {
      one.answer = () => answer;
      await one.drain(true);
    }
    expect(one.requests).toHaveLength(3);
    expect(await one.messages()).toEqual(['x']);
  });
});
