/** Whoever does the device's work may die, hang or never begin, at any moment: each call ends, and each act is kept once. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { InPage } from '../../worker/in-page.ts';
import { type FakeWorkers, fakeWorkers, MOMENTS, pass, TROUBLES } from './fake-workers.ts';

vi.mock('../../worker/index.ts?worker&url', () => ({ default: '/worker.js' }));
let world: FakeWorkers;
const inPage = vi.hoisted(() => ({ why: [] as string[] }));
vi.mock('../../worker/in-page.ts', () => {
  return {
    serveInPage(port: MessagePort, _channel: unknown, why: InPage) {
      inPage.why.push(why);
      const own = world.begin('page').connect();
      port.addEventListener('message', ({ data }) => own.postMessage(data));
      own.addEventListener('message', ((event: MessageEvent) => port.postMessage(event.data)) as never);
      port.start();
    },
  };
});

/** A page of this device: modules of its own, beside what all pages share. */
async function openPage() {
  vi.resetModules();
  return import('../../app/lib/device-line.ts');
}
/** One that has been open for a while. */
async function openedPage() {
  const page = await openPage();
  void page.device.storageState();
  await pass(100);
  for (const worker of world.workers) worker.strike();
  return page;
}
const act = {
  id: 'act',
  userId: 'A',
  lane: 'l',
  method: 'POST',
  path: '/x',
  body: {},
  label: '',
  subject: 's',
} as const;
/** What has become of a promise by now. */
function outcomeOf<T>(work: Promise<T>) {
  const outcome: { value?: T; error?: Error; isOver: boolean } = { isOver: false };
  work.then(
    (value) => Object.assign(outcome, { value, isOver: true }),
    (error) => Object.assign(outcome, { error, isOver: true }),
  );
  return outcome;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  inPage.why = [];
  world = fakeWorkers();
});

const cases = (['shared', 'dedicated'] as const).flatMap((kind) =>
  TROUBLES.flatMap((trouble) =>
    MOMENTS.flatMap((moment) => [1, 2].map((workers) => ({ kind, trouble, moment, workers }))),
  ),
);
describe.each(cases)(
  'a $kind worker that $trouble ($moment), $workers in a row',
  ({ kind, trouble, moment, workers }) => {
    beforeEach(() => {
      world.install(kind);
      world.plans.push(...Array.from({ length: workers }, () => ({ trouble, moment })));
    });

    test('an act is kept once, within five seconds', async () => {
      const { device } = await openedPage();
      const kept = outcomeOf(device.enqueue(act));
      await pass(5_000);
      expect(kept).toEqual({ isOver: true, value: undefined });
      expect(await world.kept()).toEqual(['act']);
      for (const worker of world.workers) worker.wake();
      await pass(2_000);
      expect(await world.kept()).toEqual(['act']);
      expect(vi.getTimerCount()).toBe(0);
    });
    test.each(['undo', 'discard'] as const)(
      'what is taken back (%s) meanwhile stays so, whoever wakes up later',
      async (how) => {
        const { device } = await openedPage();
        void device.enqueue(act);
        await pass(5_000);
        const back = outcomeOf<unknown>(how === 'undo' ? device.undo(['act']) : device.discard('act'));
        await pass(5_000);
        expect(back).toMatchObject({ isOver: true, ...(how === 'undo' && { value: ['act'] }) });
        for (const worker of world.workers) worker.wake();
        await pass(2_000);
        expect(await world.kept()).toEqual([]);
      },
    );
  },
);

describe('who is only slow', () => {
  beforeEach(() => world.install('shared'));

  test('a worker that answers signs of life is waited for as long as its work takes, by one page and one worker', async () => {
    const { device } = await openedPage();
    const goOn = world.keepStoreBusy();
    const kept = outcomeOf(device.enqueue(act));
    await pass(60_000);
    expect(kept.isOver).toBe(false);
    goOn();
    await pass(100);
    expect(kept).toEqual({ isOver: true, value: undefined });
    expect(world.workers).toHaveLength(1);
  });
  test('a page that slept itself judges nobody, and asks again what its worker took up too late to do', async () => {
    world.plans.push({ trouble: 'hangs', moment: 'before it' });
    const { device } = await openedPage();
    const kept = outcomeOf(device.enqueue(act));
    await pass(100);
    // The machine sleeps: the clock goes on, and no timer comes.
    vi.setSystemTime(Date.now() + 60_000);
    world.workers[0]?.wake();
    await pass(100);
    expect(kept.isOver).toBe(true);
    const asked = world.workers[0]?.calls.filter((name) => name === 'enqueue');
    expect([world.workers.length, asked]).toEqual([1, ['enqueue', 'enqueue']]);
    expect(await world.kept()).toEqual(['act']);
  });
  test('while nothing is asked nobody is asked for signs of life', async () => {
    await openedPage();
    expect(vi.getTimerCount()).toBe(0);
  });
  test('many that wait ask for one sign of life together', async () => {
    const { device } = await openedPage();
    world.keepStoreBusy();
    for (let call = 0; call < 20; call += 1) void device.outbox('A');
    await pass(100);
    expect(vi.getTimerCount()).toBe(1);
  });
  test('what the work itself throws is thrown, and moves nobody', async () => {
    const { device } = await openedPage();
    vi.spyOn(world.store, 'run').mockRejectedValue(new DOMException('The disk is full', 'QuotaExceededError'));
    await pass(0);
    const kept = outcomeOf(device.getTheme());
    await pass(100);
    expect(kept.error?.message).toBe('The disk is full');
    expect(world.workers).toHaveLength(1);
  });
});

describe('who never begins', () => {
  const silence = { trouble: 'hangs', moment: 'before it' } as const;

  test('a script that does not load is not waited for: another worker, then the page itself', async () => {
    world.install('shared');
    world.setUnloadable(1);
    const { device } = await openPage();
    const kept = outcomeOf(device.enqueue(act));
    await pass(0);
    expect([kept.isOver, inPage.why]).toEqual([true, []]);

    world.setUnloadable(2);
    localStorage.clear();
    const later = await openPage();
    const other = outcomeOf(later.device.enqueue({ ...act, id: 'other' }));
    await pass(0);
    expect([other.isOver, inPage.why]).toEqual([true, ['silent']]);
    expect(await world.kept()).toEqual(['act', 'other']);
  });
  test('a page whose browser gives no worker does it all itself, and says why', async () => {
    for (const name of ['SharedWorker', 'Worker'])
      vi.stubGlobal(name, function Refused() {
        throw new DOMException('none', 'SecurityError');
      });
    const { device } = await openPage();
    const kept = outcomeOf(device.enqueue(act));
    await pass(0);
    expect([kept.isOver, inPage.why]).toEqual([true, ['refused']]);
  });
  test('where nobody answers the call ends in words, each time, and who answers late is believed', async () => {
    world.install('dedicated');
    const { device, onMove } = await openedPage();
    const moves = vi.fn();
    onMove(moves);
    world.workers[0]?.end();
    world.plans.push(silence, silence);
    const kept = outcomeOf(device.enqueue(act));
    await pass(7_000);
    expect(kept.error?.message).toBe('This device does not answer, so nothing is kept. Please reload the page.');
    expect(moves).toHaveBeenCalledTimes(3);
    const again = outcomeOf(device.enqueue(act));
    await pass(3_000);
    expect(again.error).toBeDefined();
    for (const worker of world.workers) worker.wake();
    const third = outcomeOf(device.enqueue(act));
    await pass(500);
    expect(third).toEqual({ isOver: true, value: undefined });
    expect(await world.kept()).toEqual(['act']);
  });
  test('a page that went past a silent worker does not lead the next one to it', async () => {
    world.install('shared');
    world.plans.push(silence, silence);
    const { device } = await openedPage();
    void device.enqueue(act);
    await pass(5_000);
    expect(inPage.why).toEqual(['silent']);
    const next = await openPage();
    const read = outcomeOf(next.device.outbox('A'));
    await pass(0);
    expect(read.value).toHaveLength(1);
  });
});

describe('tabs', () => {
  test('that find out at once take the same new worker, and one that has not asked follows them', async () => {
    world.install('shared');
    const [one, other, third] = [await openPage(), await openPage(), await openPage()];
    for (const { device } of [one, other, third]) void device.storageState();
    await pass(100);
    const moved = vi.fn();
    third.onMove(moved);
    world.workers[0]?.end();
    const kept = [outcomeOf(one.device.enqueue(act)), outcomeOf(other.device.enqueue({ ...act, id: 'other' }))];
    await pass(2_500);
    expect(kept.map(({ isOver }) => isOver)).toEqual([true, true]);
    await vi.waitFor(() => expect(moved).toHaveBeenCalledTimes(1));
    const read = outcomeOf(third.device.outbox('A'));
    await pass(0);
    expect(read.value?.map(({ id }) => id).sort()).toEqual(['act', 'other']);
    expect(world.workers.map(({ name }) => name)).toEqual(['muster-device', 'muster-device-1']);
  });
  test('with a worker of their own each stay with it when another’s dies', async () => {
    world.install('dedicated');
    const [one, other] = [await openPage(), await openPage()];
    for (const { device } of [one, other]) void device.storageState();
    await pass(100);
    const moved = vi.fn();
    other.onMove(moved);
    world.workers[0]?.end();
    void one.device.enqueue(act);
    await pass(5_000);
    expect(await world.kept()).toEqual(['act']);
    expect(moved).not.toHaveBeenCalled();
    expect(world.workers).toHaveLength(3);
  });
  test('a worker that hung goes once it hears that another has its place', async () => {
    world.install('shared');
    world.plans.push({ trouble: 'hangs', moment: 'before it' });
    const { device } = await openedPage();
    void device.enqueue(act);
    await pass(2_500);
    world.workers[0]?.wake();
    await pass(100);
    expect(world.workers.map((worker) => worker.isDead())).toEqual([true, false]);
  });
});

test('one look finds the dead where nothing is asked', async () => {
  world.install('shared');
  const { checkAlive, onMove } = await openedPage();
  const moved = vi.fn();
  onMove(moved);
  void checkAlive();
  await pass(2_000);
  expect(moved).not.toHaveBeenCalled();
  world.workers[0]?.end();
  void checkAlive();
  await pass(2_000);
  expect(moved).toHaveBeenCalledOnce();
});
