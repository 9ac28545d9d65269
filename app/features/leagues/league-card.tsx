import './league-card.css';
import { useQuery } from '@tanstack/react-query';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import type { League, LeagueGroup } from '../../../server/contract/leagues.ts';
import { number, stampTime } from '../../lib/format.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { useNow } from '../../lib/use-now.ts';
import { m } from '../../paraglide/messages.js';
import { inWords } from '../../shared/boards/season-words.ts';
import { Card, ListRow } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { AsOf } from '../../ui/stamp.tsx';
import { lastWords, MOVE_WORDS, phaseOf } from './league-words.ts';

/** The member's league in brief, if the community has leagues and they are in one; links to their group. */
export function LeagueCard({ community }: { community: CommunitySummary }) {
  const enabled = community.leagues === true && community.role !== 'leader';
  const reading = read('GET /api/communities/:communityId/league', { communityId: community.id });
  const query = useQuery({ ...reading, enabled });
  const asOf = useAsOf(reading.queryKey);
  const now = useNow();
  if (!enabled) return null;
  const league = query.data;
  if (!league)
    return query.isPending && query.failureCount === 0 ? <Card className="league-card" aria-hidden="true" /> : null;
  if (league.state !== 'playing' && league.state !== 'waiting') return null;
  return (
    <div className="league-card">
      <Card className="card--rows">
        <ListRow
          link={{ to: '/leaderboard', search: { community: community.slug, period: 'league' } }}
          lead={<Icon name="level" size={24} />}
          title={league.group ? m.league_card_title({ division: number(league.group.division) }) : m.league_title()}
          line={linesOf(league, now).map((line) => (
            <span key={line} className="league-card__line">
              {line}
            </span>
          ))}
        />
      </Card>
      <AsOf at={asOf} onRetry={() => query.refetch()} />
    </div>
  );
}

function linesOf({ group, startsAt, last }: League, now: number): string[] {
  if (!group) return startsAt === null ? [] : [m.league_card_waiting({ when: stampTime(startsAt, now) })];
  const before = last === null ? [] : [lastWords(last)];
  return [`${positionText(group)} · ${timeOf(group, now)}`, ...before];
}

function positionText(group: LeagueGroup): string {
  const n = number(group.members);
  const mine = group.rows.find(({ me }) => me);
  if (!mine) return m.league_card_idle({ count: group.members, n });
  const position = m.league_card_place({ rank: number(mine.rank), n });
  return mine.move === 'stay' ? position : `${position} · ${MOVE_WORDS[mine.move]()}`;
}

function timeOf(group: LeagueGroup, now: number): string {
  const phase = phaseOf(group, now);
  if (phase === 'running') return m.league_ends({ when: inWords(group.endsAt, now) });
  return phase === 'grace' ? m.league_grace({ when: stampTime(group.settlesAt, now) }) : m.league_over();
}
