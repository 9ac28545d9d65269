/** The communities a first start shows, so that boards, queues and cards have something true to draw. */
type SampleTask = {
  kind: 'check_in' | 'submit_text';
  title: string;
  instructions: string;
  points: number;
  recurrence: 'once' | 'daily' | 'weekly';
};
type SampleClaim = {
  person: string;
  task: string;
  text?: string;
  /** What the leader answered; absent: the claim still waits. */
  decision?: { decision: 'approve' } | { decision: 'reject'; reason: string };
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
      'Weekend walks around the reservoir and up the old ridge path. We keep the waymarks fresh, report fallen trees, and nobody walks alone.',
    rules:
      'Be at the meeting point five minutes early. Say so in the group when you turn back. Leave gates as you found them.',
    tags: ['walking', 'outdoors', 'weekend'],
    languages: ['en', 'pt'],
    tasks: [
      {
        kind: 'check_in',
        title: 'Out for a walk today',
        instructions: 'Any walk of half an hour or more counts. Tap once you are back.',
        points: 5,
        recurrence: 'daily',
      },
      {
        kind: 'check_in',
        title: 'Joined the Saturday walk',
        instructions: 'Tap at the meeting point. It works without a signal and is sent when you are back in range.',
        points: 20,
        recurrence: 'weekly',
      },
      {
        kind: 'submit_text',
        title: 'Report the state of a path',
        instructions:
          'Which path, where along it, and what you found: mud, fallen trees, missing waymarks, or all fine.',
        points: 25,
        recurrence: 'weekly',
      },
      {
        kind: 'submit_text',
        title: 'Suggest a route for spring',
        instructions: 'Start, finish, rough length, where the bus stops, and one reason to walk it.',
        points: 40,
        recurrence: 'once',
      },
      {
        kind: 'submit_text',
        title: 'Introduce yourself',
        instructions: 'Two or three sentences: where you usually walk and what you would like to see.',
        points: 10,
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
    ],
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
        kind: 'submit_text',
        title: 'Record a find',
        instructions: 'Street or nearest landmark, what it grows on, and the species if you know it.',
        points: 15,
        recurrence: 'daily',
      },
      {
        kind: 'check_in',
        title: 'Checked a known spot',
        instructions: 'Look at a place that is on the map already and tap when it is still there.',
        points: 5,
        recurrence: 'daily',
      },
      {
        kind: 'submit_text',
        title: 'Review three records',
        instructions: 'Name the three records and say what you changed or confirmed in each.',
        points: 30,
        recurrence: 'weekly',
      },
      {
        kind: 'submit_text',
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
        kind: 'check_in',
        title: 'Came to the reading room',
        instructions: 'Tap when you are there.',
        points: 10,
        recurrence: 'weekly',
      },
      {
        kind: 'submit_text',
        title: 'Bring back seeds',
        instructions: 'What you brought, how many packets, and how the plants did.',
        points: 35,
        recurrence: 'once',
      },
      {
        kind: 'submit_text',
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
