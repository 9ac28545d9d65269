import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { COUNTED_MOST, SEARCH_FOUND } from '../../../server/contract/limits.ts';
import { aUser, click, drawAt, fill, json, press, refusal, serverOfEach } from '../support.tsx';

vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const EMIL = {
  id: '00000000-0000-4000-8000-00000000e311',
  telegramUserId: '55482201',
  telegramUsername: 'emil_sand',
  twitterUsername: 'emilsand',
  isVerified: true,
  displayName: 'Emil Sand',
  role: 'member',
  joinedAt: '2026-08-20T10:00:00.000Z',
  lastSeenAt: '2026-11-20T10:00:00.000Z',
  suspension: null as { since: string; until: string | null; reason: string } | null,
  erasure: null as { askedAt: string; dueAt: string; by: string } | null,
};
const detail = () => ({
  ...EMIL,
  ...state,
  xLinkedAt: '2026-08-21T10:00:00.000Z',
  timeZone: 'Europe/Oslo',
  membership: 'member',
  claims: { waiting: 1, approved: 18, rejected: 5, reversed: 0 },
  communities: [{ id: 'c', slug: 'ridge', name: 'Ridge & Valley Walkers', role: 'member', points: 560 }],
  sessions: [
    {
      id: 's',
      kind: 'web',
      createdAt: EMIL.joinedAt,
      lastSeenAt: '2026-11-20T10:00:00.000Z',
      userAgent: 'Firefox/1 Windows',
    },
  ],
  devices: 1,
  formerNames: [{ kind: 'telegram', name: 'sandwalker', until: '2026-09-02T10:00:00.000Z' }],
  trust: [
    {
      communityId: 'c',
      name: 'Ridge & Valley Walkers',
      score: 56,
      signals: [{ code: 'approved_share', effect: 6, note: '18 of 23 decided claims approved' }],
    },
  ],
  history: [
    { id: '1', at: EMIL.joinedAt, action: 'claim.rejected', by: 'Maya', community: 'Ridge', reason: 'Blurred' },
  ],
});
let state: Partial<typeof EMIL>;
let me: object;
/** Of all accounts; null: as many as are listed. */
let all: number | null;
const server = serverOfEach(({ url, method, init }) => {
  if (url === '/api/auth/user') return json(me);
  if (method === 'GET' && url.startsWith('/api/admin/people?')) {
    const found = url.includes('nobody') ? [] : [{ ...EMIL, ...state }];
    return json({ items: found, next: null, total: all ?? found.length });
  }
  if (method === 'GET') return json(detail());
  const { reason, until = null } = JSON.parse(String(init.body)) as { reason: string; until?: string | null };
  state = { suspension: url.endsWith('/suspension') ? { since: EMIL.joinedAt, until, reason } : null };
  return json(detail());
});
beforeEach(() => {
  state = {};
  all = null;
  me = { ...aUser, role: 'admin' };
});
const write = (name: RegExp | string, value: string) => fill(screen.getByLabelText(name), value);
const sent = () => server.asked.filter(({ method }) => method === 'POST');
const onPage = () => drawAt(`/admin/account-management?person=${EMIL.id}`);

test('somebody is found, shown with every name, and opens on a page of their own', async () => {
  await drawAt('/admin/account-management');
  const row = await screen.findByRole('link', { name: /Emil Sand/ });
  expect(row.textContent).toMatch(/@emil_sand · @emilsand on X · 55482201 · seen/);
  expect(row.getAttribute('href')).toBe(`/admin/account-management?person=${EMIL.id}`);
  await write('Find someone', 'nobody');
  await screen.findByText('No one matches “nobody”');
  await press('Show everyone');
  await screen.findByRole('link', { name: /Emil Sand/ });
});

test('many accounts are counted up to a thousand, and of many matches it is said to go on typing', async () => {
  all = COUNTED_MOST + 1;
  await drawAt('/admin/account-management');
  await screen.findByText('1,000+ people');
  all = SEARCH_FOUND + 1;
  await write('Find someone', 'emil');
  await screen.findByText('More than 200: go on typing');
});

test('a page says standing, identities, communities, sessions and what was done', async () => {
  await onPage();
  await screen.findByRole('heading', { name: 'Emil Sand' });
  screen.getByText('Ridge & Valley Walkers');
  screen.getByText('Firefox, Windows');
  expect(screen.getByRole('link', { name: /timeline/ }).getAttribute('href')).toContain(`user=${EMIL.id}`);
  screen.getByText('Blurred');
  screen.getByText(/@sandwalker until/);
  screen.getByText('18 of 23 decided claims approved');
});

test('one session is signed out, with a reason', async () => {
  await onPage();
  await click(await screen.findByRole('button', { name: 'Sign out, Firefox, Windows' }));
  await write('Reason', 'Lost the laptop');
  await press('Sign out');
  expect(sent()).toHaveLength(1);
  expect(sent()[0]?.url).toBe(`/api/admin/people/${EMIL.id}/sessions/s/end`);
  expect(JSON.parse(String(sent()[0]?.init.body))).toEqual({ reason: 'Lost the laptop' });
});

test('a suspension is a reason, an end and one command; nothing is sent before there is a reason', async () => {
  await onPage();
  await click(await screen.findByRole('button', { name: /^Suspend/ }));
  const form = within(screen.getByRole('form', { name: 'Suspend' }));
  form.getByText('Emil Sand reads exactly this.');
  await click(form.getByRole('button', { name: /Suspend for 7 days/ }));
  expect(sent()).toEqual([]);
  await write('Reason', 'Four photos were somebody else’s');
  await fill(form.getByLabelText('Until'), 'open');
  await click(form.getByRole('button', { name: /Suspend until restored/ }));
  await screen.findByText(/Suspended until an administrator restores it\./);
  expect(sent()).toHaveLength(1);
  expect(JSON.parse(String(sent()[0]?.init.body))).toEqual({ reason: 'Four photos were somebody else’s', until: null });
  await press(/^Restore/);
  await write('Reason', 'A mistake');
  await click(screen.getAllByRole('button', { name: 'Restore' }).at(-1) as HTMLElement);
  await screen.findByRole('button', { name: /^Suspend/ });
  expect(screen.queryByText(/Suspended until/)).toBeNull();
});

test('a reason that is refused stays in the field, with the words of the server', async () => {
  await onPage();
  await click(await screen.findByRole('button', { name: /^Unlink X/ }));
  await write('Reason', 'Asked to');
  server.answer(({ url, method }) =>
    method === 'POST'
      ? refusal(409, 'NO_X_ACCOUNT', 'No X account is linked to this one.')
      : url === '/api/auth/user'
        ? json(me)
        : json(detail()),
  );
  await click(screen.getAllByRole('button', { name: 'Unlink X' }).at(-1) as HTMLElement);
  await screen.findByText(/No X account is linked to this one\./);
  expect((screen.getByLabelText('Reason') as HTMLTextAreaElement).value).toBe('Asked to');
});

test('an X account is linked by hand with its name, the evidence and a reason, and by no less', async () => {
  await onPage();
  await click(await screen.findByRole('button', { name: /^Link an X account/ }));
  const form = within(screen.getByRole('form', { name: 'Link an X account' }));
  const link = () => click(form.getByRole('button', { name: /^Link an X account/ }));
  await write('Reason', 'Seen on her screen at the meeting.');
  await write('Name on X', '@vera_on_x');
  await link();
  expect(sent()).toEqual([]);
  await write('Where the evidence is', 'https://tracker.example/tickets/41');
  await link();
  await vi.waitFor(() => expect(sent().map(({ url }) => url)).toEqual([`/api/admin/people/${EMIL.id}/x-link`]));
  const reason = 'Seen on her screen at the meeting.';
  const evidence = 'https://tracker.example/tickets/41';
  expect(JSON.parse(String(sent()[0]?.init.body))).toEqual({ handle: 'vera_on_x', evidence, reason });
});

test('an erasure needs a reason and the word; while it waits it can be cancelled and nothing else is decided', async () => {
  const dueAt = '2026-12-03T10:00:00.000Z';
  server.answer(({ url, method }) => {
    if (url === '/api/auth/user') return json(me);
    if (method === 'POST')
      state = { erasure: url.endsWith('/erasure') ? { askedAt: EMIL.joinedAt, dueAt, by: 'admin' } : null };
    return json(detail());
  });
  await onPage();
  await click(await screen.findByRole('button', { name: /^Erase/ }));
  const form = within(screen.getByRole('form', { name: 'Erase' }));
  await write('Reason', 'Asked for it by letter');
  await click(form.getByRole('button', { name: /Type ERASE first/ }));
  expect(sent()).toEqual([]);
  await write('Type ERASE to confirm', 'erase');
  await click(form.getByRole('button', { name: 'Erase' }));
  await screen.findByText(/Will be erased on/);
  expect(JSON.parse(String(sent()[0]?.init.body))).toEqual({ word: 'ERASE', reason: 'Asked for it by letter' });
  expect(screen.queryByRole('button', { name: /^Suspend/ })).toBeNull();
  await press(/^Cancel the erasure/);
  await write('Reason', 'Changed their mind');
  await click(screen.getAllByRole('button', { name: 'Cancel the erasure' }).at(-1) as HTMLElement);
  await screen.findByRole('button', { name: /^Suspend/ });
  expect(screen.queryByText(/Will be erased on/)).toBeNull();
});

test('an export is asked for with a reason, and its file is handed to the browser', async () => {
  const made = vi.fn((_: Blob) => 'blob:archive');
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: made, revokeObjectURL: vi.fn() }));
  await onPage();
  await click(await screen.findByRole('button', { name: /^Export data/ }));
  await write('Reason', 'Asked for it by letter');
  await click(screen.getAllByRole('button', { name: 'Export data' }).at(-1) as HTMLElement);
  await vi.waitFor(() => expect(made).toHaveBeenCalledOnce());
  expect(sent()[0]?.url).toBe(`/api/admin/people/${EMIL.id}/archive`);
  expect(JSON.parse(String(sent()[0]?.init.body))).toEqual({ reason: 'Asked for it by letter' });
});

test('of one’s own account nothing can be taken, and who is no administrator is told who lets them in', async () => {
  me = { ...aUser, id: EMIL.id, role: 'admin' };
  const { unmount } = await onPage();
  await screen.findByRole('button', { name: /^Sign out everywhere/ });
  expect(screen.queryByRole('button', { name: /^Suspend/ })).toBeNull();
  unmount();
  server.answer(({ url }) => (url === '/api/auth/user' ? json(aUser) : refusal(403, 'NOT_STAFF')));
  await onPage();
  await screen.findByText(/An administrator of this instance can let you in/);
});
