import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Campaigns } from '../../app/features/notifications/campaigns.tsx';
import type { OutboxEntry } from '../../app/lib/device.ts';
import { useToasts } from '../../app/ui/toast.tsx';
import type { Campaign } from '../../server/contract/campaigns.ts';
import { entryOf } from './member/support.ts';
import { type Asked, draw, type FakeServer, fakeServer, json, refusal } from './support.tsx';

const device = vi.hoisted(() => ({
  queued: [] as { method: string; path: string; body: unknown; label: string }[],
  delivered: new Set<(event: { entry: OutboxEntry }) => void>(),
}));
vi.mock('../../app/lib/device.ts', () => ({
  enqueue: async (entry: (typeof device.queued)[number]) => {
    device.queued.push(entry);
    return 'entry-1';
  },
  discardEntry: async () => undefined,
  useOutbox: () => [],
  onDelivered: (listener: (event: { entry: OutboxEntry }) => void) => {
    device.delivered.add(listener);
    return () => void device.delivered.delete(listener);
  },
  onDeviceEvent: () => () => undefined,
}));
vi.mock('../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const campaign = (change: Partial<Campaign> = {}): Campaign => ({
  id: 'n1',
  topic: 'announcement',
  title: 'Saturday',
  body: 'We meet at ten.',
  by: 'Ilse',
  sendAt: '2026-11-21T10:00:00.000Z',
  state: 'done',
  startedAt: '2026-11-21T10:00:01.000Z',
  finishedAt: '2026-11-21T10:00:09.000Z',
  audience: {},
  members: 118,
  optedOut: 7,
  capped: 3,
  queued: 130,
  sent: 121,
  told: 4,
  gone: 2,
  failed: 3,
  shown: 90,
  clicked: 41,
  dismissed: 12,
  services: [{ service: 'fcm.googleapis.com', sent: 100, gone: 2, failed: 1 }],
  ...change,
});

let server: FakeServer;
let items: Campaign[];
let said: string[];
function Said() {
  said = useToasts().map(({ title, line }) => `${title} ${line ?? ''}`.trim());
  return null;
}
/** What everything but the list is answered. */
let others: (asked: Asked) => Response;
beforeEach(() => {
  server = fakeServer();
  items = [];
  others = ({ url }) => (url.includes('/reach') ? json({ members: 12, browsers: 15 }) : json({ ok: true }));
  server.answer((asked) =>
    /\/campaigns(\?.*)?$/.test(asked.url) && asked.method === 'GET' ? json({ items, next: null }) : others(asked),
  );
  Object.assign(device, { queued: [] });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const show = (communityId = 'c1') =>
  draw(
    <>
      <Campaigns communityId={communityId} />
      <Said />
    </>,
  );
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const type = async (label: string, value: string) => void fireEvent.change(await field(label), { target: { value } });
const press = async (name: string) =>
  act(async () => void fireEvent.click(await screen.findByRole('button', { name })));
const lists = () => server.asked.filter(({ url, method }) => url.includes('/campaigns') && method === 'GET').length;

describe('the list of what was sent', () => {
  test('is told as empty, with what will be there', async () => {
    await show();
    expect(await screen.findByRole('heading', { name: 'Nothing was sent yet' })).toBeDefined();
  });

  test('is loading until it is there; the form can be written into meanwhile', async () => {
    let done: (response: Response) => void = () => undefined;
    server.answer(({ url }) =>
      url.includes('/reach')
        ? json({ members: 1, browsers: 1 })
        : new Promise<Response>((resolve) => {
            done = resolve;
          }),
    );
    await show();
    expect(await screen.findByRole('status', { name: 'Loading' })).toBeDefined();
    await type('Title', 'Saturday');
    await act(async () => done(json({ items: [campaign()], next: null })));
    expect(await screen.findByRole('heading', { name: 'Saturday' })).toBeDefined();
    expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull();
    expect((await field('Title')).value).toBe('Saturday');
  });

  test.each([
    ['what failed, with a way to try again', () => refusal(500, 'BROKEN', 'It broke'), 'This did not load'],
    ['who may come in', () => refusal(403, 'NOT_LEADER', 'For leaders'), 'Not open to you'],
    [
      'that there is no copy',
      () => {
        throw new TypeError('Failed to fetch');
      },
      'Not on this device yet',
    ],
  ] as [string, () => Response, string][])('says %s', async (_what, answer, title) => {
    server.answer(answer);
    await show();
    expect(await screen.findByRole('heading', { name: title })).toBeDefined();
    if (title === 'Not open to you') return;
    server.answer(() => json({ items: [campaign()], next: null }));
    await press('Try again');
    expect(await screen.findByRole('heading', { name: 'Saturday' })).toBeDefined();
  });

  test('shows of each how it fared, at each push service too', async () => {
    items = [campaign()];
    const { container } = await show();
    expect(await screen.findByText('fcm.googleapis.com: 100 sent, 2 gone, 1 failed')).toBeDefined();
    const figures = Object.fromEntries(
      [...container.querySelectorAll('dl.push-figures > div')].map((pair) => [
        pair.querySelector('dt')?.textContent,
        pair.querySelector('dd')?.textContent,
      ]),
    );
    expect(figures).toEqual({
      Members: '118',
      Queued: '130',
      Sent: '121',
      'By Telegram': '4',
      Expired: '2',
      Failed: '3',
      Shown: '90',
      Opened: '41',
      Dismissed: '12',
      'Opted out': '7',
      'Over daily limit': '3',
    });
  });

  test.each([
    ['spreading', 'Sending'],
    ['sending', 'Sending'],
    ['done', 'Sent'],
    ['cancelled', 'Taken back'],
  ] as const)('%s is called “%s” and cannot be taken back', async (state, word) => {
    items = [campaign({ state })];
    await show();
    const card = (await screen.findByRole('heading', { name: 'Saturday' })).closest('li');
    expect(within(card as HTMLElement).getAllByText(word).length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: 'Take back “Saturday”' })).toBeNull();
  });

  test('what is planned says when it goes out, and is taken back through the outbox', async () => {
    items = [campaign({ state: 'waiting', sendAt: '2026-12-24T18:00:00.000Z', finishedAt: null, services: [] })];
    await show();
    expect(await screen.findByText(/Goes out .*24/)).toBeDefined();
    expect(screen.queryByText('Members')).toBeNull();
    await press('Take back “Saturday”');
    expect(device.queued).toMatchObject([{ method: 'DELETE', path: '/api/communities/c1/campaigns/n1' }]);
  });

  test('is read again when the server has what was sent from here, and not for anything else', async () => {
    await show();
    await screen.findByRole('heading', { name: 'Nothing was sent yet' });
    const before = lists();
    const deliver = (path: string) =>
      act(async () => device.delivered.forEach((listener) => void listener({ entry: entryOf('x', { path }) })));
    await deliver('/api/communities/c2/tasks');
    expect(lists()).toBe(before);
    items = [campaign()];
    await deliver('/api/communities/c1/campaigns');
    expect(await screen.findByRole('heading', { name: 'Saturday' })).toBeDefined();
  });
});

describe('the composer', () => {
  test('shows how it will look, from the first letter on', async () => {
    await show();
    const preview = within(await screen.findByRole('figure'));
    expect(preview.getByText('Your title')).toBeDefined();
    expect(preview.getByText('Your message appears here.')).toBeDefined();
    await type('Title', 'Saturday');
    await type('What you want to say', 'We meet at ten.');
    expect(preview.getByText('Saturday')).toBeDefined();
    expect(preview.getByText('We meet at ten.')).toBeDefined();
  });

  test('says what is missing and sends nothing until it is there', async () => {
    await show();
    await press('Send now');
    expect(await screen.findByText('At least 3 letters.')).toBeDefined();
    expect(screen.getByText('Write something.')).toBeDefined();
    await press('Test to myself');
    expect(device.queued).toEqual([]);
    expect(server.asked.some(({ method }) => method === 'POST')).toBe(false);
  });

  test('sends to everybody at once, through the outbox, and begins anew', async () => {
    await show();
    await type('Title', '  Saturday ');
    await type('What you want to say', 'We meet at ten.');
    await press('Send now');
    expect(device.queued).toMatchObject([
      {
        method: 'POST',
        path: '/api/communities/c1/campaigns',
        label: 'Send “Saturday”',
        body: { title: 'Saturday', body: 'We meet at ten.', sendAt: null, audience: {} },
      },
    ]);
    expect((await field('Title')).value).toBe('');
    cleanup();
    await show();
    expect((await field('Title')).value).toBe('');
  });

  test('keeps what was begun, for each place on its own', async () => {
    await show();
    await type('Title', 'Saturday');
    cleanup();
    await show('c2');
    expect((await field('Title')).value).toBe('');
    cleanup();
    await show();
    expect((await field('Title')).value).toBe('Saturday');
  });

  test('is planned for later, not for what is over', async () => {
    await show();
    await type('Title', 'Saturday');
    await type('What you want to say', 'We meet at ten.');
    await type('When', '2020-01-01T10:00');
    await press('Plan it');
    expect(await screen.findByText('Choose a time in the future.')).toBeDefined();
    expect(device.queued).toEqual([]);
    const year = new Date().getFullYear() + 1;
    await type('When', `${year}-06-01T10:00`);
    await press('Plan it');
    const sendAt = new Date(`${year}-06-01T10:00`).toISOString();
    expect(device.queued).toMatchObject([{ body: { sendAt } }]);
  });

  test('narrows down who gets it, and says how many that are', async () => {
    await show();
    expect(await screen.findByText(/^12 members, 15 devices/)).toBeDefined();
    others = () => json({ members: 3, browsers: 2 });
    await type('Who gets it', 'moderator');
    await type('With at least points', '1x00');
    await type('Active within days', '9000');
    expect(await screen.findByText(/^3 members, 2 devices/)).toBeDefined();
    const asked = new URL(server.asked.filter(({ url }) => url.includes('/reach')).at(-1)?.url ?? '', 'http://x');
    expect(Object.fromEntries(asked.searchParams)).toEqual({ role: 'moderator', minPoints: '100', activeDays: '365' });
    await type('Title', 'Saturday');
    await type('What you want to say', 'We meet at ten.');
    await press('Send now');
    expect(device.queued).toMatchObject([
      { body: { audience: { roles: ['moderator'], minPoints: 100, activeDays: 365 } } },
    ]);
  });

  test('is tried on one’s own devices first; says so, or why not', async () => {
    await show();
    await type('Title', 'Saturday');
    await type('What you want to say', 'We meet at ten.');
    await press('Test to myself');
    await vi.waitFor(() => expect(said[0]).toContain('A test is on its way'));
    const sent = server.asked.find(({ method }) => method === 'POST');
    expect(sent?.url).toBe('/api/communities/c1/campaigns/test');
    expect(JSON.parse(String(sent?.init.body))).toEqual({ title: 'Saturday', body: 'We meet at ten.' });
    others = () => refusal(429, 'TOO_MANY', 'Not so fast');
    await press('Test to myself');
    await vi.waitFor(() => expect(said[0]).toContain('Not so fast'));
    expect(device.queued).toEqual([]);
    expect((await field('Title')).value).toBe('Saturday');
  });
});
