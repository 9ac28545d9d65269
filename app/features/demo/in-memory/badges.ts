import type { Badge, BadgeCode } from '../../../../server/contract/badges.ts';
import { streakOf } from '../../../../server/domain/streak.ts';
import type { Person, StoredClaim, World } from './world.ts';

const DONE: [BadgeCode, number][] = [
  ['first_step', 1],
  ['ten_done', 10],
  ['hundred_done', 100],
];
const KINDS = 5;
const RUNS: [BadgeCode, number][] = [
  ['week_streak', 7],
  ['month_streak', 30],
];

const whenOf = ({ decidedAt, submittedAt }: StoredClaim): string => decidedAt ?? submittedAt;
const earned = (code: BadgeCode, communityId: string | null, claim: StoredClaim | undefined): Badge[] =>
  claim ? [{ code, communityId, earnedAt: whenOf(claim) }] : [];

/** A member's badges in one community. The server stores them; here they follow from the claims that count. */
export function badgesIn(world: World, { id }: Person, communityId: string): Badge[] {
  const counted = world.claims.filter(
    (claim) => claim.userId === id && claim.communityId === communityId && claim.state === 'approved',
  );
  const kinds = new Set<string>();
  const rounded = counted.find(({ taskId }) => {
    kinds.add(world.tasks.find((task) => task.id === taskId)?.kind ?? '');
    return kinds.size === KINDS;
  });
  return [
    ...DONE.flatMap(([code, times]) => earned(code, communityId, counted[times - 1])),
    ...earned('all_rounder', communityId, rounded),
  ];
}

/** Badges of all communities, and those that span them: streaks. */
export function badgesOf(world: World, person: Person): Badge[] {
  const counted = world.claims.filter(({ userId, state }) => userId === person.id && state === 'approved');
  const runs = RUNS.flatMap(([code, days]) => {
    const reached = counted.find((claim, at) => {
      const before = counted.slice(0, at + 1).map(({ day }) => day);
      return streakOf(before, claim.day).best >= days;
    });
    return earned(code, null, reached);
  });
  return [...world.communities.flatMap(({ id }) => badgesIn(world, person, id)), ...runs];
}
