import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { BoardPeriod, BoardRow, Leaderboard } from '../../../server/contract/boards.ts';
import type { MyCommunity } from '../../../server/contract/communities.ts';
import { levelOf } from '../../../server/contract/limits.ts';
import { useOutbox } from '../../lib/device.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { PersonAvatar } from '../../ui/avatar.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, SectionHead } from '../../ui/card.tsx';
import { Select } from '../../ui/field.tsx';
import { listing, number, signed } from '../../ui/format.ts';
import { Icon, Mark } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segment } from '../../ui/segment.tsx';
import { AsOf } from '../../ui/stamp.tsx';
import { Empty, Reading } from '../../ui/states.tsx';
import { sectionsOf } from '../engagement/board.ts';
import { BoardRows } from '../engagement/board-rows.tsx';
import { useDeliveries } from '../engagement/deliveries.ts';
import { viewToday } from '../engagement/task-view.ts';
import { useSearch } from '../engagement/use-search.ts';
import '../engagement/engagement.css';
import './leaderboard.css';

const PERIODS = ['today', 'week', 'month', 'all'] as const satisfies readonly BoardPeriod[];
type Period = (typeof PERIODS)[number];
const periodWord: Record<Period, () => string> = {
  today: m.member_period_today,
  week: m.member_period_week,
  month: m.member_period_month,
  all: m.member_period_all,
};
const periodOf = (given: string | undefined): Period => PERIODS.find((period) => period === given) ?? 'all';

/** The boards of my communities; community and period stand in the address. */
export function LeaderboardScreen() {
  useDeliveries();
  const mine = useQuery(read('GET /api/user/communities'));
  const [search, setSearch] = useSearch();
  const chosen = mine.data?.find(({ id, slug }) => slug === search['community'] || id === search['community']);
  const community = chosen ?? mine.data?.[0];
  const period = periodOf(search['period']);
  return (
    <Screen title={m.member_leaderboard()} aside={community ? <Aside community={community} /> : undefined}>
      <Reading query={mine}>
        {(communities) =>
          community === undefined ? (
            <NoBoards />
          ) : (
            <>
              <div className="lb-pick">
                <Select
                  label={m.member_board_community()}
                  options={communities.map(({ slug, name }) => ({ value: slug, label: name }))}
                  value={community.slug}
                  onValue={(slug) => setSearch({ community: slug })}
                />
                <Segment
                  label={m.member_board_period()}
                  options={PERIODS.map((value) => ({ value, label: periodWord[value]() }))}
                  value={period}
                  onChange={(value) => setSearch({ period: value })}
                />
              </div>
              <Board key={`${community.id} ${period}`} community={community} period={period} />
            </>
          )
        }
      </Reading>
    </Screen>
  );
}

const boardOf = (community: MyCommunity, period: Period) =>
  read('GET /api/communities/:communityId/leaderboard', { communityId: community.id }, { period });

/** Points that only this device has for a community, known while its dashboard has been seen here. */
function usePencil(community: MyCommunity): { points: number; claims: number } {
  const outbox = useOutbox();
  const reading = read('GET /api/communities/:communityId/dashboard', { communityId: community.slug });
  const waits = outbox.some(({ subject }) => subject.startsWith(`claim:${community.id}:`));
  const dashboard = useQuery({ ...reading, enabled: waits }).data;
  if (!waits || !dashboard) return { points: 0, claims: 0 };
  const today = viewToday(dashboard, outbox);
  return { points: today.pencilPoints, claims: today.pencilClaims };
}

function Board({ community, period }: { community: MyCommunity; period: Period }) {
  const reading = boardOf(community, period);
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  return (
    <>
      <SectionHead
        title={m.member_board_of({ period: periodWord[period]() })}
        end={<AsOf at={asOf} onRetry={() => query.refetch()} />}
      />
      <Reading query={query}>
        {(board) =>
          board.top.length === 0 ? (
            <Empty
              title={m.member_board_first()}
              line={m.member_board_first_line()}
              action={<ButtonLink to={`/community/${community.slug}/dashboard`}>{m.member_see_tasks()}</ButtonLink>}
            />
          ) : (
            <Rows community={community} board={board} />
          )
        }
      </Reading>
    </>
  );
}

function Rows({ community, board }: { community: MyCommunity; board: Leaderboard }) {
  const pencil = usePencil(community);
  const { top, gap, around } = sectionsOf(board);
  const [meRef, inView] = useInView();
  return (
    <>
      <BoardRows rows={top} label={m.member_leaderboard()} pencilPoints={pencil.points} meRef={meRef} />
      {gap && (
        <p className="lb-gap sm mut">
          <Icon name="more" />
          <span>{m.member_board_gap({ from: number(gap.from), to: number(gap.to) })}</span>
        </p>
      )}
      {around.length > 0 && (
        <BoardRows rows={around} label={m.member_around()} pencilPoints={pencil.points} meRef={meRef} />
      )}
      <p className="sm mut lb-foot">{m.member_board_members({ count: board.members, n: number(board.members) })}</p>
      {board.me && <Pinned me={board.me} rows={[...top, ...around]} pencil={pencil.points} hidden={inView} />}
    </>
  );
}

/** My row, held above the tab bar while the real one is out of sight. */
function Pinned({ me, rows, pencil, hidden }: { me: BoardRow; rows: BoardRow[]; pencil: number; hidden: boolean }) {
  const level = number(levelOf(me.points).level);
  const tied = rows.find((row) => row.rank === me.rank && !row.me);
  return (
    <div className="pin" hidden={hidden}>
      <span className="rk">{number(me.rank)}</span>
      <PersonAvatar name={me.displayName} />
      <span className="nm">
        <b>{m.member_you()}</b>
        <span className="xs">
          {tied ? m.member_level_tied({ level, who: tied.displayName }) : m.member_level({ level })}
        </span>
      </span>
      <span className="pin-end">
        <b>{number(me.points)}</b>
        {pencil > 0 && <span className="pencil">{m.member_pencil_points({ points: signed(pencil) })}</span>}
      </span>
    </div>
  );
}

/** Room that the tab bar and the pinned row take at the foot of a phone's screen, CSS pixels. */
const FOOT_PX = 130;

function useInView(): [(row: HTMLLIElement | null) => void, boolean] {
  const [row, setRow] = useState<HTMLLIElement | null>(null);
  // Until the browser has looked, the row counts as seen: nothing flashes.
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

function Aside({ community }: { community: MyCommunity }) {
  const pencil = usePencil(community);
  const leaders = useQuery(boardOf(community, 'all')).data?.leaders ?? [];
  return (
    <div>
      <Card className="stack-4 lb-aside">
        <section>
          <h3>{m.member_ties()}</h3>
          <p className="sm mut">{m.member_ties_line()}</p>
        </section>
        {pencil.claims > 0 && (
          <section>
            <h3 className="row">
              <Mark state="pencil" size={22} />
              {m.member_in_pencil({ points: signed(pencil.points) })}
            </h3>
            <p className="sm mut">{m.member_in_pencil_line({ count: pencil.claims, n: number(pencil.claims) })}</p>
          </section>
        )}
        <section>
          <h3>{m.member_leaders_compete()}</h3>
          <p className="sm mut">
            {leaders.length > 0
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
