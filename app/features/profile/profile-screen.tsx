import './profile-screen.css';
import { useQuery } from '@tanstack/react-query';
import type { BadgeCode } from '../../../server/contract/badges.ts';
import { levelOf } from '../../../server/contract/limits.ts';
import type { Profile } from '../../../server/contract/user.ts';
import { calendarDay, day, number } from '../../lib/format.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { dayCount, roleWord } from '../../shared/tasks/words.ts';
import { CommunityAvatar } from '../../ui/avatar.tsx';
import { BoardPanel } from '../../ui/board.tsx';
import { Anchor, ButtonLink } from '../../ui/button.tsx';
import { Card, ListRow, SectionHead } from '../../ui/card.tsx';
import { Hatch, Icon, Tally } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Reading } from '../../ui/states.tsx';
import { Badges } from './badges.tsx';
import { LedgerLines } from './ledger.tsx';
import { StreakCalendar } from './streak-calendar.tsx';

const LEDGER_SHOWN = 5;
const STREAK_BADGES: Partial<Record<BadgeCode, number>> = { week_streak: 7, month_streak: 30 };

/** The member's progress: streak, calendar, badges, points, recent ledger entries; and links to all settings. */
export function ProfileScreen() {
  const reading = read('GET /api/user/profile');
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  return (
    <Screen
      title={query.data?.user.displayName ?? m.shell_you()}
      asOf={asOf}
      onRetry={() => query.refetch()}
      // The line's space is reserved before it loads.
      lead={query.data ? m.member_joined({ date: day(query.data.joinedAt) }) : '\u00a0'}
      actions={
        <div className="actions profile-ways">
          <ButtonLink kind="edge" icon="settings" to="/settings">
            {m.settings_title()}
          </ButtonLink>
          <ButtonLink kind="words" icon="info" to="/how-to-use">
            {m.settings_help()}
          </ButtonLink>
        </div>
      }
      aside={
        <>
          {query.data && <Points profile={query.data} />}
          <More />
        </>
      }
    >
      <Reading query={query}>{(profile) => <Progress profile={profile} />}</Reading>
    </Screen>
  );
}

function Progress({ profile: { streak, points, badges, timeZone } }: { profile: Profile }) {
  const { level, into, needed } = levelOf(points);
  const missing = (code: BadgeCode) => {
    const needs = STREAK_BADGES[code];
    return needs === undefined || streak.days >= needs
      ? null
      : m.member_badge_days_to_go({ count: needs - streak.days });
  };
  return (
    <>
      <div className="profile-board">
        <BoardPanel
          label={m.member_standing()}
          heading={m.member_streak()}
          value={dayCount(streak.days)}
          tally={<Tally days={streak.days} open={!streak.countedToday} label={dayCount(streak.days)} />}
          stats={[
            {
              label: m.member_level({ level: number(level) }),
              progress: (
                <Hatch
                  done={into / needed}
                  label={m.member_level_progress({ into: number(into), needed: number(needed) })}
                />
              ),
              note: m.member_level_next({ points: number(needed - into), level: number(level + 1) }),
            },
            { label: m.member_streak_longest(), value: dayCount(streak.best) },
            { label: m.member_freezes_left(), value: number(streak.freezes) },
          ]}
        />
      </div>
      <SectionHead
        title={m.member_calendar()}
        end={
          <span className="text-small text-muted">
            {m.member_calendar_zone({ zone: timeZone.replaceAll('_', ' ') })}
          </span>
        }
      />
      <StreakCalendar streak={streak} />
      <p className="text-small text-muted profile-note">
        {streak.repairReadyOn === null
          ? m.member_repair_ready()
          : m.member_repair_from({ date: calendarDay(streak.repairReadyOn) })}
      </p>
      <Badges badges={badges} missing={missing} />
    </>
  );
}

function Points({ profile }: { profile: Profile }) {
  const mine = useQuery(read('GET /api/user/communities'));
  const ranks = new Map(mine.data?.map(({ id, rank }) => [id, rank]));
  const { communities } = profile;
  const last = profile.ledger.slice(0, LEDGER_SHOWN);
  return (
    <>
      <SectionHead
        title={m.member_points()}
        end={
          <span className="text-small text-muted">{m.member_points_in_all({ points: number(profile.points) })}</span>
        }
      />
      {communities.length === 0 ? (
        <Empty
          title={m.member_selector_none()}
          line={m.member_selector_none_line()}
          action={<ButtonLink to="/explore-communities">{m.member_explore()}</ButtonLink>}
        />
      ) : (
        <Card className="card--rows">
          <ul className="ruled-list">
            {communities.map(({ id, slug, name, role, points }) => {
              const rank = ranks.get(id);
              const level = m.member_level({ level: number(levelOf(points).level) });
              return (
                <li key={id}>
                  <ListRow
                    lead={<CommunityAvatar name={name} />}
                    title={name}
                    line={
                      role === 'member'
                        ? [level, rank && m.member_points_rank({ rank: number(rank) })].filter(Boolean).join(' · ')
                        : roleWord(role)
                    }
                    end={<b className="numeric">{number(points)}</b>}
                    link={{ to: '/community/$communityId/dashboard', params: { communityId: slug } }}
                  />
                </li>
              );
            })}
          </ul>
        </Card>
      )}
      <SectionHead
        title={m.member_ledger_last()}
        end={
          <Anchor className="text-link touch-target" to="/settings/$room" params={{ room: 'ledger' }}>
            {m.member_ledger_whole()}
          </Anchor>
        }
      />
      <LedgerLines lines={last} />
    </>
  );
}

/** Settings, help and sign-out, at the end of the page. */
function More() {
  return (
    <>
      <SectionHead title={m.member_more()} />
      <Card className="card--rows">
        <ul className="ruled-list">
          <li>
            <ListRow
              lead={<Icon name="settings" />}
              title={m.settings_title()}
              line={m.settings_title_line()}
              link={{ to: '/settings' }}
            />
          </li>
          <li>
            <ListRow lead={<Icon name="info" />} title={m.settings_help()} link={{ to: '/how-to-use' }} />
          </li>
          <li>
            <ListRow lead={<Icon name="sign-out" />} title={m.member_sign_out()} link={{ to: '/logout' }} />
          </li>
        </ul>
      </Card>
    </>
  );
}
