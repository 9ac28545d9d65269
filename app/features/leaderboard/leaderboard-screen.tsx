import '../../shared/boards/standings.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { BoardPeriod, BoardRow, Leaderboard } from '../../../server/contract/boards.ts';
import type { MyCommunity } from '../../../server/contract/communities.ts';
import { levelOf } from '../../../server/contract/limits.ts';
import type { SeasonSummary } from '../../../server/contract/seasons.ts';
import { useOutbox } from '../../lib/device.ts';
import { listing, number, signed, stampTime } from '../../lib/format.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { useSearch } from '../../lib/search.ts';
import { useLive } from '../../lib/use-live.ts';
import { m } from '../../paraglide/messages.js';
import { sectionsOf } from '../../shared/boards/board.ts';
import { BoardRows } from '../../shared/boards/board-rows.tsx';
import { useAcknowledged } from '../../shared/commands/acknowledged.ts';
import { overlayDashboard } from '../../shared/commands/overlay.ts';
import { viewToday } from '../../shared/tasks/task-view.ts';
import { PersonAvatar } from '../../ui/avatar.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Chip, SectionHead } from '../../ui/card.tsx';
import { Select } from '../../ui/field.tsx';
import { Icon, Mark } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segment } from '../../ui/segment.tsx';
import { AsOf } from '../../ui/stamp.tsx';
import { Empty, Reading } from '../../ui/states.tsx';
import { HowLeagues, LeagueBoard } from '../leagues/league-board.tsx';
import { SeasonRoom } from './rewards.tsx';

const PERIODS = ['today', 'week', 'month', 'season', 'all'] as const satisfies readonly BoardPeriod[];
const periodWord: Record<View, () => string> = {
  today: m.member_period_today,
  week: m.member_period_week,
  month: m.member_period_month,
  season: m.member_period_season,
  all: m.member_period_all,
  league: m.league_period,
};
/** Replaces a community in the address: the instance's leaderboard. */
const EVERYBODY = 'everybody';
/** Beside the leaderboards of a community with leagues. */
const LEAGUE = 'league';
type View = BoardPeriod | typeof LEAGUE;
/** One of the member's communities, or null for the instance's leaderboard. */
type Scope = MyCommunity | null;

/** Leaderboards of the member's communities and of the instance; scope and period are in the address. */
export function LeaderboardScreen() {
  const mine = useQuery(read('GET /api/user/communities'));
  const [search, setSearch] = useSearch('/leaderboard');
  const named = search.community;
  const chosen = mine.data?.find(({ id, slug }) => slug === named || id === named);
  const scope: Scope = named === EVERYBODY ? null : (chosen ?? mine.data?.[0] ?? null);
  // Seasons belong to communities.
  const periods: View[] = PERIODS.filter((period) => scope !== null || period !== 'season');
  if (scope?.leagues) periods.push(LEAGUE);
  const view = periods.find((one) => one === search.period) ?? 'all';
  useLive(scope?.id ?? null, ['board'], mine.data !== undefined);
  return (
    <Screen title={m.shell_leaderboard()} aside={asideOf(mine.data !== undefined, scope, view)}>
      <Reading query={mine}>
        {(communities) => (
          <>
            <div className="leaderboard__choices">
              <Select
                label={m.member_board_community()}
                options={[
                  ...communities.map(({ slug, name }) => ({ value: slug, label: name })),
                  { value: EVERYBODY, label: m.member_board_everybody() },
                ]}
                value={scope?.slug ?? EVERYBODY}
                onValue={(slug) => setSearch({ community: slug })}
              />
              <Segment
                label={m.member_board_period()}
                options={periods.map((value) => ({ value, label: periodWord[value]() }))}
                value={view}
                onChange={(value) => setSearch({ period: value })}
              />
            </div>
            {communities.length === 0 && named !== EVERYBODY ? (
              <NoBoards />
            ) : view === LEAGUE ? (
              scope && <League key={scope.id} scope={scope} />
            ) : (
              <Board key={`${scope?.id} ${view}`} scope={scope} period={view} />
            )}
          </>
        )}
      </Reading>
    </Screen>
  );
}

function asideOf(isLoaded: boolean, scope: Scope, view: View) {
  if (!isLoaded) return undefined;
  return view === LEAGUE ? <HowLeagues /> : <Aside key={scope?.id} scope={scope} period={view} />;
}

function League({ scope }: { scope: MyCommunity }) {
  return <LeagueBoard communityId={scope.id} pencilPoints={usePencil(scope).points} />;
}

const boardOf = (scope: Scope, period: BoardPeriod) =>
  scope !== null
    ? read('GET /api/communities/:communityId/leaderboard', { communityId: scope.id }, { period })
    : read('GET /api/leaderboard', undefined, { period: period === 'season' ? 'all' : period });

/** Points that only this device has for a community, if its dashboard was opened here. */
function usePencil(scope: Scope): { points: number; claims: number } {
  const outbox = useOutbox();
  const overlay = useAcknowledged();
  const reading = read('GET /api/communities/:communityId/dashboard', { communityId: scope?.slug ?? '' });
  const waits = scope !== null && outbox.some(({ subject }) => subject.startsWith(`claim:${scope.id}:`));
  const dashboard = useQuery({ ...reading, enabled: waits }).data;
  const asOf = useAsOf(reading.queryKey);
  if (!waits || !dashboard) return { points: 0, claims: 0 };
  const today = viewToday(overlayDashboard(dashboard, overlay, asOf), outbox);
  return { points: today.pencilPoints, claims: today.pencilClaims };
}

function Board({ scope, period }: { scope: Scope; period: BoardPeriod }) {
  const reading = boardOf(scope, period);
  const query = useQuery<Leaderboard>(reading);
  const asOf = useAsOf(reading.queryKey);
  return (
    <>
      <SectionHead
        title={m.member_board_of({ period: periodWord[period]() })}
        end={<AsOf at={asOf} onRetry={() => query.refetch()} />}
      />
      <Reading query={query}>{(board) => <Shown scope={scope} period={period} board={board} />}</Reading>
    </>
  );
}

/** The leaderboard in its state: open, frozen or hidden. */
function Shown({ scope, period, board }: { scope: Scope; period: BoardPeriod; board: Leaderboard }) {
  if (period === 'season' && board.season === null)
    return <Empty title={m.member_board_no_season()} line={m.member_board_no_season_line()} />;
  if (board.state === 'hidden' && board.top.length === 0)
    return <Empty illustration="gate" title={m.member_board_hidden()} line={m.member_board_hidden_line()} />;
  const own = scope?.role === 'leader';
  return (
    <>
      {board.state === 'frozen' && (
        <p className="leaderboard__state">
          <Chip kind="lake" icon="lock">
            {m.member_board_frozen({ when: stampTime(board.asOf) })}
          </Chip>
        </p>
      )}
      {board.state === 'hidden' && (
        <p className="leaderboard__state">
          <Chip icon="eye">{m.member_board_hidden_leader()}</Chip>
        </p>
      )}
      {board.top.length > 0 ? (
        <Rows scope={scope} board={board} />
      ) : (
        <Empty
          title={m.member_board_first()}
          line={m.member_board_first_line()}
          action={
            scope && !own ? (
              <ButtonLink to="/community/$communityId/dashboard" params={{ communityId: scope.slug }}>
                {m.member_see_tasks()}
              </ButtonLink>
            ) : undefined
          }
        />
      )}
    </>
  );
}

function Rows({ scope, board }: { scope: Scope; board: Leaderboard }) {
  const pencil = usePencil(scope);
  const { top, gap, around } = sectionsOf(board);
  const [meRef, inView] = useInView();
  return (
    <>
      <BoardRows rows={top} label={m.shell_leaderboard()} pencilPoints={pencil.points} meRef={meRef} />
      {gap && (
        <p className="leaderboard__gap text-small text-muted">
          <Icon name="more" />
          <span>{m.member_board_gap({ from: number(gap.from), to: number(gap.to) })}</span>
        </p>
      )}
      {around.length > 0 && (
        <BoardRows rows={around} label={m.member_around()} pencilPoints={pencil.points} meRef={meRef} />
      )}
      <p className="text-small text-muted leaderboard__foot">
        {scope === null
          ? m.member_board_people({ count: board.members, n: number(board.members) })
          : m.member_board_members({ count: board.members, n: number(board.members) })}
      </p>
      {board.me && <Pinned me={board.me} rows={[...top, ...around]} pencil={pencil.points} hidden={inView} />}
    </>
  );
}

/** The member's row, fixed above the tab bar while the real one is out of view. */
function Pinned({ me, rows, pencil, hidden }: { me: BoardRow; rows: BoardRow[]; pencil: number; hidden: boolean }) {
  const level = number(levelOf(me.points).level);
  const tied = rows.find((row) => row.rank === me.rank && !row.me);
  return (
    <div className="pinned-row" hidden={hidden}>
      <span className="pinned-row__rank">{number(me.rank)}</span>
      <PersonAvatar name={me.displayName} />
      <span className="pinned-row__name">
        <b>{m.member_you()}</b>
        <span className="text-tiny">
          {tied ? m.member_level_tied({ level, who: tied.displayName }) : m.member_level({ level })}
        </span>
      </span>
      <span className="pinned-row__end">
        <b>{number(me.points)}</b>
        {pencil > 0 && <span className="pencil">{m.member_pencil_points({ points: signed(pencil) })}</span>}
      </span>
    </div>
  );
}

/** Height of the tab bar and the fixed row on phones, CSS pixels. */
const FOOT_PX = 130;

function useInView(): [(row: HTMLLIElement | null) => void, boolean] {
  const [row, setRow] = useState<HTMLLIElement | null>(null);
  // The row counts as visible until the browser has checked, so nothing flashes.
  const [inView, setInView] = useState(true);
  useEffect(() => {
    if (!row) return;
    const wide = matchMedia('(min-width: 900px)').matches;
    const observer = new IntersectionObserver(
      (seen) => setInView(seen.at(-1)?.isIntersecting ?? true),
      wide ? { threshold: 0.9 } : { rootMargin: `0px 0px -${FOOT_PX}px 0px` },
    );
    observer.observe(row);
    return () => observer.disconnect();
  }, [row]);
  return [setRow, row === null ? true : inView];
}

/** The season of a leaderboard. `isAwaited`: it is loading. */
function useSeason(scope: Scope, season: SeasonSummary | null) {
  const params = { communityId: scope?.id ?? '', seasonId: season?.id ?? '' };
  const enabled = scope !== null && season !== null;
  const query = useQuery({ ...read('GET /api/communities/:communityId/seasons/:seasonId', params), enabled });
  return { detail: query.data, isAwaited: enabled && isFirstRead(query) };
}
/** Still loading for the first time. */
const isFirstRead = (query: { isPending: boolean; errorUpdateCount: number }): boolean =>
  query.isPending && query.errorUpdateCount === 0;

function Aside({ scope, period }: { scope: Scope; period: BoardPeriod }) {
  const pencil = usePencil(scope);
  const query = useQuery<Leaderboard>(boardOf(scope, period));
  const board = query.data;
  const season = useSeason(scope, board?.season ?? null);
  // Content below the season appears together with it.
  if (period === 'season' && (isFirstRead(query) || season.isAwaited)) return null;
  const leaders = board?.leaders ?? [];
  const waiting = board?.pendingPoints ?? 0;
  return (
    <div>
      {scope && board?.season && <SeasonRoom communityId={scope.id} season={board.season} detail={season.detail} />}
      <Card className="stack-medium leaderboard__aside leaderboard__how">
        <section>
          <h3>{m.member_ties()}</h3>
          <p className="text-small text-muted">{m.member_ties_line()}</p>
        </section>
        {pencil.claims > 0 && (
          <section>
            <h3 className="flex-row">
              <Mark state="pencil" size={22} />
              {m.member_in_pencil({ points: signed(pencil.points) })}
            </h3>
            <p className="text-small text-muted">
              {m.member_in_pencil_line({ count: pencil.claims, n: number(pencil.claims) })}
            </p>
          </section>
        )}
        {waiting > 0 && (
          <section>
            <h3 className="flex-row">
              <Mark state="received" size={22} />
              {m.member_in_review({ points: signed(waiting) })}
            </h3>
            <p className="text-small text-muted">{m.member_in_review_line()}</p>
          </section>
        )}
        <section>
          <h3>{scope === null ? m.member_everybody_title() : m.member_leaders_compete()}</h3>
          <p className="text-small text-muted">
            {scope === null
              ? m.member_everybody_competes()
              : leaders.length > 0
                ? m.member_leaders_compete_names({ count: leaders.length, who: listing(leaders) })
                : m.member_leaders_apart()}
          </p>
        </section>
      </Card>
    </div>
  );
}

function NoBoards() {
  return (
    <Empty
      title={m.member_no_boards()}
      line={m.member_no_boards_line()}
      action={<ButtonLink to="/explore-communities">{m.member_explore()}</ButtonLink>}
    />
  );
}
