import type { SeasonSummary } from '../../../server/contract/seasons.ts';
import { day } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { getLocale } from '../../paraglide/runtime.js';
import { whenWord } from '../tasks/words.ts';

const UNITS = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const;

/** `in 3 days`, `in 4 hours`, `in 12 minutes`: the largest unit that fits twice, rounded down. */
export function inWords(at: string | number, now: number): string {
  const left = Math.max(0, new Date(at).getTime() - now);
  const [unit, ms] = UNITS.find(([, size]) => left >= 2 * size) ?? UNITS[2];
  return new Intl.RelativeTimeFormat(getLocale(), { numeric: 'always' }).format(Math.floor(left / ms), unit);
}

/** A season's phase at `now`, computed because a cached copy does not change with time. */
export function phaseOf(season: SeasonSummary, now: number): SeasonSummary['state'] {
  if (season.state === 'draft' || season.state === 'frozen') return season.state;
  if (Date.parse(season.graceUntil) <= now) return 'frozen';
  return Date.parse(season.endsAt) <= now ? 'grace' : 'live';
}

/** How long a season still runs, or how it ended. */
export function seasonLine(season: SeasonSummary, now: number): string {
  const phase = phaseOf(season, now);
  if (phase === 'live') return m.member_season_ends({ when: inWords(season.endsAt, now) });
  if (phase === 'grace') return m.member_season_grace({ when: whenWord(season.graceUntil) });
  if (phase === 'frozen') return m.member_season_frozen({ date: day(season.endsAt) });
  return season.startsAt === null ? m.member_season_planned() : m.member_season_starts({ date: day(season.startsAt) });
}
