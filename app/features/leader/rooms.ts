import type { CommunityRole } from '../../../server/contract/community.ts';
import { LEADER_ROOMS } from '../../lib/rooms.ts';
import { m } from '../../paraglide/messages.js';

export { LEADER_ROOMS as ROOMS };
export type Room = (typeof LEADER_ROOMS)[number];

const FOR_MODERATORS: ReadonlySet<Room> = new Set(['review', 'tasks', 'members', 'seasons', 'analytics']);
/** Whether this role may open the room. */
export const mayEnter = (room: Room, role: CommunityRole | null): boolean =>
  role === 'leader' || (role === 'moderator' && FOR_MODERATORS.has(room));

const WORDS: Record<Room, () => string> = {
  review: m.leader_tab_review,
  tasks: m.leader_tab_tasks,
  quizzes: m.quiz_tab,
  members: m.leader_tab_members,
  seasons: m.leader_tab_seasons,
  announcements: m.leader_tab_announcements,
  analytics: m.leader_tab_analytics,
  imports: m.import_tab,
  connections: m.leader_tab_connections,
  audit: m.leader_tab_audit,
  settings: m.leader_tab_settings,
};
export const roomWord = (room: Room): string => WORDS[room]();
/** The room in an address; by default the review queue. */
export const roomOf = (name: string | undefined): Room => LEADER_ROOMS.find((one) => one === name) ?? 'review';
