import { notFound } from '../../../../server/base/http-error.ts';
import type { Announcement } from '../../../../server/contract/rooms.ts';
import { line, prose } from '../../../../server/domain/text.ts';
import type { AnswersFor } from './answers.ts';
import { audit, type Community, notify } from './world.ts';

/** Pinned announcements first, then the latest. */
export function announcementsOf({ announcements }: Community, now: Date): Announcement[] {
  const isPinned = ({ pinnedUntil }: Announcement) => pinnedUntil !== null && new Date(pinnedUntil) > now;
  return announcements.toSorted((a, b) => Number(isPinned(b)) - Number(isPinned(a)) || b.at.localeCompare(a.at));
}

export const announcementAnswersForLeaders = {
  'POST /api/communities/:communityId/announcements': ({ asker, community, body }) => {
    const { world, me, now } = asker;
    const announcement: Announcement = {
      id: world.newId(),
      title: line('title', body.title),
      body: prose('body', body.body),
      by: me.name,
      at: now.toISOString(),
      pinnedUntil: body.pinnedUntil ?? null,
    };
    community.announcements.push(announcement);
    audit(asker, community, 'announcement.posted', announcement.title);
    const { name, slug, members } = community;
    const notice = {
      title: `${name}: ${announcement.title}`,
      body: announcement.body,
      path: `/community/${slug}/dashboard`,
    };
    if (body.notify !== null) notify(asker, members, { topic: 'announcement', ...notice });
    return announcement;
  },

  'GET /api/communities/:communityId/announcements/sent': ({ asker, community }) => ({
    items: announcementsOf(community, asker.now)
      .toSorted((a, b) => b.at.localeCompare(a.at))
      .map((one) => ({ ...one, announcementId: one.id, campaign: null })),
    next: null,
  }),

  'PUT /api/communities/:communityId/announcements/:announcementId': ({ asker, community, params, body }) => {
    const announcement = community.announcements.find(({ id }) => id === params.announcementId);
    if (!announcement) throw notFound('announcement');
    Object.assign(announcement, {
      title: line('title', body.title),
      body: prose('body', body.body),
      pinnedUntil: body.pinnedUntil ?? null,
    });
    audit(asker, community, 'announcement.changed', announcement.title);
    return announcement;
  },

  'DELETE /api/communities/:communityId/announcements/:announcementId': ({ asker, community, params }) => {
    const gone = community.announcements.find(({ id }) => id === params.announcementId);
    community.announcements = community.announcements.filter((one) => one !== gone);
    if (gone) audit(asker, community, 'announcement.retracted', gone.title);
    return { ok: true };
  },
} satisfies AnswersFor<'leader'>;
