import type { League, LeagueGroup, LeagueMove } from '../../../server/contract/leagues.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';

/** The phase of a group's week at `now`, computed because a cached copy does not change with time. */
export function phaseOf(group: LeagueGroup, now: number): 'running' | 'grace' | 'over' {
  if (Date.parse(group.settlesAt) <= now) return 'over';
  return Date.parse(group.endsAt) <= now ? 'grace' : 'running';
}

export const MOVE_WORDS: Record<LeagueMove, () => string> = {
  rise: m.league_move_rise,
  stay: m.league_move_stay,
  fall: m.league_move_fall,
};

const LAST_WORDS: Record<LeagueMove, (words: { division: string }) => string> = {
  rise: m.league_last_rise,
  stay: m.league_last_stay,
  fall: m.league_last_fall,
};
/** The result of the last settled week. */
export const lastWords = ({ move, division }: NonNullable<League['last']>): string =>
  LAST_WORDS[move]({ division: number(division) });
