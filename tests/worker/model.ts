import fc from 'fast-check';
import { type DrainPorts, drain } from '../../worker/drain.ts';
import { addEntry, discardEntry, listEntries, retryEntry, setMember } from '../../worker/outbox.ts';
import type { SendAnswer, SendRequest } from '../../worker/send.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';

/** What may happen to one request. `lost` means that no answer comes back. */
export type Fault =
  | 'ok'
  | 'lost-before'
  | 'lost-after'
  | 'error-500'
  | 'busy-503'
  | 'limit-429'
  | 'signed-out-401'
  | 'refused-400'
  | 'already-409'
  | 'portal-200';
const FAULTS: Fault[] = [
  'ok',
  'lost-before',
  'lost-after',
  'error-500',
  'busy-503',
  'limit-429',
  'signed-out-401',
  'refused-400',
  'already-409',
  'portal-200',
];
/** A device has two rooms that drain: the device worker and the service worker. */
export type Step =
  | { do: 'enqueue'; member: 'A' | 'B'; lane: 'x' | 'y' }
  | { do: 'drain'; room: 0 | 1; hurry: boolean }
  | { do: 'answer'; fault: Fault; which: number }
  | { do: 'pass'; ms: number }
  | { do: 'cookie'; member: 'A' | 'B' | null }
  | { do: 'tell'; member: 'A' | 'B' | null }
  | { do: 'kill'; room: 0 | 1 }
  | { do: 'retry'; which: number }
  | { do: 'discard'; which: number };

const member = fc.constantFrom('A' as const, 'B' as const);
const anybody = fc.constantFrom('A' as const, 'A' as const, 'B' as const, null);
const room = fc.constantFrom(0 as const, 1 as const);
const which = fc.nat(3);
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('enqueue' as const),
      member,
      lane: fc.constantFrom('x' as const, 'y' as const),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('drain' as const), room, hurry: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('answer' as const), fault: fc.constantFrom(...FAULTS), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(500, 5_000, 30_000, 400_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cookie' as const), member: anybody }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tell' as const), member: anybody }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), room }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retry' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('discard' as const), which }) },
);

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
/** Puts a fault of programming into the ports of a correct drain. */
export type Breaker = (ports: DrainPorts) => DrainPorts;
type OnAir = { room: number; id: string; actor: string; cookie: string | null; answer: (fault: Fault) => void };

/**
 * Runs one schedule against a server that counts each key once, and throws at the first broken promise: an entry lost,
 * on the air twice at once, sent as somebody else, out of order in its lane, or before the time that the server named.
 */
export async function runSchedule(steps: Step[], breaker: Breaker = (ports) => ports): Promise<void> {
  const storage = memoryStorage();
  const locks = createLocks();
  const owners = new Map<string, { member: string; lane: string; order: number }>();
  const counted = new Map<string, string>();
  const discarded = new Set<string>();
  const everRefused = new Set<string>();
  const notBefore = new Map<string, number>();
  const problems: string[] = [];
  let onAir: OnAir[] = [];
  let now = 1_000_000_000;
  let ids = 0;
  let cookie: string | null = 'A';
  let known: string | null = 'A';
  let generations: [number, number] = [0, 1];
  await setMember(storage, 'A');

  const claim = (condition: boolean, problem: string) => {
    if (!condition) problems.push(problem);
  };
  const count = (id: string) => {
    if (counted.has(id)) return;
    const own = owners.get(id);
    for (const [other, { member: whose, lane, order }] of owners) {
      if (whose !== own?.member || lane !== own.lane || order >= own.order) continue;
      claim(counted.has(other) || discarded.has(other) || everRefused.has(other), `${id} overtook ${other}`);
    }
    counted.set(id, own?.member ?? '');
  };
  /** What the server does on hearing the request, before it answers. */
  function happens(fault: Fault, id: string): void {
    if (fault === 'ok' || fault === 'lost-after' || fault === 'already-409') count(id);
    if (fault === 'busy-503') notBefore.set(id, now + 7_000);
    if (fault === 'limit-429') notBefore.set(id, now + 40_000);
    if (fault === 'refused-400') everRefused.add(id);
  }
  const answers: Record<Fault, (id: string) => SendAnswer | null> = {
    ok: (id) => json(201, { id }),
    'lost-before': () => null,
    'lost-after': () => null,
    'error-500': () => json(500, { reason: 'INTERNAL' }),
    'busy-503': () => json(503, {}, '7'),
    'limit-429': () => json(429, {}, '40'),
    'signed-out-401': () => json(401, { reason: 'SIGNED_OUT' }),
    'refused-400': (id) => json(400, { reason: 'BAD', message: `no ${id}`, requestId: 'r' }),
    'already-409': () => json(409, { reason: 'ALREADY_CLAIMED' }),
    'portal-200': () => ({ ...json(200, null), body: undefined }),
  };
  function respond({ id, actor, cookie: sender }: OnAir, fault: Fault): SendAnswer | null {
    if (fault === 'lost-before') return null;
    if (sender === null) return json(401, { reason: 'SIGNED_OUT' });
    if (sender !== actor) return json(409, { reason: 'ACTOR_MISMATCH' });
    happens(fault, id);
    return answers[fault](id);
  }
  const portsOf = (which: 0 | 1): DrainPorts =>
    breaker({
      storage,
      now: () => now,
      random: () => 0.5,
      tell: () => undefined,
      lock: locks.of(generations[which]),
      send: (request: SendRequest) =>
        new Promise((resolve, reject) => {
          const id = request.headers['Idempotency-Key'] ?? '';
          const actor = request.headers['X-Actor'] ?? '';
          claim(!onAir.some((other) => other.id === id), `${id} is on the air twice at once`);
          claim(
            actor === owners.get(id)?.member && actor === known,
            `${id} was sent as ${actor} while ${known} is here`,
          );
          claim(now >= (notBefore.get(id) ?? 0), `${id} was sent before the time the server named`);
          const own: OnAir = {
            room: generations[which],
            id,
            actor,
            cookie,
            answer(fault) {
              onAir = onAir.filter((other) => other !== own);
              const answer = respond(own, fault);
              if (answer) resolve(answer);
              else reject(new TypeError('Failed to fetch'));
            },
          };
          onAir.push(own);
        }),
    });
  const entries = async () => [...(await listEntries(storage, 'A')), ...(await listEntries(storage, 'B'))];
  async function nothingIsLost() {
    const kept = new Map((await entries()).map((entry) => [entry.id, entry]));
    for (const id of owners.keys())
      claim(kept.has(id) || counted.has(id) || discarded.has(id), `${id} is neither kept nor counted`);
    for (const entry of kept.values())
      if (entry.state === 'refused')
        claim(entry.error?.message === `no ${entry.id}`, `${entry.id} lost the server's words`);
  }
  async function become(who: string | null) {
    known = who;
    await setMember(storage, who);
  }
  const does: { [K in Step['do']]: (action: Extract<Step, { do: K }>) => Promise<void> | void } = {
    async enqueue({ member: userId, lane }) {
      const newId = () => `e${++ids}`;
      const entry = { userId, lane, method: 'POST' as const, path: '/api/x', body: {}, label: '', subject: '' };
      // Known to the world before it is kept: another room may send it at once.
      owners.set(`e${ids + 1}`, { member: userId, lane, order: ids + 1 });
      await addEntry({ storage, now: () => now, newId }, entry);
    },
    drain({ room: which, hurry }) {
      void drain(portsOf(which), { hurry }).catch((error: unknown) => problems.push(String(error)));
    },
    answer({ fault, which }) {
      onAir[which % Math.max(1, onAir.length)]?.answer(fault);
    },
    pass({ ms }) {
      now += ms;
    },
    cookie({ member: who }) {
      cookie = who;
    },
    tell: ({ member: who }) => become(who),
    kill({ room: which }) {
      const dead = generations[which];
      onAir = onAir.filter((request) => request.room !== dead);
      generations = which === 0 ? [dead + 2, generations[1]] : [generations[0], dead + 2];
      locks.release(dead);
    },
    async retry({ which }) {
      const entry = (await entries())[which];
      if (entry) await retryEntry(storage, entry.id);
    },
    async discard({ which }) {
      const entry = (await entries())[which];
      if (entry && (await discardEntry(storage, entry.id))) discarded.add(entry.id);
    },
  };
  async function until(what: () => boolean) {
    for (let turns = 0; !what() && turns < 400; turns += 1) await settle();
  }
  const check = () => {
    if (problems.length > 0) throw new Error(problems.join('; '));
  };

  for (const action of steps) {
    await (does[action.do] as (action: Step) => Promise<void> | void)(action);
    await settle();
    await nothingIsLost();
    check();
  }
  // The world heals: both members sign in again, the server answers, time passes. All that was not refused must arrive.
  for (const who of ['A', 'B'] as const) {
    cookie = who;
    await become(who);
    for (const old of [...onAir]) old.answer('lost-before');
    await settle();
    now += 400_000;
    let isDone = false;
    void drain(portsOf(0)).then(() => {
      isDone = true;
    });
    await until(() => {
      for (const request of [...onAir]) request.answer('ok');
      return isDone;
    });
    claim(isDone, 'the drain does not end');
  }
  await nothingIsLost();
  for (const entry of await entries()) claim(entry.state === 'refused', `${entry.id} never arrives: ${entry.state}`);
  check();
}

function json(status: number, body: unknown, retryAfter: string | null = null): SendAnswer {
  return { status, retryAfter, date: null, body };
}
