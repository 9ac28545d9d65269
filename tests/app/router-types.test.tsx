/** What the compiler holds of links: each line below an expected error is a mistake. `tsc` fails where it is none. */
import { useNavigate } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import type { Target } from '../../app/lib/target.ts';
import { Anchor, ButtonLink } from '../../app/ui/button.tsx';

const id = 'rv';
const anchors = () => [
  <Anchor
    key={1}
    to="/community/$communityId/admin/members"
    params={{ communityId: id }}
    search={{ role: 'leader' }}
  />,
  // @ts-expect-error A misspelt path.
  <Anchor key={2} to="/communitys" />,
  // @ts-expect-error A misspelt param.
  <Anchor key={3} to="/community/$communityId" params={{ comunityId: id }} />,
  // @ts-expect-error A param that is missing.
  <Anchor key={4} to="/community/$communityId/dashboard" />,
  // @ts-expect-error A misspelt name of the query.
  <Anchor key={5} to="/leaderboard" search={{ comunity: id }} />,
  // @ts-expect-error A value of another type.
  <Anchor key={6} to="/leaderboard" search={{ community: 7 }} />,
];
const buttons = () => [
  <ButtonLink key={1} to="/community/$communityId/admin/event" params={{ communityId: id }} search={{ task: 't1' }}>
    Code
  </ButtonLink>,
  // @ts-expect-error A misspelt path.
  <ButtonLink key={2} to="/setings">
    Settings
  </ButtonLink>,
  // @ts-expect-error A misspelt param.
  <ButtonLink key={3} to="/settings/$room" params={{ rom: 'ledger' }}>
    Ledger
  </ButtonLink>,
  // @ts-expect-error A param that is missing.
  <ButtonLink key={4} to="/i/$inviteCode">
    Invite
  </ButtonLink>,
  // @ts-expect-error A misspelt name of the query.
  <ButtonLink key={5} to="/web3-quiz" search={{ atempt: id }}>
    Attempt
  </ButtonLink>,
  // @ts-expect-error A value of another type.
  <ButtonLink key={6} to="/community/$communityId/admin/event" params={{ communityId: id }} search={{ task: 7 }}>
    Code
  </ButtonLink>,
];
function Moves() {
  const navigate = useNavigate();
  return [
    () => navigate({ to: '/community/$communityId/admin/tasks', params: { communityId: id }, search: { edit: 'new' } }),
    // @ts-expect-error A misspelt path.
    () => navigate({ to: '/communitys' }),
    // @ts-expect-error A misspelt param.
    () => navigate({ to: '/community/$communityId', params: { comunityId: id } }),
    // @ts-expect-error A param that is missing.
    () => navigate({ to: '/community/$communityId/dashboard' }),
    // @ts-expect-error A misspelt name of the query.
    () => navigate({ to: '/leaderboard', search: { comunity: id } }),
    // @ts-expect-error A value of another type.
    () => navigate({ to: '/leaderboard', search: { community: 7 } }),
  ];
}
// @ts-expect-error A page that there is not is no target.
const nowhere: Target = { to: '/nowhere' };

test('the compiler refuses what is misspelt, missing or of another type in links, buttons and moves', () => {
  expect([anchors, buttons, Moves, nowhere]).toHaveLength(4);
});
