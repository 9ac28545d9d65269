import type { Target } from '../../../lib/target.ts';
import './morning.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Dashboard } from '../../../../server/contract/communities.ts';
import type { Morning } from '../../../../server/contract/morning.ts';
import { calendarDay, listing, number, stampTime } from '../../../lib/format.ts';
import { read, useAsOf } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { inWords, phaseOf } from '../../../shared/boards/season-words.ts';
import { useWaiting } from '../../../shared/commands/use-waiting.ts';
import { dayCount } from '../../../shared/tasks/words.ts';
import { PersonAvatar } from '../../../ui/avatar.tsx';
import { BoardPanel } from '../../../ui/board.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { Card, ListRow, SectionHead } from '../../../ui/card.tsx';
import { DayChart } from '../../../ui/chart.tsx';
import { Mark } from '../../../ui/icon.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { AsOf } from '../../../ui/stamp.tsx';
import { Empty, Reading } from '../../../ui/states.tsx';
import { ageWord } from '../parts/age.ts';

type MorningProps = { morning: Morning; dashboard: Dashboard; now: number };
const roomOf = (room: 'tasks' | 'analytics' | 'seasons', { community }: Dashboard): Target => ({
  to: `/community/$communityId/admin/${room}`,
  params: { communityId: community.slug },
});
const queueOf = ({ community }: Dashboard, search: { only?: string; task?: string; search?: string } = {}): Target => ({
  to: '/community/$communityId/admin',
  params: { communityId: community.slug },
  search,
});

/** A leader's Today: what waits and for how long, then recent activity, streaks about to end, and the season. */
export function MorningScreen(props: {
  dashboard: Dashboard;
  now: number;
  switcher: ReactNode;
  /** The part that every Today has: the season and announcements. */
  beside: ReactNode;
}) {
  const { dashboard, now } = props;
  const { community } = dashboard;
  const reading = read('GET /api/communities/:communityId/morning', { communityId: community.id });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  return (
    <Screen
      title={m.shell_today_in({ today: m.shell_today(), community: community.name })}
      bar={props.switcher}
      aside={
        <div className="page-gutter">
          {query.data && <Activity activity={query.data.activity} />}
          {props.beside}
        </div>
      }
    >
      <Reading query={query}>
        {(morning) => (
          <>
            <Board morning={morning} dashboard={dashboard} now={now} />
            <div className="page-gutter">
              <AsOf at={asOf} onRetry={() => query.refetch()} />
              {dashboard.tasks.length === 0 && (
                <Empty
                  title={m.member_no_tasks()}
                  line={m.member_no_tasks_line()}
                  action={<ButtonLink {...roomOf('tasks', dashboard)}>{m.member_add_first()}</ButtonLink>}
                />
              )}
              <WaitingRows morning={morning} dashboard={dashboard} now={now} />
              <Streaks morning={morning} dashboard={dashboard} now={now} />
            </div>
          </>
        )}
      </Reading>
    </Screen>
  );
}

function Board({ morning, dashboard, now }: MorningProps) {
  const { appeals, activity, oldestAt } = morning;
  const waiting = useWaiting(dashboard.community.id, morning.waiting);
  const more = activity.active - activity.before;
  const { season } = dashboard;
  const isLive = season !== null && phaseOf(season, now) === 'live';
  return (
    <BoardPanel
      label={m.leader_morning_waiting()}
      heading={m.leader_morning_waiting()}
      value={waiting === 0 ? m.leader_morning_none() : m.leader_morning_answers({ count: waiting, n: number(waiting) })}
      note={
        waiting > 0 && oldestAt !== null
          ? m.leader_morning_oldest({ age: ageWord(oldestAt, now) })
          : m.leader_morning_none_line()
      }
      tally={waiting > 0 ? <WaitingTally count={waiting} /> : undefined}
      stats={[
        {
          label: m.leader_filter_appeals(),
          value: number(appeals.count),
          ...(appeals.oldestAt !== null && {
            note: m.leader_morning_since({ age: ageWord(appeals.oldestAt, now) }),
            link: queueOf(dashboard, { only: 'appeals' }),
          }),
        },
        {
          label: m.leader_morning_active(),
          value: m.leader_morning_of({ n: number(activity.active), all: number(activity.members) }),
          note:
            more === 0
              ? m.leader_morning_same()
              : more > 0
                ? m.leader_morning_more({ n: number(more) })
                : m.leader_morning_fewer({ n: number(-more) }),
          link: roomOf('analytics', dashboard),
        },
        {
          label: m.leader_morning_season(),
          value: isLive ? inWords(season.endsAt, now) : m.leader_morning_no_season(),
          ...(isLive && { note: stampTime(season.endsAt) }),
          link: roomOf('seasons', dashboard),
        },
      ]}
    >
      <p className="morning-act">
        {waiting > 0 ? (
          <ButtonLink kind="cross" size="lg" icon="review" {...queueOf(dashboard)}>
            {m.leader_morning_review({ count: waiting, n: number(waiting) })}
          </ButtonLink>
        ) : (
          <ButtonLink kind="cross" icon="gate" {...queueOf(dashboard)}>
            {m.leader_tools()}
          </ButtonLink>
        )}
      </p>
    </BoardPanel>
  );
}

/** Gates of five to draw; the number is beside them. */
const GATES_SHOWN = 4;

/** Waiting claims as unfilled strokes, in gates of five. */
function WaitingTally({ count }: { count: number }) {
  const shown = Math.min(count, 5 * GATES_SHOWN);
  const gates = Array.from({ length: Math.ceil(shown / 5) }, (_, gate) => Math.min(5, shown - 5 * gate));
  return (
    <div className="waiting-tally" role="img" aria-label={m.leader_morning_answers({ count, n: number(count) })}>
      {gates.map((strokes, gate) => {
        const upright = Math.min(4, strokes);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a gate is identified by its index
          <svg key={gate} viewBox={`0 0 ${2 + 12.5 * upright} 40`} aria-hidden="true">
            {Array.from({ length: upright }, (_, at) => 3 + 12.5 * at).map((x) => (
              <rect key={x} x={x} y="3" width="7" height="34" rx="3.5" transform={`rotate(2 ${x + 3.5} 20)`} />
            ))}
            {strokes === 5 && (
              <rect
                className="waiting-tally__across"
                x="-3"
                y="16.5"
                width="58"
                height="7"
                rx="3.5"
                transform="rotate(-21 26 20)"
              />
            )}
          </svg>
        );
      })}
    </div>
  );
}

/** Appeals, then answers by task; the rest is one line that links to the queue. */
function WaitingRows({ morning, dashboard, now }: MorningProps) {
  const { appeals, tasks } = morning;
  if (morning.waiting === 0) return null;
  const rest = morning.waiting - appeals.items.length - tasks.reduce((sum, { count }) => sum + count, 0);
  return (
    <section>
      <SectionHead
        title={m.leader_morning_what()}
        end={<span className="text-small text-muted">{m.leader_morning_order()}</span>}
      />
      <Card className="card--rows">
        <ul className="ruled-list">
          {appeals.items.map((appeal) => (
            <li key={appeal.claimId}>
              <ListRow
                lead={<Mark state="changes" />}
                title={m.leader_appeal_of({ task: appeal.task })}
                line={`${appeal.displayName}: ${m.member_in_quotes({ words: appeal.text })}`}
                end={<b className="numeric">{ageWord(appeal.at, now)}</b>}
                link={queueOf(dashboard, { only: 'appeals' })}
              />
            </li>
          ))}
          {tasks.map((task) => (
            <li key={task.taskId}>
              <ListRow
                lead={<Mark state="received" />}
                title={m.leader_morning_task({ task: task.title, count: task.count, n: number(task.count) })}
                line={namesOf(task)}
                end={<b className="numeric">{ageWord(task.oldestAt, now)}</b>}
                link={queueOf(dashboard, { task: task.taskId })}
              />
            </li>
          ))}
          {rest > 0 && (
            <li>
              <ListRow title={m.leader_morning_rest({ count: rest, n: number(rest) })} link={queueOf(dashboard)} />
            </li>
          )}
        </ul>
      </Card>
    </section>
  );
}
function namesOf({ names, count }: Morning['tasks'][number]): string {
  const others = count - names.length;
  return listing(
    others > 0 ? [...names, m.leader_morning_others({ count: others, n: number(others) })] : [...new Set(names)],
  );
}

function Streaks({ morning, dashboard }: MorningProps) {
  const { count, items } = morning.streaks;
  if (count === 0) return null;
  return (
    <section>
      <SectionHead
        title={m.leader_morning_streaks()}
        end={<span className="text-small text-muted">{m.leader_morning_streaks_line()}</span>}
      />
      <Card className="card--rows">
        <ul className="ruled-list">
          {items.map(({ userId, displayName, days, keptBy }) => (
            <li key={userId}>
              <ListRow
                lead={<PersonAvatar name={displayName} />}
                title={displayName}
                line={keptBy === null ? m.leader_morning_nothing() : m.leader_morning_kept({ task: keptBy })}
                end={<b className="numeric">{dayCount(days)}</b>}
                {...(keptBy !== null && { link: queueOf(dashboard, { search: displayName }) })}
              />
            </li>
          ))}
        </ul>
        {count > items.length && (
          <p className="text-small text-muted after-list">
            {m.leader_morning_streaks_more({ count: count - items.length, n: number(count - items.length) })}
          </p>
        )}
      </Card>
    </section>
  );
}

/** Members who sent something, by day: as strokes and as a table. */
function Activity({ activity }: { activity: Morning['activity'] }) {
  const { days } = activity;
  return (
    <section>
      <SectionHead
        title={m.leader_morning_activity()}
        end={<span className="text-small text-muted">{m.leader_morning_week()}</span>}
      />
      <Card>
        <p className="text-small">
          {m.leader_morning_members({ n: number(activity.active), all: number(activity.members) })}
        </p>
        <DayChart label={m.leader_morning_chart()} points={days.map(({ day, people }) => ({ day, value: people }))} />
        <details className="disclosure">
          <summary className="text-small">{m.leader_morning_table()}</summary>
          <ul className="ruled-list text-small">
            {days.map(({ day, people }) => (
              <li key={day} className="flex-row morning-day">
                <span className="flex-grow">{calendarDay(day)}</span>
                <span className="numeric">{number(people)}</span>
              </li>
            ))}
          </ul>
        </details>
      </Card>
    </section>
  );
}
