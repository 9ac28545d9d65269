import './community-row.css';
import { useQuery } from '@tanstack/react-query';
import type { MyCommunity } from '../../../server/contract/communities.ts';
import { mayJoin } from '../../../server/rules/completion.ts';
import { read, useAsOf, userQuery } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { JoinButton } from '../../shared/communities/join-button.tsx';
import { pointCount } from '../../shared/tasks/words.ts';
import { CommunityAvatar } from '../../ui/avatar.tsx';
import { Anchor, ButtonLink, SignInLink } from '../../ui/button.tsx';
import { Card, SectionHead } from '../../ui/card.tsx';
import { Screen } from '../../ui/screen.tsx';
import { AsOf } from '../../ui/stamp.tsx';
import { Empty, Reading, Skeleton } from '../../ui/states.tsx';
import { CommunityCard } from './community-row.tsx';
import { Offers } from './offers.tsx';
import { standingLine } from './standing-line.ts';

/** The member's communities, then the public ones, and a link to start one. */
export function CommunitiesScreen() {
  const user = useQuery(userQuery);
  return (
    <Screen
      title={m.shell_to_communities()}
      // Everyone sees this button, so the page does not shift once the user loads. The target page checks who may use it.
      actions={
        <ButtonLink
          kind="edge"
          icon="plus"
          to={user.data && mayJoin(user.data) ? '/community-leader-wizard' : '/community-leader-signup'}
        >
          {m.member_start()}
        </ButtonLink>
      }
    >
      {user.isLoading ? (
        <Skeleton />
      ) : (
        <>
          {user.data === null && (
            <Card className="note-card">
              <p className="text-small">{m.member_communities_signed_out()}</p>
              <SignInLink />
            </Card>
          )}
          {user.data && <Offers isComplete={mayJoin(user.data)} />}
          {user.data && <Mine />}
          <Public />
        </>
      )}
    </Screen>
  );
}

function Mine() {
  const reading = read('GET /api/user/communities');
  const mine = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  return (
    <section>
      <SectionHead title={m.member_mine()} end={<AsOf at={asOf} onRetry={() => mine.refetch()} />} />
      <Reading query={mine}>
        {(communities) =>
          communities.length === 0 ? (
            <Empty
              title={m.member_selector_none()}
              line={m.member_selector_none_line()}
              action={<ButtonLink to="/explore-communities">{m.member_explore()}</ButtonLink>}
            />
          ) : (
            <ul className="community-grid">
              {communities.map((community) => (
                <li key={community.id}>
                  <MyCard community={community} />
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
    </section>
  );
}

function MyCard({ community }: { community: MyCommunity }) {
  const reviews = community.role === 'leader' || community.role === 'moderator';
  return (
    <Card className="community-card">
      <CommunityAvatar name={community.name} size={48} />
      <div className="flex-grow">
        <h3>
          <Anchor
            to="/community/$communityId/dashboard"
            params={{ communityId: community.slug }}
            className="community-card__name"
          >
            {community.name}
          </Anchor>
        </h3>
        <p className="text-small text-muted">
          {community.role === 'leader'
            ? standingLine(community)
            : `${pointCount(community.points)} · ${standingLine(community)}`}
        </p>
      </div>
      <div className="community-card__end community-card__both">
        <ButtonLink kind="edge" to="/community/$communityId/dashboard" params={{ communityId: community.slug }}>
          {m.member_open_today({ today: m.shell_today() })}
        </ButtonLink>
        {reviews && (
          <ButtonLink kind="words" to="/community/$communityId/admin" params={{ communityId: community.slug }}>
            {m.member_open_tools()}
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}

function Public() {
  const reading = read('GET /api/communities');
  const all = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  return (
    <section>
      <SectionHead title={m.member_public()} end={<AsOf at={asOf} onRetry={() => all.refetch()} />} />
      <Reading query={all}>
        {(communities) => {
          const others = communities.filter(({ role }) => role === null);
          if (others.length === 0)
            return (
              <Empty
                title={communities.length === 0 ? m.member_public_none() : m.member_public_all_joined()}
                line={communities.length === 0 ? m.member_public_none_line() : m.member_public_all_joined_line()}
              />
            );
          return (
            <ul className="community-grid">
              {others.map((community) => (
                <li key={community.id}>
                  <CommunityCard community={community} end={<JoinButton community={community} kind="edge" />} />
                </li>
              ))}
            </ul>
          );
        }}
      </Reading>
    </section>
  );
}
