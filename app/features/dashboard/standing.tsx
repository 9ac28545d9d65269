import type { Dashboard } from '../../../server/contract/communities.ts';
import { levelOf } from '../../../server/contract/limits.ts';
import { m } from '../../paraglide/messages.js';
import { BoardPanel } from '../../ui/board.tsx';
import { number, signed } from '../../ui/format.ts';
import { Hatch, Tally } from '../../ui/icon.tsx';
import type { Today } from '../engagement/task-view.ts';
import { dayCount } from '../engagement/words.ts';

/** The bold panel: streak as strokes, level, points with what is in pencil beside them, rank. */
export function Standing({ dashboard, today }: { dashboard: Dashboard; today: Today }) {
  const { streakDays, points, rank, ranked, pendingPoints, community } = dashboard;
  const { level, into, needed } = levelOf(points);
  const pencil = today.pencilPoints;
  const board = `/leaderboard?community=${community.slug}`;
  return (
    <BoardPanel
      label={m.member_standing()}
      heading={m.member_streak()}
      value={dayCount(streakDays)}
      pencil={today.pencilToday ? m.member_today_in_pencil() : undefined}
      note={
        dashboard.freezes > 0 ? m.member_freezes({ count: dashboard.freezes, n: number(dashboard.freezes) }) : undefined
      }
      tally={
        <Tally
          days={streakDays}
          pencil={today.pencilToday}
          open={!dashboard.countedToday}
          label={today.pencilToday ? m.member_tally_pencil({ days: dayCount(streakDays) }) : dayCount(streakDays)}
        />
      }
      stats={[
        {
          label: m.member_level({ level: number(level) }),
          progress: (
            <Hatch
              done={into / needed}
              pencil={pencil / needed}
              label={
                pencil > 0
                  ? m.member_level_progress_pencil({
                      into: number(into),
                      needed: number(needed),
                      pencil: number(pencil),
                    })
                  : m.member_level_progress({ into: number(into), needed: number(needed) })
              }
            />
          ),
          note: m.member_level_next({ points: number(needed - into), level: number(level + 1) }),
          to: '/profile',
        },
        {
          label: m.member_points(),
          value: number(points),
          ...(pencil > 0 && { pencil: m.member_pencil_points({ points: signed(pencil) }) }),
          ...(pendingPoints > 0 && { note: m.member_points_in_review({ points: signed(pendingPoints) }) }),
          to: '/profile',
        },
        {
          label: m.member_rank(),
          value: rank === null ? m.member_rank_none() : number(rank),
          note: rank === null ? m.member_rank_none_note() : m.member_rank_of({ count: number(ranked) }),
          to: board,
        },
      ]}
    />
  );
}
