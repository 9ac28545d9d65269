/** What a page does when another room takes over the device's work, and when it comes back itself from where it lay. */
import { beforeEach, expect, test, vi } from 'vitest';
import { UNDO_MS } from '../../server/contract/limits.ts';
import { type FakeWorkers, fakeWorkers, pass } from './fake-workers.ts';
import { fakeServer } from './support.tsx';

vi.mock('../../worker/index.ts?worker&url', () => ({ default: '/worker.js' }));
vi.mock('../../worker/in-page.ts', () => ({ serveInPage: () => undefined }));

let world: FakeWorkers;
const act = { lane: 'l', method: 'POST', path: '/api/x', body: {}, label: 'L', subject: 's' } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  fakeServer();
  world = fakeWorkers();
  world.install('dedicated');
});
/** A page of A's that has been open for a while. */
async function openPage() {
  vi.resetModules();
  const device = await import('../../app/lib/device.ts');
  void device.setMember('A');
  await pass(100);
  return device;
}
const drains = () => world.workers.at(-1)?.calls.filter((name) => name === 'drain').length;
const member = () => world.store.run(['meta'], async (tx) => (await tx.get('meta', 'member'))?.value);

test('a worker that dies while something waits is found out though nobody asks it, and the next is told who is here', async () => {
  const device = await openPage();
  void device.enqueue({ ...act, holdMs: UNDO_MS });
  await pass(100);
  world.workers[0]?.end();
  await pass(4_000);
  expect(world.workers).toHaveLength(2);
  expect(world.workers[1]?.calls).toEqual(expect.arrayContaining(['setMember', 'outbox', 'storageState']));
  expect(await member()).toBe('A');
});
test('with nothing that waits, without a connection, or out of sight, nobody is looked after', async () => {
  const device = await openPage();
  const pings = () => world.workers[0]?.calls.filter((name) => name === 'isThere').length ?? 0;
  await pass(10_000);
  expect(pings()).toBe(0);
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  void device.enqueue(act);
  await pass(10_000);
  const offline = pings();
  online.mockReturnValue(true);
  const sight = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await pass(10_000);
  expect([offline, pings()]).toEqual([0, 0]);
  sight.mockReturnValue('visible');
  await pass(4_000);
  expect(pings()).toBeGreaterThan(0);
});
test('what is held is asked for when its time is over, whatever has become of who held it', async () => {
  const device = await openPage();
  void device.enqueue({ ...act, holdMs: UNDO_MS });
  await pass(1_000);
  const before = drains();
  await pass(UNDO_MS);
  expect(drains()).toBe((before ?? 0) + 1);
});
test('a page that comes back from the back-forward cache, or is woken up, sends and reads what waits', async () => {
  const device = await openPage();
  device.drainWhenPossible();
  await pass(100);
  const back = Object.assign(new Event('pageshow'), { persisted: true });
  for (const comes of [() => window.dispatchEvent(back), () => document.dispatchEvent(new Event('resume'))]) {
    world.workers.at(-1)?.calls.splice(0);
    comes();
    await pass(100);
    expect(world.workers.at(-1)?.calls).toEqual(['drain', 'outbox']);
  }
  world.workers[0]?.end();
  window.dispatchEvent(back);
  await pass(2_500);
  expect(world.workers[1]?.calls).toContain('drain');
});
test('where nobody answers any more the page says so until somebody does, and holds nothing', async () => {
  const device = await openPage();
  expect(device.holdsCommands()).toBe(true);
  world.plans.push({ trouble: 'hangs', moment: 'before it' });
  world.workers[0]?.end();
  const failed = device.enqueue(act).catch((error: Error) => error.message);
  await pass(8_000);
  expect(await failed).toMatch(/^This device does not answer/);
  expect(device.holdsCommands()).toBe(false);
});
test('an act that could only be kept in memory is not held, and the page knows it before it offers to undo it', async () => {
  const device = await openPage();
  world.setState({ kind: 'memory', reason: 'held' });
  const keeping = device.enqueue({ ...act, holdMs: UNDO_MS });
  await pass(100);
  await keeping;
  expect(device.holdsCommands()).toBe(false);
});
test('what is undone is answered also where the first answer got lost', async () => {
  const device = await openPage();
  const keeping = device.enqueue({ ...act, body: { text: 'mine' }, holdMs: UNDO_MS });
  await pass(100);
  const id = await keeping;
  world.workers[0]?.loseAnswer('undo');
  const undoing = device.undoEntries([id]);
  await pass(3_000);
  expect(await undoing).toMatchObject([{ id, body: { text: 'mine' } }]);
  expect(world.workers).toHaveLength(2);
});
