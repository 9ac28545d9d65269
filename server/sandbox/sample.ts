import type { Evidence } from '../contract/claims.ts';
import type { NewReward } from '../contract/seasons.ts';
import type { NewTask } from '../contract/tasks.ts';

/**
 * The communities of a first start, so boards, queues and cards have realistic data. A long file, because it is words
 * and numbers, read from top to bottom.
 */
type SampleTask = {
  setup: SampleSetup;
  title: string;
  instructions: string;
  points: number;
  recurrence: NewTask['recurrence'];
  caps?: NonNullable<NewTask['caps']>;
  /** Title of the task that must be counted before this one. */
  after?: string;
};
/** Like the contract's, but events have times in hours from now. */
type SampleSetup =
  | Exclude<NewTask['setup'], { kind: 'telegram_event' }>
  | { kind: 'telegram_event'; place: string; startsInHours: number; endsInHours: number };
type SampleDecision = { decision: 'approve' } | { decision: 'reject' | 'request_changes'; reason: string };
type SampleClaim = {
  person: string;
  task: string;
  /** What a text task is answered with. */
  text?: string;
  /** What any other task is answered with; a picture is the sample's own. */
  evidence?: Exclude<Evidence, { kind: 'submit_image' }> | { kind: 'submit_image'; note: string };
  /** The leader's decision; absent: the claim still waits, or the server decided it. */
  decision?: SampleDecision;
  /** The member's appeal against a rejection. */
  appeal?: string;
};
type SampleSeason = {
  name: string;
  rules: string;
  days: number;
  /** Titles of the tasks that count; none: all. */
  tasks: string[];
  rewards: NewReward[];
  isLive: boolean;
};
export type SampleCommunity = {
  leader: string;
  name: string;
  slug: string;
  description: string;
  rules: string;
  tags: string[];
  languages: string[];
  tasks: SampleTask[];
  members: string[];
  claims: SampleClaim[];
  season?: SampleSeason;
  announcements?: { title: string; body: string; pinnedDays?: number }[];
  /** Tasks that the leader has given by hand. */
  grants?: { person: string; task: string; reason: string }[];
};
export type SamplePerson = {
  telegramUserId: string;
  firstName: string;
  lastName: string;
  username: string;
  xId: string;
  xUsername: string;
};

export const SAMPLE_PEOPLE: SamplePerson[] = [
  sampler('1011', 'Noor', 'Haddad', 'noor_h'),
  sampler('1012', 'Piotr', 'Nowak', 'piotr_nowak'),
  sampler('1013', 'Leila', 'Rahimi', 'leila_r'),
  sampler('1014', 'Jonas', 'Berg', 'jonasberg'),
  sampler('1015', 'Chiamaka', 'Eze', 'chiamaka_eze'),
  sampler('1016', 'Rafael', 'Costa', 'rafacosta'),
];

function sampler(telegramUserId: string, firstName: string, lastName: string, handle: string): SamplePerson {
  return {
    telegramUserId,
    firstName,
    lastName,
    username: handle,
    xId: `9${telegramUserId.slice(1)}`,
    xUsername: handle,
  };
}

const approve = { decision: 'approve' } as const;

export const SAMPLE_COMMUNITIES: SampleCommunity[] = [
  {
    leader: '1004',
    name: 'Ridge & Valley Walkers',
    slug: 'ridge-valley-walkers',
    description:
      'Weekend walks around the reservoir and up the old ridge path. We keep the waymarks fresh, report fallen trees, and no one walks alone.',
    rules:
      'Be at the meeting point five minutes early. Say so in the group when you turn back. Leave gates as you found them.',
    tags: ['walking', 'outdoors', 'weekend'],
    languages: ['en', 'pt'],
    tasks: [
      {
        setup: { kind: 'check_in' },
        title: 'Out for a walk today',
        instructions: 'Any walk of half an hour or more counts. Tap once you are back.',
        points: 5,
        recurrence: 'daily',
      },
      {
        setup: { kind: 'check_in' },
        title: 'Joined the Saturday walk',
        instructions: 'Tap at the meeting point. It works without a signal and is sent when you are back in range.',
        points: 20,
        recurrence: 'weekly',
      },
      {
        setup: { kind: 'submit_text' },
        title: 'Report the state of a path',
        instructions:
          'Which path, where along it, and what you found: mud, fallen trees, missing waymarks, or all fine.',
        points: 25,
        recurrence: 'weekly',
      },
      {
        setup: { kind: 'submit_text' },
        title: 'Suggest a route for spring',
        instructions: 'Start, finish, rough length, where the bus stops, and one reason to walk it.',
        points: 40,
        recurrence: 'once',
      },
      {
        setup: { kind: 'submit_text' },
        title: 'Introduce yourself',
        instructions: 'Two or three sentences: where you usually walk and what you would like to see.',
        points: 10,
        recurrence: 'once',
      },
      {
        setup: {
          kind: 'quiz',
          passPercent: 75,
          questions: [
            {
              id: 'fog',
              text: 'Fog comes up on the ridge. What do you do first?',
              options: [
                { id: 'wait', text: 'Stop, gather everyone, look at the map' },
                { id: 'fast', text: 'Walk faster to get out of it' },
                { id: 'spread', text: 'Spread out to find the path' },
              ],
              correct: ['wait'],
              explanation: 'A group that stays together loses no one.',
            },
            {
              id: 'kit',
              text: 'What is in the first-aid kit that we carry?',
              options: [
                { id: 'foil', text: 'A rescue blanket' },
                { id: 'tweezers', text: 'Tweezers for ticks' },
                { id: 'rope', text: 'Twenty metres of rope' },
              ],
              correct: ['foil', 'tweezers'],
            },
            {
              id: 'gate',
              text: 'You come to an open gate on a pasture. You leave it …',
              options: [
                { id: 'open', text: 'open, as it was' },
                { id: 'shut', text: 'shut, to be safe' },
              ],
              correct: ['open'],
            },
            {
              id: 'number',
              text: 'Which number calls mountain rescue from any phone in Europe?',
              options: [
                { id: '112', text: '112' },
                { id: '118', text: '118' },
                { id: '999', text: '999' },
              ],
              correct: ['112'],
            },
          ],
        },
        title: 'Ready for the ridge?',
        caps: { total: null, member: null, coolDownMinutes: 60 },
        instructions: 'Four questions before the winter walks. You can try again after an hour.',
        points: 30,
        recurrence: 'once',
      },
      {
        setup: {
          kind: 'poll',
          multiple: false,
          choices: [
            { id: 'lake', text: 'Round the upper lake, 9 km' },
            { id: 'mills', text: 'The three mills, 12 km' },
            { id: 'ridge', text: 'Over the ridge, 15 km' },
          ],
        },
        title: 'Where to on New Year’s Day?',
        instructions: 'We’ll do the walk with the most votes.',
        points: 5,
        recurrence: 'once',
      },
      {
        setup: { kind: 'visit_link', url: 'https://www.openstreetmap.org/' },
        title: 'Look at the path map',
        instructions: 'Find the reservoir and see which paths are drawn as closed this winter.',
        points: 5,
        recurrence: 'weekly',
      },
      {
        setup: { kind: 'submit_url', hosts: ['openstreetmap.org'] },
        title: 'Fix something on the map',
        instructions: 'Correct a path, a stile or a spring, and send the link to your change.',
        points: 35,
        recurrence: 'weekly',
      },
      {
        setup: { kind: 'submit_image' },
        title: 'Picture of a waymark',
        instructions: 'One waymark, close enough to read. We keep a list of the ones to repaint.',
        points: 20,
        recurrence: 'daily',
      },
      {
        setup: { kind: 'invite', needed: 1 },
        title: 'Bring someone along',
        instructions: 'People who join by your link count once they’ve walked with us a few times.',
        points: 40,
        recurrence: 'once',
      },
      {
        setup: {
          kind: 'telegram_event',
          place: 'Reservoir car park, at the map board',
          startsInHours: -1,
          endsInHours: 24 * 14,
        },
        title: 'At the meeting point',
        instructions: 'Scan the code on the steward’s phone, or type the letters below it. Neither needs a signal.',
        points: 25,
        recurrence: 'daily',
      },
      {
        setup: { kind: 'submit_text' },
        title: 'Lead a short walk',
        instructions: 'Say when, where it starts and how long it is. Someone who has done it before will come along.',
        points: 80,
        recurrence: 'once',
        after: 'Ready for the ridge?',
      },
      {
        setup: { kind: 'manual' },
        title: 'Carried the first-aid kit',
        instructions: 'Given after the walk to the person who carried it.',
        points: 15,
        recurrence: 'once',
      },
    ],
    members: ['1001', '1002', '1011', '1012', '1013', '1014', '1015'],
    claims: [
      { person: '1011', task: 'Out for a walk today' },
      { person: '1012', task: 'Out for a walk today' },
      { person: '1013', task: 'Out for a walk today' },
      { person: '1015', task: 'Out for a walk today' },
      { person: '1011', task: 'Joined the Saturday walk' },
      { person: '1013', task: 'Joined the Saturday walk' },
      { person: '1014', task: 'Joined the Saturday walk' },
      {
        person: '1001',
        task: 'Introduce yourself',
        text: 'I walk the reservoir loop most Sundays with my neighbour’s dog. I would love to try the ridge before the snow.',
        decision: approve,
      },
      {
        person: '1011',
        task: 'Report the state of a path',
        text: 'Ridge path, second stile: the left post is loose but holds. Waymarks are clear all the way to the cairn.',
        decision: approve,
      },
      {
        person: '1013',
        task: 'Report the state of a path',
        text: 'Mill lane is under water for about twenty metres below the footbridge. You can go round through the orchard.',
        decision: approve,
      },
      {
        person: '1012',
        task: 'Report the state of a path',
        text: 'All fine.',
        decision: { decision: 'reject', reason: 'Which path was it, and where? Add that and send it again.' },
      },
      {
        person: '1014',
        task: 'Suggest a route for spring',
        text: 'Station to station over Beacon Hill, 11 km, trains every hour at both ends. The bluebells are out in the last week of April.',
        decision: approve,
      },
      {
        person: '1015',
        task: 'Suggest a route for spring',
        text: 'Canal basin to the lime kilns and back by the towpath, 8 km, bus 41 stops at the basin. Flat enough for a pushchair.',
      },
      {
        person: '1002',
        task: 'Introduce yourself',
        text: 'Moved here in September, used to walk in the Tatras. Happy to carry the first-aid kit.',
      },
      {
        person: '1014',
        task: 'Report the state of a path',
        text: 'Beech across the bridleway near the quarry gate, passable on foot, not with a bike.',
      },
      {
        person: '1001',
        task: 'Picture of a waymark',
        evidence: { kind: 'submit_image', note: 'The post above the quarry.' },
        decision: { decision: 'request_changes', reason: 'Which number is on it? Write it in the note.' },
      },
      {
        person: '1013',
        task: 'Picture of a waymark',
        evidence: { kind: 'submit_image', note: 'Post 14, below the cairn.' },
      },
      {
        person: '1011',
        task: 'Suggest a route for spring',
        text: 'Up to the cairn and back.',
        decision: { decision: 'reject', reason: 'Length and bus stop are missing.' },
        appeal: 'The cairn walk starts at the bus stop of line 41 and is 6 km, as the notice board there says.',
      },
      {
        person: '1011',
        task: 'Where to on New Year’s Day?',
        evidence: { kind: 'poll', optionIds: ['mills'] },
      },
      {
        person: '1013',
        task: 'Where to on New Year’s Day?',
        evidence: { kind: 'poll', optionIds: ['ridge'] },
      },
      {
        person: '1015',
        task: 'Fix something on the map',
        evidence: {
          kind: 'submit_url',
          url: 'https://www.openstreetmap.org/changeset/1',
          note: 'The footbridge is drawn again.',
        },
      },
    ],
    season: {
      name: 'Winter waymarks',
      rules: 'Anything you do before it ends counts, even if it arrives up to two days later.',
      days: 24,
      tasks: ['Report the state of a path', 'Picture of a waymark', 'At the meeting point'],
      rewards: [
        {
          name: 'A place on the sunrise walk',
          description: 'Six places, drawn when the season is over. Breakfast included.',
          rule: { type: 'raffle', minPoints: 20, places: 6, tickets: 'one_each' },
          minTrust: null,
        },
        {
          name: 'The hand-painted map',
          description: 'One each for the first three.',
          rule: { type: 'top_n', places: 3 },
          minTrust: null,
        },
        {
          name: 'Enamel badge',
          description: 'Thirty were made.',
          rule: { type: 'first_come', minPoints: 50, places: 30 },
          minTrust: null,
        },
      ],
      isLive: true,
    },
    announcements: [
      {
        title: 'Mill lane is closed for the winter',
        body: 'The footbridge is being repaired until March. Saturday walks start from the reservoir car park instead.',
      },
      {
        title: 'Winter waymarks has started',
        body: 'Three tasks count: paths, waymarks and coming along. What you send without a signal counts too, as soon as your phone is back in range.',
        pinnedDays: 7,
      },
    ],
    grants: [{ person: '1012', task: 'Carried the first-aid kit', reason: 'Saturday, all the way to the cairn.' }],
  },
  {
    leader: '1005',
    name: 'Fernmap contributors',
    slug: 'fernmap-contributors',
    description:
      'We map where ferns grow in the city’s walls, wells and railway cuttings. Beginners welcome: one photograph and a street name are enough to start.',
    rules: 'Do not pick anything. Do not climb on anything. Coordinates of rare finds stay in the group.',
    tags: ['nature', 'mapping', 'open data'],
    languages: ['en', 'uk'],
    tasks: [
      {
        setup: { kind: 'submit_text' },
        title: 'Record a find',
        instructions: 'Street or nearest landmark, what it grows on, and the species if you know it.',
        points: 15,
        recurrence: 'daily',
      },
      {
        setup: { kind: 'check_in' },
        title: 'Checked a known spot',
        instructions: 'Look at a place that’s already on the map and tap if it’s still there.',
        points: 5,
        recurrence: 'daily',
      },
      {
        setup: { kind: 'submit_text' },
        title: 'Review three records',
        instructions: 'Name the three records and say what you changed or confirmed in each.',
        points: 30,
        recurrence: 'weekly',
      },
      {
        setup: { kind: 'submit_text' },
        title: 'Read the field guide',
        instructions: 'Read the six pages on wall ferns and write which two you had mixed up before.',
        points: 20,
        recurrence: 'once',
      },
    ],
    members: ['1001', '1012', '1014', '1015', '1016', '1004'],
    claims: [
      { person: '1016', task: 'Checked a known spot' },
      { person: '1012', task: 'Checked a known spot' },
      { person: '1004', task: 'Checked a known spot' },
      {
        person: '1016',
        task: 'Record a find',
        text: 'North wall of the old tram depot, lime mortar, about forty plants of maidenhair spleenwort.',
        decision: approve,
      },
      {
        person: '1015',
        task: 'Record a find',
        text: 'Steps behind the library, third landing, rustyback fern in the shaded corner.',
        decision: approve,
      },
      {
        person: '1012',
        task: 'Review three records',
        text: 'Canal lock 4 confirmed, Chapel Street moved ten metres east, Weir cottage is hart’s tongue and not polypody.',
        decision: approve,
      },
      {
        person: '1001',
        task: 'Read the field guide',
        text: 'Black spleenwort and wall rue. I had every wall rue down as a young black spleenwort.',
        decision: approve,
      },
      {
        person: '1014',
        task: 'Record a find',
        text: 'Well head in the museum yard: hart’s tongue on the inside rim, seen from the fence only.',
      },
      {
        person: '1016',
        task: 'Read the field guide',
        text: 'Common and western polypody. The guide’s trick with the frond’s outline settles it.',
      },
    ],
    season: {
      name: 'Walls in spring',
      rules: 'Finds inside the ring road.',
      days: 60,
      tasks: ['Record a find', 'Review three records'],
      rewards: [
        {
          name: 'Field guide',
          description: 'For everyone who gets that far.',
          rule: { type: 'all', minPoints: 150 },
          minTrust: null,
        },
      ],
      isLive: false,
    },
  },
  {
    leader: '1005',
    name: 'Saturday Seed Library',
    slug: 'saturday-seed-library',
    description:
      'Borrow seeds in spring, bring some back in autumn. We meet in the reading room on Saturdays from ten.',
    rules: 'Label what you bring: name, year, where it grew.',
    tags: ['gardening', 'sharing'],
    languages: ['en'],
    tasks: [
      {
        setup: { kind: 'check_in' },
        title: 'Came to the reading room',
        instructions: 'Tap when you are there.',
        points: 10,
        recurrence: 'weekly',
      },
      {
        setup: { kind: 'submit_text' },
        title: 'Bring back seeds',
        instructions: 'What you brought, how many packets, and how the plants did.',
        points: 35,
        recurrence: 'once',
      },
      {
        setup: { kind: 'submit_text' },
        title: 'Write a growing note',
        instructions: 'One plant, three sentences: when you sowed, what went wrong, what you would do again.',
        points: 15,
        recurrence: 'weekly',
      },
    ],
    members: ['1011', '1013', '1016'],
    claims: [
      { person: '1013', task: 'Came to the reading room' },
      { person: '1011', task: 'Came to the reading room' },
      {
        person: '1013',
        task: 'Bring back seeds',
        text: 'Six packets of the yellow pear tomato. It fruited until the second week of October.',
        decision: approve,
      },
      {
        person: '1016',
        task: 'Write a growing note',
        text: 'Sowed chard in April, slugs had the first row, the second under fleece did well. I would start it indoors.',
      },
    ],
  },
];
