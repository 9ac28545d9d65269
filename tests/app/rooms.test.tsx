/** Rooms are routes of their own under the addresses that people have in bookmarks and the bot in its links. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { LEADER_ROOMS } from '../../app/lib/rooms.ts';
import { dashboardOf } from './member/support.ts';
import { aUser, drawAt, fakeServer, json } from './support.tsx';

vi.mock('../../app/lib/device.ts', () => import('./quiet-device.ts'));
vi.mock('../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));
const ID = '0190e6a0-0000-7000-8000-000000000001';
const community = { ...dashboardOf([]).community, slug: 'rv', role: 'leader' };
beforeEach(() =>
  fakeServer().answer(({ url }) => {
    if (url === '/api/auth/user') return json({ ...aUser, role: 'admin' });
    return url.endsWith('/admin') ? json({ community, tasks: [], waiting: 0 }) : new Promise<Response>(() => {});
  }),
);

/** The room that an address opens, and the address that the browser then shows. */
async function opened(address: string): Promise<{ room: string; shown: string }> {
  const { router } = await drawAt(address);
  const room = router.state.matches.at(-1);
  expect(room?.status, address).toBe('success');
  return { room: String(room?.routeId), shown: router.state.location.publicHref };
}

const LEADER = '/community/$communityId/admin';
const LOGS = '/admin/client-logs';
const ACCOUNTS = '/admin/account-management';
describe.each<[string, [string, string][]]>([
  [
    'the leaders’ tools',
    [
      ['/community/rv/admin', `${LEADER}/`],
      ['/community/rv/admin?only=appeals', `${LEADER}/`],
      ...LEADER_ROOMS.map((room): [string, string] => [`/community/rv/admin?room=${room}`, `${LEADER}/${room}`]),
      ['/community/rv/admin?room=tasks&edit=new', `${LEADER}/tasks`],
      ['/community/rv/admin?room=event&task=t1', `${LEADER}/event`],
      ['/rv/admin', '/$communityName/admin/'],
      ['/rv/admin?room=members&search=Ann', '/$communityName/admin/members'],
      // No room: the review queue, as it always was.
      ['/community/rv/admin?room=event', `${LEADER}/`],
      ['/community/rv/admin?room=kitchen', `${LEADER}/`],
    ],
  ],
  [
    'the log reader',
    [
      [LOGS, `${LOGS}/`],
      [`${LOGS}?q=rank`, `${LOGS}/`],
      ...['issues', 'entries', 'tail', 'fleet', 'rules'].map((view): [string, string] => [
        `${LOGS}?view=${view}`,
        `${LOGS}/${view}`,
      ]),
      [`${LOGS}?view=entries&issue=${ID}&last=30d`, `${LOGS}/entries`],
      [`${LOGS}?issue=${ID}&entry=${ID}`, `${LOGS}/issue`],
      [`${LOGS}?entry=${ID}`, `${LOGS}/entry`],
      [`${LOGS}?view=timeline&user=${ID}`, `${LOGS}/timeline`],
      [`${LOGS}?view=timeline&device=d1`, `${LOGS}/timeline`],
      [`${LOGS}?view=timeline`, `${LOGS}/`],
      [`${LOGS}?view=kitchen`, `${LOGS}/`],
      [`${LOGS}?issue=none`, `${LOGS}/`],
    ],
  ],
  [
    'the accounts',
    [
      [ACCOUNTS, `${ACCOUNTS}/`],
      ...['people', 'communities', 'applications', 'partnerships'].map((view): [string, string] => [
        `${ACCOUNTS}?view=${view}`,
        `${ACCOUNTS}/${view}`,
      ]),
      [`${ACCOUNTS}?person=u1`, `${ACCOUNTS}/person`],
      [`${ACCOUNTS}?community=c1`, `${ACCOUNTS}/community`],
      [`${ACCOUNTS}?view=communities&community=c1`, `${ACCOUNTS}/community`],
      [`${ACCOUNTS}?view=kitchen`, `${ACCOUNTS}/`],
    ],
  ],
])('%s', (_, addresses) => {
  test.each(addresses)('%s opens its room, and the address stays', async (address, room) => {
    expect(await opened(address)).toEqual({ room, shown: address });
  });
});
