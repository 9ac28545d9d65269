import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { read } from '../../app/lib/query.ts';
import { outOfChat, WaysBack } from '../../app/shared/commands/out-of-chat.tsx';
import { Reading } from '../../app/ui/states.tsx';
import { dashboardOf } from './member/support.ts';
import { click, draw, fakeServer, json } from './support.tsx';

const GROUP = { sort: 'group', title: 'Ridge walkers', joinUrl: 'https://t.me/ridge', gate: 'enter' };
const CHANNEL = { ...GROUP, sort: 'channel', title: 'Ridge news' };

/** A screen of a community whose chats are asked for; the server names the first that one is out of. */
function Gated() {
  const query = useQuery(read('GET /api/communities/:communityId/dashboard', { communityId: 'c1' }));
  const chat = outOfChat(query.error);
  return (
    <Reading query={query} forbidden={chat && <WaysBack communityId="c1" chat={chat} />}>
      {() => 'Today'}
    </Reading>
  );
}

test('who is still out reads so, for as long as they are; another chat is named, and who is back comes in', async () => {
  const out = { group: true, channel: true };
  const server = fakeServer();
  server.answer(({ url }) => {
    if (url.endsWith('/chat-membership/check')) {
      const of = (chat: typeof GROUP, isOut: boolean) => ({ ...chat, state: isOut ? 'left' : 'member' });
      return json({ chats: [of(GROUP, out.group), of(CHANNEL, out.channel)], asked: true });
    }
    const named = out.group ? GROUP : out.channel ? CHANNEL : null;
    if (!named) return json(dashboardOf([]));
    const error = { status: 403, reason: 'CHAT_MEMBERSHIP_REQUIRED', message: '', requestId: 'req-1', details: named };
    return json(error, 403);
  });
  const readings = () => server.asked.filter(({ url }) => url.endsWith('/dashboard')).length;
  await draw(<Gated />);
  await screen.findByRole('link', { name: 'Join Ridge walkers' });
  const again = async () => click(await screen.findByRole('button', { name: /again/i }));

  await again();
  expect((await screen.findByRole('status')).textContent).toBe('Telegram still says you are not in it.');
  expect(readings()).toBe(1);
  out.group = false;
  await again();
  await screen.findByRole('link', { name: 'Join Ridge news' });
  out.channel = false;
  await again();
  await screen.findByText('Today');
});
