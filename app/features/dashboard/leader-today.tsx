import { useMemo } from 'react';
import type { Dashboard } from '../../../server/contract/communities.ts';
import { useOutbox } from '../../lib/device.ts';
import { m } from '../../paraglide/messages.js';
import { Anchor, ButtonLink } from '../../ui/button.tsx';
import { Card, SectionHead } from '../../ui/card.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty } from '../../ui/states.tsx';
import { BoardRows } from '../engagement/board-rows.tsx';
import { type TaskView, viewToday } from '../engagement/task-view.ts';
import { ClaimCard } from './claim-card.tsx';
import { CommunityPaper } from './community-paper.tsx';
import { CommunitySwitch } from './community-switch.tsx';
import { useNamedTask } from './named-task.ts';
import { RoleNote } from './role-note.tsx';

type Props = { dashboard: Dashboard; now: number; stamp: React.ReactNode };

/** What a leader has of Today: the tasks as members see them, and the way to the tools. Leaders do not compete. */
export function LeaderToday({ dashboard, now, stamp }: Props) {
  const { community, around } = dashboard;
  const outbox = useOutbox();
  useNamedTask();
  const today = useMemo(() => viewToday(dashboard, outbox, now), [dashboard, outbox, now]);
  const aside = (
    <div className="page-gutter">
      <CommunityPaper dashboard={dashboard} now={now} />
      <SectionHead title={m.member_around()} />
      {around.length > 0 ? (
        <BoardRows rows={around} label={m.member_around()} />
      ) : (
        <Card>
          <p className="text-small text-muted">{m.member_leaders_apart()}</p>
        </Card>
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
    <Screen
      title={m.member_today_in({ community: community.name })}
      bar={<CommunitySwitch community={community} />}
      aside={aside}
    >
      <div className="page-gutter">
        <RoleNote community={community} />
        <SectionHead title={m.member_today()} end={stamp} />
        {today.tasks.length === 0 ? (
          <Empty
            title={m.member_no_tasks()}
            line={m.member_no_tasks_line()}
            action={
              <ButtonLink to={`/community/${community.slug}/admin?room=tasks`}>{m.member_add_first()}</ButtonLink>
            }
          />
        ) : (
          <Cards views={today.now} dashboard={dashboard} now={now} />
        )}
        {today.later.length > 0 && (
          <>
            <SectionHead title={m.member_later()} />
            <Cards views={today.later} dashboard={dashboard} now={now} />
          </>
        )}
        {today.done.length > 0 && (
          <>
            <SectionHead title={m.member_done()} />
            <Cards views={today.done} dashboard={dashboard} now={now} />
          </>
        )}
      </div>
    </Screen>
  );
}

const nothing = () => undefined;
function Cards({ views, dashboard, now }: { views: TaskView[]; dashboard: Dashboard; now: number }) {
  const { community, reviewers } = dashboard;
  return (
    <ul className="stack">
      {views.map((view) => (
        <li key={view.task.id} data-card={view.task.id}>
          <ClaimCard
            community={community}
            view={view}
            reviewers={reviewers}
            competes={false}
            now={now}
          />
        </li>
      ))}
    </ul>
  );
}
