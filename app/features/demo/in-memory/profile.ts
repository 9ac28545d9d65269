import { NOTIFICATION_CAP_DEFAULT } from '../../../../server/contract/limits.ts';
import type { NotificationSettings } from '../../../../server/contract/push.ts';
import type { Profile, User } from '../../../../server/contract/user.ts';
import { localDay } from '../../../../server/domain/periods.ts';
import { streakOf } from '../../../../server/domain/streak.ts';
import { chosenZone } from '../../../../server/domain/time-zone.ts';
import { type AnswersFor, onePage } from './answers.ts';
import { badgesOf } from './badges.ts';
import { daysOf } from './communities.ts';
import { shownEntry } from './members.ts';
import { type Asker, type Person, roleIn } from './world.ts';

/** Everyone in the demo has a complete account; nobody runs the instance. */
const userOf = ({ id, name, telegramUserId, handle }: Person): User => ({
  id,
  telegramUserId,
  telegramUsername: handle,
  twitterUsername: handle,
  isVerified: true,
  displayName: name,
  role: 'member',
});

const ledgerOf = ({ world, me }: Asker, communityId?: string) =>
  world.ledger
    .filter((entry) => entry.userId === me.id && (communityId === undefined || entry.communityId === communityId))
    .toReversed()
    .slice(0, 50)
    .map((entry) => shownEntry(world, entry));

function profileOf(asker: Asker): Profile {
  const { world, me, now } = asker;
  return {
    user: userOf(me),
    joinedAt: me.joinedAt,
    timeZone: me.timeZone,
    timeZoneFrom: null,
    points: world.pointsOf(me.id, null),
    timeZoneChangeAt: null,
    streak: streakOf(daysOf(world, me, null), localDay(now, me.timeZone)),
    badges: badgesOf(world, me),
    hidden: false,
    relinkAllowedAt: null,
    communities: world.communities.flatMap((community) => {
      const role = roleIn(community, me.id);
      const { id, slug, name } = community;
      return role === null ? [] : [{ id, slug, name, role, points: world.pointsOf(me.id, id) }];
    }),
    ledger: ledgerOf(asker),
  };
}

const SETTINGS: NotificationSettings = {
  quiet: { from: '22:00', to: '08:00' },
  dailyCap: NOTIFICATION_CAP_DEFAULT,
  collapse: true,
  choices: [],
};
const settingsOf = ({ world, me }: Asker): NotificationSettings => world.settings.get(me.id) ?? SETTINGS;

export const profileAnswers = {
  'GET /api/auth/user': ({ asker }) => userOf(asker.me),
  'GET /api/auth/membership': ({ asker }) => membership(asker),
  'POST /api/auth/membership/check': ({ asker }) => membership(asker),
  'GET /api/auth/sessions': ({ asker: { me, now } }) => [
    {
      id: me.id,
      kind: 'web',
      current: true,
      createdAt: now.toISOString(),
      lastSeenAt: now.toISOString(),
      userAgent: globalThis.navigator?.userAgent ?? null,
    },
  ],
  'GET /api/user/profile': ({ asker }) => profileOf(asker),
  'PATCH /api/user/profile': ({ asker, body }) => {
    asker.me.timeZone = chosenZone(body.timeZone);
    return profileOf(asker);
  },
  'GET /api/user/ledger': ({ asker, query: { communityId } }) => onePage(ledgerOf(asker, communityId)),

  'GET /api/user/notifications': ({ asker }) => {
    const { world, me } = asker;
    return {
      ...settingsOf(asker),
      timeZone: me.timeZone,
      communities: world.communities.flatMap((community) => {
        const role = roleIn(community, me.id);
        return role === null ? [] : [{ id: community.id, name: community.name, reviews: role !== 'member' }];
      }),
      devices: [],
      telegram: { bot: null, refused: false },
      latest: world.notices
        .filter(({ userId }) => userId === me.id)
        .slice(0, 10)
        .map(({ id, topic, title, at }) => ({ id, topic, title, at, state: 'shown' as const })),
    };
  },
  'PUT /api/user/notifications': ({ asker, body }) => {
    const settings = body as NotificationSettings;
    asker.world.settings.set(asker.me.id, settings);
    return settings;
  },
} satisfies AnswersFor<'public' | 'user'>;

const membership = ({ now }: Asker) => ({
  required: false,
  channelTitle: null,
  rejoinUrl: null,
  state: 'member' as const,
  checkedAt: now.toISOString(),
  asked: true,
});
