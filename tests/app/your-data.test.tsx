import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { YourDataScreen } from '../../app/features/your-data/your-data-screen.tsx';
import { Toaster } from '../../app/ui/toaster.tsx';
import type { OwnData } from '../../server/contract/person-data.ts';
import { emptyZip, zipEnd, zipEntry } from '../../server/rules/zip.ts';
import { aUser, click, draw, fill, json, press, refusal, serverOfEach } from './support.tsx';

const kept = { outbox: [{ id: 'e1', userId: 'u1', label: 'Check in' }], logs: [], acknowledged: [], practice: [] };
const device = vi.hoisted(() => ({ everything: vi.fn(), forget: vi.fn(), setMember: vi.fn() }));
vi.mock('../../app/lib/device.ts', () => ({ device, setMember: device.setMember }));
vi.mock('../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));
const saved = vi.hoisted(() => ({ files: [] as { blob: Blob; name: string }[] }));
vi.mock('../../app/lib/save-file.ts', () => ({
  saveFile: (blob: Blob, name: string) => void saved.files.push({ blob, name }),
}));

const consent = (document: 'terms' | 'privacy', version: string, isAsked: boolean) => ({
  document,
  version,
  since: '2026-11-27',
  agreed: isAsked ? null : { version, at: '2026-11-27T10:00:00.000Z' },
  isAsked,
});
let data: OwnData;
let user: object | null;
const server = serverOfEach(({ url, method }) => {
  if (url === '/api/auth/user') return user ? json(user) : refusal(401, 'NOT_SIGNED_IN');
  if (url === '/api/user/data/archive')
    return new Response(archive(), { headers: { 'content-type': 'application/zip' } });
  if (url === '/api/user/erasure' && method === 'POST')
    return json({ askedAt: '2026-11-26T10:00:00.000Z', dueAt: '2026-12-03T10:00:00.000Z', by: 'person' });
  if (method === 'DELETE') return json({ ok: true });
  if (method === 'POST')
    return json({
      ...data,
      consents: data.consents.map((one) => ({ ...one, ...consent(one.document, one.version, false) })),
    });
  return json(data);
});
beforeEach(() => {
  data = {
    consents: [consent('terms', '1.0', false), consent('privacy', '2.0', false)],
    onlyLeaderOf: [],
    cancelled: null,
  };
  user = aUser;
  saved.files = [];
  device.everything.mockResolvedValue(kept);
  device.forget.mockResolvedValue(undefined);
  device.setMember.mockResolvedValue(undefined);
});
afterEach(() => {
  vi.clearAllMocks();
});

function archive(): ArrayBuffer {
  const zip = emptyZip();
  const file = zipEntry(zip, { name: 'account.json', bytes: new TextEncoder().encode('{}'), at: new Date(0) });
  const whole = [file, zipEnd(zip)];
  return new Uint8Array(Buffer.concat(whole)).buffer;
}
/** Names that the directory of a ZIP lists. */
async function names(blob: Blob): Promise<string[]> {
  const bytes = Buffer.from(await blob.arrayBuffer());
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const found: string[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const length = bytes.readUInt16LE(at + 28);
    found.push(bytes.toString('utf8', at + 46, at + 46 + length));
    at += 46 + length;
  }
  return found;
}
const sent = (method: string) => server.asked.filter((one) => one.method === method);
const open = async () => {
  await draw(
    <>
      <YourDataScreen />
      <Toaster />
    </>,
    '/your-data',
  );
  await screen.findByRole('heading', { name: 'Erase me' });
};

test('everything comes as one archive, the device’s own part in it', async () => {
  localStorage.setItem('muster-form:task', '{"title":"begun"}');
  await open();
  await press('Download everything');
  await vi.waitFor(() => expect(saved.files).toHaveLength(1));
  const [file] = saved.files;
  expect(file?.name).toMatch(/^muster-\d{4}-\d\d-\d\d\.zip$/);
  expect(await names(file?.blob ?? new Blob())).toEqual(['account.json', 'device.json']);
  expect(await file?.blob.text()).toContain('begun');
  screen.getByText('Saved to your downloads.');
});

test('without a connection the device’s part alone can be had, and the rest says what it needs', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await open();
  screen.getByRole('button', { name: /^Download everything: / });
  await press(/^Only what’s on this/);
  await vi.waitFor(() => expect(saved.files).toHaveLength(1));
  expect(await names(saved.files[0]?.blob ?? new Blob())).toEqual(['device.json']);
  vi.restoreAllMocks();
});

test('an archive that is not made says so, and nothing is saved', async () => {
  await open();
  server.answer(() => refusal(503, 'STORAGE_AWAY', 'The database is away.'));
  await press('Download everything');
  await screen.findByText(/The archive was not made\./);
  expect(saved.files).toEqual([]);
});

test('nothing is asked for before the word is typed; then all of this person leaves the device', async () => {
  localStorage.setItem('muster-form:task', 'begun');
  await open();
  await press('Erase me');
  const form = within(screen.getByRole('form', { name: 'What happens' }));
  await click(form.getByRole('button', { name: /Type ERASE first/ }));
  expect(sent('POST')).toEqual([]);
  await fill(form.getByLabelText('Type ERASE to confirm'), 'erase ');
  await click(form.getByRole('button', { name: 'Erase me in 7 days' }));
  await screen.findByRole('heading', { name: /You will be erased on/ });
  expect(JSON.parse(String(sent('POST')[0]?.init.body))).toEqual({ word: 'ERASE', leavesCommunities: false });
  await vi.waitFor(() => expect(device.forget).toHaveBeenCalledWith('u1'));
  expect(localStorage.getItem('muster-form:task')).toBeNull();
  expect(screen.getByRole('link', { name: 'Sign in and keep my account' }).getAttribute('href')).toContain(
    'next=%2Fyour-data',
  );
});

test('who alone leads a community sees which, and says that it is left', async () => {
  data.onlyLeaderOf = [{ id: 'c', slug: 'ridge', name: 'Ridge & Valley Walkers', members: 118 }];
  await open();
  await press('Erase me');
  expect(screen.getByRole('link', { name: 'Ridge & Valley Walkers' }).getAttribute('href')).toBe(
    '/community/ridge/admin?room=members',
  );
  await fill(screen.getByLabelText('Type ERASE to confirm'), 'ERASE');
  screen.getByRole('button', { name: /Choose what happens to your communities first/ });
  await click(screen.getByRole('checkbox', { name: 'Leave it without a leader' }));
  await press('Erase me in 7 days');
  await screen.findByRole('heading', { name: /You will be erased on/ });
  expect(JSON.parse(String(sent('POST')[0]?.init.body))).toMatchObject({ leavesCommunities: true });
});

test('a cancelled erasure is told with its times until it was read', async () => {
  data.cancelled = {
    askedAt: '2026-11-20T10:00:00.000Z',
    dueAt: '2026-11-27T10:00:00.000Z',
    cancelledAt: '2026-11-24T10:00:00.000Z',
  };
  await open();
  const notice = within(screen.getByRole('region', { name: 'Your account is not erased' }));
  notice.getByText(/You asked on .* to be erased on .* Signing in on .* cancelled that\./);
  await press('Got it');
  await vi.waitFor(() => expect(screen.queryByRole('region', { name: 'Your account is not erased' })).toBeNull());
  expect(sent('DELETE')).toHaveLength(1);
});

test('what is asked anew is agreed to with its version, and kept', async () => {
  data.consents = [
    consent('terms', '1.0', false),
    { ...consent('privacy', '2.0', true), agreed: { version: '1.1', at: '2026-11-26T10:00:00.000Z' } },
  ];
  await open();
  expect(screen.getByRole('link', { name: 'What changed' }).getAttribute('href')).toBe('/privacy-policy#changes');
  await press('Agree to Privacy');
  expect(JSON.parse(String(sent('POST')[0]?.init.body))).toEqual({ agreed: [{ document: 'privacy', version: '2.0' }] });
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: /^Agree/ })).toBeNull());
});

test('a visitor is asked to sign in, and a refused erasure keeps what was typed', async () => {
  user = null;
  const { unmount } = await draw(<YourDataScreen />, '/your-data');
  await screen.findByText(/Sign in to download or erase/);
  unmount();
  user = aUser;
  await open();
  await press('Erase me');
  await fill(screen.getByLabelText('Type ERASE to confirm'), 'ERASE');
  server.answer(({ method }) =>
    method === 'POST' ? refusal(409, 'LAST_ADMIN', 'Make someone else an administrator first.') : json(data),
  );
  await press('Erase me in 7 days');
  await screen.findByText(/Make someone else an administrator first\./);
  expect((screen.getByLabelText('Type ERASE to confirm') as HTMLInputElement).value).toBe('ERASE');
  expect(device.forget).not.toHaveBeenCalled();
});
