import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Announcements } from '../../app/features/leader/announcements/announcements.tsx';
import type { OutboxEntry } from '../../app/lib/device.ts';
import { m } from '../../app/paraglide/messages.js';
import { useToasts } from '../../app/ui/toast.tsx';
import type { Campaign, Reach } from '../../server/contract/campaigns.ts';
import type { Announced } from '../../server/contract/rooms.ts';
import { entryOf } from './member/support.ts';
import { click, draw, type FakeRequest, json, refusal, serverOfEach } from './support.tsx';

const device = vi.hoisted(() => ({
  queued: [] as { method: string; path: string; body: unknown; label: string }[],
  delivered: new Set<(event: { entry: OutboxEntry }) => void>(),
}));
vi.mock('../../app/lib/device.ts', async () => ({
  ...(await import('./quiet-device.ts')),
  enqueue: async (entry: (typeof device.queued)[number]) => {
    device.queued.push(entry);
    return 'entry-1';
  },
  onDelivered: (listener: (event: { entry: OutboxEntry }) => void) => {
    device.delivered.add(listener);
    return () => void device.delivered.delete(listener);
  },
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

const said1 = (change: Partial<Announced> = {}): Announced => ({
  id: 'a1',
  announcementId: 'a1',
  title: 'Saturday',
  body: 'We meet at ten.',
  by: 'Ilse',
  at: '2026-11-21T10:00:00.000Z',
  pinnedUntil: null,
  campaign: campaign(),
  ...change,
});
const reach: Reach = {
  everybody: 46,
  push: 34,
  browsers: 40,
  telegram: 7,
  optedOut: 3,
  capped: 2,
  workedOutFrom: null,
};
const few: Reach = { ...reach, everybody: 8, push: 6, browsers: 7, telegram: 1, optedOut: 1, capped: 0 };

let items: Announced[];
let said: string[];
function Toasts() {
  said = useToasts().map(({ title, line }) => `${title} ${line ?? ''}`.trim());
  return null;
}
/** What everything but the list is answered. */
let others: (asked: FakeRequest) => Response;
const server = serverOfEach((asked) =>
  /\/announcements\/sent(\?.*)?$/.test(asked.url) && asked.method === 'GET'
    ? json({ items, next: null })
    : others(asked),
);
beforeEach(() => {
  items = [];
  others = ({ url }) => (url.includes('/reach') ? json(few) : json({ ok: true }));
  Object.assign(device, { queued: [] });
});

const show = (communityId = 'c1') =>
  draw(
    <>
      <Announcements communityId={communityId} name="Ridge Walkers" />
      <Toasts />
    </>,
  );
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const type = async (label: string, value: string) => void fireEvent.change(await field(label), { target: { value } });
const press = async (name: string) => click(await screen.findByRole('button', { name }));
const lists = () =>
  server.asked.filter(({ url, method }) => url.includes('/announcements/sent') && method === 'GET').length;

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
    await act(async () => done(json({ items: [said1()], next: null })));
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
    server.answer(() => json({ items: [said1()], next: null }));
    await press('Try again');
    expect(await screen.findByRole('heading', { name: 'Saturday' })).toBeDefined();
  });

  test('shows of each how many it reached, opened it, were not sent it; the rest is folded', async () => {
    items = [said1()];
    const { container } = await show();
    const figures = async (list: string) =>
      Object.fromEntries(
        [...container.querySelectorAll(`${list} > div`)].map((pair) => [
          pair.querySelector('dt')?.textContent,
          pair.querySelector('dd')?.textContent,
        ]),
      );
    expect(await screen.findByText('fcm.googleapis.com: 100 sent, 2 gone, 1 failed')).toBeDefined();
    expect(await figures('dl.said-figures')).toEqual({ reached: '125', opened: '41', 'not sent': '15' });
    const details = container.querySelector<HTMLDetailsElement>('details:has(.message-form__reach)');
    expect(details?.open).toBe(false);
    expect(await figures('details .message-form__reach')).toEqual({
      Members: '118',
      Sent: '121',
      'By Telegram': '4',
      Shown: '90',
      Dismissed: '12',
      Expired: '2',
      Failed: '3',
      'Opted out': '7',
      'Over daily limit': '3',
    });
  });

  test.each([
    ['spreading', 'Sending'],
    ['sending', 'Sending'],
    ['cancelled', 'Taken back'],
  ] as const)('says that one is %s', async (state, word) => {
    items = [said1({ campaign: campaign({ state }) })];
    await show();
    expect(await screen.findByText(word)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Edit “Saturday”' })).toBeNull();
  });

  test('says of what only stands on Today that nobody was notified', async () => {
    items = [said1({ campaign: null })];
    await show();
    expect(await screen.findByText(/nobody was notified/)).toBeDefined();
    await press('Take back “Saturday”');
    expect(device.queued).toMatchObject([{ method: 'DELETE', path: '/api/communities/c1/announcements/a1' }]);
  });

  test('a planned one shows its estimate and no figures, and is taken back', async () => {
    items = [said1({ campaign: campaign({ state: 'waiting' }) })];
    const { container } = await show();
    expect(await screen.findByText(/^Scheduled by Ilse for .* · about 7$/)).toBeDefined();
    expect(container.querySelector('.said-figures')).toBeNull();
    await press('Take back “Saturday”');
    expect(device.queued).toMatchObject([
      { method: 'DELETE', path: '/api/communities/c1/announcements/a1', label: 'Take back “Saturday”' },
    ]);
  });

  test('one that stands on nobody’s Today is taken back as a notification', async () => {
    items = [said1({ id: 'n1', announcementId: null, campaign: campaign({ state: 'waiting' }) })];
    await show();
    await press('Take back “Saturday”');
    expect(device.queued).toMatchObject([{ method: 'DELETE', path: '/api/communities/c1/campaigns/n1' }]);
    expect(screen.queryByRole('button', { name: 'Edit “Saturday”' })).toBeNull();
  });

  test('is read again when something of it has arrived', async () => {
    await show();
    await screen.findByRole('heading', { name: 'Nothing was sent yet' });
    const before = lists();
    const path = '/api/communities/c1/announcements';
    await act(async () => {
      for (const hear of device.delivered) hear({ entry: entryOf('announcement:1', { path }) });
    });
    await vi.waitFor(() => expect(lists()).toBeGreaterThan(before));
  });
});

const write = async (title = 'Saturday') => {
  await type('Title', title);
  await type('What you want to say', 'We meet at ten.');
};
const tick = async (name: RegExp) => click(await screen.findByLabelText(name, { selector: 'input' }));
const bodies = () => device.queued.map(({ body }) => body);
const NEXT_YEAR = new Date().getFullYear() + 1;

describe('the composer', () => {
  test('is one: nothing else in the room writes or sends', async () => {
    await show();
    expect((await screen.findAllByRole('form')).map((form) => form.getAttribute('aria-label'))).toEqual([
      'New announcement',
    ]);
  });

  test('shows how it will look on a phone and on Today', async () => {
    await show();
    await write();
    await type('Title', 'Saturday');
    const [phone, today] = (await screen.findAllByRole('figure')).map((figure) => within(figure));
    expect(phone?.getByText('Ridge Walkers')).toBeDefined();
    expect(phone?.getByText('Saturday')).toBeDefined();
    expect(today?.getByText('We meet at ten.')).toBeDefined();
    await tick(new RegExp(`^${m.compose_pin({ today: m.shell_today() })}`));
    await type('Pin it until', `${NEXT_YEAR}-06-01T10:00`);
    expect(today?.getByText(/^Pinned until/)).toBeDefined();
  });

  test('says what is missing and sends nothing until it is there', async () => {
    await show();
    await tick(new RegExp(`^${m.compose_pin({ today: m.shell_today() })}`));
    await press('Send to 7');
    expect(await screen.findByText('At least 3 letters.')).toBeDefined();
    expect(screen.getByText('Write something.')).toBeDefined();
    expect(screen.getByText('Choose a time in the future.')).toBeDefined();
    await press('Test to myself');
    expect(device.queued).toEqual([]);
    expect(server.asked.some(({ method }) => method === 'POST')).toBe(false);
  });

  test('says and notifies by one act, through the outbox, and begins anew', async () => {
    await show();
    await write('  Saturday ');
    await press('Send to 7');
    expect(device.queued).toMatchObject([
      {
        method: 'POST',
        path: '/api/communities/c1/announcements',
        label: 'Announce “Saturday”',
        body: { title: 'Saturday', body: 'We meet at ten.', pinnedUntil: null, notify: { sendAt: null, audience: {} } },
      },
    ]);
    expect((await field('Title')).value).toBe('');
    cleanup();
    await show();
    expect((await field('Title')).value).toBe('');
  });

  test('puts it on Today and notifies nobody where that is chosen', async () => {
    await show();
    await write();
    await tick(/^Also notify members/);
    expect(screen.queryByText('Who')).toBeNull();
    await press(m.compose_only_today({ today: m.shell_today() }));
    expect(bodies()).toMatchObject([{ title: 'Saturday', notify: null }]);
  });

  test('asks once more, with the number, before it notifies more than ten', async () => {
    others = () => json({ ...reach, workedOutFrom: 40 });
    await show();
    await write();
    await screen.findByRole('heading', { name: 'Reaches about 41 of 46' });
    expect(screen.getByText(/Worked out from 40 of them; it goes to everyone it is for\.$/)).toBeDefined();
    expect(screen.getByText('By push, on 40 devices').nextElementSibling?.textContent).toBe('34');
    expect(screen.getByText('Over their daily limit').nextElementSibling?.textContent).toBe('2');
    await press('Review and send to 41');
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('heading', { name: 'Notify about 41 people now?' })).toBeDefined();
    expect(dialog.getByText('34 by push, 7 by Telegram.')).toBeDefined();
    expect(device.queued).toEqual([]);
    await click(dialog.getByRole('button', { name: 'Keep editing' }));
    expect(device.queued).toEqual([]);
    await press('Review and send to 41');
    await press('Notify 41 people');
    expect(bodies()).toHaveLength(1);
  });

  test('asks without a number where that is not known, as without a connection', async () => {
    others = () => {
      throw new TypeError('Failed to fetch');
    };
    await show();
    await write();
    await press('Review');
    expect(await screen.findByText('We don’t know yet how many people it reaches.')).toBeDefined();
    await press('Send it');
    expect(bodies()).toHaveLength(1);
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
    await write();
    await tick(/^Later/);
    await type('When', '2020-01-01T10:00');
    await press('Schedule for 7');
    expect(await screen.findByText('Choose a time in the future.')).toBeDefined();
    expect(device.queued).toEqual([]);
    await type('When', `${NEXT_YEAR}-06-01T10:00`);
    const sendAt = new Date(`${NEXT_YEAR}-06-01T10:00`).toISOString();
    // The daily limit of that day counts, not of this.
    await vi.waitFor(() => expect(server.asked.at(-1)?.url).toContain(encodeURIComponent(sendAt)));
    await press('Schedule for 7');
    expect(bodies()).toMatchObject([{ notify: { sendAt } }]);
  });

  test('is planned by each member’s own clock, and changed as it was written', async () => {
    const localTime = `${NEXT_YEAR}-06-01T07:30`;
    others = ({ url }) => json(url.includes('localTime=') ? reach : few);
    await show();
    await write();
    await tick(/^Each member’s own time/);
    await type('When', localTime);
    await press('Review and schedule for 41');
    await screen.findByRole('heading', { name: /^Notify about 41 people at .*07:30.*, each by their own clock\?$/ });
    await press('Schedule for 41 people');
    expect(bodies()).toMatchObject([{ notify: { sendAt: null, localTime } }]);
    cleanup();
    const sendAt = `${NEXT_YEAR}-05-31T17:30:00.000Z`;
    items = [said1({ campaign: campaign({ state: 'waiting', sendAt, localTime }) })];
    await show();
    await screen.findByText(/^Scheduled by Ilse for .*07:30.*, by each member’s clock · about 41$/);
    await press('Edit “Saturday”');
    expect((await field('When')).value).toBe(localTime);
  });

  test('narrows down who gets it, and says how many that are', async () => {
    await show();
    await screen.findByRole('heading', { name: 'Reaches about 7 of 8' });
    await tick(/^Active/);
    await write();
    await tick(/^Choose/);
    await type('Who gets it', 'moderator');
    await type('Minimum points', '1x00');
    await type('Active in the last days', '9000');
    await vi.waitFor(() => expect(server.asked.at(-1)?.url).toContain('activeDays=365'));
    const asked = new URL(server.asked.filter(({ url }) => url.includes('/reach')).at(-1)?.url ?? '', 'http://x');
    expect(Object.fromEntries(asked.searchParams)).toEqual({ roles: 'moderator', minPoints: '100', activeDays: '365' });
    await press('Send to 7');
    expect(bodies()).toMatchObject([
      { notify: { audience: { roles: ['moderator'], minPoints: 100, activeDays: 365 } } },
    ]);
  });

  test('a planned one is changed as it was written, or left as it was', async () => {
    const sendAt = new Date(`${NEXT_YEAR}-06-01T10:00`).toISOString();
    items = [
      said1({ pinnedUntil: sendAt, campaign: campaign({ state: 'waiting', sendAt, audience: { activeDays: 7 } }) }),
    ];
    await show();
    await type('Title', 'Begun');
    await press('Edit “Saturday”');
    expect((await field('Title')).value).toBe('Saturday');
    expect(document.activeElement).toBe(await field('Title'));
    await press('Leave it as it was');
    expect((await field('Title')).value).toBe('Begun');
    await press('Edit “Saturday”');
    await type('Title', 'Sunday');
    await press('Schedule for 7');
    expect(device.queued).toMatchObject([
      {
        method: 'PUT',
        path: '/api/communities/c1/announcements/a1',
        label: 'Change “Sunday”',
        body: { title: 'Sunday', pinnedUntil: sendAt, notify: { sendAt, audience: { activeDays: 7 } } },
      },
    ]);
    expect((await field('Title')).value).toBe('Begun');
  });

  test('is tried on one’s own devices first; says so, or why not', async () => {
    await show();
    await write();
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
