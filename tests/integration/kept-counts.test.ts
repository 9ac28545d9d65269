/** What is kept of what people did is what would be counted from their claims, whatever happens to these and in whatever order. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { streakOf } from '../../server/domain/streak.ts';
import { compareCounts, countQueued } from '../../server/features/analytics/counts.ts';
import { INSTANCE } from '../../server/features/ledger/record.ts';
import { dayAt } from '../../server/rules/periods.ts';
import { readsOf } from '../support/buffers.ts';
import { SEED, seeded } from '../support/chance.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const TODAY = '2026-11-21';
const WHOLE: [number, number] = [0, 1];
const STATES = ['submitted', 'checking', 'approved', 'rejected', 'changes_requested', 'reversed'];
const KINDS: Record<string, string> = {
  approved: 'approved',
  rejected: 'rejected',
  changes_requested: 'sent_back',
  reversed: 'reversed',
};
const KEPT = ['state_counts', 'member_days', 'claim_days', 'wait_days', 'active_months', 'active_counts'];

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await live();
}, 120_000);
afterAll(() => db?.drop());

const chance = seeded(SEED);
const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
const claims: { id: string; state: string }[] = [];

/** Answers of any day and state, decided, sent again, taken back, counted now and then. */
async function live(): Promise<void> {
  const on = stage(db.sql);
  const places = await Promise.all(
    [1, 2, 3].map(async () => {
      const place = await on.community();
      return { id: place.id, tasks: [await on.task(place), await on.task(place)] };
    }),
  );
  const people = await Promise.all(Array.from({ length: 8 }, () => on.person()));
  for (let step = 0; step < 900; step += 1) {
    // Newer days now and then, as in life; older ones too.
    const day = dayAt(TODAY, -Math.floor(chance() < 0.8 ? 60 - step / 15 : chance() * 70) - 1);
    const at = new Date(Date.parse(day) + chance() * 86_400_000);
    if (chance() < 0.7 || claims.length === 0) {
      const [place, state] = [pick(places), pick(['submitted', 'approved', 'approved', 'approved', 'rejected'])];
      const [row] = await db.sql<[{ id: string }]>`
        insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day, submitted_at)
        values (${place.id}, ${pick(place.tasks)}, ${pick(people)}, ${`${step}`}, ${state}, 5,
          ${new Date(at.getTime() - pick([0, 7_200_000]))}, ${dayAt(day, pick([-1, 0, 0, 0, 1]))}, ${at}) returning id`;
      await note(row.id, state === 'submitted' ? 'submitted' : 'checked', null, state, at);
      claims.push({ id: row.id, state });
    } else {
      const [claim, state] = [pick(claims), pick(STATES)];
      const by = chance() < 0.5 ? pick(people) : null;
      await db.sql`update claims set state = ${state}, decided_by = ${by} where id = ${claim.id}`;
      await note(claim.id, KINDS[state] ?? 'resubmitted', claim.state, state, at);
      claim.state = state;
    }
    if (chance() < 0.03) await countQueued(db);
  }
  await countQueued(db);
}

const note = (id: string, kind: string, from: string | null, to: string, at: Date) => db.sql`
  insert into claim_events (community_id, claim_id, kind, from_state, to_state, at)
  select community_id, id, ${kind}, ${from}::text, ${to}, ${at} from claims where id = ${id}`;

const kept = async (table: string) =>
  (await db.sql<{ row: string }[]>`select to_jsonb(t)::text as row from ${db.sql(table)} t order by 1`).map(
    ({ row }) => row,
  );
const all = async () => Object.fromEntries(await Promise.all(KEPT.map(async (table) => [table, await kept(table)])));

/** Compares everything; what it reports, or null. */
async function compare(): Promise<unknown> {
  const told: unknown[] = [];
  const log = { warn: (found: unknown) => told.push(found) } as never;
  await compareCounts({ sql: db.sql, now: () => NOW, log }, undefined, WHOLE);
  return told[0] ?? null;
}

async function expectRight(): Promise<void> {
  const states = await db.sql`
    select task_id, count(*) filter (where state in ('submitted', 'checking'))::int as waiting,
      count(*) filter (where state = 'changes_requested')::int as sent_back,
      count(*) filter (where state = 'rejected' and decided_by is not null)::int as rejected,
      count(*) filter (where state = 'approved')::int as approved
    from claims group by 1 order by 1`;
  expect([
    ...(await db.sql`select task_id, waiting, sent_back, rejected, approved from state_counts order by 1`),
  ]).toEqual([...states]);
  const days = await db.sql<{ place: string; days: string[] }[]>`
    select user_id || ' ' || place as place, array_agg(distinct local_day::text) as days
    from claims cross join lateral (values (community_id), (${INSTANCE}::uuid)) p (place) where state = 'approved' group by 1`;
  const runs = await db.sql<{ place: string; run: number; last: string; ends: string }[]>`
    select user_id || ' ' || community_id as place, run, counted_day::text as last, ends_on::text as ends from member_days`;
  expect(runs.map(({ place }) => place).sort()).toEqual(days.map(({ place }) => place).sort());
  for (const { place, run, last, ends } of runs) {
    const own = days.find((one) => one.place === place)?.days ?? [];
    expect([last, run], place).toEqual([[...own].sort().at(-1), streakOf(own, last).days]);
    expect([streakOf(own, ends).days, streakOf(own, dayAt(ends, 1)).days], `${place} ${ends}`).toEqual([run, 0]);
  }
}

test('after any history the counts are those of the claims', async () => {
  await expectRight();
  const counted = await all();
  for (const table of KEPT) expect(counted[table]?.length, table).toBeGreaterThan(5);
  expect(await compare()).toBeNull();
  expect(await all()).toEqual(counted);
});

test('what is dropped with a person waits and counts no more', async () => {
  for (const { id } of claims.filter(() => chance() < 0.3)) await db.sql`delete from claims where id = ${id}`;
  await countQueued(db);
  await expectRight();
});

test('what differs is found, reported and mended', async () => {
  await db.sql`delete from counted_days`;
  await compare();
  const right = await all();
  const [day] = await db.sql<[{ day: string }]>`select day::text from counted_days order by day limit 1`;
  await db.sql`update counted_days set counted_at = '2026-01-01' where day = ${day.day}`;
  await db.sql`update claim_days set made = made + 1 where day = ${day.day}`;
  await db.sql`update active_counts set people = people + 5 where span = 'week' and starts = ${day.day}`;
  await db.sql`update state_counts set waiting = waiting + 1, approved = approved - 1, rejected = rejected + 1
    where task_id = (select task_id from state_counts limit 1)`;
  await db.sql`update member_days set run = run + 1 where (user_id, community_id) = (select user_id, community_id from member_days limit 1)`;
  expect(await compare()).toEqual({ waiting: 1, tasks: 1, days: expect.any(Number), members: 1 });
  expect(await all()).toEqual(right);
});

test('how many were active is forgotten after 400 days, and not counted again', async () => {
  const { sql } = db;
  const starts = async () =>
    (await sql<{ day: string }[]>`select min(starts)::text as day from active_counts`)[0]?.day ?? '';
  const first = await starts();
  const later = new Date(Date.parse(first) + 410 * 86_400_000);
  await sql`delete from counted_days`;
  await compareCounts({ sql, now: () => later, log: { warn() {} } as never }, undefined, WHOLE);
  expect(await starts()).toBe(dayAt(first, 10));
});

test('where nothing is new one statement of a page or two is all', async () => {
  await db.sql`vacuum count_queue, state_queue`;
  const reads = await readsOf(db, (sql) => countQueued({ sql }));
  // The client's own question for types is none of the job's.
  const own = reads.filter(({ query }) => !query.includes('pg_catalog'));
  expect(own.map(({ buffers }) => buffers <= 4)).toEqual([true]);
});
