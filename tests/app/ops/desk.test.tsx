import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AnnouncementsScreen } from '../../../app/features/ops/announcements/announcements-screen.tsx';
import { AuditScreen } from '../../../app/features/ops/audit/audit-screen.tsx';
import { CommunitiesDeskScreen } from '../../../app/features/ops/communities/communities-desk-screen.tsx';
import { FirstAdminScreen } from '../../../app/features/ops/first-admin-screen.tsx';
import { PartnershipsDeskScreen } from '../../../app/features/ops/partnerships/partnerships-desk-screen.tsx';
import { aUser, click, draw, drawAt, type FakeRequest, fill, json, press, refusal, serverOfEach } from '../support.tsx';

vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const AT = '2026-11-20T10:00:00.000Z';
let me: object | null;
let answer: (asked: FakeRequest) => Response;
const server = serverOfEach((asked) =>
  asked.url === '/api/auth/user' ? (me ? json(me) : refusal(401, 'NOT_SIGNED_IN')) : answer(asked),
);
beforeEach(() => {
  me = { ...aUser, role: 'admin' };
  answer = () => json({});
});
const write = (name: RegExp | string, value: string) => fill(screen.getByLabelText(name), value);
const sent = () => server.asked.filter(({ method }) => method !== 'GET');
const bodyOf = (asked: FakeRequest | undefined) => JSON.parse(String(asked?.init.body)) as unknown;

describe('communities', () => {
  const ridge = {
    id: 'c1',
    slug: 'ridge',
    name: 'Ridge Walkers',
    visibility: 'public',
    createdAt: AT,
    members: 118,
    active7: 31,
    lastAnswerAt: AT,
    suspension: null as object | null,
    featuredAt: null as string | null,
    counts: true,
    largeImportsAt: null as string | null,
  };
  const detail = () => ({
    ...ridge,
    ...changed,
    description: 'We walk on Saturdays.',
    tasks: 4,
    answers: { waiting: 2, approved: 90, rejected: 5 },
    oldestWaitingAt: AT,
    staff: [{ id: 'u7', displayName: 'Ilse Brandt', role: 'leader', isSuspended: false, lastSeenAt: null }],
    history: [{ id: '1', at: AT, action: 'community.featured', by: 'Maya', reason: 'Well led' }],
  });
  let changed: Partial<typeof ridge>;
  beforeEach(() => {
    changed = {};
    answer = ({ url, method, init }) => {
      if (url.startsWith('/api/admin/people'))
        return json({ items: [{ ...aUser, id: 'heir', displayName: 'Hanne Aas' }], next: null, total: 1 });
      if (method !== 'GET') {
        const { reason, until = null } = JSON.parse(String(init.body)) as { reason: string; until?: string | null };
        if (url.endsWith('/suspension')) changed = { suspension: { since: AT, until, reason } };
        return json(detail());
      }
      if (url.startsWith('/api/admin/communities?')) {
        const items = url.includes('nothing') ? [] : [ridge];
        return json({ items, next: null, total: items.length });
      }
      return json(detail());
    };
  });
  const onPage = () => drawAt('/admin/account-management?view=communities&community=c1');

  test('are listed beside people, with members and activity, and each opens', async () => {
    await drawAt('/admin/account-management?view=communities');
    const row = await screen.findByRole('link', { name: /Ridge Walkers/ });
    expect(row.textContent).toMatch(/ridge · 118 members · 31 active this week · last answer/);
    expect(row.getAttribute('href')).toBe('/admin/communities?community=c1');
    await write('Find a community', 'nothing');
    await screen.findByText('No community matches “nothing”');
    await press('Show all communities');
    await screen.findByRole('link', { name: /Ridge Walkers/ });
  });

  test('a page says who leads, how it fares and what was done; suspended with a reason and an end', async () => {
    await onPage();
    expect((await screen.findByRole('link', { name: /Ilse Brandt/ })).getAttribute('href')).toContain('person=u7');
    screen.getByText('Community featured');
    await press(/^Suspend/);
    const form = within(screen.getByRole('form', { name: 'Suspend' }));
    await click(form.getByRole('button', { name: /Suspend for 7 days/ }));
    expect(sent()).toEqual([]);
    await write('Reason', 'Answers were sold there');
    await fill(form.getByLabelText('Until'), 'open');
    await click(form.getByRole('button', { name: /Suspend until restored/ }));
    await screen.findByText(/Suspended until an administrator restores it\./);
    expect(bodyOf(sent()[0])).toEqual({ reason: 'Answers were sold there', until: null });
    screen.getByRole('button', { name: /^Restore/ });
  });

  test('may import as many people as fit once an administrator says so, with a reason', async () => {
    await onPage();
    await screen.findByRole('button', { name: /^Allow large imports/ });
    await press(/^Allow large imports/);
    await write('Reason', 'They move from Zealy');
    await click(within(screen.getByRole('form')).getByRole('button', { name: 'Allow large imports' }));
    expect(sent()[0]?.url).toBe('/api/admin/communities/c1/large-imports');
    expect(bodyOf(sent()[0])).toEqual({ allowed: true, reason: 'They move from Zealy' });
  });

  test('is handed over to somebody who is looked for', async () => {
    await onPage();
    await click(await screen.findByRole('button', { name: /^Hand over/ }));
    await write('Reason', 'Ilse asked for it');
    await write('Find the new leader', 'hanne');
    await screen.findByRole('option', { name: /Hanne Aas/ });
    await write('New leader', 'heir');
    await write('Leaders until now', 'member');
    await press('Hand over to Hanne Aas');
    expect(sent()[0]?.url).toBe('/api/admin/communities/c1/handover');
    expect(bodyOf(sent()[0])).toEqual({ userId: 'heir', others: 'member', reason: 'Ilse asked for it' });
  });
});

describe('partnership requests', () => {
  const request = {
    id: '1f3a90bc-0000-4000-8000-000000000000',
    reference: 'P-1F3A-90BC',
    kind: 'software',
    state: 'new',
    answer: null,
    sentAt: AT,
    changedAt: AT,
    name: 'Ada Nwosu',
    organisation: 'Fernmap',
    contact: 'ada@fernmap.example',
    message: 'Boards on our maps.',
    from: null,
    history: [],
  };
  test('are a tab of their own; one is decided with a note, and its sender may get an answer', async () => {
    answer = ({ method }) => (method === 'GET' ? json({ items: [request], next: null, waiting: 1 }) : json(request));
    await drawAt('/admin/account-management?view=partnerships');
    await screen.findByRole('heading', { name: 'Ada Nwosu, Fernmap' });
    screen.getByText('1 request is waiting for an answer.');
    screen.getByText('Not signed in');
    await press('Decide on P-1F3A-90BC');
    await press(/^Save decision/);
    expect(sent()).toEqual([]);
    await write('Reason', 'Called them');
    await write('Move to', 'accepted');
    await write('Answer', 'Welcome.');
    await press('Save decision');
    expect(sent()[0]?.url).toBe(`/api/admin/partnership-requests/${request.id}/state`);
    expect(bodyOf(sent()[0])).toEqual({ from: 'new', to: 'accepted', reason: 'Called them', answer: 'Welcome.' });
  });

  test('nobody has asked: says where one does', async () => {
    answer = () => json({ items: [], next: null, waiting: 0 });
    await drawAt('/admin/account-management?view=partnerships');
    await screen.findByText(/write at \/partnerships/);
  });
});

describe('announcements', () => {
  const campaign = {
    id: 'n1',
    topic: 'announcement',
    title: 'A quiet night',
    body: 'We move servers.',
    by: 'Maya',
    sendAt: AT,
    state: 'done',
    startedAt: AT,
    finishedAt: AT,
    audience: {},
    members: 50,
    optedOut: 3,
    capped: 1,
    queued: 46,
    sent: 40,
    told: 4,
    gone: 1,
    failed: 1,
    shown: 30,
    clicked: 12,
    dismissed: 2,
    services: [],
  };
  beforeEach(() => {
    answer = ({ url, method }) => {
      if (url.includes('/reach'))
        return json({ everybody: 46, push: 34, browsers: 40, telegram: 7, optedOut: 3, capped: 0 });
      if (method === 'GET')
        return json({ items: [campaign, { ...campaign, id: 'n2', title: 'Later', state: 'waiting' }], next: null });
      return json(campaign);
    };
  });

  test('say how many they reach before, and reached, opened, not sent after', async () => {
    await draw(<AnnouncementsScreen />, '/admin/announcements');
    await screen.findByRole('heading', { name: 'Reaches about 41 of 46' });
    const card = (await screen.findByRole('heading', { name: 'A quiet night' })).closest('.card') as HTMLElement;
    expect(within(card).getByText('reached').previousElementSibling?.textContent).toBe('44');
    expect(within(card).getByText('opened').previousElementSibling?.textContent).toBe('12');
    expect(within(card).getByText('not sent').previousElementSibling?.textContent).toBe('6');
  });

  test('are asked once more, with the number, before they are sent once', async () => {
    await draw(<AnnouncementsScreen />, '/admin/announcements');
    await screen.findByRole('button', { name: 'Review and send to 41' });
    await press('Review and send to 41');
    screen.getByText('Write something.');
    await write('Title', 'A quiet night');
    await write('What you want to say', 'We move servers at ten.');
    await click(screen.getByRole('radio', { name: /^Leaders/ }));
    // How many those are is asked anew.
    await screen.findByRole('button', { name: 'Review and send to 41' });
    await press('Review and send to 41');
    const dialog = within(screen.getByRole('dialog'));
    dialog.getByRole('heading', { name: 'Notify about 41 people now?' });
    expect(sent()).toEqual([]);
    await click(dialog.getByRole('button', { name: 'Notify 41 people' }));
    expect(sent().map(({ url }) => url)).toEqual(['/api/admin/campaigns']);
    expect(bodyOf(sent()[0])).toEqual({
      title: 'A quiet night',
      body: 'We move servers at ten.',
      sendAt: null,
      audience: { roles: ['leader', 'moderator'] },
    });
    expect((screen.getByLabelText('Title') as HTMLInputElement).value).toBe('');
  });

  test('that wait say how many they will reach, and are changed', async () => {
    await draw(<AnnouncementsScreen />, '/admin/announcements');
    const later = (await screen.findByRole('heading', { name: 'Later' })).closest('.card') as HTMLElement;
    await within(later).findByText(/about 41$/);
    await click(within(later).getByRole('button', { name: 'Edit “Later”' }));
    await write('Title', 'Sooner');
    await write('When', '2099-06-01T10:00');
    await screen.findByRole('button', { name: 'Review and schedule for 41' });
    await press('Review and schedule for 41');
    await press('Schedule for 41 people');
    expect(sent().map(({ method, url }) => [method, url])).toEqual([['PUT', '/api/admin/campaigns/n2']]);
    expect(bodyOf(sent()[0])).toMatchObject({ title: 'Sooner', audience: {} });
  });

  test('that wait are taken back with a reason', async () => {
    await draw(<AnnouncementsScreen />, '/admin/announcements');
    await click(await screen.findByRole('button', { name: 'Take back “Later”' }));
    await write('Reason', 'Too early');
    await act(async () => void fireEvent.submit(screen.getByLabelText('Reason').closest('form') as HTMLFormElement));
    expect(sent()[0]?.url).toBe('/api/admin/campaigns/n2/cancellation');
    expect(bodyOf(sent()[0])).toEqual({ reason: 'Too early' });
  });
});

describe('the audit', () => {
  const act1 = {
    id: '9',
    at: AT,
    action: 'community.suspended',
    by: { id: 'u9', displayName: 'Maya' },
    via: null,
    subject: 'Ridge Walkers',
    subjectId: 'c1',
    reason: 'Answers were sold there',
  };
  const cli = { ...act1, id: '8', action: 'push.key_rotated', by: null, via: 'cli', subject: null, subjectId: null };
  const page = (items: object[]) => ({
    items,
    next: null,
    actors: [{ id: 'u9', displayName: 'Maya' }],
    actions: ['community.suspended', 'push.key_rotated'],
  });

  test('says who, what, to whom, why and when, also of the command line; filters stand in the address', async () => {
    answer = ({ url }) => json(page(url.includes('act=') ? [act1] : [act1, cli]));
    const { router } = await draw(<AuditScreen />, '/admin/audit');
    const [first, second] = await screen.findAllByRole('listitem');
    expect(first?.textContent).toMatch(/Community suspended.*Maya → Ridge Walkers “Answers were sold there”/);
    expect(second?.textContent).toMatch(/Push key renewed.*Command line/);
    expect(screen.getByRole('link', { name: 'Ridge Walkers' }).getAttribute('href')).toContain('community=c1');
    await write('Action', 'community.suspended');
    await write('Done by', 'u9');
    await write('From', '2026-11-01');
    expect(router.state.location.search).toMatchObject({ act: 'community.suspended', who: 'u9', from: '2026-11-01' });
    await vi.waitFor(() => {
      const asked = new URL(server.asked.at(-1)?.url ?? '', 'http://x').searchParams;
      expect([asked.get('act'), asked.get('who')]).toEqual(['community.suspended', 'u9']);
      expect(asked.get('from')).toBe(new Date(2026, 10, 1).toISOString());
    });
    expect(screen.getByRole('link', { name: 'Download as CSV' }).getAttribute('href')).toMatch(
      /^\/api\/admin\/audit\/export\?.*act=community\.suspended.*format=csv/,
    );
  });

  test('nothing matches: says so and shows everything again', async () => {
    answer = ({ url }) => json(page(url.includes('act=') ? [] : [act1]));
    await draw(<AuditScreen />, '/admin/audit?act=person.made_ops');
    await screen.findByText('Nothing matches');
    await press('Show everything');
    await screen.findByRole('link', { name: 'Ridge Walkers' });
  });
});

test.each([
  ['announcements', () => <AnnouncementsScreen />, ''],
  ['audit', () => <AuditScreen />, ''],
  ['communities', () => <CommunitiesDeskScreen />, ''],
  ['one community', () => <CommunitiesDeskScreen />, '?community=c1'],
  ['partnerships', () => <PartnershipsDeskScreen />, ''],
] as const)('%s: signed out, not an administrator, away: never an empty shell', async (_, screenOf, query) => {
  for (const [status, words] of [
    [401, 'Sign in to continue'],
    [403, 'This page is for operators'],
  ] as const) {
    me = status === 401 ? null : aUser;
    answer = () => refusal(status, 'NO');
    await draw(screenOf(), `/admin/x${query}`);
    await screen.findByText(words);
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
    cleanup();
  }
  answer = () => {
    throw new TypeError('Failed to fetch');
  };
  await draw(screenOf(), `/admin/x${query}`);
  await screen.findByRole('heading', { name: /No connection/ }, { timeout: 5_000 });
});

describe('the first administrator', () => {
  const TOKEN = 'x'.repeat(43);
  beforeEach(() => void history.replaceState(null, '', `/admin/first#${TOKEN}`));
  afterEach(() => void history.replaceState(null, '', '/'));

  test('signs in first, and the link outlives that in this tab, out of the address', async () => {
    me = null;
    const view = await draw(<FirstAdminScreen />, '/admin/first');
    expect(location.hash).toBe('');
    expect((await screen.findByRole('link', { name: /Sign in/ })).getAttribute('href')).toContain(
      'next=%2Fadmin%2Ffirst',
    );
    view.unmount();
    me = aUser;
    answer = () => json({ role: 'admin' });
    await draw(<FirstAdminScreen />, '/admin/first');
    await click(await screen.findByRole('button', { name: 'Make Mira Okafor an administrator' }));
    await screen.findByRole('heading', { name: 'You are an administrator' });
    expect(bodyOf(sent()[0])).toEqual({ token: TOKEN });
    expect(sessionStorage.length).toBe(0);
  });

  test('reads why a link is refused', async () => {
    me = aUser;
    answer = () => refusal(409, 'ADMIN_LINK_EXPIRED', 'This link has expired.');
    await draw(<FirstAdminScreen />, '/admin/first');
    await click(await screen.findByRole('button', { name: /^Make Mira/ }));
    await screen.findByText(/This link has expired\./);
  });
});
