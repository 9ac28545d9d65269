import './profile-screen.css';
import { useQuery } from '@tanstack/react-query';
import { levelOf } from '../../../server/contract/limits.ts';
import type { Profile } from '../../../server/contract/user.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { CommunityAvatar, PersonAvatar } from '../../ui/avatar.tsx';
import { BoardPanel } from '../../ui/board.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Chip, ListRow, SectionHead } from '../../ui/card.tsx';
import { day, number } from '../../ui/format.ts';
import { Hatch, Icon, Tally } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Reading } from '../../ui/states.tsx';
import { dayCount, roleWord } from '../engagement/words.ts';
import { Notifications } from '../notifications/notifications.tsx';
import { ThemeChoice } from '../theme/theme-choice.tsx';
import { BadgeGrid } from './badges.tsx';
import { Ledger } from './ledger.tsx';
import { StreakCalendar } from './streak-calendar.tsx';
import { TimeZone } from './time-zone.tsx';

/** My own room: level, streak, points by community, the ledger's lines, and what this device should look like. */
export function ProfileScreen() {
  const reading = read('GET /api/user/profile');
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  return (
    <Screen
      title={query.data?.user.displayName ?? m.member_profile()}
      asOf={asOf}
      onRetry={() => query.refetch()}
      aside={query.data && <Side profile={query.data} />}
    >
      <Reading query={query}>{(profile) => <Room profile={profile} />}</Reading>
    </Screen>
  );
}

function Room({ profile }: { profile: Profile }) {
  const { level, into, needed } = levelOf(profile.points);
  return (
    <>
      <div className="profile-board">
        <BoardPanel
          label={m.member_standing()}
          heading={m.member_streak()}
          value={dayCount(profile.streak.days)}
          tally={
            <Tally
              days={profile.streak.days}
              open={!profile.streak.countedToday}
              label={dayCount(profile.streak.days)}
            />
          }
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
            { label: m.member_points(), value: number(profile.points), note: m.member_points_all() },
          ]}
        />
      </div>
      <SectionHead title={m.member_points_by_community()} />
      {profile.communities.length === 0 ? (
        <Empty
          title={m.member_selector_none()}
          line={m.member_selector_none_line()}
          action={<ButtonLink to="/explore-communities">{m.member_explore()}</ButtonLink>}
        />
      ) : (
        <Card className="card--rows">
          <ul className="ruled-list">
            {profile.communities.map((community) => (
              <li key={community.id}>
                <ListRow
                  lead={<CommunityAvatar name={community.name} />}
                  title={community.name}
                  line={roleWord(community.role)}
                  end={<b className="numeric">{number(community.points)}</b>}
                  to={`/community/${community.slug}/dashboard`}
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <SectionHead title={m.member_streak()} />
      <StreakCalendar streak={profile.streak} />
      <SectionHead title={m.member_badges()} />
      <Card>
        <BadgeGrid badges={profile.badges} />
      </Card>
      <SectionHead
        title={m.member_ledger()}
        end={<span className="text-tiny text-muted">{m.member_ledger_newest()}</span>}
      />
      <Ledger communities={profile.communities} />
      <Notifications />
    </>
  );
}

function Side({ profile }: { profile: Profile }) {
  const { user } = profile;
  return (
    <div>
      <SectionHead title={m.member_you()} />
      <Card className="stack-medium">
        <div className="flex-row profile-person">
          <PersonAvatar name={user.displayName} size={48} />
          <div className="flex-grow">
            <b>{user.displayName}</b>
            <p className="text-small text-muted">
              {user.telegramUsername ? `@${user.telegramUsername}` : m.member_no_username()}
            </p>
          </div>
          {user.isVerified ? (
            <Chip kind="ink" icon="check">
              {m.member_verified()}
            </Chip>
          ) : (
            <Chip>{m.member_not_verified()}</Chip>
          )}
        </div>
        <p className="text-small text-muted">{m.member_joined({ date: day(profile.joinedAt) })}</p>
        <ButtonLink kind="edge" icon="settings" to="/profile-accounts">
          {m.member_accounts()}
        </ButtonLink>
        <ButtonLink kind="edge" icon="shield" to="/your-data">
          {m.data_title()}
        </ButtonLink>
        <ButtonLink kind="edge" icon="assistant" to="/ai-assistant">
          {m.assistant_title()}
        </ButtonLink>
        {user.role !== 'member' && (
          <ButtonLink kind="edge" icon="server" to="/admin">
            {m.shell_ops()}
          </ButtonLink>
        )}
      </Card>
      <SectionHead title={m.member_zone_title()} />
      <TimeZone profile={profile} />
      <SectionHead title={m.member_theme()} />
      <ThemeChoice />
      <p className="text-tiny text-muted profile-theme-note">{m.member_theme_note()}</p>
      <SectionHead title={m.member_on_device()} />
      <Card className="stack">
        <p className="text-small">{m.member_install_hint()}</p>
        <p className="flex-row text-small text-muted">
          <Icon name="install" />
          <span>{m.member_install_how()}</span>
        </p>
      </Card>
      <div className="profile-end">
        <ButtonLink kind="no" icon="sign-out" to="/logout">
          {m.member_sign_out()}
        </ButtonLink>
      </div>
    </div>
  );
}
