import type { BoardState } from '../../../../server/contract/boards.ts';
import type { ConnectedChat } from '../../../../server/contract/chats.ts';
import type { Claim, ClaimStep } from '../../../../server/contract/claims.ts';
import type { CommunityRole } from '../../../../server/contract/community.ts';
import type { LedgerEntry } from '../../../../server/contract/ledger.ts';
import type { NotificationSettings, Topic } from '../../../../server/contract/push.ts';
import type { SavedReplies } from '../../../../server/contract/review.ts';
import type { Announcement, AuditEntry } from '../../../../server/contract/rooms.ts';
import type { Season } from '../../../../server/contract/seasons.ts';
import { ACTORS } from '../../../../server/domain/review-rules.ts';
import type { TaskRow } from '../../../../server/domain/task-row.ts';

/** The server's rows, with times as ISO 8601. */
export type Person = {
  id: string;
  name: string;
  telegramUserId: string;
  handle: string;
  joinedAt: string;
  timeZone: string;
};
export type Membership = { userId: string; role: CommunityRole; joinedAt: string };
/** A chat in which the bot has every right it needs. `inside`: ids of its members. */
export type Chat = Pick<ConnectedChat, 'id' | 'sort' | 'title' | 'gate' | 'checkedAt' | 'connectedAt'> & {
  inside: string[];
};
export type Community = {
  id: string;
  slug: string;
  name: string;
  description: string;
  rules: string;
  tags: string[];
  languages: string[];
  visibility: 'public' | 'private';
  inviteThreshold: number;
  createdAt: string;
  board: { state: BoardState; since: string };
  leaguesSince: string | null;
  chats: Chat[];
  members: Membership[];
  announcements: Announcement[];
  seasons: Season[];
};
export type StoredTask = TaskRow & { communityId: string; createdAt: string; publishedAt: string | null };
export type StoredClaim = Claim & {
  communityId: string;
  userId: string;
  deciderId: string | null;
  history: ClaimStep[];
  /** When it was done, and on which day of the member's calendar. */
  actedAt: string;
  day: string;
};
export type Entry = Pick<LedgerEntry, 'id' | 'at' | 'kind' | 'points' | 'reason'> & {
  communityId: string;
  userId: string;
  taskId: string | null;
  claimId: string | null;
  actorId: string | null;
};
export type Notice = {
  id: string;
  userId: string;
  topic: Topic;
  title: string;
  body: string;
  path: string;
  at: string;
};
export type Audited = AuditEntry & { communityId: string };
/** The stored answer to a command, by its idempotency key. */
export type Answered = { status: number; body: unknown };

/** The demo's database, in one page's memory. */
export class World {
  people: Person[] = [];
  communities: Community[] = [];
  tasks: StoredTask[] = [];
  claims: StoredClaim[] = [];
  /** Oldest first. */
  ledger: Entry[] = [];
  audit: Audited[] = [];
  notices: Notice[] = [];
  /** Pictures and files as `data:` addresses, by their id. */
  pictures = new Map<string, string>();
  settings = new Map<string, NotificationSettings>();
  /** Set for communities whose leaders wrote their own. */
  replies = new Map<string, SavedReplies>();
  answered = new Map<string, Answered>();
  /** How many ids were issued. */
  private ids = 0;

  /** The next id, in the server's format. The same seed gives the same ids, so links to screens keep working. */
  newId(): string {
    this.ids += 1;
    return `00000000-0000-4000-8000-${String(this.ids).padStart(12, '0')}`;
  }
  personOf(id: string | null): Person | null {
    return this.people.find((person) => person.id === id) ?? null;
  }
  nameOf(id: string | null): string | null {
    return this.personOf(id)?.name ?? null;
  }
  tasksOf(communityId: string): StoredTask[] {
    return this.tasks.filter((task) => task.communityId === communityId);
  }
  titleOf(taskId: string | null): string | null {
    return this.tasks.find(({ id }) => id === taskId)?.title ?? null;
  }
  claimsOf(communityId: string): StoredClaim[] {
    return this.claims.filter((claim) => claim.communityId === communityId);
  }
  /** Points in a community, or (null) in all of them. */
  pointsOf(userId: string, communityId: string | null): number {
    return this.ledger
      .filter((entry) => entry.userId === userId && (communityId === null || entry.communityId === communityId))
      .reduce((sum, { points }) => sum + points, 0);
  }
  /** Names of people with one of the roles: leaders first, then the longest serving. */
  namesOf({ members }: Community, roles: readonly CommunityRole[]): string[] {
    return roles.flatMap((role) =>
      members
        .filter((member) => member.role === role)
        .sort((a, b) => a.joinedAt.localeCompare(b.joinedAt) || a.userId.localeCompare(b.userId))
        .map(({ userId }) => this.nameOf(userId) ?? ''),
    );
  }
}

/** The caller, and the time. */
export type Asker = { world: World; me: Person; now: Date };

export const membershipOf = (community: Community, userId: string): Membership | null =>
  community.members.find((member) => member.userId === userId) ?? null;
export const roleIn = (community: Community, userId: string): CommunityRole | null =>
  membershipOf(community, userId)?.role ?? null;
export const leadersOf = ({ members }: Community): string[] =>
  members.filter(({ role }) => role === 'leader').map(({ userId }) => userId);
/**
 * Adds a step by the asker to a claim's history, as the server's view `claim_steps` shows it: a claim that was checked
 * on arrival has two.
 */
export function note(
  { world, me, now }: Asker,
  claim: StoredClaim,
  kind: ClaimStep['kind'],
  from: ClaimStep['from'],
  { reason = null, evidence = null }: Partial<Pick<ClaimStep, 'reason' | 'evidence'>> = {},
): void {
  // Every step after the first makes a new version.
  if (from !== null) claim.version += 1;
  const { state: to, version, history } = claim;
  const by = world.nameOf(me.id);
  const base = { at: now.toISOString(), points: null, version };
  if (kind !== 'checked') {
    history.push({ ...base, kind, actor: ACTORS[kind], by, from, to, reason, evidence });
    return;
  }
  const sent = from === null ? 'submitted' : 'resubmitted';
  history.push({ ...base, kind: sent, actor: ACTORS[sent], by, from, to: 'submitted', reason: null, evidence });
  history.push({ ...base, kind, actor: ACTORS[kind], by: null, from: 'submitted', to, reason, evidence: null });
}

export function record({ world, now }: Asker, entry: Omit<Entry, 'id' | 'at'>): Entry {
  // Ascending, as on the server.
  const row: Entry = { ...entry, id: String(world.ledger.length + 1), at: now.toISOString() };
  world.ledger.push(row);
  return row;
}

/** Writes a claim's points: the award by `actorId`, or its reversal. Its history gets it too. */
export function recordClaim(asker: Asker, claim: StoredClaim, kind: 'award' | 'reverse', actorId: string | null): void {
  const { communityId, userId, taskId, id: claimId, state, version, history } = claim;
  const isTaken = kind === 'reverse';
  const points = isTaken ? -claim.points : claim.points;
  const reason = isTaken ? claim.reason : null;
  const { at } = record(asker, { kind, points, communityId, userId, taskId, claimId, reason, actorId });
  const last = history.at(-1);
  if (isTaken && last) last.points = points;
  const counted = { kind: 'counted', actor: ACTORS.counted, by: null, reason: null, evidence: null } as const;
  if (!isTaken) history.push({ ...counted, at, from: state, to: state, points, version });
}

export function audit(
  { world, me, now }: Asker,
  { id: communityId }: Community,
  action: string,
  subject: string | null,
  reason: string | null = null,
): void {
  world.audit.unshift({ id: world.newId(), at: now.toISOString(), action, by: me.name, subject, reason, communityId });
}

/** Notifies members other than the actor; the page shows a notification once its role is theirs. */
export function notify(
  { world, me, now }: Asker,
  members: readonly { userId: string }[],
  notice: Omit<Notice, 'id' | 'at' | 'userId'>,
): void {
  for (const { userId } of members)
    if (userId !== me.id) world.notices.unshift({ ...notice, userId, id: world.newId(), at: now.toISOString() });
}
