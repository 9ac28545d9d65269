import type { Target } from '../../lib/target.ts';
import './settings-screen.css';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Profile, User } from '../../../server/contract/user.ts';
import { isComplete } from '../../../server/rules/completion.ts';
import { number } from '../../lib/format.ts';
import { product } from '../../lib/product.ts';
import { read, userQuery } from '../../lib/query.ts';
import { deviceWord } from '../../lib/surroundings.ts';
import { useUnsent } from '../../lib/unsent.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { NotFoundScreen } from '../../ui/not-found-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Forbidden, Reading } from '../../ui/states.tsx';
import { ThemeChoice } from '../../ui/theme-choice.tsx';
import { isInstalled } from '../install/install.ts';
import { Notifications } from '../notifications/notifications.tsx';
import { Ledger } from '../profile/ledger.tsx';
import { TimeZone } from '../profile/time-zone.tsx';
import { Device } from './device.tsx';
import { Privacy } from './privacy.tsx';

const PROFILE = read('GET /api/user/profile');

type Room = { title: () => string; draw: () => ReactNode };
/** What `/settings/<name>` shows. */
const ROOMS: Readonly<Record<string, Room>> = {
  device: { title: () => m.settings_device({ device: deviceWord() }), draw: () => <Device /> },
  'time-zone': {
    title: m.settings_zone,
    draw: () => <WithProfile>{(profile) => <TimeZone profile={profile} />}</WithProfile>,
  },
  notifications: { title: m.shell_notifications, draw: () => <Notifications /> },
  privacy: {
    title: m.settings_privacy,
    draw: () => <WithProfile>{(profile) => <Privacy profile={profile} />}</WithProfile>,
  },
  ledger: {
    title: m.settings_ledger,
    draw: () => <WithProfile>{({ communities }) => <Ledger communities={communities} />}</WithProfile>,
  },
};

function WithProfile({ children }: { children: (profile: Profile) => ReactNode }) {
  return <Reading query={useQuery(PROFILE)}>{children}</Reading>;
}

/** The list of settings; the addressed one is shown beside it on wide screens, and instead of it on narrow ones. */
export function SettingsScreen() {
  const { room: name } = useParams({ strict: false });
  const who = useQuery(userQuery);
  const room = name === undefined ? null : Object.hasOwn(ROOMS, name) ? ROOMS[name] : undefined;
  if (room === undefined) return <NotFoundScreen />;
  const isMember = who.data && isComplete(who.data);
  const back: Target & { label: string } =
    room !== null
      ? { to: '/settings', label: m.settings_title() }
      : isMember
        ? { to: '/profile', label: m.shell_you() }
        : { to: '/', label: m.member_selector() };
  return (
    <Screen title={room?.title() ?? m.settings_title()} back={back}>
      {who.data === null ? (
        <Forbidden signIn line={m.settings_signed_out()} />
      ) : (
        <Reading query={who as UseQueryResult<User | null>}>
          {(user) =>
            user && (
              <div className={room ? 'settings settings--room' : 'settings'}>
                <List user={user} here={name} />
                {room && <div className="settings__room">{room.draw()}</div>}
              </div>
            )
          }
        </Reading>
      )}
    </Screen>
  );
}

function List({ user, here }: { user: User; here: string | undefined }) {
  const profile = useQuery(PROFILE).data;
  const unsent = useUnsent().length;
  const handle = user.telegramUsername ? `@${user.telegramUsername}` : null;
  const device = deviceWord();
  const row = (icon: IconName, title: string, line: string | undefined, link: Target) => (
    <li data-here={(link.to === '/settings/$room' && link.params.room === here) || undefined}>
      <ListRow lead={<Icon name={icon} />} title={title} {...(line && { line })} link={link} />
    </li>
  );
  return (
    <nav className="settings__list" aria-label={m.settings_title()}>
      <Group title={m.settings_look()}>
        <li className="settings__theme">
          <p>
            <b>{m.shell_theme()}</b> <span className="text-small text-muted">{m.settings_theme_here({ device })}</span>
          </p>
          <ThemeChoice />
        </li>
        {row(
          device === m.public_device_phone() ? 'phone' : 'install',
          m.settings_device({ device }),
          isInstalled() ? m.settings_device_installed() : m.settings_device_tab(),
          { to: '/settings/$room', params: { room: 'device' } },
        )}
        {row(
          'globe',
          m.settings_zone(),
          profile && m.settings_zone_line({ zone: profile.timeZone.replaceAll('_', ' ') }),
          { to: '/settings/$room', params: { room: 'time-zone' } },
        )}
      </Group>
      <Group title={m.settings_tell()}>
        {row('bell', m.shell_notifications(), m.settings_notifications_line(), {
          to: '/settings/$room',
          params: { room: 'notifications' },
        })}
        {row(
          'eye',
          m.settings_privacy(),
          profile && (profile.hidden ? m.settings_privacy_row_hidden() : m.settings_privacy_row_seen()),
          { to: '/settings/$room', params: { room: 'privacy' } },
        )}
      </Group>
      <Group title={m.settings_account()}>
        {isComplete(user) &&
          row(
            'shield',
            m.settings_accounts(),
            user.twitterUsername === null ? m.settings_accounts_telegram() : m.settings_accounts_both(),
            { to: '/profile-accounts' },
          )}
        {row('ledger', m.settings_ledger(), profile && m.settings_ledger_line({ points: number(profile.points) }), {
          to: '/settings/$room',
          params: { room: 'ledger' },
        })}
        {row('lock', m.settings_data(), m.settings_data_line(), { to: '/your-data' })}
        {user.role !== 'member' && row('server', m.shell_ops(), m.settings_ops_line(), { to: '/admin' })}
      </Group>
      <Group title={m.settings_help()}>
        {row('info', m.settings_use({ product: product.name }), undefined, { to: '/how-to-use' })}
      </Group>
      <div className="actions">
        <ButtonLink kind="no" icon="sign-out" to="/logout">
          {m.member_sign_out()}
        </ButtonLink>
      </div>
      <p className="text-small text-muted">
        {m.settings_signed_in({ who: [user.displayName, handle].filter(Boolean).join(', ') })}
        {unsent > 0 && ` ${m.settings_unsent({ count: unsent })}`}
      </p>
    </nav>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="settings__group">{title}</h2>
      <Card className="card--rows">
        <ul className="ruled-list">{children}</ul>
      </Card>
    </section>
  );
}
