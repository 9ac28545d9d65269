import { act, fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { chipState } from '../../app/features/outbox/chip.ts';
import { startOf } from '../../app/features/shell/start-path.ts';
import { initials, stampTime } from '../../app/lib/format.ts';
import { HttpError } from '../../app/lib/http.ts';
import { sectionOf, todayOf } from '../../app/lib/places.ts';
import { Button } from '../../app/ui/button.tsx';
import { Points, TaskCard } from '../../app/ui/card.tsx';
import { Screen } from '../../app/ui/screen.tsx';
import { AsOf } from '../../app/ui/stamp.tsx';
import { Reading } from '../../app/ui/states.tsx';
import type { OutboxEntry } from '../../worker/schema.ts';
import { draw } from './support.tsx';

const entry = (state: OutboxEntry['state'], over: Partial<OutboxEntry> = {}) =>
  ({ state, subject: 'claim:c1:t1', body: {}, error: null, ...over }) as OutboxEntry;
describe('the outbox chip, by situation', () => {
  const { waiting, sending, refused } = {
    waiting: entry('waiting'),
    sending: entry('sending'),
    refused: entry('refused'),
  };
  test('online, nothing waiting: none', () => expect(chipState([], 0, true)).toEqual({ kind: 'none' }));
  test('offline, nothing waiting', () => expect(chipState([], 0, false)).toEqual({ kind: 'offline' }));
  test('waiting, with and without a connection', () => {
    expect(chipState([waiting, waiting, waiting], 0, false)).toEqual({ kind: 'waiting', count: 3 });
    expect(chipState([waiting], 0, true)).toEqual({ kind: 'waiting', count: 1 });
  });
  test('sending counts through the batch', () => {
    expect(chipState([sending, waiting, waiting], 0, true)).toEqual({ kind: 'sending', sent: 1, count: 3 });
    expect(chipState([sending, waiting], 1, true)).toEqual({ kind: 'sending', sent: 2, count: 3 });
  });
  test('all there', () => expect(chipState([], 3, true)).toEqual({ kind: 'received', count: 3 }));
  test('refused stays above all', () => {
    expect(chipState([refused, waiting, sending], 2, false)).toEqual({ kind: 'needs', count: 1 });
  });
  test('one act is counted, with its picture, and while it can still be undone', () => {
    const picture = entry('waiting', { subject: 'image:p1' });
    const answer = entry('waiting', { body: { evidence: { imageId: 'p1' } } });
    const held = entry('waiting', { attempts: 0, nextTryAt: Date.now() + 8_000 });
    expect(chipState([picture, answer, held], 4, true)).toEqual({ kind: 'waiting', count: 2 });
    // Bytes whose answer is gone are counted: they need their member.
    expect(chipState([{ ...picture, state: 'refused' }], 0, true)).toEqual({ kind: 'needs', count: 1 });
  });
  test('what the server has said its last word about needs nobody', () => {
    const error = { status: 409, reason: 'ALREADY_CLAIMED', message: '', requestId: 'r' };
    expect(chipState([entry('refused', { error })], 0, true)).toEqual({ kind: 'none' });
  });
});

describe('places', () => {
  test('each address lights its tab', () => {
    const places = ['/rv/dashboard', '/community/17/dashboard', '/community-selector', '/leaderboard', '/communities'];
    expect(places.map(sectionOf)).toEqual(['today', 'today', 'today', 'leaderboard', 'explore']);
    expect(
      ['/community/17', '/profile', '/profile-accounts', '/settings/ledger', '/admin', '/rv/admin'].map(sectionOf),
    ).toEqual(['explore', 'you', 'you', 'you', null, 'tools']);
  });
  const dashboard = { to: '/community/$communityId/dashboard', params: { communityId: 'rv' } };
  test("'Today' is the community seen last while it is mine, else the selector", () => {
    expect(todayOf('rv', null)).toEqual(dashboard);
    expect(todayOf('rv', new Set(['rv']))).toEqual(dashboard);
    expect(todayOf('rv', new Set(['fm']))).toEqual({ to: '/community-selector' });
    expect(todayOf(null, new Set(['fm']))).toEqual({ to: '/community-selector' });
  });
  test('the app starts at the community seen last, also offline; at the selector without one, at the gate without a member', () => {
    expect(startOf('rv', true)).toEqual(dashboard);
    expect(startOf(null, true)).toEqual({ to: '/community-selector' });
    expect(startOf(null, false)).toEqual({ to: '/' });
    // Shut out, or signed out by another device: what is remembered opens nothing.
    expect(startOf('rv', false)).toEqual({ to: '/' });
  });
});

describe('parts of every screen', () => {
  test('one main, one h1, the title of the document', () => {
    render(<Screen title="Ledger">text</Screen>);
    expect(screen.getAllByRole('heading', { level: 1 }).map(({ textContent }) => textContent)).toEqual(['Ledger']);
    expect(screen.getAllByRole('main')).toHaveLength(1);
    expect(document.title).toBe('Ledger · Muster');
  });

  test('a disabled button says why, stays reachable and does nothing', () => {
    const press = vi.fn();
    render(
      <Button disabledReason="no connection" onClick={press}>
        Send now
      </Button>,
    );
    const button = screen.getByRole('button', { name: 'Send now: no connection' });
    button.focus();
    fireEvent.click(button);
    expect(button).toBe(document.activeElement);
    expect([button.getAttribute('aria-disabled'), press.mock.calls.length]).toEqual(['true', 0]);
  });

  test('pencilled points are signed, dashed, and read from the left', () => {
    const { container } = render(<Points value={35} pencil />);
    expect(container.querySelector('bdi[dir="ltr"] .pencil')?.textContent).toBe('+35');
  });

  test('a queued task loses its paper; a counted one is quiet', () => {
    const { container } = render(
      <>
        <TaskCard mark="pencil" title="Check in" meta="Saved" points={10} />
        <TaskCard mark="ink" title="Read" meta="Counted" points={5} />
      </>,
    );
    expect([...container.querySelectorAll('.task-card')].map(({ className }) => className)).toEqual([
      'task-card pencil-card',
      'task-card task-card--done',
    ]);
  });

  test('no stamp while fresh; the time today, the day before that', () => {
    const now = new Date(2026, 10, 21, 15, 0).getTime();
    expect(stampTime(new Date(2026, 10, 21, 14, 2), now)).toBe('14:02');
    expect(stampTime(new Date(2026, 10, 17, 14, 2), now)).toBe('Tue 14:02');
    const { container } = render(<AsOf at={Date.now() - 5_000} />);
    expect(container.textContent).toBe('');
    const retry = vi.fn();
    render(<AsOf at={Date.now() - 120_000} onRetry={retry} />);
    fireEvent.click(screen.getByRole('button', { name: /^As of/ }));
    expect(retry).toHaveBeenCalledTimes(1);
  });

  test('the stamp comes by itself where what is shown grows old, and names the day once it is another', () => {
    vi.useFakeTimers({ now: new Date(2026, 10, 21, 14, 2) });
    try {
      const { container } = render(<AsOf at={Date.now() - 5_000} />);
      expect(container.textContent).toBe('');
      act(() => vi.advanceTimersByTime(90_000));
      expect(container.textContent).toBe('As of 14:01');
      act(() => vi.advanceTimersByTime(12 * 60 * 60_000));
      expect(container.textContent).toBe('As of Sat 14:01');
    } finally {
      vi.useRealTimers();
    }
  });

  test('initials', () => {
    expect(['Ridge & Valley Walkers', 'Mira', 'ÅSE berg', ''].map(initials)).toEqual(['RV', 'MI', 'ÅB', '']);
  });
});

describe('what a read shows', () => {
  const refused = (status: number, message = 'words') =>
    new HttpError({ status, reason: 'LIST_FAILED', message, requestId: '41d8-02be' });
  const shows = async (query: { data: string | undefined; error: Error | null }) => {
    const refetch = vi.fn();
    await draw(<Reading query={{ ...query, refetch } as never}>{(data: string) => <p>{data}</p>}</Reading>);
    return refetch;
  };
  test('its data, also when the refresh failed', async () => {
    await shows({ data: 'old but here', error: refused(500) });
    screen.getByText('old but here');
  });
  test('401: sign in, and come back here', async () => {
    await shows({ data: undefined, error: refused(401) });
    const link = screen.getByRole('link', { name: 'Sign in with Telegram' });
    expect(link.getAttribute('href')).toMatch(/^\/api\/auth\/telegram\/start\?next=/);
  });
  test("403: the server's words", async () => {
    await shows({ data: undefined, error: refused(403, 'Ilse can let you in.') });
    screen.getByText('Ilse can let you in.');
  });
  test('no answer at all: not on this device yet', async () => {
    await shows({ data: undefined, error: new TypeError('Failed to fetch') });
    screen.getByRole('heading', { name: 'Not on this device yet' });
  });
  test('anything else: the words, code, request id, Try again', async () => {
    const refetch = await shows({ data: undefined, error: refused(500) });
    for (const words of ['words', '500', 'LIST_FAILED', 'req 41d8-02be']) screen.getByText(words);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refetch).toHaveBeenCalledTimes(1);
  });
});
