import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Dashboard, TaskWithClaim } from '../../../server/contract/communities.ts';
import { useOutbox } from '../../lib/device.ts';
import { rememberCommunity } from '../../lib/hints.ts';
import { statusOf } from '../../lib/http.ts';
import { read, useAsOf, useUser } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { CommunityAvatar } from '../../ui/avatar.tsx';
import { Anchor, ButtonLink } from '../../ui/button.tsx';
import { Card, SectionHead } from '../../ui/card.tsx';
import { number } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { AsOf } from '../../ui/stamp.tsx';
import { Empty, Forbidden, Reading, State } from '../../ui/states.tsx';
import { BoardRows } from '../engagement/board-rows.tsx';
import { useDeliveries } from '../engagement/deliveries.ts';
import { JoinButton } from '../engagement/join-button.tsx';
import { viewToday } from '../engagement/task-view.ts';
import { knowingDashboard } from '../engagement/told.ts';
import { useRefusals } from '../engagement/use-refusals.ts';
import '../engagement/engagement.css';
import { ClaimCard } from './claim-card.tsx';
import { Standing } from './standing.tsx';
import { WriteSheet } from './write-sheet.tsx';

/** What I can do in a community today, and where I stand. `community` is its id or slug. */
export function DashboardScreen({ community }: { community: string }) {
  useDeliveries();
  const reading = read('GET /api/communities/:communityId/dashboard', { communityId: community });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const retry = () => query.refetch();
  const dashboard = useMemo(() => query.data && knowingDashboard(query.data, asOf), [query.data, asOf]);
  if (dashboard === undefined)
    return (
      <Screen title={m.member_today()}>
        <Reading
          query={query}
          forbidden={<NotAMember community={community} error={query.error} />}
          missing={<Missing />}
        >
          {() => null}
        </Reading>
      </Screen>
    );
  return <TodayOf dashboard={dashboard} stamp={<AsOf at={asOf} onRetry={retry} />} />;
}

function TodayOf({ dashboard, stamp }: { dashboard: Dashboard; stamp: React.ReactNode }) {
  const { community, around } = dashboard;
  const user = useUser();
  // Not the address alone: a tab may stand at a community of a member who has signed out.
  useEffect(() => {
    if (user) rememberCommunity(community.slug);
  }, [community.slug, user]);
  const outbox = useOutbox();
  useRefusals(community.id);
  const today = useMemo(() => viewToday(dashboard, outbox), [dashboard, outbox]);
  const [writing, setWriting] = useState<TaskWithClaim | null>(null);
  const close = useCallback(() => setWriting(null), []);
  const leads = community.role === 'leader';
  const switcher = (
    <Anchor to="/community-selector" className="who">
      <CommunityAvatar name={community.name} />
      <span>{community.name}</span>
      <span className="vh">{m.member_switch()}</span>
      <Icon name="down" size={16} />
    </Anchor>
  );
  const aside = (
    <div className="pad">
      <SectionHead title={m.member_around()} end={stamp} />
      {around.length > 0 ? (
        <BoardRows rows={around} label={m.member_around()} pencilPoints={today.pencilPoints} />
      ) : (
        <Card>
          <p className="sm mut">{leads ? m.member_leaders_apart() : m.member_around_empty()}</p>
        </Card>
      )}
      <p className="after-list">
        <Anchor to={`/leaderboard?community=${community.slug}`} className="link sm hit">
          {m.member_whole_board()}
        </Anchor>
        <Anchor to={`/community/${community.slug}`} className="link sm hit">
          {m.member_about()}
        </Anchor>
      </p>
    </div>
  );
  return (
    <Screen title={m.member_today_in({ community: community.name })} bar={switcher} aside={aside}>
      {!leads && <Standing dashboard={dashboard} today={today} />}
      <div className="pad">
        {community.role !== 'member' && <LeaderNote slug={community.slug} leads={leads} />}
        <SectionHead title={m.member_today()} end={stamp} />
        {today.tasks.length === 0 ? (
          <Empty
            title={m.member_no_tasks()}
            line={m.member_no_tasks_line()}
            {...(leads && {
              action: (
                <ButtonLink to={`/community/${community.slug}/admin?tab=tasks`}>{m.member_add_first()}</ButtonLink>
              ),
            })}
          />
        ) : (
          <ul className="stack">
            {today.tasks.map((view) => (
              <li key={view.task.id}>
                <ClaimCard
                  community={community}
                  view={view}
                  reviewers={dashboard.reviewers}
                  competes={!leads}
                  onWrite={setWriting}
                />
              </li>
            ))}
          </ul>
        )}
        {today.allDone && (
          <State illustration="done" title={m.member_all_done()}>
            <p>{m.member_all_done_line({ count: today.counted, n: number(today.counted) })}</p>
          </State>
        )}
      </div>
      <WriteSheet communityId={community.id} task={writing} onClose={close} />
    </Screen>
  );
}

function LeaderNote({ slug, leads }: { slug: string; leads: boolean }) {
  return (
    <Card className="note-card">
      <p className="sm">{leads ? m.member_leader_note() : m.member_moderator_note()}</p>
      <ButtonLink kind="edge" icon="review" to={`/community/${slug}/admin`}>
        {m.member_open_tools()}
      </ButtonLink>
    </Card>
  );
}

/** A 403 on the dashboard: almost always somebody who has not joined yet. */
function NotAMember({ community, error }: { community: string; error: Error | null }) {
  const detail = useQuery({
    ...read('GET /api/communities/:communityId', { communityId: community }),
    enabled: statusOf(error) === 403,
  });
  if (!detail.data || detail.data.role !== null) return <Forbidden {...(error?.message && { line: error.message })} />;
  return (
    <State
      illustration="gate"
      title={m.member_not_in({ community: detail.data.name })}
      actions={
        <>
          <JoinButton community={detail.data} />
          <ButtonLink kind="words" to={`/community/${detail.data.slug}`}>
            {m.member_about()}
          </ButtonLink>
        </>
      }
    >
      <p>{m.member_not_in_line()}</p>
    </State>
  );
}

/** No such community, or a private one that does not show itself. */
function Missing() {
  return (
    <Empty
      illustration="gate"
      title={m.member_community_missing()}
      line={m.member_community_missing_line()}
      action={<ButtonLink to="/explore-communities">{m.member_explore()}</ButtonLink>}
    />
  );
}
