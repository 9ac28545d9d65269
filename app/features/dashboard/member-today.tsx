import './task-row.css';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import { levelOf } from '../../../server/contract/limits.ts';
import { timeNow } from '../../lib/clock.ts';
import { useOutbox } from '../../lib/device.ts';
import { number, signed } from '../../lib/format.ts';
import { read } from '../../lib/query.ts';
import { useSearch } from '../../lib/search.ts';
import { m } from '../../paraglide/messages.js';
import { BoardRows } from '../../shared/boards/board-rows.tsx';
import { type TaskView, viewToday } from '../../shared/tasks/task-view.ts';
import { Anchor, ButtonLink } from '../../ui/button.tsx';
import { Card, SectionHead } from '../../ui/card.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty } from '../../ui/states.tsx';
import { RecentActivity } from '../activity/recent-activity.tsx';
import { ClaimCard } from '../claims/claim-card.tsx';
import { TaskSheet } from '../claims/task-sheet.tsx';
import { LeagueCard } from '../leagues/league-card.tsx';
import { CommunityPaper } from './community-paper.tsx';
import { CommunitySwitch } from './community-switch.tsx';
import { momentOf, planDay, timeLeft } from './plan-day.ts';
import { useRestoredFocus } from './restored-focus.ts';
import { sinceOf } from './since.ts';
import { SinceCard } from './since-card.tsx';
import { Fold, TaskRow } from './task-row.tsx';
import { TodayBoard } from './today-board.tsx';
import { useVisit, type Visit } from './visit.ts';

/** More open tasks are collapsed. */
const ANYTIME_SHOWN = 8;
/** Tolerated difference between the device's clock and the server's. */
const CLOCKS_DIFFER_MS = 20_000;

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
const levelAt = (points: number): number => levelOf(points).level;

type Props = { dashboard: Dashboard; now: number; stamp: ReactNode };

/** A member's tasks in a community today by urgency, and their standing. */
export function MemberToday({ dashboard, now, stamp }: Props) {
  const { community, around } = dashboard;
  const outbox = useOutbox();
  useRestoredFocus();
  useNamedTask();
  const today = useMemo(() => viewToday(dashboard, outbox, now), [dashboard, outbox, now]);
  const plan = useMemo(() => planDay(dashboard, today, timeNow(now), ownZone()), [dashboard, today, now]);
  const visit = useVisit(dashboard, now);
  const begun = visit.from - CLOCKS_DIFFER_MS;
  const since = useSince(dashboard, plan.needsYou, visit);
  const [writing, setWriting] = useState<TaskView | null>(null);
  const close = useCallback(() => setWriting(null), []);
  const { hours } = timeLeft(plan.endsAt, timeNow(now));
  const rows = { dashboard, onWrite: setWriting };
  const cards = { ...rows, now };
  const aside = (
    <div className="page-gutter">
      <CommunityPaper dashboard={dashboard} now={now} />
      <LeagueCard community={community} />
      <RecentActivity communityId={community.id} />
      <section className="only-wide" aria-label={m.member_around()}>
        <SectionHead
          title={m.member_around()}
          end={
            <Anchor
              to="/leaderboard"
              search={{ community: community.slug }}
              className="text-link text-small touch-target"
            >
              {m.shell_leaderboard()}
            </Anchor>
          }
        />
        {around.length > 0 ? (
          <BoardRows rows={around} label={m.member_around()} pencilPoints={today.pencilPoints} />
        ) : (
          <Card>
            <p className="text-small text-muted">{m.member_around_empty()}</p>
          </Card>
        )}
      </section>
      <p className="after-list">
        <Anchor
          to="/community/$communityId"
          params={{ communityId: community.slug }}
          className="text-link text-small touch-target"
        >
          {m.member_about()}
        </Anchor>
      </p>
    </div>
  );
  return (
    <Screen
      title={m.shell_today_in({ today: m.shell_today(), community: community.name })}
      bar={<CommunitySwitch community={community} />}
      aside={aside}
    >
      <TodayBoard
        dashboard={dashboard}
        today={today}
        now={timeNow(now)}
        plan={plan}
        moment={momentOf(dashboard, plan, begun, levelAt)}
        held={heldSince(today.tasks, begun)}
        onWrite={setWriting}
      />
      <div className="page-gutter">
        {stamp}
        {since && <SinceCard since={since} now={now} />}
        <RoleNote community={community} />
        {today.tasks.length === 0 && <Empty title={m.member_no_tasks()} line={m.member_no_tasks_line()} />}
        <Section title={m.today_needs_you()} count={plan.needsYou.length}>
          <Cards {...cards} views={plan.needsYou} />
        </Section>
        <Section
          title={m.shell_today()}
          count={plan.today.length}
          note={hours > 0 && m.today_hours_left({ hours: number(hours) })}
        >
          <Cards {...cards} views={plan.today} />
        </Section>
        <Section title={m.today_this_week()} count={plan.thisWeek.length} note={m.today_until_sunday()}>
          <Rows {...rows} views={plan.thisWeek} />
        </Section>
        <Section title={m.today_anytime()} count={plan.anytime.length + plan.locked.length}>
          <Rows {...rows} views={plan.anytime.slice(0, ANYTIME_SHOWN)} />
          <Folded {...rows} views={plan.anytime.slice(ANYTIME_SHOWN)} words={(n) => m.today_more({ n })} />
          <Folded {...rows} views={plan.locked} words={(n) => m.today_locked({ n })} />
        </Section>
        <Section title={m.member_done()} count={plan.done.length + plan.doneBefore.length} note={doneNote(plan.done)}>
          <Rows {...rows} views={plan.done} bare />
          <Folded {...rows} views={plan.doneBefore} words={(n) => m.today_done_before({ n })} />
        </Section>
      </div>
      <TaskSheet communityId={community.id} view={writing} reviewers={dashboard.reviewers} competes onClose={close} />
    </Screen>
  );
}

/** This visit's newest command that only this device has. */
function heldSince(tasks: readonly TaskView[], from: number): TaskView | null {
  const held = tasks.filter(
    ({ state, entry }) =>
      (state === 'queued' || state === 'sending') && entry !== null && timeNow(entry.createdAt) >= from,
  );
  return held.reduce<TaskView | null>(
    (last, view) => ((last?.entry?.createdAt ?? 0) > (view.entry?.createdAt ?? 0) ? last : view),
    null,
  );
}

/** The ledger is read only if the points have changed since the last visit. */
function useSince(dashboard: Dashboard, needsYou: readonly TaskView[], visit: Visit) {
  const { before } = visit;
  const { data } = useQuery({
    ...read('GET /api/user/ledger', undefined, { communityId: dashboard.community.id }),
    enabled: before !== null && before.points !== dashboard.points,
  });
  return useMemo(() => sinceOf(visit, dashboard, needsYou, data?.items ?? []), [visit, dashboard, needsYou, data]);
}

function doneNote(done: readonly TaskView[]): string | false {
  const points = done.reduce((sum, { state, claim }) => sum + (state === 'counted' ? (claim?.points ?? 0) : 0), 0);
  return points > 0 && m.today_done_points({ points: signed(points) });
}

/** A section of the day; hidden while empty. */
function Section(props: { title: string; count: number; note?: string | false; children: ReactNode }) {
  if (props.count === 0) return null;
  return (
    <section aria-label={props.title}>
      <SectionHead
        title={props.title}
        end={props.note ? <span className="text-small text-muted">{props.note}</span> : undefined}
      />
      {props.children}
    </section>
  );
}

type ListProps = { views: readonly TaskView[]; dashboard: Dashboard; onWrite: (view: TaskView) => void };

function Cards({ views, dashboard: { community, reviewers }, onWrite, now }: ListProps & { now: number }) {
  return (
    <ul className="stack">
      {views.map((view) => (
        <li key={view.task.id} data-card={view.task.id}>
          <ClaimCard community={community} view={view} reviewers={reviewers} competes onWrite={onWrite} now={now} />
        </li>
      ))}
    </ul>
  );
}

function Rows({ views, dashboard: { community, reviewers }, onWrite, bare }: ListProps & { bare?: boolean }) {
  if (views.length === 0) return null;
  return (
    <ul className={bare ? 'stack task-rows task-rows--bare' : 'stack task-rows'}>
      {views.map((view) => (
        <li key={view.task.id} data-card={view.task.id}>
          <TaskRow community={community} view={view} reviewers={reviewers} onWrite={onWrite} />
        </li>
      ))}
    </ul>
  );
}

function Folded({ words, ...list }: ListProps & { words: (n: string) => string }) {
  // A link to one of its tasks opens it.
  const [{ task: named }] = useSearch('/community/$communityId/dashboard');
  if (list.views.length === 0) return null;
  return (
    <Fold words={words(number(list.views.length))} begins={list.views.some(({ task }) => task.id === named)}>
      <Rows {...list} />
    </Fold>
  );
}

/** Brings the task of a link (`?task=<id>`) into view and focuses its card (`data-card`), once. */
function useNamedTask(): void {
  const [{ task }] = useSearch('/community/$communityId/dashboard');
  const shown = useRef<string | undefined>(undefined);
  // Runs after every render, because any read may bring the card.
  useEffect(() => {
    if (task === undefined || shown.current === task) return;
    const card = document.querySelector(`[data-card="${CSS.escape(task)}"]`);
    if (!card) return;
    shown.current = task;
    card.scrollIntoView({ block: 'center' });
    card.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  });
}

/** What moderators do here beside their own tasks, with a link to their tools. */
function RoleNote({ community: { slug, role } }: { community: CommunitySummary }) {
  if (role !== 'moderator') return null;
  return (
    <Card className="note-card">
      <p className="text-small">{m.member_moderator_note()}</p>
      <ButtonLink kind="edge" icon="review" to="/community/$communityId/admin" params={{ communityId: slug }}>
        {m.member_open_tools()}
      </ButtonLink>
    </Card>
  );
}
