/** What a page remembers of what led up to an error, and that nobody can be told from it. */
import { fireEvent, render, screen } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { leaveCrumbs } from '../../app/features/shell/crumbs.ts';
import { request } from '../../app/lib/http.ts';
import { logError } from '../../app/lib/logs.ts';
import { m } from '../../app/paraglide/messages.js';
import { Button, ButtonLink } from '../../app/ui/button.tsx';
import { BREADCRUMBS_MAX } from '../../server/contract/limits.ts';
import { ClientLog } from '../../server/contract/logs.ts';
import { CACHED_AT_HEADER } from '../../server/contract/sw-messages.ts';
import { draw, fakeServer, json } from './support.tsx';

type Crumb = { at: number; kind: string; data: Record<string, unknown> };
type Entry = { id: string; userId: string; method: string; path: string; body: unknown; label: string; state: string };
const device = vi.hoisted(() => ({
  logged: [] as Record<string, unknown>[],
  outbox: [] as unknown[],
  changed: () => {},
  delivered: (_: unknown) => {},
}));
vi.mock('../../app/lib/device.ts', () => ({
  device: { appendLog: async (_kind: string, data: Record<string, unknown>) => void device.logged.push(data) },
  onDeviceEvent: () => () => undefined,
  onOutbox: (changed: () => void) => {
    device.changed = changed;
  },
  outboxNow: () => device.outbox,
  onDelivered: (heard: (delivery: unknown) => void) => {
    device.delivered = heard;
  },
}));

const page = { fullPath: '/', arrive: (_: { pathChanged: boolean }) => {} };
const update = vi.hoisted(() => ({ ready: () => {} }));
vi.mock('../../app/lib/service-worker.ts', async (original) => ({
  ...(await original<object>()),
  onUpdateReady: (ready: () => void) => {
    update.ready = ready;
  },
}));
beforeAll(() => {
  leaveCrumbs({
    state: {
      get matches() {
        return [{ fullPath: '/' }, { fullPath: page.fullPath }];
      },
    },
    subscribe(_: string, arrive: typeof page.arrive) {
      page.arrive = arrive;
    },
  } as never);
});
/** What an error that happens now would bring along. */
function crumbs(): Crumb[] {
  device.logged.length = 0;
  logError(new Error('now'), 'test');
  expect(ClientLog.safeParse({ type: 'error', data: device.logged[0] }).success).toBe(true);
  return device.logged[0]?.['breadcrumbs'] as Crumb[];
}
let seen: Crumb | undefined;
const since = () => {
  const all = crumbs();
  const from = seen ? all.findIndex((crumb) => JSON.stringify(crumb) === JSON.stringify(seen)) + 1 : 0;
  return all.slice(from).map(({ kind, data }) => [kind, data]);
};
function open(path: string, pathChanged = true): void {
  page.fullPath = path;
  page.arrive({ pathChanged });
}
beforeEach(() => {
  // A mark that no other is like: what a test leaves comes after it.
  open(`/mark/${Math.random()}`);
  seen = crumbs().at(-1);
});

describe('what is remembered', () => {
  test('the route of each page, not its address', () => {
    open('/$communityName/dashboard');
    open('/$communityName/dashboard', false);
    open('/$');
    open('/community/$communityId/admin/');
    expect(since()).toEqual([
      ['navigate', { to: '/{communityName}/dashboard' }],
      ['navigate', { to: '/$' }],
      ['navigate', { to: '/community/{communityId}/admin' }],
    ]);
  });

  test('a call: method, address without its values, status, time; and whose answer it was', async () => {
    const { answer } = fakeServer();
    answer(({ method }) =>
      method === 'GET' ? json({}, 200, { [CACHED_AT_HEADER]: String(Date.now()) }) : json({}, 201),
    );
    await request('POST', '/api/communities/ridge-canary/claims?invite=canary', { canary: 1 });
    await request('GET', '/api/communities');
    answer(() => Promise.reject(new TypeError('no network')));
    await expect(request('DELETE', '/api/account')).rejects.toThrow('no network');
    const given = new AbortController();
    answer(() => Promise.reject(given.signal.reason));
    given.abort();
    await expect(request('GET', '/api/communities', undefined, { signal: given.signal })).rejects.toThrow();
    const ms = expect.any(Number);
    expect(since()).toEqual([
      ['call', { method: 'POST', to: '/api/communities/:id/claims', status: 201, ms }],
      ['call', { method: 'GET', to: '/api/communities', status: 200, ms, copy: true }],
      ['call', { method: 'DELETE', to: expect.stringContaining('/api/'), status: 0, ms }],
    ]);
  });

  test('a press, by the words of the catalogue, or by what it is and where it stands', async () => {
    await draw(
      <main>
        <Button icon="copy">Copy link</Button>
        <ButtonLink to="/explore-communities">Explore</ButtonLink>
        <Button disabledReason="Canary first">Try again</Button>
        <nav>
          <Button>Join Canary Walkers</Button>
        </nav>
        <a href="#task">Copy link</a>
        <button type="button" aria-label="Try again">
          Walk
        </button>
      </main>,
    );
    for (const name of ['Copy link', 'Try again: Canary first', 'Join Canary Walkers', m.shell_explore()])
      fireEvent.click(
        await screen.findByText((_, element) => element?.matches('.button') === true && element.textContent === name),
      );
    // A task that is called as a button of ours is, and a member's choice.
    for (const theirs of ['a[href="#task"]', '[aria-label="Try again"]'])
      fireEvent.click(document.querySelector(theirs) as Element);
    expect(since()).toEqual([
      ['press', { role: 'button', name: 'Copy link' }],
      ['press', { role: 'button', name: 'Try again' }],
      ['press', { role: 'button', place: 'nav' }],
      ['press', { role: 'link', name: m.shell_explore() }],
      ['press', { role: 'link', place: 'main' }],
      ['press', { role: 'button', place: 'main' }],
    ]);
  });

  test('what waits: kept, refused, delivered, taken back', () => {
    const claim = {
      id: '1',
      method: 'POST',
      path: '/api/communities/canary/claims',
      label: 'Canary',
      state: 'waiting',
    };
    const other: Partial<Entry> = { ...claim, id: '2' };
    device.outbox = [claim, other];
    device.changed();
    device.outbox = [claim, { ...other, state: 'refused' }];
    device.changed();
    device.delivered({ entry: claim, status: 201, answer: { canary: 1 } });
    device.outbox = [{ ...other, state: 'refused' }];
    device.changed();
    device.outbox = [];
    device.changed();
    const what = 'POST /api/communities/:id/claims';
    expect(since()).toEqual([
      ['outbox', { what, now: 'waiting' }],
      ['outbox', { what, now: 'waiting' }],
      ['outbox', { what, now: 'refused' }],
      ['outbox', { what, now: 'delivered', status: 201 }],
      ['outbox', { what, now: 'gone' }],
    ]);
  });

  test('the connection and a new build', () => {
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
    update.ready();
    expect(since().map(([kind]) => kind)).toEqual(['offline', 'online', 'update']);
  });

  test('the last of them, and no more', () => {
    for (let n = 0; n < BREADCRUMBS_MAX * 2; n += 1) open(`/page/${n}`);
    const all = crumbs();
    expect(all).toHaveLength(BREADCRUMBS_MAX);
    expect(all.at(-1)?.data).toEqual({ to: `/page/${BREADCRUMBS_MAX * 2 - 1}` });
  });
});

test('nothing of a person: not what they type, choose, are called, visit or send', async () => {
  const { answer } = fakeServer();
  answer(() => json({ name: 'Canary Okafor' }));
  history.replaceState(null, '', '/community/canary-walkers?invite=canary#canary');
  render(
    <main aria-label="Canary page">
      <h2>Canary Walkers</h2>
      <nav aria-label="Canary people">
        <a href="/people/canary">Canary Okafor</a>
        <button type="button" aria-label="Message Canary Okafor" title="canary">
          Canary
        </button>
      </nav>
      <form aria-label="canary">
        <input aria-label="Your name" defaultValue="Canary Okafor" name="canary" />
        <input type="submit" value="Canary" />
        <textarea defaultValue="what canary thinks" />
        <select defaultValue="canary">
          <option value="canary">Canary</option>
        </select>
        <input type="radio" value="canary" aria-label="Canary" />
        <button type="button" aria-pressed="true">
          Try again
        </button>
        <div role="option" tabIndex={-1} aria-selected="true">
          Try again
        </div>
        {/* biome-ignore lint/a11y/useValidAriaRole: the same */}
        <button type="button" role="canary">
          <span>Canary</span>
          <span>Okafor</span>
        </button>
        <div contentEditable suppressContentEditableWarning>
          <a href="/canary">Try again canary</a>
        </div>
      </form>
    </main>,
  );
  const controls = document.querySelectorAll('a,button,input,textarea,select,option,[role],h2');
  expect(controls.length).toBeGreaterThan(10);
  for (const control of controls) fireEvent.click(control);
  await request('GET', '/api/communities/canary-walkers/members/canary?q=canary');
  await request('PUT', '/canary/api/canary', { canary: 'Canary' });
  const text = JSON.stringify(since());
  expect(since().length).toBeGreaterThan(10);
  expect(text).not.toMatch(/canary|okafor/i);
  // A word of ours that somebody chose is their answer.
  expect(text).not.toContain('Try again');
  history.replaceState(null, '', '/');
});
