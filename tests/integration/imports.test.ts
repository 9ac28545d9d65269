import { beforeEach, describe, expect, test } from 'vitest';
import { tableText } from '../../server/features/exports/table.ts';
import { tables } from '../../server/features/exports/tables.ts';
import { forgetImported } from '../../server/features/imports/settle.ts';
import { readDrift } from '../../server/features/ledger/drift.ts';
import { countForInstance } from '../../server/features/ledger/instance.ts';
import { linkX } from '../../server/features/people/x-identity.ts';
import { createTestDatabase } from '../support/database.ts';
import { mismatches, refusal, type StagedCommunity, stage } from '../support/engagement.ts';
import { type ImportFile, mover, peopleFile, signIn } from '../support/imports.ts';
import { ofFile } from '../support/of-file.ts';

let place: StagedCommunity;
let move: ReturnType<typeof mover>;
let ahead = 0;
const now = () => new Date(Date.now() + ahead);
let ids = 90_000_000;
const newId = () => {
  ids += 1;
  return ids;
};
const db = await ofFile(createTestDatabase());
const on = stage(db.sql);

beforeEach(async () => {
  ahead = 0;
  place = await on.community();
  move = mover(db.sql, place, now);
});

const pointsOf = async (userId: string) => {
  const [row] = await db.sql<{ points: number }[]>`
    select points from scores where community_id = ${place.id} and user_id = ${userId}`;
  return row?.points ?? null;
};
const ledgerOf = (userId: string) =>
  db.sql`select kind, points, reason from point_events where community_id = ${place.id} and user_id = ${userId} order by id`;
const isMember = async (userId: string) =>
  (await db.sql`select from community_members where community_id = ${place.id} and user_id = ${userId}`).length === 1;
/** Boards, members and tasks of the place, as everybody sees them. */
const everything = async () => ({
  boards: await db.sql`
    select user_id, points, reached_at, day, day_points, week_points, month_points, season_points, competes from scores
    where community_id in (${place.id}, '00000000-0000-0000-0000-000000000000') and points <> 0 order by community_id, user_id`,
  members:
    await db.sql`select user_id, role, joined_at from community_members where community_id = ${place.id} order by 1`,
  tasks: await db.sql`select id from tasks where community_id = ${place.id} and status <> 'archived' order by 1`,
  waiting: await db.sql`select from imported_people where community_id = ${place.id} and state <> 'undone'`,
});

const ZEALY = [
  'username,display_name,total_xp,twitter,created_at,discord_id',
  'tomas_kral,Tomás Kral,1255,@tomaskral,2024-03-12,8842',
  'miraok,Mira O.,1.240,@mira_ok,2024-05-20,9120',
  ',Per Lund,40,,2026-06-02,1',
  'tomas_kral,Again,5,,,2',
  'hanne.aas,Hanne Aas,1190,,,3',
  'pieth,Piet Hulst,-4,,2023-11-08,4',
  'longone,Long,a few,,yesterday,5',
  'extra,Two,7,,2024-01-01,6,7',
];

describe('a dry run', () => {
  test('knows the export, says what is wrong line by line, and writes nothing', async () => {
    const count = () => db.sql`select (select count(*) from imports) as i, (select count(*) from imported_people) as p`;
    const before = await count();
    const check = await move.dryRun(peopleFile(ZEALY));
    expect(check).toMatchObject({ source: 'zealy', rows: 8, ready: 2, leftOut: 6, points: 2495 });
    expect(check.columns.map(({ field }) => field)).toEqual(['telegram', 'name', 'points', 'x', 'joined', 'leave']);
    expect(check.columns[2]?.samples).toEqual(['1255', '1.240', '40']);
    expect(check.findings.map(({ problem, effect, choice, lines }) => [problem, effect, choice, lines])).toEqual([
      ['identity_missing', 'left_out', false, [4]],
      ['twice', 'left_out', false, [5]],
      ['telegram_unreadable', 'left_out', false, [6]],
      ['points_negative', 'left_out', false, [7]],
      ['points_unreadable', 'left_out', false, [8]],
      ['cells_many', 'left_out', false, [9]],
      ['points_grouped', 'taken', true, [3]],
    ]);
    expect(check.findings.at(-1)?.reading).toEqual({ from: '1.240', to: '1240' });
    expect(await count()).toEqual(before);
  });

  test('a choice leaves lines out, and a column becomes what the leader says', async () => {
    const left = await move.dryRun(peopleFile(ZEALY, { leave: ['points_grouped'] }));
    expect([left.ready, left.points]).toEqual([1, 1255]);
    const columns: ImportFile['columns'] = ['name', 'leave', 'points', 'telegram', 'leave', 'telegram_id'];
    const other = await move.dryRun(peopleFile(ZEALY, { columns }));
    expect(other.columns.map(({ field }) => field)).toEqual(columns);
    const twice = peopleFile(ZEALY, { columns: ['telegram', 'name', 'points', 'points', 'leave', 'leave'] });
    expect((await move.dryRun(twice)).findings[0]).toMatchObject({
      problem: 'column_twice',
      effect: 'stops',
      column: 3,
    });
    expect((await refusal(move.run(twice))).reason).toBe('IMPORT_NOTHING');
  });

  test('what people are called elsewhere is nobody’s name on Telegram', async () => {
    const discourse = await move.dryRun(peopleFile(['user_id,username,total_score', '1,tomas_kral,40']));
    expect(discourse).toMatchObject({ source: 'discourse', ready: 0 });
    expect(discourse.findings.map(({ problem }) => problem)).toContain('nobody_named');
    const ctfd = await move.dryRun(peopleFile(['place,user,score,Telegram', '1,alice,400,@alice_ctf']));
    expect(ctfd).toMatchObject({ source: 'ctfd', ready: 1, points: 400 });
    const galxe = await move.dryRun(peopleFile(['Address,Points,telegram_user_id', '0xAb,12,77123']));
    expect(galxe).toMatchObject({ source: 'galxe', ready: 1, points: 12 });
  });
});

describe('points', () => {
  test('wait until whom the file names by id joins, and are written once', async () => {
    const id = newId();
    const { id: importId } = await move.run(peopleFile(['telegram_id,name,points,joined', `${id},Mira,40,2024-03-12`]));
    await move.settle();
    const mira = await signIn(db.sql, id, 'mira_renamed');
    await move.settle();
    expect([await isMember(mira), await pointsOf(mira)]).toEqual([false, null]);
    await move.join(mira);
    await signIn(db.sql, id, 'mira_again');
    await Promise.all([move.settle(), move.settle()]);
    expect(await ledgerOf(mira)).toEqual([{ kind: 'award', points: 40, reason: 'Moved in from elsewhere' }]);
    expect([await pointsOf(mira), await isMember(mira)]).toEqual([40, true]);
    // They count for all time: on no board of the calendar, and not on the instance's.
    expect(
      await db.sql`select period, points from standings where user_id = ${mira} and points <> 0 and period not like '%1970%'`,
    ).toEqual([{ period: 'all', points: 40 }]);
    // They belong since when the file says.
    expect(await db.sql`select joined_at from community_members where user_id = ${mira}`).toEqual([
      { joined_at: new Date('2024-03-12') },
    ]);
    // What named them is gone.
    expect(
      await db.sql`select telegram_user_id, telegram_username, name from imported_people where import_id = ${importId}`,
    ).toEqual([{ telegram_user_id: null, telegram_username: null, name: null }]);
  });

  test('by a name alone go to whom Telegram says has it now, unless X says otherwise', async () => {
    const [ours, theirs, stale] = [newId(), newId(), newId()];
    await signIn(db.sql, stale, 'old_name', new Date(now().getTime() - 40 * 86_400_000));
    await move.run(
      peopleFile(['telegram,points,x', 'name_one,10,', 'name_two,20,twohandle', 'old_name,30,', `name_four,40,`]),
    );
    const [one, two] = [await signIn(db.sql, ours, 'Name_One'), await signIn(db.sql, theirs, 'name_two_x')];
    await db.sql`update users set twitter_username = 'Somebody' where id = ${two}`;
    await signIn(db.sql, theirs, 'name_two');
    for (const member of [one, two]) await move.join(member);
    await move.settle();
    expect([await pointsOf(one), await pointsOf(two)]).toEqual([10, null]);
    // A name that Telegram has not said for long is believed again once it does: also by an import of later.
    const [old] = await db.sql<[{ id: string }]>`select id from users where telegram_user_id = ${stale}`;
    await on.join(place.id, old.id);
    await move.settle();
    expect(await pointsOf(old.id)).toBe(null);
    await signIn(db.sql, stale, 'old_name');
    await move.settle();
    expect(await pointsOf(old.id)).toBe(30);
    await db.sql`update users set twitter_username = 'TwoHandle' where id = ${two}`;
    await signIn(db.sql, theirs, 'name_two');
    await move.settle();
    expect(await pointsOf(two)).toBe(20);
    ahead = 91 * 86_400_000;
    await forgetImported({ sql: db.sql, now });
    const late = await move.join(await signIn(db.sql, newId(), 'name_four', now()));
    await move.settle();
    expect(await pointsOf(late)).toBe(null);
  });

  test('of a file that names nobody on Telegram go to members who have proven its X handles, or do so later', async () => {
    const [proven, later, other] = [newId(), newId(), newId()];
    const [mira, per, ada] = [
      await signIn(db.sql, proven, null),
      await signIn(db.sql, later, 'per_x'),
      await signIn(db.sql, other, null),
    ];
    for (const one of [mira, per, ada]) await on.join(place.id, one);
    const link = (userId: string, username: string) =>
      db.sql.begin((tx) =>
        linkX(tx, { userId, proven: { xUserId: null, username, by: 'post' }, telegramAt: now(), now: now() }),
      );
    await link(mira, 'Mira_Walks');
    const file = peopleFile([
      'rank,points,username,twitterUserName,address',
      '1,70,mw,@mira_walks,0x1',
      '2,40,p,per_climbs,0x2',
      '3,5,a,,0x3',
      '4,1,n,not a handle,0x4',
      '5,9,m,Mira_walks,0x5',
    ]);
    expect(await move.dryRun(file)).toMatchObject({ source: 'galxe', ready: 2, points: 110 });
    expect(await move.problems(file)).toEqual({ here: [2], identity_missing: [4, 5], twice: [6] });
    const done = await move.run(file);
    expect(done).toMatchObject({ settling: { people: 1, points: 70 }, waiting: { people: 1, points: 40 } });
    await move.settle();
    expect([await pointsOf(mira), await pointsOf(per), await pointsOf(ada)]).toEqual([70, null, null]);
    await link(per, 'per_climbs');
    await move.settle();
    expect([await pointsOf(mira), await pointsOf(per), await pointsOf(ada)]).toEqual([70, 40, null]);
    // Who is named on Telegram is nobody else for their handle's sake.
    await move.run(peopleFile(['telegram,points,x', 'somebody_else,300,mira_walks']));
    await move.settle();
    expect(await pointsOf(mira)).toBe(70);
  });

  test('of people who are here are added as one line, or left out, as the leader chooses', async () => {
    const id = newId();
    const mira = await signIn(db.sql, id, 'mira_here');
    await on.join(place.id, mira);
    const file = peopleFile(['telegram,points', 'mira_here,15', 'nobody_yet,1']);
    expect(await move.problems(file)).toEqual({ here: [2] });
    const without: ImportFile = { ...file, leave: ['here'] };
    expect(await move.dryRun(without)).toMatchObject({ ready: 1, leftOut: 1, points: 1 });
    const done = await move.run(file);
    expect(done).toMatchObject({ settling: { people: 1, points: 15 }, waiting: { people: 1, points: 1 } });
    await move.settle();
    expect(await pointsOf(mira)).toBe(15);
  });
});

describe('undone', () => {
  test('everything is as it was before, to the order of a tie; what was done since stays', async () => {
    const [rival, known, id] = [await on.member(place.id), await on.member(place.id), newId()];
    const task = await on.task(place, { points: 50 });
    for (const one of [known, rival]) await on.claim(place, task, one);
    await countForInstance({ sql: db.sql });
    const [{ telegram }] = await db.sql<[{ telegram: string }]>`
      select telegram_user_id::text as telegram from users where id = ${known}`;
    const before = await everything();
    const lines = [
      'telegram_id,points,joined',
      `${telegram},900,2024-01-01`,
      `${id},70,2024-01-01`,
      `${newId()},5,2024-01-01`,
    ];
    const { id: importId } = await move.run(peopleFile(lines));
    const newcomer = await move.join(await signIn(db.sql, id, null));
    await move.settle();
    expect([await pointsOf(known), await pointsOf(newcomer)]).toEqual([950, 70]);
    const undone = await move.undo(importId);
    expect(undone).toMatchObject({ undoing: 2, waiting: { people: 0 } });
    await move.settle();
    await countForInstance({ sql: db.sql });
    // Who joined by their own act stays, since then.
    const joined = await db.sql`
      select user_id, role, joined_at from community_members where user_id = ${newcomer} and joined_at > now() - interval '1 hour'`;
    expect(joined).toHaveLength(1);
    const after = { ...before, members: expect.arrayContaining([...before.members, ...joined]) };
    expect(await everything()).toEqual(after);
    expect((await ledgerOf(newcomer)).map(({ kind, points }) => [kind, points])).toEqual([
      ['award', 70],
      ['reverse', -70],
    ]);
    expect(await mismatches(db.sql, place.id)).toEqual([]);
    expect(await db.sql.begin(readDrift)).toEqual([]);
    // Once more changes nothing, and who signs in now gets nothing.
    await move.undo(importId);
    await move.settle();
    expect(await everything()).toEqual(after);
  });

  test('after seven days it is too late', async () => {
    const late = await move.run(peopleFile(['telegram_id,points', `${newId()},10`]));
    ahead = 8 * 86_400_000;
    expect((await refusal(move.undo(late.id))).reason).toBe('UNDO_OVER');
  });
});

describe('tasks', () => {
  const TASKS = [
    'name,description,xp,recurrence,type,link',
    'Say hello,In the chat,10,daily,text,',
    'Read the guide,,5,once,visit_link,https://example.org/guide',
    'Follow us,,50,once,twitter_follow,',
    'Mystery,,2000,sometimes,oracle,',
    'No,,5,once,text,',
    'Follow the ridge,,50,once,twitter_follow,https://x.com/Ridge_Walk',
    'Pass it on,,0,once,retweet,https://twitter.com/ridge_walk/status/1234567890?s=20',
  ];
  const file: ImportFile = { kind: 'tasks', name: 'quests.csv', text: TASKS.join('\n') };

  test('come as drafts, those on X for no points and where their link says what is meant; undone, they are archived', async () => {
    const check = await move.dryRun(file);
    expect(check).toMatchObject({ source: 'zealy', rows: 7, ready: 5, leftOut: 2 });
    expect(await move.problems(file)).toEqual({
      x_action: [4],
      title_unreadable: [6],
      task_points_large: [5],
      recurrence_unknown: [5],
      kind_unknown: [5],
      x_points: [7],
    });
    const done = await move.run(file);
    const rows = () => db.sql`
      select title, kind, points, recurrence, status, coalesce(config->>'url', config->>'handle', config->>'post') as url from tasks where community_id = ${place.id} order by title`;
    expect(await rows()).toEqual([
      {
        title: 'Follow the ridge',
        kind: 'x_follow',
        points: 0,
        recurrence: 'once',
        status: 'draft',
        url: 'ridge_walk',
      },
      { title: 'Mystery', kind: 'submit_text', points: 1000, recurrence: 'once', status: 'draft', url: null },
      {
        title: 'Pass it on',
        kind: 'x_repost',
        points: 0,
        recurrence: 'once',
        status: 'draft',
        url: 'https://x.com/ridge_walk/status/1234567890',
      },
      {
        title: 'Read the guide',
        kind: 'visit_link',
        points: 5,
        recurrence: 'once',
        status: 'draft',
        url: 'https://example.org/guide',
      },
      { title: 'Say hello', kind: 'submit_text', points: 10, recurrence: 'daily', status: 'draft', url: null },
    ]);
    expect(await move.dryRun(file)).toMatchObject({ ready: 0 });
    await move.undo(done.id);
    expect(new Set((await rows()).map(({ status }) => status))).toEqual(new Set(['archived']));
  });
});

test('what is taken along moves in elsewhere: members, those who have not come, and tasks', async () => {
  const text = async (table: keyof typeof tables) => {
    let written = '';
    const { columns, pages } = tables[table];
    for await (const part of tableText('csv', columns, pages(db.sql, place.id))) written += part;
    return written;
  };
  const id = newId();
  await move.run(peopleFile(['telegram_id,name,points', `${id},=Mira,40`, `${newId()},Per,7`]));
  await move.join(await signIn(db.sql, id, 'mira_taken'));
  await move.settle();
  await on.task(place, {
    setup: {
      kind: 'poll',
      choices: [
        { id: 'a', text: '=A' },
        { id: 'b', text: '- B' },
      ],
      multiple: true,
    },
  });
  await on.task(place, { setup: { kind: 'submit_url', hosts: ['example.org'] }, caps: { total: 5 } });
  const files = { members: await text('members'), waiting: await text('waiting'), tasks: await text('tasks') };
  const setups = () =>
    db.sql`select kind, title, points, recurrence, config, cap_total from tasks where community_id = ${place.id} order by title`;
  const before = await setups();
  place = await on.community();
  move = mover(db.sql, place, now);
  const members = peopleFile([files.members.trimEnd()]);
  expect(await move.dryRun(members)).toMatchObject({ source: 'muster', ready: 3, leftOut: 0, points: 40 });
  const waiting = peopleFile([files.waiting.trimEnd()]);
  expect(await move.dryRun(waiting)).toMatchObject({ source: 'muster', ready: 1, points: 7, findings: [] });
  const tasks: ImportFile = { kind: 'tasks', name: 'tasks.csv', text: files.tasks };
  expect(await move.dryRun(tasks)).toMatchObject({ source: 'muster', ready: 2, findings: [] });
  await move.run(tasks);
  expect(await setups()).toEqual(before);
});
