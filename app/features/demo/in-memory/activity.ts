import type { Activity } from '../../../../server/contract/activity.ts';
import { ACTIVITY_PAGE, levelOf } from '../../../../server/contract/limits.ts';
import { type AnswersFor, onePage } from './answers.ts';
import { badgesOf } from './badges.ts';
import type { Asker, Community } from './world.ts';

/** The community's recent activity, latest first: the server's answer in a single page. */
function recentActivity({ world, me }: Asker, { id: communityId, members }: Community): Activity[] {
  return members
    .flatMap(({ userId, joinedAt }): Activity[] => {
      const person = world.personOf(userId);
      if (person === null) return [];
      const by = { userId, displayName: person.name, me: userId === me.id, task: null, level: null, badge: null };
      let total = 0;
      const lines = world.ledger.filter((one) => one.userId === userId && one.communityId === communityId);
      const counted = lines.flatMap(({ kind, claimId, at, points, taskId }): Activity[] => {
        const before = levelOf(total).level;
        total += points;
        const { level } = levelOf(total);
        const isTakenBack = lines.some((one) => one.kind === 'reverse' && one.claimId === claimId);
        if (kind !== 'award' || claimId === null || isTakenBack) return [];
        const task = world.titleOf(taskId);
        return [{ ...by, kind: 'counted', id: claimId, at, task, level: level > before ? level : null }];
      });
      const badges = badgesOf(world, person)
        // Streaks count over all communities.
        .filter((badge) => badge.communityId === null || badge.communityId === communityId)
        .map(({ code, earnedAt }): Activity => {
          return { ...by, kind: 'badge', id: `${userId} ${code}`, at: earnedAt, badge: code };
        });
      return [{ ...by, kind: 'joined', id: userId, at: joinedAt }, ...counted, ...badges];
    })
    .sort((one, other) => other.at.localeCompare(one.at) || other.id.localeCompare(one.id))
    .slice(0, ACTIVITY_PAGE);
}

export const activityAnswers = {
  'GET /api/communities/:communityId/activity': ({ asker, community }) => onePage(recentActivity(asker, community)),
} satisfies AnswersFor<'public'>;
