import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LogoutScreen } from '../../app/features/onboarding/logout-screen.tsx';
import { readShared, storeShared } from '../../app/features/share/shared.ts';
import type { OutboxEntry } from '../../app/lib/device.ts';
import { settleSignOut } from '../../app/lib/owed-sign-out.ts';
import { createQueryClient, userQuery } from '../../app/lib/query.ts';
import { useToasts } from '../../app/ui/toast.tsx';
import { READ_FALLBACK_AFTER_MS } from '../../server/contract/limits.ts';
import type { StorageState } from '../../worker/schema.ts';
import { entryOf } from './member/support.ts';
import { aUser, click, draw, json, serverOfEach } from './support.tsx';

const device = vi.hoisted(() => ({
  entries: [] as OutboxEntry[],
  storage: { kind: 'durable' } as StorageState,
  members: [] as (string | null)[],
  drain: async () => undefined as unknown,
  discarded: [] as string[],
  isMute: false,
}));
vi.mock('../../app/lib/device.ts', async () => ({
  ...(await import('./quiet-device.ts')),
  unsentOf: async (id: string) => {
    if (device.isMute) throw new Error('The device worker did not load');
    return device.entries.filter(({ userId }) => userId === id);
  },
  useStorageState: () => device.storage,
  drainNow: () => device.drain(),
  discardEntry: async (id: string) => {
    device.discarded.push(id);
    device.entries = device.entries.filter((entry) => entry.id !== id);
  },
  setMember: async (id: string | null) => void device.members.push(id),
}));
vi.mock('../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const told = () => server.asked.filter(({ url }) => url === '/api/auth/logout').length;
const online = (isOnline: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
let said: string[] = [];
function Said() {
  said = useToasts().map(({ title, line }) => `${title}: ${line ?? ''}`);
  return null;
}
const dialog = () => screen.findByRole('dialog');
const press = async (name: RegExp | string) => {
  const box = await dialog();
  await click(within(box).getByRole('button', { name }));
};
let client = createQueryClient();
async function signOut() {
  client = createQueryClient();
  client.setQueryData(userQuery.queryKey, aUser);
  return draw(
    <>
      <LogoutScreen />
      <Said />
    </>,
    '/logout',
    client,
  );
}

const server = serverOfEach(() => json({}));
beforeEach(() => {
  online(true);
});
afterEach(() => {
  Object.assign(device, { entries: [], members: [], discarded: [], isMute: false, drain: async () => undefined });
  device.storage = { kind: 'durable' };
});

test('with nothing unsent it signs out at once', async () => {
  await signOut();
  await vi.waitFor(() => expect(told()).toBe(1));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(device.members).toEqual([null]);
});

test('with unsent acts it says how many, and signs nobody out by itself', async () => {
  device.entries = [entryOf('a', { id: 'a' }), entryOf('b', { id: 'b' }), entryOf('c', { id: 'c', userId: 'u2' })];
  await signOut();
  expect((await dialog()).querySelector('h2')?.textContent).toContain('2');
  expect((await dialog()).textContent).toContain('They’re on this');
  expect([told(), device.members]).toEqual([0, []]);
});

test('Keep signs out and leaves every act where it is', async () => {
  device.entries = [entryOf('a', { id: 'a' })];
  await signOut();
  expect((await dialog()).textContent).toContain('It’s on this');
  await press('Keep for my next sign-in');
  await vi.waitFor(() => expect(told()).toBe(1));
  expect([device.entries.length, device.discarded]).toEqual([1, []]);
  expect(said.at(0)).toContain('waits here for your next sign-in');
});

test('Discard throws away my acts alone, then signs out', async () => {
  device.entries = [entryOf('a', { id: 'a' }), entryOf('c', { id: 'c', userId: 'u2' })];
  await signOut();
  await press(/^Discard/);
  await vi.waitFor(() => expect(told()).toBe(1));
  expect(device.discarded).toEqual(['a']);
});

test('Send now sends and signs out; what could not be sent keeps the question open', async () => {
  device.entries = [entryOf('a', { id: 'a' })];
  await signOut();
  await press('Send now');
  expect(within(await dialog()).getByRole('status').textContent).toContain('Not everything could be sent');
  expect(told()).toBe(0);
  device.drain = async () => {
    device.entries = [];
  };
  await press('Send now');
  await vi.waitFor(() => expect(told()).toBe(1));
});

test('who chooses to stay while it is being sent stays, also when all of it has arrived', async () => {
  device.entries = [entryOf('a', { id: 'a' })];
  let arrived = () => {};
  device.drain = () =>
    new Promise<void>((done) => {
      arrived = () => {
        device.entries = [];
        done();
      };
    });
  await signOut();
  await press('Send now');
  await press('Stay signed in');
  await act(async () => arrived());
  expect([told(), device.members]).toEqual([0, []]);
});

test.each(['Keep for my next sign-in', /^Discard/])(
  'who has enough of a send that hangs leaves at once: %s',
  async (name) => {
    device.entries = [entryOf('a', { id: 'a' })];
    let givenUp = () => {};
    device.drain = () => new Promise<void>((done) => (givenUp = done));
    await signOut();
    await press('Send now');
    await press(name);
    await vi.waitFor(() => expect(said.at(0)).toContain('Signed out'));
    // When the drain gives up at last, that is settled.
    await act(async () => givenUp());
    expect([told(), device.members]).toEqual([1, [null]]);
    expect(screen.queryByRole('dialog')).toBeNull();
  },
);

test('on a network that answers nothing it does not wait to hear who is signed in', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server.answer(({ url }) => (url === '/api/auth/logout' ? json({}) : new Promise(() => undefined)));
  await draw(<LogoutScreen />, '/logout');
  await act(() => vi.advanceTimersByTimeAsync(READ_FALLBACK_AFTER_MS));
  vi.useRealTimers();
  await vi.waitFor(() => expect(told()).toBe(1));
});

test('a device that cannot say what is left keeps the question open', async () => {
  device.entries = [entryOf('a', { id: 'a' })];
  await signOut();
  device.drain = async () => {
    device.isMute = true;
  };
  await press('Send now');
  expect(within(await dialog()).getByRole('status').textContent).toContain('Not everything could be sent');
  expect(told()).toBe(0);
});

test('without a connection: Send now says why not, Keep signs out here and owes the server the word', async () => {
  online(false);
  server.answer(() => Promise.reject(new TypeError('Failed to fetch')));
  device.entries = [entryOf('a', { id: 'a' })];
  await signOut();
  await press(/^Send now: /);
  expect(device.entries).toHaveLength(1);
  await press('Keep for my next sign-in');
  await vi.waitFor(() => expect(said.at(0)).toContain('The server can’t be reached'));
  expect(device.members).toEqual([null]);
  expect(client.getQueryData(userQuery.queryKey)).toBeNull();
  expect(localStorage.getItem('muster-sign-out-owed')).toBe('1');
});

test('where nothing can be kept, the question says that too', async () => {
  device.storage = { kind: 'memory', reason: 'refused' };
  device.entries = [entryOf('a', { id: 'a' })];
  await signOut();
  expect((await dialog()).textContent).toContain('Anything unsent when you close it is lost');
});

/** A browser that takes nothing more. */
function noRoom() {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
    removeItem: () => undefined,
    clear: () => undefined,
  });
}

test('with no room left the server is told all the same, and again when it was away', async () => {
  noRoom();
  server.answer(() => Promise.reject(new TypeError('Failed to fetch')));
  await signOut();
  await vi.waitFor(() => expect(client.getQueryData(userQuery.queryKey)).toBeNull());
  expect(told()).toBe(1);
  server.answer(() => json({}));
  expect(await settleSignOut()).toBe(true);
  expect(told()).toBe(2);
  expect(await settleSignOut()).toBe(true);
  expect(told()).toBe(2);
});

test('what another app handed over goes with the member, also where only the page could hold it', async () => {
  noRoom();
  storeShared('Knee deep', 'u1');
  await signOut();
  await vi.waitFor(() => expect(told()).toBe(1));
  expect(readShared('u1')).toBe('');
});
