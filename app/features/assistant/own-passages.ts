import type { CommunityDetail, Dashboard } from '../../../server/contract/communities.ts';
import type { Announcement } from '../../../server/contract/rooms.ts';
import { type Passage, rulesPassages } from '../../../server/rules/passages.ts';
import { m } from '../../paraglide/messages.js';

/** This device's data of one of the member's communities. */
export type Held = {
  dashboard: Dashboard;
  detail: Pick<CommunityDetail, 'rules'> | null;
  announcements: readonly Announcement[];
};

/** Rules, tasks and announcements of the member's communities, without duplicates. */
export function ownPassages(communities: readonly Held[]): Passage[] {
  return communities.flatMap(({ dashboard, detail, announcements }) => {
    const { community, tasks } = dashboard;
    const news = new Map([...dashboard.announcements, ...announcements].map((one) => [one.id, one]));
    const { slug, name: where } = community;
    return [
      ...rulesPassages(community, detail?.rules ?? ''),
      ...tasks.map(
        (task): Passage => ({
          id: `task:${task.id}`,
          kind: 'task',
          title: task.title,
          where,
          href: `/engagement-complete?community=${slug}&task=${task.id}`,
          text: task.instructions === '' ? task.title : task.instructions,
        }),
      ),
      ...[...news.values()].map(
        ({ id, title, body }): Passage => ({
          id: `announcement:${id}`,
          kind: 'announcement',
          title,
          where,
          href: `/community/${slug}/dashboard`,
          text: body === '' ? title : body,
          also: 'announcement',
        }),
      ),
    ];
  });
}

/** A source's title: `Guide: Streaks and freezes`. */
export function sourceTitle({ kind, title, where }: Pick<Passage, 'kind' | 'title' | 'where'>): string {
  if (kind === 'guide') return m.assistant_source_guide({ title });
  if (kind === 'rules' && title === '') return m.assistant_source_all_rules({ community: where });
  if (kind === 'rules') return m.assistant_source_rules({ community: where, number: title });
  return kind === 'task' ? m.assistant_source_task({ title }) : m.assistant_source_announcement({ title });
}
