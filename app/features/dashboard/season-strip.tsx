import './season-strip.css';
import type { SeasonSummary } from '../../../server/contract/seasons.ts';
import { useNow } from '../../lib/use-now.ts';
import { m } from '../../paraglide/messages.js';
import { Anchor } from '../../ui/button.tsx';
import { Hatch, Icon } from '../../ui/icon.tsx';
import { phaseOf, seasonLine } from '../engagement/season-words.ts';

/** The running season and how long it still runs; leads to its board and rewards. */
export function SeasonStrip({ season, slug }: { season: SeasonSummary; slug: string }) {
  const now = useNow();
  const line = seasonLine(season, now);
  const starts = season.startsAt === null ? Number.NaN : Date.parse(season.startsAt);
  const gone = (now - starts) / (Date.parse(season.endsAt) - starts);
  return (
    <Anchor to={`/leaderboard?community=${slug}&period=season`} className="card season-strip">
      <Icon name="season" size={24} />
      <span className="flex-grow">
        <b>{season.name}</b>
        <span className="text-small text-muted">{line}</span>
        {phaseOf(season, now) === 'live' && Number.isFinite(gone) && <Hatch done={gone} label={line} />}
      </span>
      <span className="visually-hidden">{m.member_season_open()}</span>
      <Icon name="forward" size={16} />
    </Anchor>
  );
}
