import type { SampleCommunity, SamplePerson } from '../../../../server/sandbox/sample.ts';

/** The demo's two roles, by their numbers in the sample. */
export const MEMBER = '1001';
export const LEADER = '1004';
/** Moderators beside the leaders. */
export const MODERATORS = ['1014'];

const person = (telegramUserId: string, firstName: string, lastName: string, username: string): SamplePerson => ({
  telegramUserId,
  firstName,
  lastName,
  username,
  xId: `9${telegramUserId.slice(1)}`,
  xUsername: username,
});
/** Sandbox people that the sample mentions in addition. */
export const MORE_PEOPLE: SamplePerson[] = [
  person('1001', 'Maya', 'Lindqvist', 'maya_walks'),
  person('1002', 'Tomasz', 'Zieliński', 'tomasz_z'),
  person('1004', 'Inês', 'Ferreira', 'ines_ridge'),
  person('1005', 'Dmytro', 'Koval', 'dk_maps'),
];

/** The sample's community that has leagues and a Telegram group here. */
export const WITH_LEAGUES = 'ridge-valley-walkers';
export const GROUPS: Readonly<Record<string, string>> = { 'ridge-valley-walkers': 'Ridge & Valley group' };

/** Additions for a member's first look: a claim that waits, and one that did not count. */
export const MORE_CLAIMS: (SampleCommunity['claims'][number] & { slug: string })[] = [
  {
    slug: 'ridge-valley-walkers',
    person: '1001',
    task: 'Suggest a route for spring',
    text: 'From the tram terminus along the mill stream to Abbot’s ford and back over the common, 9 km. Tram 3 at both ends, and the kingfishers nest in April.',
  },
  {
    slug: 'ridge-valley-walkers',
    person: '1001',
    task: 'Report the state of a path',
    text: 'Some mud on the way up.',
    decision: { decision: 'reject', reason: 'Which path was it, and where along it? Add that and send it again.' },
  },
];
