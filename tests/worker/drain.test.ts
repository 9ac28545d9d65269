import { describe, expect, test, vi } from 'vitest';
import { drain } from '../../worker/drain.ts';
import { uuidv7 } from '../../worker/ids.ts';
import {
  addEntry,
  discardEntry,
  editEntry,
  listEntries,
  reportSubject,
  retryEntry,
  setMember,
} from '../../worker/outbox.ts';
import type { DeviceEvent } from '../../worker/schema.ts';
import type { DrainPorts, SendAnswer, SendRequest } from '../../worker/send.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';

const json = (status: number, body: unknown = {}, retryAfter: string | null = null): SendAnswer => ({
  status,
  body,
  retryAfter,
  date: null,
});
type Answering = (request: SendRequest) => SendAnswer | Promise<SendAnswer>;

async function device() {
  const storage = memoryStorage();
  const requests: SendRequest[] = [];
  const events: DeviceEvent[] = [];
  const world = { time: 1_000_000, answer: (() => json(201, { ok: true })) as Answering };
  const ports: DrainPorts = {
    storage,
    now: () => world.time,
    random: () => 1,
    lock: (work) => work(true),
    broadcast: (event) => void events.push(event),
    async send(request) {
      requests.push(request);
      return world.answer(request);
    },
  };
  const self = Object.assign(world, {
    storage,
    requests,
    events,
    ports,
    async add(lane = 'x', userId = 'A', path = `/api/${lane}`, subject = 's') {
      const id = uuidv7(world.time, Math.random);
      const entry = { id, userId, lane, method: 'POST', path, body: { lane }, label: 'Claim', subject } as const;
      await addEntry({ storage, now: () => world.time }, entry);
      return id;
    },
    report: () => self.add('shown', 'A', '/api/shown', reportSubject('n1')),
    rows: () => storage.run(['outbox'], (tx) => tx.all('outbox')),
    entries: (userId = 'A') => listEntries(storage, userId),
    drain: (hurry = false) => drain(ports, { hurry }),
  });
  await setMember(storage, 'A');
  return self;
}
const away: Answering = () => Promise.reject(new TypeError('Failed to fetch'));

describe('sending', () => {
  test("the id is the idempotency key, the member is named, the answer reaches the page after the entry's end", async () => {
    const one = await device();
    const id = await one.add();
    expect(await one.drain()).toEqual({ delivered: 1, refused: 0, waiting: 0, nextAt: null });
    expect(one.requests).toMatchObject([
      {
        method: 'POST',
        path: '/api/x',
        body: { lane: 'x' },
        headers: { 'Idempotency-Key': id, 'X-Actor': 'A' },
        credentials: 'include',
      },
    ]);
    expect(one.events.filter(({ type }) => type === 'DELIVERED')).toMatchObject([
      { entry: { id, subject: 's' }, status: 201, answer: { ok: true } },
    ]);
    expect(await one.entries()).toEqual([]);
  });
  test('an entry stays in the store while it is on the air', async () => {
    const one = await device();
    await one.add();
    let during: unknown;
    one.answer = async () => {
      during = (await one.entries()).map(({ state, attempts }) => ({ state, attempts }));
      return json(201);
    };
    await one.drain();
    expect(during).toEqual([{ state: 'sending', attempts: 1 }]);
  });
  test('a lane keeps its order and waits for its first entry; other lanes go on', async () => {
    const one = await device();
    for (const lane of ['x', 'x', 'y', 'y']) await one.add(lane, 'A', `/api/${lane}`);
    one.answer = ({ path }) => (path === '/api/x' ? away({} as SendRequest) : json(201));
    expect(await one.drain()).toMatchObject({ delivered: 2, waiting: 2 });
    expect((await one.entries()).map(({ lane, attempts }) => [lane, attempts])).toEqual([
      ['x', 1],
      ['x', 0],
    ]);
  });
  test('what lies within a lane waits for what is before it there, and what comes after waits for it', async () => {
    const one = await device();
    for (const lane of ['x', 'x/1', 'x/2', 'x/1', 'x', 'xx']) await one.add(lane);
    const rounds: string[][] = [];
    let round: { path: string; give: () => void }[] = [];
    one.answer = ({ path }) => new Promise((resolve) => round.push({ path, give: () => resolve(json(201)) }));
    const draining = one.drain();
    while (rounds.flat().length < 6) {
      await vi.waitFor(() => expect(round.length).toBeGreaterThan(0), 10_000);
      // Whatever else could go by now is on the air as well.
      await new Promise((done) => setTimeout(done, 20));
      const given = round;
      round = [];
      rounds.push(given.map(({ path }) => path));
      for (const { give } of given) give();
    }
    await draining;
    expect(rounds).toEqual([['/api/x', '/api/xx'], ['/api/x/1', '/api/x/2'], ['/api/x/1'], ['/api/x']]);
  });
  test('no more than four actions are on the air at once', async () => {
    const one = await device();
    for (let n = 0; n < 11; n += 1) await one.add(`x/${n}`);
    let [now, most] = [0, 0];
    one.answer = async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((done) => setTimeout(done, 5));
      now -= 1;
      return json(201);
    };
    expect(await one.drain()).toMatchObject({ delivered: 11, waiting: 0 });
    expect(most).toBe(4);
  });
  test('a lane whose request hangs does not hold the others', async () => {
    const one = await device();
    await one.add('x');
    await one.add('y');
    let give: (answer: SendAnswer) => void = () => undefined;
    const delivered = new Promise<void>((done) => {
      one.ports.broadcast = (event) => event.type === 'DELIVERED' && event.entry.lane === 'y' && done();
    });
    one.answer = ({ path }) =>
      path === '/api/x'
        ? new Promise((resolve) => {
            give = resolve;
          })
        : json(201);
    const draining = one.drain();
    await delivered;
    expect((await one.entries()).map(({ lane }) => lane)).toEqual(['x']);
    give(json(201));
    await draining;
  });
  test('what is added while a drain runs goes with it', async () => {
    const one = await device();
    await one.add('x');
    one.answer = async () => {
      if (one.requests.length === 1) await one.add('z');
      return json(201);
    };
    expect(await one.drain()).toMatchObject({ delivered: 2, waiting: 0 });
  });
});

describe('trying again', () => {
  test('waits for its backoff; a hurry does not', async () => {
    const one = await device();
    await one.add();
    one.answer = away;
    expect(await one.drain()).toMatchObject({ waiting: 1, nextAt: one.time + 1_000 });
    await one.drain();
    expect(one.requests).toHaveLength(1);
    expect(await one.drain(true)).toMatchObject({ nextAt: one.time + 2_000 });
    expect(one.requests).toHaveLength(2);
    one.time += 2_000;
    one.answer = () => json(201);
    expect(await one.drain()).toMatchObject({ delivered: 1 });
  });
  test('Retry-After binds a hurry and the member alike', async () => {
    const one = await device();
    const id = await one.add();
    one.answer = () => json(503, {}, '60');
    expect(await one.drain()).toMatchObject({ nextAt: one.time + 60_000 });
    await retryEntry(one.storage, id);
    one.time += 59_999;
    await one.drain(true);
    expect(one.requests).toHaveLength(1);
    one.time += 1;
    await one.drain();
    expect(one.requests).toHaveLength(2);
  });
  test('a clock that was set back does not hold an entry for days', async () => {
    const one = await device();
    await one.add();
    one.answer = away;
    await one.drain();
    one.time -= 7 * 86_400_000;
    one.answer = () => json(201);
    expect(await one.drain()).toMatchObject({ delivered: 1 });
  });
  test('an entry that a dead sender left behind is sent again under the same id', async () => {
    const one = await device();
    const id = await one.add();
    one.answer = () => new Promise(() => undefined);
    void one.drain();
    await new Promise<void>((done) => setImmediate(done));
    one.answer = () => json(201);
    expect(await one.drain()).toMatchObject({ delivered: 1 });
    expect(one.requests.map(({ headers }) => headers['Idempotency-Key'])).toEqual([id, id]);
  });
});

describe('no answer', () => {
  test('is told, so that a page looks for the first sign of life; a refusal is an answer', async () => {
    const one = await device();
    await one.add();
    const told = () => one.events.filter(({ type }) => type === 'NO_ANSWER').length;
    one.answer = () => json(500);
    await one.drain();
    expect(told()).toBe(0);
    one.answer = away;
    await one.drain(true);
    expect(told()).toBe(1);
    // A gateway's word for a server that is gone; not that of a server which says when to come back.
    one.answer = () => json(503);
    await one.drain(true);
    expect(told()).toBe(2);
    one.answer = () => json(503, {}, '5');
    await one.drain(true);
    expect(told()).toBe(2);
  });
});

describe('without a lock', () => {
  test('who comes back after their lease ran out does not write over the one who took over', async () => {
    const one = await device();
    await one.add();
    const without = { ...one.ports, lock: <T>(work: (alone: boolean) => Promise<T>) => work(false) };
    const answers: ((answer: SendAnswer) => void)[] = [];
    one.answer = () => new Promise((resolve) => answers.push(resolve));
    const turn = () => new Promise<void>((done) => setImmediate(done));
    const slow = drain(without);
    await turn();
    await drain(without);
    expect(one.requests).toHaveLength(1);
    one.time += 20_000;
    const second = drain(without);
    await turn();
    expect(one.requests).toHaveLength(2);
    answers[0]?.(json(400, { reason: 'BAD', message: 'no' }));
    await slow;
    expect(await one.entries()).toMatchObject([{ state: 'sending', error: null }]);
    answers[1]?.(json(201));
    expect(await second).toMatchObject({ delivered: 1 });
  });
});

describe('whose', () => {
  test("another member's entries stay where they are, unseen", async () => {
    const one = await device();
    await one.add('x', 'B');
    await one.add('x', 'A');
    expect(await one.drain()).toMatchObject({ delivered: 1, waiting: 0, nextAt: null });
    expect(await one.entries('A')).toEqual([]);
    expect(await one.entries('B')).toHaveLength(1);
  });
  test('after a 401 all wait until the same member signs in again', async () => {
    const one = await device();
    await one.add('x');
    await one.add('y');
    one.answer = () => json(401, { reason: 'SIGNED_OUT', message: 'Sign in', requestId: 'r' });
    await one.drain();
    const tried = one.requests.length;
    expect(one.events).toContainEqual({ type: 'UNAUTHENTICATED', userId: 'A' });
    one.answer = () => json(201);
    expect(await one.drain(true)).toMatchObject({ delivered: 0, nextAt: null });
    await setMember(one.storage, 'B');
    await one.drain(true);
    expect(one.requests).toHaveLength(tried);
    await setMember(one.storage, null);
    expect(await setMember(one.storage, 'A')).toBe(true);
    expect(await one.drain()).toMatchObject({ delivered: 2 });
  });
});

describe('refused', () => {
  test("keeps the server's words, lets its lane go on, and can be retried or discarded", async () => {
    const one = await device();
    const [first, , third] = [await one.add(), await one.add(), await one.add()];
    const words = { status: 403, reason: 'TASK_CLOSED', message: 'It ended yesterday.', requestId: 'r7' };
    one.answer = ({ headers }) =>
      [first, third].includes(headers['Idempotency-Key'] ?? '') ? json(403, words) : json(201);
    expect(await one.drain()).toMatchObject({ delivered: 1, refused: 2, nextAt: null });
    expect(await one.entries()).toMatchObject([
      { id: first, state: 'refused', error: words },
      { id: third, state: 'refused' },
    ]);
    one.answer = () => json(201);
    await retryEntry(one.storage, first);
    await discardEntry(one.storage, third);
    expect(await one.drain()).toMatchObject({ delivered: 1 });
    expect(await one.entries()).toEqual([]);
  });
  test('edited, it goes out again from its place in the lane, as another action', async () => {
    const one = await device();
    const [first, second] = [await one.add(), await one.add()];
    one.answer = ({ headers }) =>
      headers['Idempotency-Key'] === first ? json(422, { message: 'too short' }) : json(503, {}, '1');
    await one.drain();
    expect(await editEntry(one.storage, second, { lane: 'other' }, 'other')).toBe(false);
    expect(await editEntry(one.storage, first, { text: 'longer' }, 'edited')).toBe(true);
    expect(await editEntry(one.storage, first, { text: 'again' }, 'again')).toBe(false);
    one.requests.length = 0;
    one.time += 1_000;
    one.answer = () => json(201);
    expect(await one.drain()).toMatchObject({ delivered: 2 });
    expect(one.requests).toMatchObject([
      { headers: { 'Idempotency-Key': 'edited' }, body: { text: 'longer' } },
      { headers: { 'Idempotency-Key': second }, body: { lane: 'x' } },
    ]);
  });
  test('409 ALREADY_CLAIMED counts already: the entry goes and the page hears that it is delivered', async () => {
    const one = await device();
    await one.add();
    one.answer = () => json(409, { reason: 'ALREADY_CLAIMED', message: '' });
    expect(await one.drain()).toMatchObject({ delivered: 1, refused: 0 });
    expect(one.events.map(({ type }) => type)).toContain('DELIVERED');
  });
  test.each(['decision', 'grants'])(
    '409 ALREADY_CLAIMED to what was done about another member (%s) is a refusal: nothing of it counts',
    async (what) => {
      const one = await device();
      await one.add('x', 'A', `/api/communities/c1/claims/k1/${what}`);
      const message = 'They claimed this period again, and that one stands.';
      one.answer = () => json(409, { reason: 'ALREADY_CLAIMED', message });
      expect(await one.drain()).toMatchObject({ delivered: 0, refused: 1 });
      expect((await one.entries())[0]).toMatchObject({ state: 'refused', error: { message } });
    },
  );
});

describe('discarded on the air', () => {
  test.each([
    ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['503', async () => json(503, {})],
    ['a refusal', async () => json(403, { message: 'It ended yesterday.' })],
  ])('after %s it is gone: nobody sees it and nothing sends it again', async (_what, answer) => {
    const one = await device();
    const id = await one.add();
    one.answer = async () => {
      await discardEntry(one.storage, id);
      expect(await one.entries()).toEqual([]);
      return answer();
    };
    await one.drain();
    expect(await one.rows()).toEqual([]);
    expect(one.events.map(({ type }) => type)).not.toContain('REFUSED');
    one.answer = () => json(201);
    expect(await one.drain(true)).toMatchObject({ delivered: 0, waiting: 0 });
    expect(one.requests).toHaveLength(1);
  });
  test('where the server has it, the page hears that it counts', async () => {
    const one = await device();
    const id = await one.add();
    one.answer = async () => {
      await discardEntry(one.storage, id);
      return json(201);
    };
    expect(await one.drain()).toMatchObject({ delivered: 1, waiting: 0 });
    expect(one.events.map(({ type }) => type)).toContain('DELIVERED');
  });
  test('what comes behind it in its lane waits until it is over', async () => {
    const one = await device();
    const [first, second] = [await one.add(), await one.add()];
    let answer: (() => void) | undefined;
    one.answer = ({ headers }) =>
      headers['Idempotency-Key'] === first
        ? new Promise((_, reject) => {
            answer = () => reject(new TypeError('Failed to fetch'));
          })
        : json(201);
    const drained = one.drain();
    await vi.waitFor(() => expect(one.requests).toHaveLength(1));
    await discardEntry(one.storage, first);
    answer?.();
    await drained;
    expect(await one.drain(true)).toMatchObject({ waiting: 0 });
    expect(one.requests.map(({ headers }) => headers['Idempotency-Key'])).toEqual([first, second]);
  });
  test('is gone too where its sender has died', async () => {
    const one = await device();
    const id = await one.add();
    await one.storage.run(['outbox'], async (tx) => {
      for (const row of await tx.all('outbox'))
        await tx.put('outbox', { ...row, state: 'sending', leasedUntil: one.time + 1 });
    });
    await discardEntry(one.storage, id);
    await one.drain();
    expect([await one.rows(), one.requests]).toEqual([[], []]);
  });
});

describe('a report of a notification', () => {
  test('waits as any entry does, and no screen lists it', async () => {
    const one = await device();
    const [id, act] = [await one.report(), await one.add()];
    one.answer = away;
    await one.drain();
    expect((await one.rows()).map((row) => row.id)).toEqual([id, act]);
    expect(await one.entries()).toMatchObject([{ id: act }]);
    one.answer = () => json(201);
    expect(await one.drain(true)).toMatchObject({ delivered: 2, waiting: 0 });
  });
  test('that is refused is gone, and nobody is told: there is nothing to decide', async () => {
    const one = await device();
    await one.report();
    one.answer = () => json(404, { reason: 'NOT_FOUND', message: '' });
    expect(await one.drain()).toEqual({ delivered: 0, refused: 0, waiting: 0, nextAt: null });
    expect(await one.rows()).toEqual([]);
    expect(one.events.map(({ type }) => type)).not.toContain('REFUSED');
  });
});
