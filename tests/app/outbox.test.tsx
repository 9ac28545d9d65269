import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { announcement } from '../../app/features/outbox/announce.ts';
import { OutboxChip, OutboxSheet } from '../../app/features/outbox/outbox.tsx';
import { rewritten, writtenIn } from '../../app/features/outbox/written.ts';
import type { OutboxEntry } from '../../app/lib/device.ts';
import { read } from '../../app/lib/query.ts';
import type { DeviceEvent, StorageState } from '../../worker/schema.ts';
import { entryOf } from './member/support.ts';
import { click, draw } from './support.tsx';

const device = vi.hoisted(() => ({
  entries: [] as OutboxEntry[],
  storage: { kind: 'durable' } as StorageState,
  listeners: new Set<(event: DeviceEvent) => void>(),
  retried: vi.fn(async (_id: string) => undefined),
  edited: vi.fn(async (_id: string, _body: unknown) => 'entry-2'),
  discarded: vi.fn(async (_id: string) => undefined),
  drained: vi.fn(async () => ({ delivered: 0, refused: 0, waiting: 0, nextAt: null })),
  logged: vi.fn(),
}));
vi.mock('../../app/lib/device.ts', () => {
  const onDeviceEvent = (listener: (event: DeviceEvent) => void) => {
    device.listeners.add(listener);
    return () => void device.listeners.delete(listener);
  };
  return {
    useOutbox: () => device.entries,
    useStorageState: () => device.storage,
    onDeviceEvent,
    onDelivered: (listener: (event: DeviceEvent) => void) =>
      onDeviceEvent((event) => event.type === 'DELIVERED' && listener(event)),
    retryEntry: device.retried,
    editEntry: device.edited,
    discardEntry: device.discarded,
    drainNow: device.drained,
  };
});
vi.mock('../../app/lib/logs.ts', () => ({ log: device.logged }));

const tell = (event: DeviceEvent) => act(() => device.listeners.forEach((listener) => void listener(event)));
const delivered = (entry: OutboxEntry) => tell({ type: 'DELIVERED', entry, status: 201, answer: null });
const refused = (over: Partial<OutboxEntry> = {}) =>
  entryOf('claim:c1:t1', {
    id: 'entry-1',
    state: 'refused',
    label: 'Meter reading',
    body: { evidence: { kind: 'submit_text', text: 'It says 418.' }, actedAt: '2026-11-21T13:58:00.000Z' },
    error: { status: 409, reason: 'TASK_ARCHIVED', message: 'This task is closed.', requestId: 'req-7f3a' },
    ...over,
  });
const online = (isOnline: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);

async function openSheet(entries: OutboxEntry[]) {
  device.entries = entries;
  const view = await draw(
    <>
      <OutboxChip />
      <OutboxSheet />
    </>,
  );
  await act(async () => {
    view.client.setQueryData(read('GET /api/user/communities').queryKey, [{ id: 'c1', name: 'Ridge' }] as never);
  });
  fireEvent.click(screen.getByRole('button', { name: /to send|needs? you|Sending/ }));
}
const sheet = () => screen.getByRole('dialog', { name: 'Not sent yet' });
const press = async (name: string) => {
  await click(within(sheet()).getByRole('button', { name }));
};

beforeEach(() => {
  online(true);
});
afterEach(() => {
  // The sheet's being open outlives one page in these tests.
  const close = screen.queryByRole('button', { name: 'Close' });
  if (close) fireEvent.click(close);
  tell({ type: 'MEMBER_CHANGED', userId: null });
  vi.clearAllMocks();
  device.entries = [];
  device.storage = { kind: 'durable' };
});

test('the chip draws up to three marks for what waits and one while it sends: it stays about as wide, and the app bar as high', async () => {
  const marks = async (entries: OutboxEntry[]) => {
    device.entries = entries;
    const { unmount } = await draw(<OutboxChip />);
    const chip = await screen.findByRole('button', { name: /to send|Sending/ });
    const drawn = chip.querySelectorAll('.mark').length;
    unmount();
    return drawn;
  };
  const waiting = ['a', 'b', 'c', 'd'].map((subject) => entryOf(subject));
  expect(await marks(waiting)).toBe(3);
  expect(await marks([entryOf('a', { state: 'sending' }), ...waiting.slice(1)])).toBe(1);
});

describe('the sheet', () => {
  test('what waits stands by its community, oldest first, with when it is tried next and no more order than is kept', async () => {
    const nextTryAt = new Date(2026, 10, 21, 14, 32).getTime();
    await openSheet([
      entryOf('a', { label: 'First' }),
      entryOf('b', { label: 'Second', attempts: 3, nextTryAt, lane: 'community:c1/task:t1' }),
      entryOf('c', { label: 'Third', state: 'sending', lane: 'community:c1/task:t2' }),
    ]);
    expect(
      within(sheet())
        .getAllByRole('heading', { level: 3 })
        .map((title) => title.textContent),
    ).toEqual(['First', 'Second', 'Third']);
    const tries = within(sheet()).getByText('Tried 3 ×, next try 14:32').closest('details');
    expect(tries?.open).toBe(false);
    expect(tries?.previousElementSibling?.textContent).toMatch(/^Saved [^·]*$/);
    expect(within(sheet()).getAllByRole('region', { name: 'Ridge' })).toHaveLength(1);
    expect(sheet().textContent).not.toMatch(/in this order/i);
    expect(sheet().textContent).toContain('Related items are sent in order');
  });

  test("what was refused comes first, with the server's words, code and request id", async () => {
    await openSheet([entryOf('a', { label: 'First' }), refused()]);
    const needs = within(sheet()).getByRole('region', { name: 'Needs you' });
    expect(needs.textContent).toContain('Refused: This task is closed.');
    for (const part of ['409', 'TASK_ARCHIVED', 'req req-7f3a']) expect(needs.textContent).toContain(part);
    expect(sheet().textContent?.indexOf('Meter reading')).toBeLessThan(sheet().textContent?.indexOf('First') ?? -1);
  });

  test('Retry puts it back as it is', async () => {
    await openSheet([refused()]);
    await press('Retry');
    expect(device.retried.mock.calls).toEqual([['entry-1']]);
  });

  test('Edit opens what was written and sends it with nothing else changed', async () => {
    await openSheet([refused()]);
    await press('Edit');
    const field = within(sheet()).getByRole<HTMLTextAreaElement>('textbox', { name: 'What you wrote' });
    expect(field.value).toBe('It says 418.');
    expect(field).toBe(document.activeElement);
    fireEvent.change(field, { target: { value: ' It says 419. ' } });
    await press('Send again');
    expect(device.edited.mock.calls).toEqual([
      ['entry-1', { evidence: { kind: 'submit_text', text: 'It says 419.' }, actedAt: '2026-11-21T13:58:00.000Z' }],
    ]);
  });

  test('Edit without words sends nothing and says why', async () => {
    await openSheet([refused()]);
    await press('Edit');
    fireEvent.change(within(sheet()).getByRole('textbox'), { target: { value: '  ' } });
    await press('Send again: write something to send');
    expect(device.edited).not.toHaveBeenCalled();
  });

  test('an act without words of the member has no Edit', async () => {
    await openSheet([refused({ body: { actedAt: '2026-11-21T13:58:00.000Z' } })]);
    expect(within(sheet()).queryByRole('button', { name: 'Edit' })).toBeNull();
    expect(within(sheet()).getByRole('button', { name: 'Retry' })).toBeTruthy();
  });

  test('Discard asks; keeping keeps, discarding leaves a trace for ops', async () => {
    await openSheet([refused()]);
    await press('Discard');
    expect(device.discarded).not.toHaveBeenCalled();
    expect(within(sheet()).getByRole('alert').textContent).toContain('only on this device');
    expect(document.activeElement?.textContent).toBe('Keep it');
    await press('Keep it');
    await press('Discard');
    await press('Discard');
    expect(device.discarded.mock.calls).toEqual([['entry-1']]);
    expect(device.logged).toHaveBeenCalledWith('outbox.discard', expect.objectContaining({ id: 'entry-1' }));
  });

  test('what was sent today is listed, and gone with the member', async () => {
    await openSheet([entryOf('a', { label: 'First' })]);
    delivered(entryOf('claim:c1:t9', { label: 'Flooded ford' }));
    const sent = within(sheet()).getByRole('region', { name: 'Sent today' });
    expect(sent.textContent).toMatch(/Flooded ford.*Ridge · received \d\d:\d\d/);
    tell({ type: 'MEMBER_CHANGED', userId: 'u2' });
    expect(within(sheet()).queryByRole('region', { name: 'Sent today' })).toBeNull();
  });

  test('without a connection Send now says why it cannot, and the app may be closed', async () => {
    online(false);
    await openSheet([entryOf('a')]);
    await press('Send now: no connection');
    expect(device.drained).not.toHaveBeenCalled();
    expect(sheet().textContent).toContain('you can close the app');
  });

  test('where nothing can be kept it never says that the app may be closed', async () => {
    device.storage = { kind: 'memory', reason: 'refused' };
    await openSheet([entryOf('a')]);
    expect(sheet().textContent).not.toContain('you can close the app');
    expect(sheet().textContent).toContain('Keep it open');
  });
});

describe('what a screen reader hears', () => {
  const waiting = { kind: 'waiting', count: 2 } as const;
  test('that something waits, once, whatever its count and tries', () => {
    const said = announcement(waiting, '');
    expect(said).not.toBe('');
    expect(announcement({ kind: 'sending', sent: 1, count: 2 }, said)).toBe(said);
    expect(announcement({ kind: 'waiting', count: 5 }, said)).toBe(said);
  });
  test('that all has arrived, only after it was told to wait', () => {
    expect(announcement({ kind: 'received', count: 1 }, '')).toBe('');
    expect(announcement({ kind: 'received', count: 1 }, announcement(waiting, ''))).toBe('All received');
    expect(announcement({ kind: 'none' }, 'All received')).toBe('');
  });
  test('what needs the member, and nothing of a mere lack of connection', () => {
    expect(announcement({ kind: 'needs', count: 1 }, '')).toBe('1 needs you');
    expect(announcement({ kind: 'offline' }, '')).toBe('');
  });
  test('an act that arrives at once is not spoken of; one that waits is, politely', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    device.entries = [entryOf('a')];
    await draw(<OutboxSheet />);
    const status = screen.getByRole('status');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(status.textContent).toBe('');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(status.textContent).toBe('Not sent yet. It is sent automatically.');
  });
});

describe("a member's words inside an act", () => {
  test('are found, replaced, and everything else stays', () => {
    const body = { decision: 'reject', reason: 'Too dark.' };
    const written = writtenIn(body);
    expect(written).toMatchObject({ field: 'reason', text: 'Too dark.', longest: expect.any(Number) });
    expect(written && rewritten(body, written, 'Too blurred.')).toEqual({ decision: 'reject', reason: 'Too blurred.' });
  });
  test.each([[undefined], [null], [{}], [{ text: 4 }], ['text']])('%j has none', (body) => {
    expect(writtenIn(body)).toBeNull();
  });
});
