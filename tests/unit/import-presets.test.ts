import { expect, test } from 'vitest';
import type { ImportSource } from '../../server/contract/imports.ts';
import { TaskKind } from '../../server/contract/tasks.ts';
import { fieldsOf, sourceOf } from '../../server/features/imports/presets.ts';
import { peopleOf, readFile } from '../../server/features/imports/read-file.ts';

const now = new Date('2026-11-28T00:00:00Z');
const read = async (kind: 'people' | 'tasks', lines: readonly string[]) => {
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
  const file = await readFile({ bytes, query: { kind, name: 'a.csv' }, now, xPoints: false });
  return { ...file, people: [...peopleOf(file)].flat() };
};
const findingsOf = ({ findings }: Awaited<ReturnType<typeof read>>) =>
  Object.fromEntries(findings.map(({ problem, lines }) => [problem, lines]));

/** Columns of people as exporters write them, in their order, and what some of them become; the others are left out. */
const PEOPLE: readonly (readonly [from: string, ImportSource, columns: string, becomes: object])[] = [
  // github.com/CTFd/CTFd, CTFd/utils/csv/__init__.py; fields that its administrators made come last.
  ['CTFd’s scoreboard', 'ctfd', 'place,user,score,Telegram', { user: 'name', score: 'points', Telegram: 'telegram' }],
  [
    'CTFd’s scoreboard of teams',
    'ctfd',
    'place,team,team id,score,member name,member id,member email,member score,Telegram,X handle',
    { 'member name': 'name', 'member score': 'points', Telegram: 'telegram', 'X handle': 'x' },
  ],
  [
    'CTFd’s users with fields',
    'ctfd',
    'id,oauth_id,name,password,email,type,secret,website,affiliation,country,bracket_id,hidden,banned,verified,language,change_password,team_id,created,Telegram ID',
    { name: 'name', created: 'joined', 'Telegram ID': 'telegram_id' },
  ],
  [
    'CTFd’s users of before',
    'ctfd',
    'id,oauth_id,name,password,email,type,secret,website,affiliation,country,bracket,hidden,banned,verified,team_id,created',
    { name: 'name', created: 'joined' },
  ],
  // github.com/discourse/discourse, app/jobs/regular/export_csv_file.rb.
  [
    'Discourse’s users',
    'discourse',
    'id,name,username,email,title,created_at,last_seen_at,last_posted_at,last_emailed_at,trust_level,approved,suspended_at,suspended_till,silenced_till,active,admin,moderator,ip_address,staged,secondary_emails,topics_entered,posts_read_count,time_read,topic_count,post_count,likes_given,likes_received,location,website,views,Telegram (custom user field),Twitter handle (custom user field),group_names',
    {
      name: 'name',
      created_at: 'joined',
      'Telegram (custom user field)': 'telegram',
      'Twitter handle (custom user field)': 'x',
    },
  ],
  // docs.galxe.com, the leaderboard of a space by its GraphQL API, in the words of which its tables are written.
  [
    'Galxe’s leaderboard',
    'galxe',
    'rank,points,username,id,avatar,address,solanaAddress,aptosAddress,seiAddress,twitterUserName,discordUserName',
    { points: 'points', username: 'name', twitterUserName: 'x' },
  ],
  [
    'Muster’s members',
    'muster',
    'telegram_id,name,role,joined,points',
    { telegram_id: 'telegram_id', name: 'name', joined: 'joined', points: 'points' },
  ],
];

test.each(PEOPLE)('%s is known by its columns, and each becomes what it holds', (_, source, columns, becomes) => {
  const names = columns.split(',');
  expect(sourceOf('people', names)).toBe(source);
  const fields = fieldsOf('people', source, names);
  const taken = names.flatMap((name, at) => (fields[at] === 'leave' ? [] : [[name, fields[at]]]));
  expect(Object.fromEntries(taken)).toEqual(becomes);
});

test('of a scoreboard of teams its members come with their own points; a line of a team is named, and so are empty points', async () => {
  const file = await read('people', [
    'place,team,team id,score,member name,member id,member email,member score,Telegram',
    '1,Ridge,7,900,,',
    ',,,,Mira,11,mira@example.org,600,@mira_ridge',
    ',,,,Per,12,per@example.org,300,per_lund',
    ',,,,Ada,13,ada@example.org,,ada_l',
  ]);
  expect(file.people.map(({ name, telegramUsername, points }) => [name, telegramUsername, points])).toEqual([
    ['Mira', 'mira_ridge', 600],
    ['Per', 'per_lund', 300],
    ['Ada', 'ada_l', 0],
  ]);
  expect(findingsOf(file)).toEqual({ identity_missing: [2], points_missing: [5] });
});

test('a table of people or tasks without any points says so', async () => {
  expect(findingsOf(await read('people', ['telegram,name', 'mira_ridge,Mira']))).toEqual({ no_points: [1] });
  expect(findingsOf(await read('tasks', ['title,kind', 'Say hello,text']))).toEqual({ no_points: [1] });
  expect(findingsOf(await read('tasks', ['title,points', 'Say hello,', 'Say more,5']))).toEqual({
    points_missing: [2],
  });
});

test('CTFd’s challenges become tasks with their value, which are answered in words', async () => {
  const columns =
    'id,name,description,attribution,connection_info,next_id,max_attempts,value,category,type,state,logic,initial,minimum,decay,function,requirements';
  const file = await read('tasks', [columns, '1,Find the flag,In the fog,,,,0,100,web,standard,visible,any,,,,,']);
  expect(file).toMatchObject({
    source: 'ctfd',
    findings: [],
    tasks: [{ task: { title: 'Find the flag', points: 100 } }],
  });
});

test.each(TaskKind.options)(
  'a task of the kind %s is read as that, or named, whatever other products call so',
  async (kind) => {
    const link = kind.startsWith('x_') ? 'https://x.com/ridge/status/1234567890' : 'https://example.org';
    const file = await read('tasks', [
      'title,points,kind,link',
      `Of this kind,0,${kind},${kind === 'x_follow' ? 'ridge' : link}`,
    ]);
    const named = Object.keys(findingsOf(file)).filter(
      (problem) => problem === 'kind_unknown' || problem === 'x_action',
    );
    if (named.length === 0) expect(file.tasks.map(({ task }) => task.setup.kind)).toEqual([kind]);
  },
);
