import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ChangeTopic } from '../../server/contract/live.ts';
import { followChanges } from './live.ts';
import type { ReadKey } from './query-keys.ts';
import { refetchLive } from './refetch.ts';

/** The reads that a change of each topic may affect. */
const READS: Record<ChangeTopic, readonly ReadKey[]> = {
  board: [
    'GET /api/communities/:communityId/activity',
    'GET /api/communities/:communityId/leaderboard',
    'GET /api/communities/:communityId/dashboard',
    'GET /api/communities/:communityId/league',
    'GET /api/communities/:communityId/members',
    'GET /api/leaderboard',
  ],
  review: [
    'GET /api/communities/:communityId/review',
    'GET /api/communities/:communityId/admin',
    'GET /api/communities/:communityId/morning',
    'GET /api/user/communities',
    'GET /api/communities/:communityId/chats',
  ],
  dashboard: [
    'GET /api/communities/:communityId/dashboard',
    'GET /api/communities/:communityId/announcements',
    'GET /api/communities/:communityId/tasks/:taskId',
    'GET /api/communities/:communityId/claims/:claimId',
  ],
  desk: [
    'GET /api/admin/overview',
    'GET /api/admin/recent-acts',
    'GET /api/admin/people',
    'GET /api/admin/people/:userId',
    'GET /api/admin/communities',
    'GET /api/admin/communities/:placeId',
    'GET /api/admin/leader-applications',
    'GET /api/admin/partnership-requests',
  ],
};

const openStream = (url: string): EventSource => new EventSource(url, { withCredentials: true });

/**
 * Keeps a mounted screen up to date with the server: of a community, or (null) of the instance. One stream for the
 * tab's screen; none while `enabled` is false.
 */
export function useLive(communityId: string | null, topics: readonly ChangeTopic[], enabled = true): void {
  const client = useQueryClient();
  const watched = topics.join();
  useEffect(() => {
    if (!enabled) return;
    const list = watched.split(',') as ChangeTopic[];
    const path = communityId === null ? '/api/live' : `/api/communities/${communityId}/live`;
    return followChanges(path, list, {
      ...(typeof EventSource === 'function' && { open: openStream }),
      onChange: (changed) => {
        const keys = list.filter((topic) => changed.has(topic)).flatMap((topic) => READS[topic]);
        if (keys.length > 0) void refetchLive(client, keys);
      },
    });
  }, [client, communityId, watched, enabled]);
}
