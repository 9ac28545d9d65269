import { appendLog } from '../../worker/client-logs.ts';
import { drain } from '../../worker/drain.ts';
import { addEntry, discardEntry, editEntry, listEntries, retryEntry, setMember } from '../../worker/outbox.ts';
import type { OutboxEntry } from '../../worker/schema.ts';
import type { DrainPorts, SendAnswer, SendRequest } from '../../worker/send.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';
import { type DeviceStorage, getMeta, type Transaction } from '../../worker/storage/storage.ts';
import { fc } from '../support/chance.ts';

/** What may happen to one request. */
const FAULTS = [
  'ok',
  // The connection breaks before the server reads it, after it committed, or the server commits when nobody waits any more.
  'lost-before',
  'lost-after',
  'late-commit',
  // Answers that the server gives before it looks at the content.
  'error-500',
  'busy-503',
  'limit-429',
  'limit-429-date',
  'timeout-408',
  'early-425',
  'signed-out-401',
  'portal-200',
  // Answers to the content.
  'refused-400',
  'refused-422',
  'conflict-409',
  'already-409',
  // Of a log batch: only the first half of the ids is acknowledged; its first entry is rejected.
  'partial',
  'rejected-one',
] as const;
export type Fault = (typeof FAULTS)[number];
type Member = 'A' | 'B';
/** Two of them lie within `x`. */
type Lane = 'x' | 'y' | 'x/1' | 'x/2';

/** Rooms that drain: 0 the device worker, 1 the service worker, 2 the worker of a second tab. */
export type Step =
  | { do: 'enqueue'; member: Member; lane: Lane }
  | { do: 'log'; kind: 'error' | 'debug'; count: number; same: boolean }
  | { do: 'drain'; room: number; hurry: boolean }
  | { do: 'answer'; fault: Fault; which: number }
  | { do: 'pass'; ms: number }
  /** The device's clock is set forward or back. */
  | { do: 'clock'; ms: number }
  /** Who the browser's cookie belongs to; the device has not heard of it yet. */
  | { do: 'cookie'; member: Member | null }
  /** The device hears who is signed in. */
  | { do: 'tell'; member: Member | null }
  /** The room dies after that many more calls of its ports: at any await. */
  | { do: 'kill'; room: number; after: number }
  /** A new service worker takes over. */
  | { do: 'update' }
  /** The next writings of a room do not fit on the disk. */
  | { do: 'quota'; room: number; count: number }
  | { do: 'retry' | 'discard' | 'edit'; which: number };

const member = fc.constantFrom<Member>('A', 'B');
const anybody = fc.constantFrom<Member | null>('A', 'A', 'B', null);
const room = fc.nat(2);
const which = fc.nat(3);
const is = <const T extends string>(name: T) => fc.constant(name);
const arbitraries = {
  enqueue: fc.record({ do: is('enqueue'), member, lane: fc.constantFrom<Lane>('x', 'y', 'x/1', 'x/2') }),
  log: fc.record({
    do: is('log'),
    kind: fc.constantFrom('error', 'debug'),
    count: fc.constantFrom(1, 1, 1, 2, 7, 55),
    same: fc.boolean(),
  }),
  drain: fc.record({ do: is('drain'), room, hurry: fc.boolean() }),
  answer: fc.record({ do: is('answer'), fault: fc.constantFrom(...FAULTS), which }),
  pass: fc.record({ do: is('pass'), ms: fc.constantFrom(500, 5_000, 30_000, 400_000) }),
  clock: fc.record({ do: is('clock'), ms: fc.constantFrom(-86_400_000, -3_600_000, -20_000, 20_000, 86_400_000) }),
  cookie: fc.record({ do: is('cookie'), member: anybody }),
  tell: fc.record({ do: is('tell'), member: anybody }),
  kill: fc.record({ do: is('kill'), room, after: fc.nat(14) }),
  update: fc.record({ do: is('update') }),
  quota: fc.record({ do: is('quota'), room, count: fc.integer({ min: 1, max: 3 }) }),
  retry: fc.record({ do: is('retry'), which }),
  discard: fc.record({ do: is('discard'), which }),
  edit: fc.record({ do: is('edit'), which }),
} satisfies { [K in Step['do']]: fc.Arbitrary<Step> };

/** Schedules of up to `length` steps; the weights say how often each kind of step comes. */
export function schedules(weights: Partial<Record<Step['do'], number>>, length = 14): fc.Arbitrary<Step[]> {
  const steps = Object.entries(weights).map(([name, weight]) => ({
    weight,
    arbitrary: arbitraries[name as Step['do']] as fc.Arbitrary<Step>,
  }));
  return fc.array(fc.oneof(...steps), { minLength: 2, maxLength: length });
}
export const ACTIONS = { enqueue: 5, drain: 6, answer: 7, pass: 2, cookie: 1, tell: 2, retry: 1, discard: 1, edit: 1 };
export const LOGS = { log: 5, drain: 5, answer: 6, pass: 2, cookie: 1, tell: 2 };
export const TROUBLE = { kill: 2, update: 1, clock: 1, quota: 1 };

type Lock = DrainPorts['lock'];
/** The browser's lock of one device: first come, first served; a room that dies lets go. */
function createLocks() {
  type Waiter = { room: number; start: () => void };
  let holder: Waiter | undefined;
  let queue: Waiter[] = [];
  const next = () => {
    holder = queue.shift();
    holder?.start();
  };
  return {
    of:
      (owner: number): Lock =>
      (work) =>
        new Promise((resolve, reject) => {
          const waiter: Waiter = {
            room: owner,
            start: () =>
              void work(true)
                .then(resolve, reject)
                .finally(() => {
                  if (holder === waiter) next();
                }),
          };
          queue.push(waiter);
          if (!holder) next();
        }),
    release(owner: number) {
      queue = queue.filter((waiter) => waiter.room !== owner);
      if (holder?.room === owner) next();
    },
  };
}

/** Lets everything that needs no answer of the world run to its end. */
const settle = () => new Promise<void>((done) => setImmediate(done));
const never = () => new Promise<never>(() => undefined);
const quotaExceeded = () => new DOMException('The disk is full', 'QuotaExceededError');

/** Puts a fault of programming into the ports of a correct drain. */
export type Breaker = (ports: DrainPorts) => DrainPorts;
type OnAir = { room: number; request: SendRequest; cookie: string | null; answer: (fault: Fault) => void };
type LogBody = {
  dropped: Record<string, number>;
  entries: { id: string; type: string; data: { repeats: number; sequence: number } }[];
};

/** Drains that may be needed once nothing goes wrong any more. */
const DRAINS_TO_THE_END = 12;
/** Longest backoff, or the longest time that the model's server names. */
const LONGEST_WAIT_MS = 300_000;

/** Whether acts of these lanes keep their order: one is the other, or lies within it. */
const keepOrder = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

/**
 * Runs one schedule against a server that counts each key once, and throws when a promise is broken. Promises: every
 * action ends exactly once as counted, refused with the server's words, or discarded by its member; every log entry as
 * stored, or counted among the lost; nothing is on the air twice at once, sent or stored as somebody else, out of its
 * lane's order, or before the time that the server named; and once faults stop, a few drains bring all to its end.
 */
export async function runSchedule(steps: Step[], breaker: Breaker = (ports) => ports): Promise<void> {
  const storage = memoryStorage();
  const locks = { actions: createLocks(), logs: createLocks() };
  const problems: string[] = [];
  /** What members did. */
  const owners = new Map<string, { member: string; lane: string; order: number }>();
  const discarded = new Set<string>();
  /** What was sent after that: at most once, where it was taken for it before. */
  const sentDiscarded = new Set<string>();
  const everRefused = new Set<string>();
  /** What the server has: by key, and how often each act had its effect. */
  const counted = new Map<string, string>();
  const effects = new Map<string, number>();
  const lateCommits = new Set<string>();
  const notBefore = new Map<string, number>();
  const stored = new Map<string, { kind: string; repeats: number }>();
  const raised: Record<string, number> = { error: 0, debug: 0 };
  const told: Record<string, number> = { error: 0, debug: 0 };
  const raisedBy = new Map<string, string | null>();
  let onAir: OnAir[] = [];
  let now = 1_000_000_000;
  let shift = 0;
  let clockIsRight = true;
  let ids = 0;
  let cookie: string | null = 'A';
  let known: string | null = 'A';
  let generations = [0, 1, 2];
  const fuses = new Map<number, number>();
  const overQuota = [0, 0, 0];
  await setMember(storage, 'A');

  const clock = () => now + shift;
  const claim = (condition: boolean, problem: string) => {
    if (!condition) problems.push(problem);
  };

  // The server.
  function commit(request: SendRequest): void {
    const id = request.headers['Idempotency-Key'] ?? '';
    if (counted.has(id)) return;
    const act = (request.body as { act: string }).act;
    const own = owners.get(act);
    for (const [other, { member: whose, lane, order }] of owners) {
      if (whose !== own?.member || !keepOrder(lane, own.lane) || order >= own.order) continue;
      claim(counted.has(other) || discarded.has(other) || everRefused.has(other), `${act} overtook ${other}`);
    }
    counted.set(id, act);
    effects.set(act, (effects.get(act) ?? 0) + 1);
  }
  const isLogs = (request: SendRequest) => request.headers['Idempotency-Key'] === undefined;
  /** A key under which times are named: an action's own, or that of all logs. */
  const nameOf = (request: SendRequest) => request.headers['Idempotency-Key'] ?? 'logs';
  function storeLogs(request: SendRequest, sender: string | null, some: (place: number) => boolean) {
    const { entries, dropped } = request.body as LogBody;
    for (const kind of ['error', 'debug']) told[kind] = (told[kind] ?? 0) + (dropped[kind] ?? 0);
    for (const [place, { id, type, data }] of entries.entries()) {
      if (!some(place)) continue;
      claim(sender === null || sender === raisedBy.get(id), `log ${id} was stored as ${sender}'s`);
      if (!stored.has(id)) stored.set(id, { kind: type, repeats: data.repeats });
    }
  }
  function answerLogs(request: SendRequest, sender: string | null, fault: Fault): SendAnswer | null {
    const { entries } = request.body as LogBody;
    const results = (status: (place: number) => string | null) =>
      json(200, {
        results: entries.flatMap(({ id }, place) => (status(place) === null ? [] : [{ id, status: status(place) }])),
      });
    const half = Math.ceil(entries.length / 2);
    if (fault === 'partial') {
      storeLogs(request, sender, (place) => place < half);
      return results((place) => (place < half ? 'stored' : null));
    }
    if (fault === 'rejected-one') {
      storeLogs(request, sender, (place) => place > 0);
      return results((place) => (place > 0 ? 'stored' : 'rejected'));
    }
    if (fault === 'refused-400' || fault === 'refused-422') return json(fault === 'refused-400' ? 400 : 422, {});
    storeLogs(request, sender, () => true);
    return fault === 'lost-after' || fault === 'late-commit' ? null : results(() => 'stored');
  }
  function answerAct(request: SendRequest, fault: Fault): SendAnswer | null {
    const id = request.headers['Idempotency-Key'] ?? '';
    if (fault === 'late-commit') {
      lateCommits.add(id);
      late.push(() => lateCommits.delete(id) && commit(request));
      return null;
    }
    // A repeat waits for the first and gets its answer.
    if (lateCommits.delete(id)) commit(request);
    if (counted.has(id)) return fault === 'lost-after' ? null : json(201, {});
    if (fault === 'refused-400' || fault === 'refused-422' || fault === 'conflict-409') {
      everRefused.add((request.body as { act: string }).act);
      return json(Number(fault.slice(-3)), { reason: 'BAD', message: `no ${id}`, requestId: 'r' });
    }
    commit(request);
    if (fault === 'already-409') return json(409, { reason: 'ALREADY_CLAIMED' });
    return fault === 'lost-after' ? null : json(201, {});
  }
  const late: (() => void)[] = [];
  function respond({ request, cookie: sender }: OnAir, fault: Fault): SendAnswer | null {
    const named = (status: number, seconds: number, said: string) => {
      notBefore.set(nameOf(request), now + seconds * 1_000);
      return { ...json(status, {}), retryAfter: said, date: new Date(now).toUTCString() };
    };
    if (fault === 'lost-before') return null;
    if (fault === 'error-500') return json(500, { reason: 'INTERNAL' });
    if (fault === 'busy-503') return named(503, 7, '7');
    if (fault === 'limit-429') return named(429, 40, '40');
    if (fault === 'limit-429-date') return named(429, 20, new Date(now + 20_000).toUTCString());
    if (fault === 'timeout-408') return json(408, {});
    if (fault === 'early-425') return json(425, {});
    if (fault === 'portal-200') return { ...json(200, null), body: undefined };
    const session = request.credentials === 'include' ? sender : null;
    const actor = request.headers['X-Actor'];
    if (!isLogs(request) && (session === null || fault === 'signed-out-401'))
      return json(401, { reason: 'SIGNED_OUT' });
    if (session !== null && actor !== undefined && actor !== session) return json(409, { reason: 'ACTOR_MISMATCH' });
    return isLogs(request) ? answerLogs(request, session, fault) : answerAct(request, fault);
  }

  // The device.
  function die(generation: number): void {
    // What the server named may not have been written down.
    notBefore.clear();
    onAir = onAir.filter((request) => request.room !== generation);
    generations = generations.map((own) => (own === generation ? own + 3 : own));
    for (const of of Object.values(locks)) of.release(generation);
  }
  const isDead = (generation: number | null) => generation !== null && !generations.includes(generation);
  /** One more call of a room's ports. Answers whether the room has not lived to see it. */
  function burns(generation: number | null): boolean {
    if (generation === null) return false;
    const left = fuses.get(generation);
    if (left === 0) die(generation);
    if (left !== undefined) fuses.set(generation, left - 1);
    return isDead(generation);
  }
  /** The store as one room sees it: it may die at any call (null: it lives), and its disk may be full. */
  function storageOf(index: number, generation: number | null): DeviceStorage {
    return {
      ...storage,
      async run<T>(tables: Parameters<DeviceStorage['run']>[0], work: (tx: Transaction) => Promise<T>): Promise<T> {
        if (burns(generation)) return never();
        let wrote = false;
        const written = storage.run(tables, async (tx) => {
          const call =
            <A extends unknown[], R>(write: boolean, does: (...args: A) => Promise<R>) =>
            async (...args: A): Promise<R> => {
              if (burns(generation)) throw new Error('killed');
              wrote ||= write;
              return does(...args);
            };
          const result = await work({
            all: call(false, tx.all),
            get: call(false, tx.get),
            put: call(true, tx.put),
            append: call(true, tx.append as never) as Transaction['append'],
            remove: call(false, tx.remove),
          });
          if (!wrote || (overQuota[index] ?? 0) === 0) return result;
          overQuota[index] = (overQuota[index] ?? 0) - 1;
          notBefore.clear();
          throw quotaExceeded();
        });
        const result = await written.catch((error: unknown) => (isDead(generation) ? never() : Promise.reject(error)));
        return burns(generation) ? never() : result;
      },
    };
  }
  function portsOf(index: number): DrainPorts {
    const generation = generations[index] ?? 0;
    return breaker({
      storage: storageOf(index, generation),
      now: clock,
      random: () => 0.5,
      broadcast: () => undefined,
      lock: (work, what) => (isDead(generation) ? never() : locks[what].of(generation)(work, what)),
      send(request: SendRequest) {
        if (burns(generation)) return never();
        checkRequest(request);
        return new Promise((resolve, reject) => {
          const own: OnAir = {
            room: generation,
            request,
            cookie,
            answer(fault) {
              onAir = onAir.filter((other) => other !== own);
              const answer = respond(own, fault);
              if (isDead(generation)) return;
              if (answer) resolve(answer);
              else reject(new TypeError('Failed to fetch'));
            },
          };
          onAir.push(own);
        });
      },
    });
  }
  function checkRequest(request: SendRequest): void {
    const name = nameOf(request);
    const actor = request.headers['X-Actor'];
    const sameAir = onAir.some((other) => nameOf(other.request) === name);
    claim(!sameAir, `${name} is on the air twice at once`);
    // Where the device's own clock was changed meanwhile, it cannot know.
    claim(!clockIsRight || now >= (notBefore.get(name) ?? 0), `${name} was sent before the time the server named`);
    if (isLogs(request)) return;
    const { act } = request.body as { act: string };
    claim(!sentDiscarded.has(act), `${act} was discarded, and is sent again`);
    if (discarded.has(act)) sentDiscarded.add(act);
    const whose = owners.get(act)?.member;
    claim(actor === whose && actor === known, `${name} of ${whose} was sent as ${actor} while ${known} is here`);
  }
  const entries = async (): Promise<OutboxEntry[]> => [
    ...(await listEntries(storage, 'A')),
    ...(await listEntries(storage, 'B')),
  ];
  async function become(who: string | null) {
    known = who;
    await setMember(storage, who);
  }
  /** A writing of the page; where the disk is full, the member hears that it was not kept. */
  async function unlessFull<T>(work: Promise<T>): Promise<T | null> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'QuotaExceededError') return null;
      throw error;
    }
  }
  const nextId = () => {
    ids += 1;
    return `e${ids}`;
  };
  function begin(index: number, hurry: boolean): void {
    void drain(portsOf(index), { hurry }).catch((error: unknown) => {
      if (!(error instanceof DOMException)) problems.push(String(error));
    });
  }
  const does: { [K in Step['do']]: (action: Extract<Step, { do: K }>) => Promise<void> | void } = {
    async enqueue({ member: userId, lane }) {
      const id = nextId();
      const entry = {
        id,
        userId,
        lane,
        method: 'POST' as const,
        path: '/api/x',
        body: { act: id },
        label: '',
        subject: '',
      };
      // Known to the world before it is kept: another room may send it at once.
      owners.set(id, { member: userId, lane, order: ids });
      const kept = await unlessFull(addEntry({ storage: storageOf(0, null), now: clock }, entry));
      if (kept === null) owners.delete(id);
    },
    async log({ kind, count, same }) {
      for (let n = 0; n < count; n += 1) {
        const id = nextId();
        const message = same ? 'same' : id;
        raisedBy.set(id, known);
        const ports = { storage: storageOf(0, null), now: clock, newId: () => id };
        const kept = await unlessFull(appendLog(ports, kind, { message, action: message }));
        if (kept !== null) raised[kind] = (raised[kind] ?? 0) + 1;
      }
    },
    drain: ({ room: index, hurry }) => begin(index, hurry),
    answer({ fault, which: index }) {
      onAir[index % Math.max(1, onAir.length)]?.answer(fault);
    },
    pass({ ms }) {
      now += ms;
      for (const commits of late.splice(0)) commits();
    },
    clock({ ms }) {
      shift += ms;
      clockIsRight = false;
    },
    cookie({ member: who }) {
      cookie = who;
    },
    tell: ({ member: who }) => become(who),
    kill({ room: index, after }) {
      const generation = generations[index] ?? 0;
      if (after === 0) die(generation);
      else fuses.set(generation, after);
    },
    update() {
      die(generations[1] ?? 0);
      begin(1, false);
    },
    quota({ room: index, count }) {
      overQuota[index] = count;
    },
    async retry({ which: index }) {
      const entry = (await entries())[index];
      if (entry) await unlessFull(retryEntry(storageOf(0, null), entry.id));
    },
    async discard({ which: index }) {
      const entry = (await entries())[index];
      if (!entry) return;
      await discardEntry(storage, entry.id);
      discarded.add((entry.body as { act: string }).act);
    },
    async edit({ which: index }) {
      const entry = (await entries())[index];
      if (!entry) return;
      const id = nextId();
      const before = owners.get((entry.body as { act: string }).act);
      const edited = await unlessFull(editEntry(storageOf(0, null), entry.id, { act: id }, id));
      if (!edited || !before) return;
      // In its old place, which those behind it may have passed already.
      owners.set(id, before);
      everRefused.add(id);
    },
  };
  const check = () => {
    if (problems.length > 0) throw new Error(problems.join('; '));
  };

  for (const action of steps) {
    await (does[action.do] as (action: Step) => Promise<void> | void)(action);
    await settle();
    check();
  }

  // The world heals: what hangs runs into its time-out, both members sign in again, timers fire when they should.
  overQuota.fill(0);
  fuses.clear();
  for (const who of ['A', 'B'] as const) {
    cookie = who;
    await become(who);
    for (const old of [...onAir]) old.answer('lost-before');
    await settle();
    const healedAt = now;
    let drains = 0;
    for (let nextAt: number | null = clock(); nextAt !== null && drains < DRAINS_TO_THE_END; drains += 1) {
      now = Math.max(now, nextAt - shift);
      nextAt = await drainToTheEnd();
    }
    claim(drains < DRAINS_TO_THE_END, `the drain of ${who} has no end`);
    claim(now - healedAt <= LONGEST_WAIT_MS, `${who} waits ${now - healedAt} ms`);
    check();
  }
  /** One drain that the server answers; the time of the next one. */
  async function drainToTheEnd(): Promise<number | null> {
    let next: { at: number | null } | undefined;
    drain(portsOf(0)).then(
      ({ nextAt }) => {
        next = { at: nextAt };
      },
      (error: unknown) => problems.push(String(error)),
    );
    for (let turns = 0; !next && turns < 400 && problems.length === 0; turns += 1) {
      await settle();
      for (const request of [...onAir]) request.answer('ok');
    }
    claim(next !== undefined, 'the drain does not end');
    return next?.at ?? null;
  }

  // What has become of everything.
  const kept = new Map((await entries()).map((entry) => [(entry.body as { act: string }).act, entry]));
  for (const [act] of owners) {
    const entry = kept.get(act);
    const isCounted = effects.has(act);
    if (entry) {
      claim(entry.state === 'refused', `${act} never arrives: ${entry.state}`);
      claim(entry.error?.message === `no ${entry.id}`, `${act} lost the server's words`);
    }
    const wasEdited = !entry && everRefused.has(act);
    claim(entry !== undefined || isCounted || discarded.has(act) || wasEdited, `${act} is neither kept nor counted`);
    claim(!(entry && isCounted), `${act} was counted and still stands as refused`);
    claim((effects.get(act) ?? 0) <= 1, `${act} was counted twice`);
  }
  const rest = await storage.run(['logs', 'meta'], async (tx) => ({
    logs: await tx.all('logs'),
    dropped: await getMeta(tx, 'dropped'),
  }));
  claim(rest.logs.length === 0, `${rest.logs.length} log entries never arrive`);
  for (const kind of ['error', 'debug'] as const) {
    const arrived = [...stored.values()].filter((one) => one.kind === kind).reduce((sum, one) => sum + one.repeats, 0);
    const lost = (raised[kind] ?? 0) - arrived;
    const owned = (told[kind] ?? 0) + rest.dropped[kind];
    claim(lost <= owned, `${lost} logs are gone, ${owned} are counted`);
    claim(lost >= 0, `${-lost} logs were stored twice`);
  }
  check();
}

function json(status: number, body: unknown): SendAnswer {
  return { status, retryAfter: null, date: null, body };
}
