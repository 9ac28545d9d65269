import { levelOf } from '../../../server/contract/limits.ts';
import { number, signed, stampTime } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { viewToday } from '../../shared/tasks/task-view.ts';
import { dayCount, pointCount } from '../../shared/tasks/words.ts';
import type { CommunityFacts, Period, StandingAnswer, StandingData, Subject } from './standing.ts';

/** A member's standing in one community, as lines for a model. */
export function standingText(communityId: string, data: StandingData): string {
  const dashboard = data.dashboards.find(({ community }) => community.id === communityId);
  if (!dashboard) return '';
  const { points, rank, ranked, streakDays, countedToday, freezes, season } = dashboard;
  const { level, into, needed } = levelOf(points);
  const states = viewToday(dashboard, data.outbox, data.now).tasks.map(
    ({ task, state, claim }) =>
      `${task.title}: ${state}, ${task.points} points${claim?.reason ? `, reason: ${claim.reason}` : ''}`,
  );
  return [
    `${points} points, level ${level}, ${needed - into} points to level ${level + 1}`,
    rank === null ? 'no rank' : `rank ${rank} of ${ranked}`,
    `streak ${streakDays} days, ${countedToday ? 'today is counted' : 'today is not counted yet'}, ${freezes} freezes`,
    ...(season ? [`season ${season.name} ends ${season.endsAt}`] : []),
    ...states,
  ].join('\n');
}

/** The first sentence of an answer about one community. */
export function factSentence(subject: Subject, facts: CommunityFacts, period: Period | null): string | null {
  if (period !== null) return m.assistant_said_elsewhere({ community: facts.name });
  const { points = 0, name } = facts;
  const count = facts.tasks?.length ?? 0;
  switch (subject) {
    case 'rejected':
      return m.assistant_said_rejected({ count, n: number(count), community: name });
    case 'today':
      return m.assistant_said_today({ count, n: number(count), community: name });
    case 'pending':
      return m.assistant_said_pending({
        count,
        n: number(count),
        community: name,
        points: signed(facts.pendingPoints ?? 0),
      });
    case 'level': {
      const { level = 0, wanted = 0, missing = 0 } = facts;
      const given = { community: name, level: number(level), wanted: number(wanted), points: pointCount(points) };
      if (missing === 0) return m.assistant_said_level_reached(given);
      return m.assistant_said_level({ ...given, missing: pointCount(missing), total: number(points + missing) });
    }
    case 'rank':
      if (facts.rank === null || facts.rank === undefined) return m.assistant_said_no_rank({ community: name });
      return m.assistant_said_rank({
        community: name,
        rank: number(facts.rank),
        ranked: number(facts.ranked ?? 0),
        points: pointCount(points),
      });
    case 'points':
      return m.assistant_said_points({ community: name, points: pointCount(points) });
    case 'streak':
      return streakSentence(facts);
    case 'season':
      return facts.season
        ? m.assistant_said_season({ community: name, season: facts.season.name, when: stampTime(facts.season.endsAt) })
        : m.assistant_said_no_season({ community: name });
    case 'unsent':
      return null;
  }
}

function streakSentence({ name, days = 0, countedToday = false, pencilToday = false }: CommunityFacts): string {
  if (days === 0) return m.assistant_said_streak_none({ community: name });
  const given = { community: name, days: dayCount(days) };
  if (countedToday) return m.assistant_said_streak_safe(given);
  return pencilToday ? m.assistant_said_streak_pencil(given) : m.assistant_said_streak_open(given);
}

/** Notes below the sentence: pending points, or freezes of the streak. */
export function factNotes(subject: Subject, facts: CommunityFacts): string[] {
  if (subject === 'points')
    return [
      ...(facts.pendingPoints ? [m.assistant_note_pending({ points: signed(facts.pendingPoints) })] : []),
      ...(facts.pencilPoints ? [m.assistant_note_pencil({ points: signed(facts.pencilPoints) })] : []),
    ];
  if (subject === 'streak' && facts.days)
    return [m.assistant_note_freezes({ count: facts.freezes ?? 0, n: number(facts.freezes ?? 0) })];
  return [];
}

/** The assistant's answer when none of the member's communities has a match. */
export function noneSentence({ subject }: StandingAnswer): string {
  if (subject === 'rejected') return m.assistant_none_rejected();
  if (subject === 'today') return m.assistant_none_today();
  if (subject === 'pending') return m.assistant_none_pending();
  return subject === 'unsent' ? m.assistant_none_unsent() : m.assistant_none_held();
}
