/** The leader tools' rooms, a chunk each. Separate from the router, so the entry contains only their names. */
import { createContext, type ReactNode, useContext } from 'react';
import type { CommunityAdmin } from '../../../server/contract/communities.ts';
import type { LeaderRoom } from '../../lib/rooms.ts';
import { useSearch } from '../../lib/search.ts';
import { Review } from './review/review.tsx';

export const InCommunity = createContext<CommunityAdmin | null>(null);
function useAdmin(): CommunityAdmin {
  const admin = useContext(InCommunity);
  if (admin === null) throw new Error('A room of the leaders is drawn inside of their tools');
  return admin;
}

type RoomOf = (admin: CommunityAdmin) => ReactNode;
const ROOM_OF: Record<LeaderRoom, () => Promise<RoomOf>> = {
  review: async () => (admin) => <Review community={admin.community} />,
  async tasks() {
    const { Tasks } = await import('./tasks/tasks.tsx');
    return ({ community }) => <Tasks community={community} />;
  },
  async event() {
    const { Steward } = await import('./steward/steward.tsx');
    return function Event({ community: { id, slug } }) {
      const [{ task }] = useSearch('/community/$communityId/admin/event');
      return <Steward communityId={id} slug={slug} taskId={task} />;
    };
  },
  async quizzes() {
    const { QuizPacks } = await import('./quiz-packs/quiz-packs.tsx');
    return ({ community }) => <QuizPacks community={community} />;
  },
  async members() {
    const { Members } = await import('./members/members.tsx');
    return ({ community }) => <Members community={community} />;
  },
  async seasons() {
    const { Seasons } = await import('./season/seasons.tsx');
    return ({ community, tasks }) => <Seasons community={community} tasks={tasks} />;
  },
  async announcements() {
    const { Announcements } = await import('./announcements/announcements.tsx');
    return ({ community: { id, name } }) => <Announcements communityId={id} name={name} />;
  },
  async analytics() {
    const { Analytics } = await import('./analytics/analytics.tsx');
    return ({ community: { id } }) => <Analytics communityId={id} />;
  },
  async imports() {
    const { Imports } = await import('./imports/imports.tsx');
    return ({ community }) => <Imports community={community} />;
  },
  async connections() {
    const { Connections } = await import('./connections/connections.tsx');
    return ({ community: { id } }) => <Connections communityId={id} />;
  },
  async audit() {
    const { Audit } = await import('./audit/audit.tsx');
    return ({ community: { id } }) => <Audit communityId={id} />;
  },
  async settings() {
    const { Settings } = await import('./settings/settings.tsx');
    return ({ community }) => <Settings community={community} />;
  },
};

export async function loadRoom(name: LeaderRoom): Promise<{ RoomScreen: () => ReactNode }> {
  const Inside = await ROOM_OF[name]();
  return { RoomScreen: () => <Inside {...useAdmin()} /> };
}
