import {
  MORNING_APPEALS,
  MORNING_NAMES,
  MORNING_STREAK_FROM_DAYS,
  MORNING_STREAKS,
  MORNING_TASKS,
} from '../../../../server/contract/limits.ts';
import type { Morning } from '../../../../server/contract/morning.ts';
import { localDay } from '../../../../server/domain/periods.ts';
import { streakOf } from '../../../../server/domain/streak.ts';
import { dayAt } from '../../../../server/rules/periods.ts';
import type { AnswersFor } from './answers.ts';
import { daysOf } from './communities.ts';
import { waitingFor } from './review.ts';
import type { Asker, Community, StoredClaim } from './world.ts';

const isAppeal = ({ appeal }: StoredClaim): boolean => appeal?.outcome === 'open';

/** Waiting answers by task, the longest waiting first. */
function tasksOf({ world }: Asker, answers: readonly StoredClaim[]): Morning['tasks'] {
  const tasks = new Map<string, StoredClaim[]>();
  for (const claim of answers) tasks.set(claim.taskId, [...(tasks.get(claim.taskId) ?? []), claim]);
  return [...tasks].map(([taskId, claims]) => ({
    taskId,
    title: world.titleOf(taskId) ?? '',
    kind: world.tasks.find(({ id }) => id === taskId)?.kind ?? 'check_in',
    count: claims.length,
    oldestAt: claims[0]?.submittedAt ?? '',
    names: claims.slice(0, MORNING_NAMES).map(({ userId }) => world.nameOf(userId) ?? ''),
  }));
}

function activityOf({ world, me, now }: Asker, community: Community): Morning['activity'] {
  const today = localDay(now, me.timeZone);
  const sent = world.claimsOf(community.id).map(({ userId, submittedAt }) => ({
    userId,
    day: localDay(new Date(submittedAt), me.timeZone),
  }));
  const people = (from: string, until: string) =>
    new Set(sent.filter(({ day }) => day >= from && day <= until).map(({ userId }) => userId)).size;
  const back = (days: number) => dayAt(today, -days);
  return {
    members: community.members.length,
    active: people(back(6), today),
    before: people(back(13), back(7)),
    days: Array.from({ length: 7 }, (_, at) => back(6 - at)).map((day) => ({ day, people: people(day, day) })),
  };
}

function streaksOf({ world, now }: Asker, community: Community, waiting: readonly StoredClaim[]): Morning['streaks'] {
  const ending = community.members.flatMap(({ userId, role }) => {
    const person = role === 'leader' ? null : world.personOf(userId);
    if (!person) return [];
    const today = localDay(now, person.timeZone);
    const done = daysOf(world, person, community.id);
    const { days, countedToday } = streakOf(done, today);
    if (countedToday || days < MORNING_STREAK_FROM_DAYS || streakOf(done, dayAt(today, 1)).days > 0) return [];
    const survivor = waiting.find(
      (claim) => claim.userId === userId && localDay(new Date(claim.submittedAt), person.timeZone) === today,
    );
    return [{ userId, displayName: person.name, days, keptBy: world.titleOf(survivor?.taskId ?? null) }];
  });
  return { count: ending.length, items: ending.sort((a, b) => b.days - a.days).slice(0, MORNING_STREAKS) };
}

export const morningAnswers = {
  'GET /api/communities/:communityId/morning': ({ asker, community }) => {
    const { world, now } = asker;
    const waiting = waitingFor(asker, community);
    const appeals = waiting.filter(isAppeal);
    const tasks = tasksOf(
      asker,
      waiting.filter((claim) => !isAppeal(claim)),
    );
    const oldest = [appeals[0]?.appeal?.at, tasks[0]?.oldestAt].filter((at) => at !== undefined).sort();
    return {
      asOf: now.toISOString(),
      waiting: waiting.length,
      oldestAt: oldest[0] ?? null,
      appeals: {
        count: appeals.length,
        oldestAt: appeals[0]?.appeal?.at ?? null,
        items: appeals.slice(0, MORNING_APPEALS).map(({ id, userId, taskId, appeal }) => ({
          claimId: id,
          task: world.titleOf(taskId) ?? '',
          displayName: world.nameOf(userId) ?? '',
          text: appeal?.text ?? '',
          at: appeal?.at ?? '',
        })),
      },
      tasks: tasks.slice(0, MORNING_TASKS),
      activity: activityOf(asker, community),
      streaks: streaksOf(asker, community, waiting),
    };
  },
} satisfies AnswersFor<'moderator'>;
