import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { CommunityScreen } from '../../../app/features/communities/community-screen.tsx';
import { ExploreScreen } from '../../../app/features/communities/explore-screen.tsx';
import { DashboardScreen } from '../../../app/features/dashboard/dashboard-screen.tsx';
import { Announcements } from '../../../app/features/leader/announcements/announcements.tsx';
import { ApiKeys } from '../../../app/features/leader/connections/api-keys.tsx';
import { Webhooks } from '../../../app/features/leader/connections/webhooks.tsx';
import { Members } from '../../../app/features/leader/members/members.tsx';
import { Seasons } from '../../../app/features/leader/season/seasons.tsx';
import { Tasks } from '../../../app/features/leader/tasks/tasks.tsx';
import { ACCOUNT_ROOMS } from '../../../app/features/ops/account-rooms.tsx';
import { Rules } from '../../../app/features/ops/logs/rules.tsx';
import { userQuery } from '../../../app/lib/query.ts';
import { m } from '../../../app/paraglide/messages.js';
import type { ApiKey } from '../../../server/contract/rooms.ts';
import { dashboardOf, taskOf } from '../member/support.ts';
import { aUser, draw, fakeServer, fill, json, refusal } from '../support.tsx';

vi.mock('../../../app/lib/device.ts', () => import('../quiet-device.ts'));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const { community } = dashboardOf([]);
const nextFocus = (it: () => Element | null) => vi.waitFor(() => expect(document.activeElement).toBe(it()));
const press = (button: HTMLElement) =>
  act(async () => {
    button.focus();
    fireEvent.click(button);
  });

test('who ends an API key goes on at the next one, and after the last at the way to make another', async () => {
  const keyOf = (name: string) =>
    ({ id: name, name, prefix: name, scopes: [], madeBy: 'Ilse', createdAt: '2026-11-01T00:00:00.000Z' }) as never;
  let keys: ApiKey[] = [keyOf('first'), keyOf('second')];
  fakeServer().answer(({ url, method }) => {
    if (method !== 'DELETE') return json(keys);
    keys = keys.filter(({ id }) => !url.endsWith(`/${id}`));
    return json({ done: true });
  });
  await draw(<ApiKeys communityId="c1" />);
  const end = (name: string) => screen.getByRole('button', { name: `Revoke the key ${name}` });
  const ended = async (name: string) => {
    await press(end(name));
    await press(within(screen.getByRole('dialog')).getByRole('button', { name: 'Revoke' }));
  };
  await screen.findByRole('heading', { name: /first/ });
  await ended('first');
  await nextFocus(() => end('second'));
  await ended('second');
  await nextFocus(() => screen.getByRole('button', { name: 'Create a key' }));
});

test('when a member is gone from the list, the focus goes on at who stands there now', async () => {
  const memberOf = (id: string) => ({ id, displayName: id, role: 'member', joinedAt: '2026-11-01T00:00:00.000Z' });
  let items = ['Abel', 'Mo', 'Noor'].map(memberOf);
  fakeServer().answer(() => json({ items, next: null, total: items.length }));
  const { client } = await draw(<Members community={{ ...community, role: 'leader' }} />);
  const row = (name: RegExp) => screen.getByRole('button', { name });
  await screen.findByText('Mo');
  row(/Mo/).focus();
  items = ['Abel', 'Noor'].map(memberOf);
  await act(() => client.invalidateQueries());
  await nextFocus(() => row(/Noor/));
  items = [memberOf('Abel')];
  await act(() => client.invalidateQueries());
  await nextFocus(() => row(/Abel/));
});

test('who joins on Explore goes on at the same community, whose Join is gone', async () => {
  let role: 'member' | null = null;
  fakeServer().answer(({ url }) =>
    json(url === '/api/communities' ? ['Fern', 'Moss'].map((name) => ({ ...community, id: name, name, role })) : aUser),
  );
  const { client } = await draw(<ExploreScreen />);
  client.setQueryData(userQuery.queryKey, aUser);
  const [, join] = await screen.findAllByRole('button', { name: 'Join' });
  join?.focus();
  role = 'member';
  await act(() => client.invalidateQueries());
  await nextFocus(() => screen.getByRole('link', { name: 'Moss' }));
});

const leading = { ...community, role: 'leader' as const };
const button = (name: RegExp | string) => screen.getByRole('button', { name });
const confirm = (name: string) => press(within(screen.getByRole('dialog')).getByRole('button', { name }));

test('who archives a task goes on at the next one, and who brings one back too', async () => {
  let statuses = { Abel: 'live', Mill: 'live', Sea: 'live' } as Record<string, string>;
  fakeServer().answer(({ url, method, init }) => {
    if (method !== 'PATCH')
      return json({
        items: Object.entries(statuses).map(([title, status]) => ({
          ...taskOf(title, { title }),
          status,
          lockedBy: null,
          claims: { waiting: 0, approved: 0, rejected: 0 },
        })),
        next: null,
      });
    const title = url.split('/').at(-1) ?? '';
    statuses = { ...statuses, [title]: JSON.parse(String(init.body)).status };
    return json({ title, status: statuses[title] });
  });
  await draw(<Tasks community={leading} />);
  await screen.findByText('Abel');
  const archive = async (task: string) => {
    await press(button(`More: ${task}`));
    await press(button('Archive'));
    const asked = screen.getByRole('dialog', { name: `Archive “${task}”?` });
    await press(within(asked).getByRole('button', { name: 'Archive' }));
  };
  await archive('Abel');
  await nextFocus(() => button(/^Move Mill/));
  await archive('Sea');
  await nextFocus(() => button('Edit: Abel'));
});

describe('in the seasons', () => {
  type Shown = { id: string; name: string; state: string; rewards: { id: string; name: string }[] };
  const seasonOf = (name: string, rewards: string[] = []): Shown => ({
    id: name,
    name,
    state: 'draft',
    rewards: rewards.map((id) => ({ id, name: id })),
  });
  async function opened(...first: Shown[]) {
    let seasons = first;
    fakeServer().answer(({ url, method }) => {
      const [, id, act] = url.match(/(?:seasons|rewards)\/(\w+)(?:\/(\w+))?/) ?? [];
      if (method === 'DELETE' && url.includes('/rewards/'))
        seasons = seasons.map((one) => ({ ...one, rewards: one.rewards.filter((reward) => reward.id !== id) }));
      else if (method === 'DELETE') seasons = seasons.filter((one) => one.id !== id);
      if (act === 'start') seasons = seasons.map((one) => (one.id === id ? { ...one, state: 'live' } : one));
      if (url.includes('/leaderboard')) return json({ state: 'open' });
      const rule = { type: 'top_n', places: 3 };
      return json(
        method !== 'GET'
          ? {}
          : seasons.map((one) => ({
              ...one,
              rules: '',
              taskIds: [],
              graceHours: 2,
              endsAt: '2099-01-01T00:00:00.000Z',
              graceUntil: '2099-01-01T02:00:00.000Z',
              rewards: one.rewards.map((reward) => ({ ...reward, rule, minTrust: null, drawnAt: null })),
            })),
      );
    });
    await draw(<Seasons community={leading} tasks={[]} />);
    await screen.findByText(first[0]?.name ?? '');
  }
  const of = (season: string, name: string) =>
    within(screen.getByRole('heading', { name: season }).closest('li') as HTMLElement).getByRole('button', { name });

  test('who drops one goes on at the next one, and after the last at the way to plan another', async () => {
    await opened(seasonOf('Autumn'), seasonOf('Spring'));
    await press(of('Autumn', 'Delete'));
    await confirm('Delete');
    await nextFocus(() => of('Spring', 'Start the season'));
    await press(of('Spring', 'Delete'));
    await confirm('Delete');
    await nextFocus(() => button('Plan a season'));
  });

  test('who starts one goes on at the same one', async () => {
    await opened(seasonOf('Autumn'), seasonOf('Spring'));
    await press(of('Autumn', 'Start the season'));
    await confirm('Start the season');
    await nextFocus(() => of('Autumn', 'End it now'));
  });

  test('who removes a reward goes on at the next one, and after the last at the way to add another', async () => {
    await opened(seasonOf('Autumn', ['lamp', 'rope']), seasonOf('Spring'));
    await press(button('Remove: lamp'));
    await nextFocus(() => button('Remove: rope'));
    await press(button('Remove: rope'));
    await nextFocus(() => of('Autumn', 'Add a reward'));
  });
});

test('who deletes a rule of alerts goes on at the next one, and after the last at the way to add another', async () => {
  let rules = ['new', 'often'].map((name) => ({
    id: name,
    name,
    enabled: true,
    when: { kind: 'new_issue' },
    to: { kind: 'telegram', chatId: '1' },
    quiet: null,
    lastAlertAt: null,
    failing: null,
  }));
  fakeServer().answer(({ url, method }) => {
    if (method === 'DELETE') rules = rules.filter(({ id }) => !url.endsWith(`/${id}`));
    return json(method !== 'GET' ? {} : url.endsWith('/rules') ? rules : []);
  });
  await draw(<Rules turn={0} />);
  await screen.findByText('often');
  const of = (rule: string, name: string) =>
    within(screen.getByText(rule).closest('li') as HTMLElement).getByRole('button', { name });
  await press(of('new', 'Delete'));
  await confirm('Delete');
  await nextFocus(() => of('often', 'Change'));
  await press(of('often', 'Delete'));
  await confirm('Delete');
  await nextFocus(() => button('Add a rule'));
});

test('who decides on an application goes on at the next one, and after the last stays in the list', async () => {
  const applicationOf = (id: string) => ({
    id,
    displayName: id,
    state: 'submitted',
    about: 'a',
    plan: 'b',
    link: null,
  });
  let items = ['Ilse', 'Tom'].map((id) => ({ ...applicationOf(id), submittedAt: '2026-11-20T10:00:00.000Z' }));
  fakeServer().answer(({ url, method }) => {
    if (method !== 'GET')
      items = items.map((one) => (url.includes(`/${one.id}/`) ? { ...one, state: 'approved' } : one));
    return json(method === 'GET' ? { items, next: null } : {});
  });
  await draw(<ACCOUNT_ROOMS.applications />);
  await screen.findByText('Ilse');
  const approve = async (who: string) => {
    await press(button(`Approve ${who}`));
    await press(await screen.findByRole('button', { name: /We know this community/ }));
    await press(button('Approve'));
  };
  await approve('Ilse');
  await nextFocus(() => button('Approve Tom'));
  await approve('Tom');
  await nextFocus(() => document.querySelector('[data-rows]'));
});

const REACH = { everybody: 3, push: 2, browsers: 2, telegram: 0, optedOut: 1, capped: 0 };
test('who takes an announcement back goes on at the next one', async () => {
  let items = ['Rain', 'Sun'].map((title) => ({
    id: title,
    title,
    body: 'b',
    by: 'Ilse',
    at: '2026-11-20T10:00:00.000Z',
    announcementId: title,
    pinnedUntil: null,
    campaign: null,
  }));
  fakeServer().answer(({ url }) => json(url.includes('/reach') ? REACH : { items, next: null }));
  const { client } = await draw(<Announcements communityId="c1" name="Ridge" />);
  await screen.findByText('Rain');
  button('Take back “Rain”').focus();
  items = items.slice(1);
  await act(() => client.invalidateQueries());
  await nextFocus(() => button('Edit “Sun”'));
});

test('who makes the first webhook goes on at what stands there then', async () => {
  let hooks: object[] = [];
  const hook = { id: 'h1', url: 'https://walkers.example/', events: [], active: true, lastDelivery: null };
  fakeServer().answer(({ method }) => {
    if (method === 'GET') return json(hooks);
    hooks = [hook];
    return json({ ...hook, secret: 'whsec_1' });
  });
  await draw(<Webhooks communityId="c1" />);
  await press(await screen.findByRole('button', { name: 'Add a webhook' }));
  const sheet = within(screen.getByRole('dialog'));
  await fill(sheet.getByLabelText('Address'), hook.url);
  await press(sheet.getByRole('button', { name: 'Add a webhook' }));
  await screen.findByText('whsec_1');
  await vi.waitFor(() => expect(document.activeElement).not.toBe(document.body));
});

test('who joins on the page of a community goes on at what Join has become, and who leaves at Join', async () => {
  let role: 'member' | null = null;
  const detail = {
    members: 3,
    openTasks: 0,
    leaders: [],
    tags: [],
    languages: [],
    sampleTasks: [],
    top: [],
    rules: '',
  };
  fakeServer().answer(({ url }) =>
    url.startsWith('/api/communities')
      ? json({ ...community, ...detail, role, createdAt: '2026-11-01T00:00:00.000Z' })
      : json(url === '/api/user/offers' ? [] : aUser),
  );
  const { client } = await draw(<CommunityScreen community="c1" />);
  client.setQueryData(userQuery.queryKey, aUser);
  (await screen.findByRole('button', { name: 'Join' })).focus();
  role = 'member';
  await act(() => client.invalidateQueries());
  await nextFocus(() => screen.getByRole('link', { name: m.member_open_today({ today: m.shell_today() }) }));
  button('Leave this community').focus();
  role = null;
  await act(() => client.invalidateQueries());
  await nextFocus(() => button('Join'));
});

test('who joins on the Today of a community that they were not in goes on at the Today that comes', async () => {
  let role: 'member' | null = null;
  fakeServer().answer(({ url }) => {
    if (!url.startsWith('/api/communities')) return json(aUser);
    if (url.endsWith('/activity')) return json({ items: [], next: null });
    if (!url.endsWith('/dashboard')) return json({ ...community, role });
    return role === null ? refusal(403, 'NOT_A_MEMBER') : json(dashboardOf([]));
  });
  const { client } = await draw(<DashboardScreen community="c1" />);
  client.setQueryData(userQuery.queryKey, aUser);
  (await screen.findByRole('button', { name: 'Join' })).focus();
  role = 'member';
  await act(() => client.invalidateQueries());
  await screen.findByText('No tasks right now');
  await nextFocus(() => document.getElementById('main'));
});
