import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useAppBadge } from '../../app/features/outbox/badge.ts';
import { StorageNote } from '../../app/features/shell/storage-note.tsx';
import type { OutboxEntry } from '../../app/lib/device.ts';
import { userQuery } from '../../app/lib/query.ts';
import type { StorageState } from '../../worker/schema.ts';
import { entryOf } from './member/support.ts';
import { aUser, draw, fakeServer, json } from './support.tsx';

const device = vi.hoisted(() => ({
  entries: [] as OutboxEntry[],
  storage: { kind: 'durable' } as StorageState,
  views: new Set<() => void>(),
}));
vi.mock('../../app/lib/device.ts', async () => {
  const { useSyncExternalStore } = await import('react');
  const subscribe = (view: () => void) => {
    device.views.add(view);
    return () => void device.views.delete(view);
  };
  return {
    useOutbox: () => useSyncExternalStore(subscribe, () => device.entries),
    useStorageState: () => useSyncExternalStore(subscribe, () => device.storage),
  };
});
const become = (next: Partial<typeof device>) =>
  act(async () => {
    Object.assign(device, next);
    for (const view of device.views) view();
  });

afterEach(() => {
  Object.assign(device, { entries: [], storage: { kind: 'durable' } });
});

test.each([
  ['refused', 'This browser does not let Muster store anything. Anything unsent when you close it is lost.'],
  ['full', 'This device is out of storage. Anything unsent when you close Muster is lost.'],
  ['lost', 'This browser’s storage is gone. Anything unsent when you close Muster is lost.'],
  [
    'held',
    'This browser’s storage is held up just now: what you do is sent at once and cannot be undone. Anything unsent when you close Muster is lost.',
  ],
  ['silent', 'This device does not answer, so nothing is kept. Please reload the page.'],
] as const)('storage that is %s: one calm line with what it means, gone when it is back', async (reason, words) => {
  await draw(<StorageNote />);
  const status = screen.getByRole('status');
  expect(status.textContent).toBe('');
  await become({ storage: { kind: 'memory', reason } });
  expect(status.textContent).toBe(words);
  await become({ storage: { kind: 'durable' } });
  expect(status.textContent).toBe('');
});

function Badge() {
  useAppBadge();
  return null;
}
function badges() {
  const shown: (number | 'none')[] = [];
  Object.assign(navigator, {
    setAppBadge: async (count: number) => void shown.push(count),
    clearAppBadge: async () => void shown.push('none'),
  });
  return shown;
}

test('the badge counts what waits and is cleared when all is sent', async () => {
  const shown = badges();
  fakeServer().answer(() => json(aUser));
  const { client } = await draw(<Badge />);
  await act(async () => void client.setQueryData(userQuery.queryKey, aUser));
  await become({ entries: [entryOf('a'), entryOf('b', { state: 'refused' })] });
  await become({ entries: [entryOf('a')] });
  await become({ entries: [] });
  // Whether nobody's empty outbox was seen first is a matter of luck.
  const steps = shown.filter((count, at) => count !== shown[at - 1]);
  expect(steps.slice(steps.indexOf(2))).toEqual([2, 1, 'none']);
});

test('the badge of the last visit stays until it is known who is here', async () => {
  const shown = badges();
  fakeServer().answer(() => new Promise(() => undefined));
  await draw(<Badge />);
  await become({ entries: [] });
  expect(shown).toEqual([]);
});

test('a browser without badges, or that refuses them, is left alone', async () => {
  Object.assign(navigator, {
    setAppBadge: () => Promise.reject(new DOMException('no', 'NotAllowedError')),
    clearAppBadge: undefined,
  });
  fakeServer().answer(() => json(aUser));
  const { client } = await draw(<Badge />);
  await act(async () => void client.setQueryData(userQuery.queryKey, aUser));
  await become({ entries: [entryOf('a')] });
  await become({ entries: [] });
});
