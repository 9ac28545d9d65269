import type { StandingData } from '../../../app/features/assistant/standing.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import { claimOf, dashboardOf, entryOf, taskOf } from '../member/support.ts';

/** A community with rules, tasks and announcements, and a member of it, about whom questions are asked. */
export const RULES = `1. Check in on the day of the walk, not before.
2. Photos must show the number of the waymark and be taken by you.
3. Leaders do not compete and are not on the leaderboard.
4. A rejected photo may be sent once more within three days.
5. Dogs are welcome on the Saturday walk, on a lead.
6. Bring water, a headlamp after four in the afternoon, and shoes that may get wet.
7. Take your litter home.
8. Children under twelve come with an adult.
9. Car sharing is arranged in the Telegram group by Thursday evening.
10. No drones near the nesting cliffs between March and July.`;

const AT = '2026-11-21T09:15:00.000Z';
const task = (id: string, title: string, instructions: string, over: Partial<TaskWithClaim>): TaskWithClaim =>
  taskOf(id, { title, instructions, recurrence: 'once', ...over });

const tasks = [
  task('t1', 'Out for a walk today', 'One press once you are on the path. Counts until midnight.', {
    points: 5,
    recurrence: 'daily',
  }),
  task(
    't2',
    'Repaint spotted: waymark 14',
    'Photograph the fresh paint on the post between the mill and the chapel. The number has to be readable.',
    {
      kind: 'submit_image',
      ask: { kind: 'submit_image' },
      points: 40,
      claim: claimOf({
        id: 'claim-t2',
        taskId: 't2',
        state: 'rejected',
        decidedAt: AT,
        decidedBy: 'Inês Ferreira',
        reason: 'I can’t read the post number. A closer photo will do.',
      }),
    },
  ),
  task('t3', 'Ready for the ridge?', 'Ten questions about weather, gear and the emergency number.', {
    kind: 'quiz',
    ask: { kind: 'quiz', passPercent: 80, questions: [] },
    points: 30,
  }),
  task(
    't4',
    'Write about a walk you liked',
    'At least three sentences: where it went, what was hard, who should try it.',
    {
      kind: 'submit_text',
      ask: { kind: 'submit_text', minLength: 40 },
      points: 20,
      recurrence: 'weekly',
      claim: claimOf({ id: 'claim-t4', taskId: 't4', state: 'submitted' }),
    },
  ),
  task(
    't5',
    'Night walk to the quarry',
    'Meet at the car park by the mill at seven on Friday. A steward shows the code.',
    { points: 25, gate: { open: false, reason: 'not_open_yet', opensAt: '2026-11-27T19:00:00.000Z', path: [] } },
  ),
  task('t6', 'Which trail should we clear next?', '', {
    kind: 'poll',
    ask: { kind: 'poll', choices: [], multiple: false },
    points: 10,
  }),
  task('t7', 'Bring a friend', 'Counts when your friend has earned 50 points.', {
    points: 50,
    claim: claimOf({ id: 'claim-t7', taskId: 't7', state: 'approved', decidedAt: AT }),
  }),
  task('t8', 'Share the route file', 'A link to a GPX file on any host.', {
    kind: 'submit_url',
    ask: { kind: 'submit_url', hosts: [] },
    points: 15,
  }),
];

export const WALKERS: Dashboard = dashboardOf(tasks, {
  points: 240,
  pendingPoints: 20,
  rank: 23,
  ranked: 118,
  streakDays: 14,
  freezes: 1,
  season: {
    id: 's1',
    name: 'Autumn on the ridge',
    state: 'live',
    startsAt: '2026-10-05T00:00:00.000Z',
    endsAt: '2026-12-06T23:00:00.000Z',
    graceUntil: '2026-12-08T23:00:00.000Z',
  },
  announcements: [
    {
      id: 'a1',
      title: 'The hut is closed in November',
      body: 'The hut at the pass is closed for repairs until the first of December. There is no water there.',
      by: 'Inês Ferreira',
      at: AT,
      pinnedUntil: null,
    },
    {
      id: 'a2',
      title: 'New maps have arrived',
      body: 'Collect yours from Piotr on Saturday before the walk. They cost nothing.',
      by: 'Piotr',
      at: AT,
      pinnedUntil: null,
    },
  ],
});

export const MEMBER: StandingData = {
  dashboards: [WALKERS],
  outbox: [entryOf('claim:c1:t8', { path: '/api/communities/c1/tasks/t8/claims' })],
  focus: 'walkers',
  now: Date.parse('2026-11-21T14:38:00.000Z'),
};

/** A second community of theirs: what it has must not be told of the first. */
export const SKETCHERS_RULES = `1. Finish a drawing in one sitting.
2. Photos of the work of others only with their permission.
3. Be kind when you comment.`;

export const SKETCHERS: Dashboard = {
  ...dashboardOf(
    [
      task('s1', 'Draw a boat', 'Pencil or ink, any size, on the quay.', {
        kind: 'submit_image',
        ask: { kind: 'submit_image' },
        points: 30,
        recurrence: 'weekly',
      }),
      task('s2', 'Out for a sketch today', 'One press once you have begun.', { points: 5, recurrence: 'daily' }),
    ],
    {
      points: 75,
      rank: 4,
      ranked: 19,
      streakDays: 0,
      announcements: [
        {
          id: 'b1',
          title: 'Exhibition at the pier',
          body: 'Our drawings hang at the pier from the fifth to the twelfth of December. Entry is free.',
          by: 'Jon',
          at: AT,
          pinnedUntil: null,
        },
      ],
    },
  ),
  community: { ...WALKERS.community, id: 'c2', slug: 'harbour-sketchers', name: 'Harbour Sketchers', members: 19 },
};
export const MEMBER_OF_BOTH: StandingData = { ...MEMBER, dashboards: [WALKERS, SKETCHERS] };
