import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDrift } from '../../server/features/ledger/drift.ts';
import { countForInstance } from '../../server/features/ledger/instance.ts';
import { createSeason, freezeSeason, startSeason } from '../../server/features/seasons/seasons.ts';
import { buildServer } from '../support/built-server.ts';
import { fc, runs } from '../support/chance.ts';
import { createTestDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';
import type { Play, Step } from '../support/points-player.ts';
import { startProcess } from '../support/storage-processes.ts';

const [PROCESSES, MEMBERS, STEPS] = [3, 6, 60];
const PLACES = runs(6, 12);
/** Two hours before a day, and a month, ends. */
const BASE = new Date('2026-11-30T22:00:00Z');
const END_MINUTE = 150;
const GRACE_HOURS = 1;

const [db, built] = await Promise.all([
  ofFile(createTestDatabase()),
  ofFile(buildServer({ player: 'tests/support/points-player.ts' })),
]);

const member = fc.nat(MEMBERS - 1);
const weighted = (weight: number, arbitrary: fc.Arbitrary<Omit<Step, 'minute'>>) => ({ weight, arbitrary });
const act = fc.oneof(
  weighted(12, fc.record({ do: fc.constant('claim' as const), member, task: fc.nat(5), late: fc.nat(120) })),
  weighted(6, fc.record({ do: fc.constant('decide' as const), pick: fc.nat(9), approve: fc.boolean() })),
  weighted(3, fc.record({ do: fc.constant('reverse' as const), pick: fc.nat(9) })),
  weighted(2, fc.record({ do: fc.constant('adjust' as const), member, points: fc.integer({ min: -40, max: 90_000 }) })),
  weighted(2, fc.record({ do: fc.constantFrom('join' as const, 'leave' as const), member })),
  weighted(1, fc.record({ do: fc.constantFrom('lead' as const, 'follow' as const), member })),
  weighted(1, fc.record({ do: fc.constantFrom('suspend' as const, 'readmit' as const), member })),
  weighted(1, fc.record({ do: fc.constantFrom('end' as const, 'freeze' as const) })),
);
/** Clocks run on with the steps, but never quite alike. */
const steps = fc
  .array(fc.tuple(act, fc.nat(20)), { minLength: STEPS, maxLength: STEPS })
  .map((drawn) => drawn.map(([one, off], index) => ({ ...one, minute: 1 + index * 5 + off }) as Step));

async function preparePlace(on: ReturnType<typeof stage>, played: Step[]): Promise<Play> {
  const place = await on.community();
  const members = await Promise.all(Array.from({ length: MEMBERS }, () => on.member(place.id)));
  const kinds = [
    { points: 5, recurrence: 'daily' },
    { points: 40, recurrence: 'once' },
    { points: 0, recurrence: 'once' },
    { points: 5_000, recurrence: 'once', kind: 'submit_text' },
    { points: 10, recurrence: 'daily', kind: 'submit_text' },
  ] as const;
  const tasks = await Promise.all(
    kinds.map(async (wanted) => ({ id: await on.task(place, wanted), isText: 'kind' in wanted })),
  );
  const editor = { communityId: place.id, userId: place.leader, now: BASE };
  const season = await db.sql.begin(async (tx) => {
    const { id } = await createSeason(tx, editor, {
      name: 'Autumn',
      rules: '',
      startsAt: null,
      endsAt: new Date(BASE.getTime() + END_MINUTE * 60_000).toISOString(),
      graceHours: GRACE_HOURS,
      taskIds: [],
    });
    return startSeason(tx, { ...editor, seasonId: id });
  });
  const { id: communityId, leader, moderator } = place;
  return {
    base: BASE.toISOString(),
    communityId,
    seasonId: season.id,
    leader,
    moderator,
    members,
    tasks,
    steps: played,
  };
}

/** Ranks as the plainest SQL gives them, from the ledger, the memberships and the suspensions alone. */
const oracle = (communityId: string, seasonId: string | null = null) => db.sql`
  select user_id, rank() over (order by points desc)::int as rank, points from (
    select e.user_id, sum(e.points)::int as points from point_events e
    join community_members m on m.community_id = e.community_id and m.user_id = e.user_id and m.role <> 'leader'
    join users u on u.id = e.user_id and u.suspended_at is null
    where e.community_id = ${communityId} and (${seasonId}::uuid is null or e.season_id = ${seasonId}::uuid)
    group by e.user_id
  ) totals where points > 0 order by user_id`;

const kept = (communityId: string, period: string) => db.sql`
  select user_id, p.rank, points from standings s cross join lateral board_rank(s.community_id, 'all', '1970-01-01', points) p
  where community_id = ${communityId} and period = ${period} and competes and points > 0 order by user_id`;

const results = async (seasonId: string): Promise<string> => {
  const rows =
    await db.sql`select to_jsonb(r) as row from season_results r where season_id = ${seasonId} order by user_id`;
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
};

describe('whatever three processes do at once, late arrivals, reversals and ends of seasons included', () => {
  it('each award is there once, boards are the ledger’s sums and ranks, and frozen seasons stay', {
    timeout: 300_000,
  }, async () => {
    const on = stage(db.sql);
    const drawn = fc.sample(steps, PLACES);
    const plays = await Promise.all(drawn.map((played) => preparePlace(on, played)));
    const players = Array.from({ length: PROCESSES }, (_, index) => {
      const mine = plays.map((play) => ({ ...play, steps: play.steps.filter((__, at) => at % PROCESSES === index) }));
      return startProcess(join(built.directory, 'player.js'), {
        env: { DATABASE_URL: db.url },
        args: [JSON.stringify(mine)],
      });
    });
    const lines = await Promise.all(players.map((player) => player.line('done')));
    expect(lines.flatMap((line) => line['failures'])).toEqual([]);
    const total = (what: string) =>
      lines.reduce((sum, line) => sum + ((line['done'] as Record<string, number>)[what] ?? 0), 0);
    for (const what of ['claim', 'decide', 'reverse', 'adjust', 'leave']) expect(total(what), what).toBeGreaterThan(0);

    const early = lines.flatMap((line) => line['frozen'] as { seasonId: string; digest: string }[]);
    const late = new Date(BASE.getTime() + 24 * 60 * 60_000);
    for (const { communityId, seasonId } of plays) {
      const byOracle = (await oracle(communityId, seasonId)).map((row) => ({ ...row }));
      if (await db.sql.begin((tx) => freezeSeason(tx, { communityId, seasonId }, late))) {
        const copied =
          await db.sql`select user_id, rank, points from season_results where season_id = ${seasonId} order by user_id`;
        expect(copied.map((row) => ({ ...row }))).toEqual(byOracle);
        early.push({ seasonId, digest: await results(seasonId) });
      }
    }
    expect(new Set(early.map((one) => one.seasonId)).size).toBe(PLACES);
    // What arrives too late, from within the season, and who comes and goes, moves other boards only.
    const arrivals = plays.map(async (play) => {
      const place = { id: play.communityId, slug: '', leader: play.leader, moderator: play.moderator };
      const guest = await on.member(play.communityId);
      const actedAt = new Date(BASE.getTime() + 60_000).toISOString();
      await on.claim(place, play.tasks[0]?.id ?? '', guest, { now: late, actedAt });
      await db.sql`delete from community_members where community_id = ${play.communityId} and user_id = ${play.members[0] ?? ''}`;
    });
    await Promise.all(arrivals);
    for (const { seasonId, digest } of early) expect(await results(seasonId)).toBe(digest);

    for (const { communityId } of plays)
      expect((await kept(communityId, 'all')).map((row) => ({ ...row }))).toEqual(
        (await oracle(communityId)).map((row) => ({ ...row })),
      );
    expect(await readDrift(db.sql)).toEqual([]);
    await countForInstance({ sql: db.sql });
    expect(await readDrift(db.sql)).toEqual([]);
    const twice = await db.sql`
      select community_id, user_id, task_id, period from point_events where kind = 'award' group by 1, 2, 3, 4 having count(*) > 1
      union all select community_id, user_id, claim_id, '' from point_events where kind <> 'adjust'
        group by 1, 2, 3, kind having count(*) > 1`;
    expect(twice).toEqual([]);
    // An approved claim has its award, a reversed one its reversal too, and no other claim has either.
    const astray = await db.sql`
      select c.id, c.state from claims c
      where exists (select from point_events e where e.claim_id = c.id and e.kind = 'award') <> (c.state in ('approved', 'reversed'))
        or exists (select from point_events e where e.claim_id = c.id and e.kind = 'reverse') <> (c.state = 'reversed')`;
    expect(astray).toEqual([]);
  });
});
