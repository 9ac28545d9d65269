import { afterEach, expect, it, vi } from 'vitest';
import { createInstance } from '../../../app/features/demo/instance.ts';
import { CACHED_ONLY_HEADER } from '../../../server/contract/sw-messages.ts';

/** The product's doors as the document of the demo finds them. */
async function doorsAt(path: string) {
  history.replaceState(null, '', path);
  vi.resetModules();
  return import('../../../app/lib/browser.ts');
}
afterEach(() => {
  history.replaceState(null, '', '/');
});

it('keeps nothing of the demo on the device, and reads nothing of the member’s there', async () => {
  localStorage.setItem('muster-last-community', 'of-the-member');
  const { local, isDemo } = await doorsAt('/demo?role=leader');
  expect(isDemo).toBe(true);
  expect(local.get('muster-last-community')).toBeNull();
  local.set('muster-last-community', 'of-the-demo');
  local.set('muster-form:task', 'a draft');
  expect(local.get('muster-form:task')).toBe('a draft');
  expect({ ...localStorage }).toEqual({ 'muster-last-community': 'of-the-member' });
  for (const key of local.keys()) local.set(key, null);
  expect({ ...localStorage }).toEqual({ 'muster-last-community': 'of-the-member' });
});

it('shares no worker, channel, cache or notification with other tabs', async () => {
  const opened = vi.fn();
  for (const name of ['SharedWorker', 'Worker', 'BroadcastChannel']) vi.stubGlobal(name, opened);
  vi.stubGlobal('Notification', opened);
  vi.stubGlobal('caches', {});
  const doors = await doorsAt('/demo');
  expect(doors.openWorker('/assets/worker.js', {}, 'muster-device')).toBeNull();
  const [one, other] = [doors.openChannel('muster-device'), doors.openChannel('muster-device')];
  const heard = new Promise((done) => other.addEventListener('message', ({ data }) => done(data)));
  one.postMessage('within the page');
  expect(await heard).toBe('within the page');
  expect([doors.serviceWorkers(), doors.cachesHere(), doors.notifications()]).toEqual([null, null, null]);
  expect(opened).not.toHaveBeenCalled();
});

it('is the demo at its own address alone', async () => {
  for (const path of ['/', '/demo-club/dashboard', '/community/demo', '/demo/more'])
    expect((await doorsAt(path)).isDemo, path).toBe(false);
});

it('answers what the page asks for in memory, refuses every other origin, and goes away when it is told to', async () => {
  const real = vi.fn();
  vi.stubGlobal('fetch', real);
  const instance = createInstance('member', 0);
  const user = async () => (await instance.fetch('/api/auth/user')).json();
  expect(await user()).toMatchObject({ displayName: 'Maya Lindqvist' });
  instance.setRole('leader');
  expect(await user()).toMatchObject({ displayName: 'Inês Ferreira' });
  expect((await instance.fetch('/api/auth/user', { headers: { [CACHED_ONLY_HEADER]: '1' } })).status).toBe(204);
  await expect(instance.fetch('https://example.org/api/auth/user')).rejects.toThrow(TypeError);
  const refused = await instance.fetch('/api/admin/people');
  expect([refused.status, await refused.json()]).toMatchObject([403, { reason: 'NOT_IN_DEMO' }]);
  instance.setAway(true);
  await expect(instance.fetch('/api/auth/user')).rejects.toThrow(TypeError);
  expect(real).not.toHaveBeenCalled();
});

it('begins again as it was when it is reset', async () => {
  const instance = createInstance('leader', 0);
  const post = (path: string, body: unknown) =>
    instance.fetch(path, { method: 'POST', body: JSON.stringify(body), headers: { 'idempotency-key': path } });
  const titles = async () => {
    const answer = await instance.fetch('/api/communities/ridge-valley-walkers/announcements');
    return ((await answer.json()) as { items: { title: string }[] }).items.map(({ title }) => title);
  };
  const before = await titles();
  await post('/api/communities/ridge-valley-walkers/announcements', { title: 'Snow', body: 'Bring poles.' });
  expect(await titles()).not.toEqual(before);
  instance.reset();
  expect(await titles()).toEqual(before);
  instance.setRole('member');
  expect(instance.takeNotices()).toEqual([]);
});

it('takes a command that is on its way as its sender’s, whoever looks when it arrives', async () => {
  const instance = createInstance('leader', 1);
  const body = JSON.stringify({ title: 'Snow', body: 'Bring poles.' });
  const headers = { 'idempotency-key': 'one' };
  const path = '/api/communities/ridge-valley-walkers/announcements';
  const posted = instance.fetch(path, { method: 'POST', body, headers });
  instance.setRole('member');
  expect((await posted).status).toBe(201);
});
