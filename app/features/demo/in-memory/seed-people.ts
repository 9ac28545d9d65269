import type { SampleCommunity, SamplePerson } from '../../../../server/sandbox/sample.ts';

/** Whose eyes the demo looks through, by their numbers in the sample. */
export const MEMBER = '1001';
export const LEADER = '1004';
/** Who reviews beside the leaders. */
export const MODERATORS = ['1014'];

const person = (telegramUserId: string, firstName: string, lastName: string, username: string): SamplePerson => ({
  telegramUserId,
  firstName,
  lastName,
  username,
  xId: `9${telegramUserId.slice(1)}`,
  xUsername: username,
});
/** People of the sandbox whom the sample names beside its own. */
export const MORE_PEOPLE: SamplePerson[] = [
  person('1001', 'Maya', 'Lindqvist', 'maya_walks'),
  person('1002', 'Tomasz', 'Zieliński', 'tomasz_z'),
  person('1004', 'Inês', 'Ferreira', 'ines_ridge'),
  person('1005', 'Dmytro', 'Koval', 'dk_maps'),
];

/** Which of the sample's communities has leagues, and a group in Telegram, here. */
export const WITH_LEAGUES = 'ridge-valley-walkers';
export const GROUPS: Readonly<Record<string, string>> = { 'ridge-valley-walkers': 'Ridge & Valley group' };

/** What the sample lacks for a first look as a member: something that waits, and something that did not count. */
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
