import './room-menu.css';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import type { CommunityAdmin } from '../../../server/contract/communities.ts';
import { listing, number } from '../../lib/format.ts';
import { HttpError } from '../../lib/http.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { useLive } from '../../lib/use-live.ts';
import { m } from '../../paraglide/messages.js';
import { useWaiting } from '../../shared/commands/use-waiting.ts';
import { RefusedCommunity } from '../../shared/communities/missing-community.tsx';
import { Anchor, ButtonLink } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Empty, Forbidden, Reading } from '../../ui/states.tsx';
import { InCommunity } from './leader-rooms.tsx';
import { mayEnter, ROOMS, type Room, roomOf, roomWord } from './rooms.ts';

const reasonOf = (error: unknown): string | null => (error instanceof HttpError ? error.reason : null);

/** The leaders' and moderators' tools of a community, by room. `community` is its id or slug. */
export function CommunityAdminScreen({ community }: { community: string }) {
  const reading = read('GET /api/communities/:communityId/admin', { communityId: community });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const admin = query.data;
  useLive(admin?.community.id ?? null, ['review', 'board'], admin !== undefined);
  return (
    <Screen
      title={m.leader_tools()}
      // Takes its own line from the start: names vary in length, and nothing below may move.
      lead={admin?.community.name ?? '\u00A0'}
      {...(admin && { tab: m.leader_title({ community: admin.community.name }) })}
      asOf={asOf}
      onRetry={() => query.refetch()}
      back={{
        to: '/community/$communityId/dashboard',
        params: { communityId: admin?.community.slug ?? community },
        label: m.member_back_to_today({ today: m.shell_today() }),
      }}
    >
      <Reading
        query={query}
        // Leaders too are refused while the community or their account is suspended: the server says why.
        forbidden={
          reasonOf(query.error) === 'NOT_ALLOWED' ? (
            <NotLeading community={community} />
          ) : (
            <RefusedCommunity error={query.error} />
          )
        }
        missing={
          <Empty
            illustration="gate"
            title={m.member_community_missing()}
            line={m.member_community_missing_line()}
            action={<ButtonLink to="/communities">{m.shell_to_communities()}</ButtonLink>}
          />
        }
      >
        {(found) => <Rooms admin={found} />}
      </Reading>
    </Screen>
  );
}

function Rooms({ admin }: { admin: CommunityAdmin }) {
  const { role, slug } = admin.community;
  const inside = useLocation().pathname.split('/admin/')[1];
  // An event's code belongs to its task.
  const room = inside === 'event' ? 'tasks' : roomOf(inside);
  return (
    <InCommunity value={admin}>
      <RoomLinks admin={admin} current={room} />
      {mayEnter(room, role) ? <Outlet /> : <NotLeading community={slug} />}
    </InCommunity>
  );
}

/** Navigation between the rooms: a row of links; on a phone the current room's name, which opens the list. */
function RoomLinks({ admin, current }: { admin: CommunityAdmin; current: Room }) {
  const { role, slug, id } = admin.community;
  const waiting = useWaiting(id, admin.waiting);
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const links = (
    <ul>
      {ROOMS.filter((room) => mayEnter(room, role)).map((room) => (
        <li key={room}>
          <Anchor
            to={`/community/$communityId/admin/${room}`}
            params={{ communityId: slug }}
            onClick={close}
            {...(room === current && { 'aria-current': 'page' as const })}
          >
            {roomWord(room)}
            {room === 'review' && waiting > 0 && <span className="room-links__count">{number(waiting)}</span>}
          </Anchor>
        </li>
      ))}
      <li>
        <Anchor to="/ai-tools">{m.tools_map()}</Anchor>
      </li>
    </ul>
  );
  return (
    <>
      <nav className="room-links room-menu__line only-wide" aria-label={m.leader_tools()}>
        {links}
      </nav>
      <button type="button" className="room-menu only-phone" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <b className="flex-grow">{roomWord(current)}</b>
        <span className="text-small text-muted">{m.leader_rooms()}</span>
        {waiting > 0 && current !== 'review' && <span className="room-links__count">{number(waiting)}</span>}
        <Icon name="down" size={16} />
      </button>
      <Sheet title={m.leader_tools()} open={open} onClose={close}>
        <nav className="room-menu__list" aria-label={m.leader_tools()}>
          {links}
        </nav>
      </Sheet>
    </>
  );
}

/** For people without the required role: names who can grant it. */
function NotLeading({ community }: { community: string }) {
  const detail = useQuery(read('GET /api/communities/:communityId', { communityId: community })).data;
  return (
    <Forbidden
      title={m.leader_only()}
      line={
        detail && detail.leaders.length > 0
          ? m.leader_only_names({ who: listing(detail.leaders, 'disjunction') })
          : m.leader_only_line()
      }
      action={
        <>
          <ButtonLink to="/community/$communityId/dashboard" params={{ communityId: community }}>
            {m.member_back_to_today({ today: m.shell_today() })}
          </ButtonLink>
          <ButtonLink kind="words" to="/community/$communityId" params={{ communityId: community }}>
            {m.member_about()}
          </ButtonLink>
        </>
      }
    />
  );
}
