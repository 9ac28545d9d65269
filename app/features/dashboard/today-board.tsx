import './today-board.css';
import type { Dashboard } from '../../../server/contract/communities.ts';
import { levelOf } from '../../../server/contract/limits.ts';
import { number, signed, timeOfDay } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import type { Today } from '../../shared/tasks/task-view.ts';
import { dayCount } from '../../shared/tasks/words.ts';
import { Anchor } from '../../ui/button.tsx';
import { Hatch, Tally } from '../../ui/icon.tsx';
import { NextAction, type NextProps } from './next-action.tsx';
import { type DayPlan, HOURS_A_DAY, timeLeft } from './plan-day.ts';

/** The one bold panel: the streak and its deadline, the next task, level, points and rank. */
export function TodayBoard(props: { dashboard: Dashboard; today: Today; now: number } & NextProps) {
  const { dashboard, today, plan, now, moment } = props;
  const { streakDays, freezes } = dashboard;
  const days = dayCount(streakDays);
  return (
    <section
      className={
        moment !== null && moment.gate !== null ? 'board today-board today-board--filled' : 'board today-board'
      }
      aria-label={m.today_region()}
    >
      <div className="today-board__streak">
        <div className="today-board__head">
          <div>
            <p className="board__label">{m.member_streak()}</p>
            <p className="board__number">{days}</p>
            {freezes > 0 && <p className="board__label">{m.member_freezes({ count: freezes, n: number(freezes) })}</p>}
          </div>
          <Tally
            days={streakDays}
            pencil={today.pencilToday}
            open={plan.state !== 'counted'}
            label={today.pencilToday ? m.member_tally_pencil({ days }) : days}
          />
        </div>
        <DayLine plan={plan} now={now} streakDays={streakDays} />
      </div>
      <NextAction {...props} />
      <Figures dashboard={dashboard} pencil={today.pencilPoints} />
    </section>
  );
}

/** One stroke an hour, and the same in words. */
function DayLine({ plan, now, streakDays }: { plan: DayPlan; now: number; streakDays: number }) {
  const hours = Array.from({ length: HOURS_A_DAY }, (_, hour) => `hour ${hour}`);
  const end = timeOfDay(plan.endsAt);
  return (
    <div>
      <div className="day-line" aria-hidden="true">
        {hours.map((key, hour) => (
          <i
            key={key}
            className={hour < plan.hoursGone ? 'day-line__gone' : hour === plan.hoursGone ? 'day-line__now' : undefined}
          />
        ))}
      </div>
      <p className="day-words">
        {plan.state === 'open' && (
          <span>
            <b>{leftWords(plan.endsAt, now)}</b> {streakDays > 0 ? m.today_left_keep() : m.today_left_begin()}
          </span>
        )}
        {plan.state === 'pencil' && (
          <span>
            <b className="pencil">{m.member_today_in_pencil()}</b>
          </span>
        )}
        {plan.state === 'review' && <b>{m.today_review()}</b>}
        {plan.state === 'counted' && <b>{m.today_counted()}</b>}
        <span>
          {plan.state === 'counted'
            ? m.today_next_day()
            : end === '00:00'
              ? m.today_until_midnight()
              : m.today_until({ time: end })}
        </span>
      </p>
    </div>
  );
}

function leftWords(until: number, now: number): string {
  const { hours, minutes } = timeLeft(until, now);
  return hours > 0
    ? m.today_left_hours({ hours: number(hours), minutes: number(minutes) })
    : m.today_left_minutes({ minutes: number(minutes) });
}

function Figures({ dashboard, pencil }: { dashboard: Dashboard; pencil: number }) {
  const { points, pendingPoints, rank, ranked, community } = dashboard;
  const { level, into, needed } = levelOf(points);
  const progress = { into: number(into), needed: number(needed) };
  return (
    <div className="today-figures">
      <Anchor to="/profile">
        <span className="board__label">{m.member_level({ level: number(level) })}</span>
        <Hatch
          done={into / needed}
          pencil={pencil / needed}
          label={
            pencil > 0
              ? m.member_level_progress_pencil({ ...progress, pencil: number(pencil) })
              : m.member_level_progress(progress)
          }
        />
        <span className="board__label">
          {m.member_level_next({ points: number(needed - into), level: number(level + 1) })}
        </span>
      </Anchor>
      <Anchor to="/profile">
        <span className="board__label">{m.member_points()}</span>
        <b>{number(points)}</b>
        {pencil > 0 && <span className="pencil">{m.member_pencil_points({ points: signed(pencil) })}</span>}
        {pendingPoints > 0 && (
          <span className="board__label">{m.member_points_in_review({ points: signed(pendingPoints) })}</span>
        )}
      </Anchor>
      <Anchor to="/leaderboard" search={{ community: community.slug }}>
        <span className="board__label">{m.member_rank()}</span>
        <b>{rank === null ? m.member_rank_none() : number(rank)}</b>
        <span className="board__label">
          {rank === null ? m.member_rank_none_note() : m.member_rank_of({ count: number(ranked) })}
        </span>
      </Anchor>
    </div>
  );
}
