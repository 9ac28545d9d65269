/** What a leader has typed is kept on the device until it is on its way: a reload, another room or a new build takes none of it. */
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemberRoom } from '../../../app/features/leader/members/member-room.tsx';
import { Review } from '../../../app/features/leader/review/review.tsx';
import { Rewards } from '../../../app/features/leader/season/rewards.tsx';
import { GrantSheet } from '../../../app/features/leader/tasks/grant-sheet.tsx';
import { ACCOUNT_ROOMS } from '../../../app/features/ops/account-rooms.tsx';
import type { Member } from '../../../server/contract/members.ts';
import type { Season } from '../../../server/contract/seasons.ts';
import { dashboardOf, reviewItemOf } from '../member/support.ts';
import { besideReview } from '../review-reads.ts';
import { draw, type FakeServer, fakeServer, json, refusal } from '../support.tsx';

const NONE = vi.hoisted(() => []);
const device = vi.hoisted(() => ({ isFull: false }));
vi.mock('../../../app/lib/device.ts', () => ({
  holdsCommands: () => false,
  enqueue: async () => {
    if (device.isFull) throw new Error('The disk is full');
    return 'entry-1';
  },
  useOutbox: () => NONE,
  onDelivered: () => () => undefined,
  onDeliveries: () => () => undefined,
  onDeviceEvent: () => () => undefined,
}));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  device.isFull = false;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const community = { ...dashboardOf([]).community, role: 'leader' as const };
const member = { id: 'm1', displayName: 'Tomás Kral', role: 'member', joinedAt: '2026-05-01T00:00:00.000Z' } as Member;
const press = async (name: RegExp | string) => {
  const [button] = await screen.findAllByRole('button', { name });
  await act(async () => void (button && fireEvent.click(button)));
};
const field = (label: string) => screen.getByLabelText(label) as HTMLInputElement;
const write = (label: string, value: string) =>
  act(async () => void fireEvent.change(field(label), { target: { value } }));
const kept = () => Object.keys(localStorage).filter((key) => key.startsWith('muster-form:'));

const item = reviewItemOf('one', '2026-11-21T09:00:00.000Z');
const decided = { ...item, claim: { ...item.claim, decidedAt: '2026-11-21T10:00:00.000Z' } };
const application = { id: 'a1', displayName: 'Ilse Brandt', state: 'submitted', about: 'Ten years.', plan: 'A walk.' };
const found = (url: string) => {
  const beside = besideReview(url);
  if (beside) return beside;
  if (url.includes('leader-applications'))
    return json({ items: [{ ...application, submittedAt: '2026-11-20T10:00:00.000Z' }], next: null });
  if (url.includes('/members?') || url.endsWith('/members')) return json({ items: [member], next: null, total: 1 });
  if (url.includes('/members/') || url.includes('/ledger')) return refusal(403, 'AWAY');
  return json({ items: [url.includes('state=') ? decided : item], next: null, waiting: 1 });
};

type WordsCase = { draws: () => ReactNode; path?: string; opens: (string | RegExp)[]; sends: string | RegExp };
const review = () => <Review community={community} />;
const room = () => <MemberRoom communityId="c1" member={member} onGone={() => undefined} />;
const PLACES: Record<string, WordsCase> = {
  'turning a claim down': { draws: review, opens: ['Reject'], sends: 'Reject' },
  'asking for changes': { draws: review, opens: ['Ask for changes'], sends: 'Ask for changes' },
  'turning down what was sent back': {
    draws: review,
    path: '/?show=sent-back',
    opens: [/^Decide: /, 'Reject'],
    sends: 'Reject',
  },
  'taking an approval back': { draws: review, path: '/?show=approved', opens: [/^Take back: /], sends: 'Take back' },
  'removing a member': { draws: room, opens: ['Remove from the community'], sends: 'Remove from the community' },
  'giving a task': {
    draws: () => <GrantSheet communityId="c1" task={{ id: 't1', title: 'Sweep' }} onClose={() => undefined} />,
    opens: [/Tomás Kral/],
    sends: 'Give it',
  },
  'turning an application down': {
    draws: () => <ACCOUNT_ROOMS.applications />,
    opens: ['Reject Ilse Brandt'],
    sends: 'Reject',
  },
};
const reasons = () => screen.getAllByLabelText('Reason') as HTMLTextAreaElement[];
/** Of two forms on one screen the one that was opened last stands last. */
const reason = () => reasons().at(-1) as HTMLTextAreaElement;

test.each(Object.entries(PLACES))('the reason for %s', async (_, { draws, path, opens, sends }) => {
  server.answer(({ url, method }) => (method === 'GET' ? found(url) : json({})));
  const come = async () => {
    cleanup();
    await draw(draws(), path);
    for (const name of opens) await press(name);
  };
  const send = () => act(async () => void fireEvent.submit(reason().closest('form') as HTMLFormElement));
  await come();
  await act(async () => void fireEvent.change(reason(), { target: { value: 'Not on our route' } }));
  await come();
  expect(reason().value).toBe('Not on our route');
  screen.getAllByRole('button', { name: sends });
  await send();
  await vi.waitFor(() => expect(kept()).toEqual([]));
});

test('a reason stays where the device could not keep the act', async () => {
  server.answer(({ url }) => found(url));
  device.isFull = true;
  await draw(review());
  await press('Reject');
  await act(async () => void fireEvent.change(reason(), { target: { value: 'Not on our route' } }));
  await act(async () => void fireEvent.submit(reason().closest('form') as HTMLFormElement));
  await press('Reject');
  expect(reason().value).toBe('Not on our route');
});

test('points by hand and why', async () => {
  server.answer(({ url }) => found(url));
  await draw(room());
  await write('Points', '20');
  await write('Reason', 'Carried the water');
  cleanup();
  await draw(room());
  expect([field('Points').value, field('Reason').value]).toEqual(['20', 'Carried the water']);
  await press('Update points');
  expect(kept()).toEqual([]);
});

test('a reward, until it is there', async () => {
  server.answer(() => json({}));
  const season = { id: 's1', state: 'draft', rewards: [] } as unknown as Season;
  const rewards = () => <Rewards communityId="c1" season={season} leads />;
  const come = async () => {
    cleanup();
    await draw(rewards());
    await press('Add a reward');
  };
  await come();
  await write('What members can win', 'A lantern');
  await act(async () => void fireEvent.change(screen.getByLabelText(/^Who gets it/), { target: { value: 'top_n' } }));
  await write('How many', '7');
  await come();
  expect([field('What members can win').value, field('How many').value]).toEqual(['A lantern', '7']);
  await press('Add a reward');
  await vi.waitFor(() => expect(kept()).toEqual([]));
  const [sent] = server.asked.filter(({ method }) => method === 'POST');
  expect(JSON.parse(String(sent?.init.body))).toMatchObject({ name: 'A lantern', rule: { type: 'top_n', places: 7 } });
});
