import './dashboard-screen.css';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CommunityDetail, Dashboard } from '../../../server/contract/communities.ts';
import { useOutbox } from '../../lib/device.ts';
import { rememberCommunity } from '../../lib/hints.ts';
import { statusOf } from '../../lib/http.ts';
import { read, useAsOf, useUser } from '../../lib/query.ts';
import { useNow } from '../../lib/use-now.ts';
import { m } from '../../paraglide/messages.js';
import { CommunityAvatar } from '../../ui/avatar.tsx';
import { Anchor, ButtonLink } from '../../ui/button.tsx';
import { Card, SectionHead } from '../../ui/card.tsx';
import { number, signed } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { AsOf } from '../../ui/stamp.tsx';
import { Empty, Reading, State } from '../../ui/states.tsx';
import { Lately } from '../activity/lately.tsx';
import { TaskSheet } from '../claims/task-sheet.tsx';
import { useAcknowledged } from '../engagement/acknowledged.ts';
import { BoardRows } from '../engagement/board-rows.tsx';
import { JoinButton } from '../engagement/join-button.tsx';
import { useListFocus } from '../engagement/list-focus.ts';
import { isSuspendedCommunity, MissingCommunity, RefusedCommunity } from '../engagement/missing-community.tsx';
import { overlayDashboard } from '../engagement/overlay.ts';
import { type TaskView, type Today, viewToday } from '../engagement/task-view.ts';
import { useLive } from '../engagement/use-live.ts';
import { LeagueCard } from '../leagues/league-card.tsx';
import { BadgeRow } from '../profile/badges.tsx';
import { Announcements, isPinned } from './announcements.tsx';
import { ClaimCard } from './claim-card.tsx';
import { useKeptFocus } from './kept-focus.ts';
import { useNamedTask } from './named-task.ts';
import { SeasonStrip } from './season-strip.tsx';
import { Standing } from './standing.tsx';

/** What I can do in a community today, and where I stand. `community` is its id or slug. */
export function DashboardScreen({ community }: { community: string }) {
  const reading = read('GET /api/communities/:communityId/dashboard', { communityId: community });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const retry = () => query.refetch();
  const now = useNow();
  const overlay = useAcknowledged();
  const dashboard = useMemo(
    () => query.data && overlayDashboard(query.data, overlay, asOf, now),
    [query.data, overlay, asOf, now],
  );
  const isIn = dashboard !== undefined;
  useLive(dashboard?.community.id ?? null, ['board', 'dashboard'], isIn);
  useFocusOnceIn(isIn, !isIn && statusOf(query.error) === 403);
  if (dashboard === undefined)
    return (
      <Screen title={m.member_today()}>
        <Reading
          query={query}
          forbidden={<NotAMember community={community} error={query.error} />}
          missing={<MissingCommunity />}
        >
          {() => null}
        </Reading>
      </Screen>
    );
  return <TodayOf dashboard={dashboard} now={now} stamp={<AsOf at={asOf} onRetry={retry} />} />;
}

/** Who joined here had the focus on what is gone now: they go on at the screen that came. */
function useFocusOnceIn(isIn: boolean, isOut: boolean): void {
  const wasOut = useRef(false);
  useEffect(() => {
    if (isIn && wasOut.current && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
    if (isIn || isOut) wasOut.current = isOut;
  }, [isIn, isOut]);
}

function TodayOf({ dashboard, now, stamp }: { dashboard: Dashboard; now: number; stamp: React.ReactNode }) {
  const { community, around, season, announcements, badges } = dashboard;
  const user = useUser();
  // Not the address alone: a tab may stand at a community of a member who has signed out.
  useEffect(() => {
    if (user) rememberCommunity(community.slug);
  }, [community.slug, user]);
  const outbox = useOutbox();
  useKeptFocus();
  useNamedTask();
  const today = useMemo(() => viewToday(dashboard, outbox, now), [dashboard, outbox, now]);
  const [writing, setWriting] = useState<TaskView | null>(null);
  const close = useCallback(() => setWriting(null), []);
  const leads = community.role === 'leader';
  const switcher = (
    <Anchor to="/community-selector" className="app-bar__community">
      <CommunityAvatar name={community.name} />
      <span>{community.name}</span>
      <span className="visually-hidden">{m.member_switch()}</span>
      <Icon name="down" size={16} />
    </Anchor>
  );
  const pinned = announcements.filter((one) => isPinned(one, now));
  const others = announcements.filter((one) => !isPinned(one, now));
  const aside = (
    <div className="page-gutter">
      {others.length > 0 && (
        <>
          <SectionHead title={m.member_announcements()} />
          <Announcements announcements={others} />
        </>
      )}
      <SectionHead title={m.member_around()} end={stamp} />
      {around.length > 0 ? (
        <BoardRows rows={around} label={m.member_around()} pencilPoints={today.pencilPoints} />
      ) : (
        <Card>
          <p className="text-small text-muted">{leads ? m.member_leaders_apart() : m.member_around_empty()}</p>
        </Card>
      )}
      <LeagueCard community={community} />
      <Lately communityId={community.id} />
      {badges.length > 0 && (
        <>
          <SectionHead title={m.member_badges()} />
          <BadgeRow badges={badges} />
        </>
      )}
      <p className="after-list">
        <Anchor to={`/leaderboard?community=${community.slug}`} className="text-link text-small touch-target">
          {m.member_whole_board()}
        </Anchor>
        <Anchor to={`/community/${community.slug}`} className="text-link text-small touch-target">
          {m.member_about()}
        </Anchor>
      </p>
    </div>
  );
  return (
    <Screen title={m.member_today_in({ community: community.name })} bar={switcher} aside={aside}>
      {!leads && <Standing dashboard={dashboard} today={today} />}
      <div className="page-gutter">
        {community.role !== 'member' && <LeaderNote slug={community.slug} leads={leads} />}
        {pinned.length > 0 && (
          <div className="announcement-list">
            <Announcements announcements={pinned} pinned />
          </div>
        )}
        {season && <SeasonStrip season={season} slug={community.slug} />}
        <SectionHead title={m.member_today()} end={stamp} />
        {today.tasks.length === 0 ? (
          <Empty
            title={m.member_no_tasks()}
            line={m.member_no_tasks_line()}
            {...(leads && {
              action: (
                <ButtonLink to={`/community/${community.slug}/admin?room=tasks`}>{m.member_add_first()}</ButtonLink>
              ),
            })}
          />
        ) : (
          <>
            <NowLine today={today} leads={leads} />
            <Cards views={today.now} dashboard={dashboard} now={now} onWrite={setWriting} />
            {today.allDone && (
              <State illustration="done" title={m.member_all_done()}>
                <p>{m.member_all_done_line({ count: today.counted, n: number(today.counted) })}</p>
              </State>
            )}
            {today.later.length > 0 && (
              <>
                <SectionHead title={m.member_later()} />
                <Cards views={today.later} dashboard={dashboard} now={now} onWrite={setWriting} />
              </>
            )}
            {today.done.length > 0 && (
              <>
                <SectionHead title={m.member_done()} />
                <Cards views={today.done} dashboard={dashboard} now={now} onWrite={setWriting} />
              </>
            )}
          </>
        )}
      </div>
      <TaskSheet communityId={community.id} view={writing} onClose={close} />
    </Screen>
  );
}

/** What can be done now, in one line: how much, and what it gives. */
function NowLine({ today, leads }: { today: Today; leads: boolean }) {
  if (leads || today.allDone) return null;
  const open = today.now.filter(({ state }) => state !== 'queued' && state !== 'sending');
  const points = open.reduce((sum, { task }) => sum + task.points, 0);
  if (open.length === 0) return <p className="text-small text-muted dashboard-now">{m.member_now_none()}</p>;
  return (
    <p className="text-small text-muted dashboard-now">
      {m.member_now({ count: open.length, n: number(open.length), points: signed(points) })}
    </p>
  );
}

type CardsProps = { views: TaskView[]; dashboard: Dashboard; now: number; onWrite: (view: TaskView) => void };
function Cards(props: CardsProps) {
  const { community, reviewers } = props.dashboard;
  return (
    <ul className="stack">
      {props.views.map((view) => (
        <li key={view.task.id} data-card={view.task.id}>
          <ClaimCard
            community={community}
            view={view}
            reviewers={reviewers}
            competes={community.role !== 'leader'}
            onWrite={props.onWrite}
            now={props.now}
          />
        </li>
      ))}
    </ul>
  );
}

function LeaderNote({ slug, leads }: { slug: string; leads: boolean }) {
  return (
    <Card className="note-card">
      <p className="text-small">{leads ? m.member_leader_note() : m.member_moderator_note()}</p>
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
    enabled: statusOf(error) === 403 && !isSuspendedCommunity(error),
  });
  if (!detail.data || detail.data.role !== null) return <RefusedCommunity error={error} />;
  return <MayJoin community={detail.data} />;
}

function MayJoin({ community }: { community: CommunityDetail }) {
  // Who asked to join goes on beside what the button has become.
  const around = useListFocus<HTMLDivElement>();
  return (
    <div ref={around}>
      <State
        illustration="gate"
        title={m.member_not_in({ community: community.name })}
        actions={
          <>
            <JoinButton community={community} />
            <ButtonLink kind="words" to={`/community/${community.slug}`}>
              {m.member_about()}
            </ButtonLink>
          </>
        }
      >
        <p>{m.member_not_in_line()}</p>
      </State>
    </div>
  );
}
