import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ERASED_NAME } from '../../server/contract/person-limits.ts';
import { STORED, type StoredName } from '../../server/contract/stored.ts';
import { adjust } from '../../server/features/awards/adjust.ts';
import { readDrift } from '../../server/features/ledger/drift.ts';
import { countForInstance } from '../../server/features/ledger/instance.ts';
import { PERSON_COLUMNS } from '../../server/features/person/columns.ts';
import { eraseDue, eraseOne, STEPS } from '../../server/features/person/erase.ts';
import { cancelErasure, findErasure, scheduleErasure } from '../../server/features/person/erasure.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { refusal, type StagedCommunity, stage } from '../support/engagement.ts';
import { folderOfFile } from '../support/of-file.ts';
import { digestOf, type Planted, plant, tablesWith } from '../support/planted.ts';

const NOW = new Date();
const DUE = new Date(NOW.getTime() + 7 * 86_400_000 + 1);
const databases: TestDatabase[] = [];
const home = folderOfFile();
afterAll(async () => {
  await Promise.all(databases.map((one) => one.drop()));
});

type Scene = { database: TestDatabase; place: StagedCommunity; gone: Planted; stays: Planted };

/** Two people who did the same: claims that were counted, refused and wait, points given and taken; and everything else. */
async function scene(): Promise<Scene> {
  const database = await createTestDatabase();
  databases.push(database);
  const { sql } = database;
  const { community, task, claim, approve, reject, member } = stage(sql);
  const place = await community();
  const [writing, again, later] = [
    await task(place, { setup: { kind: 'submit_text' }, points: 20 } as never),
    await task(place, { setup: { kind: 'submit_text' }, points: 7 } as never),
    await task(place, { setup: { kind: 'submit_text' }, points: 3 } as never),
  ];
  const make = async (mark: string): Promise<Planted> => {
    const userId = await member(place.id, mark);
    await approve(place, (await claim(place, writing, userId, { text: 'Words that count' })).id, place.moderator, NOW);
    await reject(
      place,
      (await claim(place, again, userId, { text: 'Words that do not count' })).id,
      place.moderator,
      NOW,
    );
    await claim(place, later, userId, { text: 'Words that wait' });
    const by = { communityId: place.id, leaderId: place.leader, now: NOW };
    await sql.begin((tx) => adjust(tx, by, { userId, points: 5, reason: `${mark} was kind` }));
    const tokenHash = createHash('sha256').update(mark).digest();
    const planted = { userId, mark, device: randomUUID(), tokenHash };
    await plant(sql, place, planted);
    return planted;
  };
  const made = { gone: await make('canary'), stays: await make('bystander') };
  await countForInstance({ sql });
  return { database, place, ...made };
}

const ask = ({ database, gone }: Scene, now = NOW) =>
  database.sql.begin((tx) =>
    scheduleErasure(tx, { userId: gone.userId, by: 'person', actorId: gone.userId, reason: null, now }),
  );
const at = (scene: Scene, now: Date) => ({ sql: scene.database.sql, now: () => now, config: { home } });

/** Of a few words that the schema lists. */
const CHOICES = new Set(['users.x_linked_by', 'chat_links.sort', 'chat_links.problem', 'chat_members.source']);

describe('an erasure that is done', () => {
  let one: Scene;
  beforeEach(async () => {
    one ??= await scene();
  });

  test('the planted words are in every column that may hold words of a person', async () => {
    const { sql } = one.database;
    const missing: string[] = [];
    for (const [table, { words = [] }] of Object.entries(PERSON_COLUMNS))
      for (const column of words) {
        // Numbers, and what is looked for by its own mark.
        if (['telegram_user_id', 'time_zone', 'time_zone_before', 'names', 'device'].includes(column)) continue;
        // A wish is written later, its own suspension with it.
        if (table === 'erasures' || CHOICES.has(`${table}.${column}`)) continue;
        const hex = Buffer.from('canary').toString('hex');
        const [row] = await sql<[{ is: boolean }]>`
          select exists (select from ${sql(table)} where strpos(${sql(column)}::text, 'canary') > 0
            or strpos(${sql(column)}::text, ${hex}) > 0) as is`;
        if (!row.is) missing.push(`${table}.${column}`);
      }
    expect(missing).toEqual([]);
  });

  test('leaves nothing of the person in any table, sums as they were, and another person’s rows byte for byte', async () => {
    const { database, gone, stays, place } = one;
    const { sql } = database;
    const theirs = () => digestOf(sql, [stays.userId, stays.mark, stays.device]);
    const sums = () => sql`
      select community_id, count(*)::int, sum(points)::int from point_events group by 1
      union all select community_id, count(*)::int, sum(points)::int from scores group by 1 order by 1, 2, 3`;
    const [before, total] = [await theirs(), await sums()];
    expect(Object.keys(before).length).toBeGreaterThan(30);
    await ask(one);
    await eraseDue(at(one, new Date(DUE.getTime() - 60_000)));
    expect(Object.keys(await tablesWith(sql, gone.mark)).length).toBeGreaterThan(20);
    await eraseDue(at(one, DUE));

    expect(await tablesWith(sql, gone.mark)).toEqual({});
    expect(await tablesWith(sql, gone.device)).toEqual({});
    expect(await theirs()).toEqual(before);
    expect(await sums()).toEqual(total);
    await countForInstance({ sql });
    expect(await readDrift(sql)).toEqual([]);
    const [tombstone] = await sql`
      select display_name, telegram_user_id < 0 as "isNobody", erased_at is not null as "isErased" from users where id = ${gone.userId}`;
    expect(tombstone).toEqual({ display_name: ERASED_NAME, isNobody: true, isErased: true });
    const [board] = await sql`
      select competes from scores where user_id = ${gone.userId} and community_id = ${place.id}`;
    expect(board).toEqual({ competes: false });
    expect(await sql`select from claims where user_id = ${gone.userId} and state = 'submitted'`).toHaveLength(0);
    expect(await sql`select from claims where user_id = ${gone.userId}`).toHaveLength(2);
  });

  test('leaves the id only where the one table says that rows stay', async () => {
    const left = Object.keys(await tablesWith(one.database.sql, one.gone.userId));
    const staying = Object.entries(STORED).flatMap(([table, { fate }]) =>
      fate === 'stays' || fate === 'emptied' || fate === 'expires' ? table : [],
    );
    // That somebody left is told to programs once more, as of anybody who leaves.
    expect(left.filter((table) => table !== 'webhook_deliveries' && !staying.includes(table))).toEqual([]);
  });

  test('is done once: another run, and another wish, find nobody', async () => {
    const { sql } = one.database;
    const before = await sql`select count(*)::int from audit_entries`;
    await eraseDue(at(one, DUE));
    expect(await sql`select count(*)::int from audit_entries`).toEqual([...before]);
    expect(await refusal(ask(one))).toMatchObject({ status: 404 });
  });
});

test('a process that dies after any step leaves it to be gone on with, and no sign-in comes in between', async () => {
  const one = await scene();
  const { sql } = one.database;
  await ask(one);
  const { userId } = one.gone;
  for (let done = 0; done < STEPS.length; done += 1) {
    const dying = [...STEPS.slice(0, done), () => Promise.reject(new Error('killed'))];
    await expect(eraseOne(sql, home, { userId, now: DUE }, undefined, dying)).rejects.toThrow('killed');
    expect(await findErasure(sql, userId)).not.toBeNull();
    const cancelled = sql.begin((tx) =>
      cancelErasure(tx, { userId, by: 'person', actorId: userId, reason: null, now: DUE }),
    );
    expect(await refusal(cancelled)).toMatchObject({ status: 404 });
  }
  // Two processes at once come to the same end.
  await Promise.all([eraseDue(at(one, DUE)), eraseDue(at(one, DUE))]);
  expect(await tablesWith(sql, 'canary')).toEqual({});
  expect(await readDrift(sql)).toEqual([]);
  const done = await sql`select from audit_entries where action = 'person.erased'`;
  expect(done).toHaveLength(1);
});

describe('while it waits', () => {
  test('the person is off the boards and signed out; cancelled, all is as it was, an earlier suspension included', async () => {
    const one = await scene();
    const { sql } = one.database;
    const { userId, mark } = one.gone;
    const until = new Date(NOW.getTime() + 86_400_000);
    await sql`
      update users set suspended_at = ${NOW}, suspended_until = ${until}, suspended_reason = ${`${mark} wrote spam`} where id = ${userId}`;
    const account = () => sql`select * from users where id = ${userId}`;
    const before = await account();
    const asked = await ask(one);
    expect(await ask(one, new Date(NOW.getTime() + 3_600_000))).toEqual(asked);
    expect(await sql`select from sessions where user_id = ${userId}`).toHaveLength(0);
    expect(await sql`select from forgotten_sessions where user_id = ${userId}`).toHaveLength(1);
    expect(await sql`select from scores where user_id = ${userId} and competes`).toHaveLength(0);
    // The end of the suspension comes meanwhile, and lets nobody in.
    const back = await sql.begin((tx) =>
      cancelErasure(tx, { userId, by: 'admin', actorId: null, reason: 'Asked to stay', now: NOW }),
    );
    expect(back).toEqual({ isSuspended: true });
    expect(await account()).toEqual([...before]);
    expect(await sql`select from forgotten_sessions where user_id = ${userId}`).toHaveLength(0);
    await eraseDue(at(one, DUE));
    expect(Object.keys(await tablesWith(sql, mark)).length).toBeGreaterThan(20);
  });

  test('the last administrator stays, and who alone leads a community is told so first', async () => {
    const one = await scene();
    const { sql } = one.database;
    const { leader, slug } = one.place;
    const wish = { userId: leader, by: 'person', actorId: leader, reason: null, now: NOW } as const;
    const alone = await refusal(sql.begin((tx) => scheduleErasure(tx, wish)));
    expect(alone).toMatchObject({ status: 409, reason: 'ONLY_LEADER', details: { communities: [{ slug }] } });
    await sql`update users set role = 'admin' where id = ${leader}`;
    const last = await refusal(sql.begin((tx) => scheduleErasure(tx, { ...wish, leavesCommunities: true })));
    expect(last).toMatchObject({ status: 409, reason: 'LAST_ADMIN' });
    await sql`update users set role = 'member' where id = ${leader}`;
    await sql.begin((tx) => scheduleErasure(tx, { ...wish, leavesCommunities: true }));
    await eraseDue(at(one, DUE));
    expect(await sql`select from communities where id = ${one.place.id}`).toHaveLength(1);
  });
});

test('what names nobody: every table of the one table that is emptied or deleted has a row in the scene', async () => {
  const one = await scene();
  const { sql } = one.database;
  const bare: string[] = [];
  for (const [table, { fate }] of Object.entries(STORED) as [StoredName, (typeof STORED)[StoredName]][]) {
    if (!['deleted', 'emptied'].includes(fate) || table === 'erasures') continue;
    const [row] = await sql`select from ${sql(table)} limit 1`;
    if (!row) bare.push(table);
  }
  expect(bare).toEqual([]);
});
