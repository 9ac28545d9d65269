import { expect, it } from 'vitest';
import { LEAGUE_GROUP, REVIEW_PAGE } from '../../server/contract/limits.ts';
import { readQueue } from '../../server/features/claims/review.ts';
import { readLeague } from '../../server/features/leagues/league.ts';
import { advanceLeagues } from '../../server/features/leagues/weeks.ts';
import { listWebhooks } from '../../server/features/webhooks/webhooks.ts';
import { connectTo } from '../../server/storage/connect.ts';
import { readsOf } from '../support/buffers.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const CLAIMS = 30_000;
const APPEALS = 60;
/** Most pages of a database that a screen may read. */
const SCREEN = 2_000;

const db = await ofFile(createTestDatabase());
const place = await stage(db.sql).community();
const task = await stage(db.sql).task(place);
// One of many tasks: with one alone the planner may skip over an index's first column.
const tasks = [task];
while (tasks.length < 50) tasks.push(await stage(db.sql).task(place));
await db.sql`
  insert into users (telegram_user_id, display_name) select 8000000 + n, 'Person ' || n from generate_series(1, 200) n`;
// Several of one second, so that the id settles their order; one in ten was rejected, and some of those appealed.
await db.sql`
  insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day, submitted_at,
    decided_at, appeal_text, appeal_at, appeal_outcome)
  select ${place.id}, (${tasks}::uuid[])[1 + n % ${tasks.length}::int], u.id, 'p' || n, case when n % 10 = 0 then 'rejected' else 'approved' end, 5, at, at::date, at, at,
    case when is_open then 'Look again' end, case when is_open then ${NOW}::timestamptz - make_interval(secs => n % 7) end,
    case when is_open then 'open' end
  from generate_series(1, ${CLAIMS}) n join users u on u.telegram_user_id = 8000001 + n % 200
  cross join lateral (select ${NOW}::timestamptz - make_interval(days => 200) + make_interval(secs => n / 3) as at,
    n % 10 = 0 and n <= ${APPEALS * 10} as is_open) t`;
await db.sql`
  insert into webhooks (community_id, url, events, secret, created_by)
  select ${place.id}, 'https://example.org/' || n, '{}', 'x', ${place.leader} from generate_series(1, 5) n`;
await db.sql`
  insert into webhook_deliveries (webhook_id, event, body, state, created_at, last_try_at, status)
  select w.id, 'claim.decided', '{}', 'delivered', at, at, 200 from webhooks w cross join generate_series(1, 3000) n
  cross join lateral (select ${NOW}::timestamptz - make_interval(mins => n) as at) t`;
await db.sql`analyze`;

/** Plans of all that `read` sends, as they were carried out. */
async function plansOf(read: (sql: TestDatabase['sql']) => Promise<unknown>): Promise<string[]> {
  const sent: { query: string; parameters: unknown[] }[] = [];
  const watched = connectTo(db.url, { max: 1, debug: (_, query, parameters) => sent.push({ query, parameters }) });
  try {
    await read(watched);
  } finally {
    await watched.end();
  }
  const plans: string[] = [];
  for (const { query, parameters } of sent.filter((one) => /from (claims|webhooks|league_places)/.test(one.query))) {
    const rows = await db.sql.unsafe(`explain (analyze, costs off, timing off) ${query}`, parameters as never[]);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  expect(plans.length).toBeGreaterThan(0);
  return plans;
}

/** Most rows that any step gave or threw away, on each of its rounds. */
const most = (plan: string): number =>
  Math.max(...[...plan.matchAll(/(?:rows=|Removed by Filter: )([\d.]+)/g)].map((match) => Number(match[1])));

const asked = (state: 'approved' | 'rejected' | 'changes_requested', after?: string) => ({
  communityId: place.id,
  reviewerId: place.moderator,
  now: NOW,
  state,
  after,
});

it.each(['approved', 'rejected', 'changes_requested'] as const)(
  'a page of all that were %s reads a page',
  async (state) => {
    const { next } = await readQueue(db.sql, asked(state));
    for (const after of [undefined, ...(next === null ? [] : [next])]) {
      for (const plan of await plansOf((sql) => readQueue(sql, asked(state, after)))) {
        expect(plan).not.toMatch(/Seq Scan on claims/);
        // What a member did before is counted for each that is shown.
        expect(most(plan), plan).toBeLessThanOrEqual(1_000);
      }
    }
  },
);

it('its pages hold each claim once, open appeals first, then the oldest', async () => {
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await readQueue(db.sql, asked('rejected', after));
    expect(items.length).toBeLessThanOrEqual(REVIEW_PAGE);
    seen.push(...items.map(({ claim }) => claim.id));
    after = next ?? undefined;
  } while (after !== undefined);
  const rows = await db.sql<{ id: string }[]>`
    select id from claims where community_id = ${place.id} and state = 'rejected'
    order by appeal_outcome is null, coalesce(appeal_at, submitted_at), id`;
  expect(seen).toEqual(rows.map(({ id }) => id));
});

it.each([
  'b.20260230000000000000.00000000-0000-4000-8000-000000000000',
  'b.00000101000000000000.00000000-0000-4000-8000-000000000000',
  'b.20260101250000000000.00000000-0000-4000-8000-000000000000',
  'a.20260101000000000000.------------------------------------',
])('%s is no place in it', async (after) => {
  await expect(readQueue(db.sql, asked('rejected', after))).rejects.toMatchObject({ reason: 'INVALID_INPUT' });
});

it('the list of webhooks reads the last try of each, not their logs', async () => {
  for (const plan of await plansOf((sql) => listWebhooks(sql, place.id))) {
    expect(plan).not.toMatch(/Seq Scan on webhook_deliveries|Sort Key: webhook_deliveries/);
    expect(most(plan), plan).toBeLessThanOrEqual(10);
  }
});

it('a group of a league reads its own places, right after it was made', async () => {
  const { id } = place;
  await db.sql`
    with people as (
      insert into users (telegram_user_id, display_name) select 9000000 + n, 'Player ' || n from generate_series(1, 3000) n
      returning id
    )
    insert into community_members (community_id, user_id) select ${id}, id from people`;
  await db.sql`update communities set leagues_since = '2026-11-01' where id = ${id}`;
  await db.sql`analyze`;
  const log = { error: (...said: unknown[]) => expect(said).toEqual([]) } as never;
  for (const now of [new Date('2026-11-14T12:00:00Z'), NOW]) await advanceLeagues({ sql: db.sql, log, now: () => now });
  const [one] = await db.sql<[{ userId: string }]>`
    select user_id as "userId" from league_places where community_id = ${id} and week = '2026-11-16' limit 1`;
  const asked = { communityId: id, userId: one.userId, role: 'member', now: NOW } as const;
  const plans = await plansOf((sql) => sql.begin((tx) => readLeague(tx, asked)));
  const steps = plans.flatMap((plan) => plan.split('->')).filter((step) => step.includes(' on league_places'));
  expect(steps.length).toBeGreaterThan(1);
  for (const step of steps) expect(most(step), step).toBeLessThanOrEqual(LEAGUE_GROUP);
});

it('a page of a long queue reads a page, whole, in its middle, of one kind, and of one task', async () => {
  const LONG = 20_000;
  const other = await stage(db.sql).task(place);
  await db.sql`
    insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day, submitted_at)
    select ${place.id}, ${other}, u.id, 'w' || n, 'submitted', 5, at, at::date, at
    from generate_series(1, ${LONG}) n join users u on u.telegram_user_id = 8000001 + n % 200
    cross join lateral (select ${NOW}::timestamptz - make_interval(secs => n)  as at) t`;
  await db.sql`vacuum analyze claims`;
  const queue = { communityId: place.id, reviewerId: place.moderator, now: NOW };
  const seen = new Set<string>();
  let after: string | undefined;
  for (let page = 0; page < 3; page += 1) {
    const { items, next } = await readQueue(db.sql, { ...queue, after });
    for (const { claim } of items) seen.add(claim.id);
    after = next ?? undefined;
  }
  expect(seen.size).toBe(3 * REVIEW_PAGE);
  const first = await db.sql<{ id: string }[]>`
    select id from claims where community_id = ${place.id} and (appeal_outcome = 'open' or state in ('submitted', 'checking'))
    order by appeal_outcome is null, coalesce(appeal_at, submitted_at), id limit ${seen.size}`;
  expect([...seen]).toEqual(first.map(({ id }) => id));
  for (const scope of [
    queue,
    { ...queue, after },
    { ...queue, kind: 'check_in' as const },
    { ...queue, taskId: other },
  ])
    for (const { query, buffers } of await readsOf(db, (sql) => readQueue(sql, scope)))
      expect(buffers, query).toBeLessThan(SCREEN);
});
