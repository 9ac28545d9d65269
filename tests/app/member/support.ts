import type { OutboxEntry } from '../../../app/lib/device.ts';
import type { BoardRow } from '../../../server/contract/boards.ts';
import type { Claim } from '../../../server/contract/claims.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { ReviewItem } from '../../../server/contract/review.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import type { Acknowledgement } from '../../../worker/schema.ts';

export const claimOf = (over: Partial<Claim> = {}): Claim => ({
  id: 'claim-1',
  version: 1,
  taskId: 'task-1',
  period: 'once',
  state: 'submitted',
  points: 40,
  evidence: { kind: 'submit_text', text: 'Seen it' },
  checks: [],
  submittedAt: '2026-11-21T09:00:00.000Z',
  decidedAt: null,
  decidedBy: null,
  reason: null,
  retryAt: null,
  appeal: null,
  ...over,
});

export const acknowledgedOf = (claim: Claim, over: Partial<Acknowledgement> = {}): Acknowledgement => ({
  key: `u1:${claim.id}`,
  userId: 'u1',
  communityId: 'c1',
  claim,
  own: true,
  at: 2_000,
  pendingIn: over.own === false ? ['queue'] : ['dashboard', 'task'],
  ...over,
});

export const taskOf = (id: string, over: Partial<TaskWithClaim> = {}): TaskWithClaim => ({
  id,
  kind: 'check_in',
  title: `Task ${id}`,
  instructions: '',
  points: 10,
  recurrence: 'daily',
  status: 'live',
  schedule: { opensAt: null, closesAt: null, window: null },
  caps: { total: null, member: null, coolDownMinutes: 0 },
  conditions: null,
  ask: { kind: 'check_in' },
  gate: { open: true, reason: null, opensAt: null, path: [] },
  claim: null,
  ...over,
});

export const dashboardOf = (tasks: TaskWithClaim[], over: Partial<Dashboard> = {}): Dashboard => ({
  community: {
    id: 'c1',
    slug: 'walkers',
    name: 'Ridge & Valley Walkers',
    description: '',
    tags: [],
    languages: ['en'],
    visibility: 'public',
    members: 118,
    openTasks: tasks.length,
    role: 'member',
  },
  asOf: '2026-11-21T14:02:00.000Z',
  points: 1240,
  rank: 23,
  ranked: 118,
  streakDays: 12,
  countedToday: false,
  freezes: 0,
  season: null,
  announcements: [],
  badges: [],
  pendingPoints: 0,
  tasks,
  around: [],
  reviewers: ['Ilse', 'Jon'],
  ...over,
});

export const entryOf = (subject: string, over: Partial<OutboxEntry> = {}): OutboxEntry => ({
  id: `entry-${subject}`,
  userId: 'u1',
  lane: 'community:c1',
  method: 'POST',
  path: '/api/communities/c1/tasks/task-1/claims',
  body: {},
  label: 'Morning check-in',
  subject,
  createdAt: Date.parse('2026-11-21T14:20:00.000Z'),
  state: 'waiting',
  attempts: 0,
  nextTryAt: null,
  error: null,
  ...over,
});

export const rowOf = (rank: number, over: Partial<BoardRow> = {}): BoardRow => ({
  rank,
  userId: `u${rank}`,
  displayName: `Person ${rank}`,
  points: 1000 - rank,
  reachedAt: '2026-11-11T10:00:00.000Z',
  me: false,
  ...over,
});

export const reviewItemOf = (claimId: string, submittedAt: string): ReviewItem => ({
  claim: claimOf({ id: claimId, submittedAt }),
  task: { ...taskOf('task-1'), kind: 'submit_text' },
  ask: { kind: 'submit_text', minLength: 1 },
  right: null,
  history: [],
  member: {
    id: `member-${claimId}`,
    displayName: 'Tomás Kral',
    telegramUsername: 'tomas',
    twitterUsername: 'tomask',
    joinedAt: '2026-05-01T00:00:00.000Z',
    approved: 41,
    rejected: 2,
  },
});
