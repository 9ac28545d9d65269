import '../../shared/boards/standings.css';
import './league-board.css';
import { useQuery } from '@tanstack/react-query';
import type { League, LeagueGroup, LeagueRow } from '../../../server/contract/leagues.ts';
import { ACTED_AT_GRACE_MS, LEAGUE_DIVISIONS, LEAGUE_GROUP } from '../../../server/contract/limits.ts';
import { number, stampTime } from '../../lib/format.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { useNow } from '../../lib/use-now.ts';
import { m } from '../../paraglide/messages.js';
import { BoardRows } from '../../shared/boards/board-rows.tsx';
import { inWords } from '../../shared/boards/season-words.ts';
import { Card, SectionHead } from '../../ui/card.tsx';
import { AsOf } from '../../ui/stamp.tsx';
import { Empty, Reading } from '../../ui/states.tsx';
import { lastWords, MOVE_WORDS, phaseOf } from './league-words.ts';

/** The member's group of the week, and who would move up and down now. */
export function LeagueBoard({ communityId, pencilPoints }: { communityId: string; pencilPoints: number }) {
  const reading = read('GET /api/communities/:communityId/league', { communityId });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const division = query.data?.group?.division;
  return (
    <>
      <SectionHead
        title={
          division === undefined
            ? m.league_period()
            : m.league_division({ n: number(division), of: number(LEAGUE_DIVISIONS) })
        }
        end={<AsOf at={asOf} onRetry={() => query.refetch()} />}
      />
      <Reading query={query}>{(league) => <Shown league={league} pencilPoints={pencilPoints} />}</Reading>
    </>
  );
}

function Shown({ league, pencilPoints }: { league: League; pencilPoints: number }) {
  const { state, startsAt, group, last } = league;
  if (state === 'off') return <Empty title={m.league_off()} line={m.league_off_line()} />;
  if (state === 'closed')
    return <Empty illustration="gate" title={m.league_closed()} line={m.member_board_hidden_line()} />;
  if (state === 'leader') return <Empty title={m.league_leader()} line={m.league_leader_line()} />;
  if (state === 'hidden') return <Empty title={m.league_hidden()} line={m.league_hidden_line()} />;
  if (group) return <Group group={group} last={last} pencilPoints={pencilPoints} />;
  return (
    <Empty
      title={m.league_waiting({ when: startsAt === null ? '' : stampTime(startsAt) })}
      line={m.league_waiting_line()}
    />
  );
}

type GroupProps = { group: LeagueGroup; last: League['last']; pencilPoints: number };
function Group({ group, last, pencilPoints }: GroupProps) {
  const now = useNow();
  const isMe = group.rows.some(({ me }) => me);
  return (
    <>
      <p className="text-small text-muted league-board__line">
        {weekLine(group, now)} {group.isNew && m.league_line_new()} {last && `${lastWords(last)}.`}
      </p>
      {group.next !== null && (
        <p className="text-small league-board__line">{m.league_next({ points: number(group.next) })}</p>
      )}
      {group.rows.length === 0 && <Empty title={m.league_first()} line={m.league_first_line()} />}
      {stretchesOf(group.rows).map(({ move, rows }) => (
        <section key={rows[0]?.userId}>
          <h3 className="text-small league-board__move">{MOVE_WORDS[move]()}</h3>
          <BoardRows rows={rows} label={MOVE_WORDS[move]()} pencilPoints={pencilPoints} />
        </section>
      ))}
      {group.idle > 0 && group.rows.length > 0 && (
        <p className="text-small text-muted leaderboard__foot">
          {m.league_idle({ count: group.idle, n: number(group.idle) })} {!isMe && m.league_you_idle()}
        </p>
      )}
    </>
  );
}

function weekLine(group: LeagueGroup, now: number): string {
  const phase = phaseOf(group, now);
  const settles = stampTime(group.settlesAt, now);
  if (phase === 'running') return m.league_line_running({ when: inWords(group.endsAt, now), settles });
  return phase === 'grace' ? m.league_line_grace({ when: settles }) : m.league_line_over();
}

type Stretch = { move: LeagueRow['move']; rows: LeagueRow[] };
/** Neighbouring rows with the same move. */
function stretchesOf(rows: readonly LeagueRow[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const row of rows) {
    const last = stretches.at(-1);
    if (last?.move === row.move) last.rows.push(row);
    else stretches.push({ move: row.move, rows: [row] });
  }
  return stretches;
}

/** The rules, beside the board. */
export function HowLeagues() {
  const hours = number(ACTED_AT_GRACE_MS / 3_600_000);
  return (
    <Card className="stack-medium leaderboard__aside leaderboard__how">
      <h3>{m.league_how()}</h3>
      {[
        m.league_how_groups({ n: number(LEAGUE_GROUP) }),
        m.league_how_moves(),
        m.league_how_ties(),
        m.league_how_late({ hours }),
        m.league_how_apart(),
      ].map((line) => (
        <p key={line} className="text-small text-muted">
          {line}
        </p>
      ))}
    </Card>
  );
}
