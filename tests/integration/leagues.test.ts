import { describe, expect, it } from 'vitest';
import { HttpError } from '../../server/base/http-error.ts';
import { adjust } from '../../server/features/awards/adjust.ts';
import { reverseClaim } from '../../server/features/claims/reversal.ts';
import { changeRole, joinCommunity, leaveCommunity } from '../../server/features/communities/membership.ts';
import { readLeague } from '../../server/features/leagues/league.ts';
import { advanceLeagues, checkLeagues } from '../../server/features/leagues/weeks.ts';
import { fc } from '../support/chance.ts';
import { createTestDatabase } from '../support/database.ts';
import { type StagedCommunity, stage } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';

/** Whoever stands in a table of this test hides. */
const DAY_MS = 86_400_000;
/** A Monday. */
const BASE = new Date('2026-03-02T00:00:00Z');
const WEEKS = 4;
const MEMBERS = 70;
const daysOn = (days: number, from = BASE) => new Date(from.getTime() + days * DAY_MS);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const log = { info: () => undefined, error: (...said: unknown[]) => expect(said).toEqual([]) } as never;

const db = await ofFile(createTestDatabase());
const on = stage(db.sql);

const turn = (now: Date) => advanceLeagues({ sql: db.sql, log, now: () => now });
const switchOn = (place: StagedCommunity, since: Date) =>
  db.sql`update communities set leagues_since = ${since} where id = ${place.id}`;
const leagueOf = (
  place: StagedCommunity,
  userId: string,
  now: Date,
  role: 'member' | 'leader' | 'moderator' = 'member',
) => db.sql.begin((tx) => readLeague(tx, { communityId: place.id, userId, role, now }));

type StoredRow = {
  userId: string;
  division: number;
  newcomer: boolean;
  group: number;
  outcome: string | null;
  rank: number | null;
  points: number | null;
};
const placesOf = (place: StagedCommunity, week: string): Promise<StoredRow[]> =>
  db.sql<StoredRow[]>`
    select user_id as "userId", division, newcomer, group_no as "group", outcome, rank, points from league_places
    where community_id = ${place.id} and week = ${week}::date order by user_id`;

/** The rules said once more, as plainly as they go, from the raw lines. */
const oracle = {
  monday(at: Date): Date {
    let day = new Date(dayOf(at));
    while (day.getUTCDay() !== 1) day = daysOn(-1, day);
    return day;
  },
  async points(place: StagedCommunity, monday: Date) {
    const lines = await db.sql<
      { user: string; kind: string; points: number; at: Date; claim: string | null; acted: Date | null }[]
    >`
      select e.user_id as user, e.kind, e.points, e.at, e.claim_id as claim, c.acted_at as acted
      from point_events e left join claims c on c.id = e.claim_id where e.community_id = ${place.id}`;
    const sums = new Map<string, { points: number; reached: number }>();
    for (const line of lines) {
      const base =
        line.kind === 'reverse' ? lines.find((one) => one.kind === 'award' && one.claim === line.claim) : line;
      if (!base || line.at >= daysOn(9, monday)) continue;
      const own = oracle.monday(base.kind === 'award' && base.acted ? base.acted : base.at);
      const counted = base.at < daysOn(9, own) ? own : oracle.monday(base.at);
      if (counted.getTime() !== monday.getTime()) continue;
      const sum = sums.get(line.user) ?? { points: 0, reached: 0 };
      // A line of no points reaches nothing.
      const reached = line.points === 0 ? sum.reached : Math.max(sum.reached, line.at.getTime());
      sums.set(line.user, { points: sum.points + line.points, reached });
    }
    return sums;
  },
  sorted(people: readonly string[], sums: Map<string, { points: number; reached: number }>) {
    const key = (id: string) => {
      const { points = 0, reached = 0 } = sums.get(id) ?? {};
      return [points, reached, id] as const;
    };
    return [...people].sort((a, b) => {
      const [one, other] = [key(a), key(b)];
      return other[0] - one[0] || one[1] - other[1] || (one[2] < other[2] ? -1 : 1);
    });
  },
  groups(people: { id: string; level: number }[], sums: Map<string, { points: number; reached: number }>) {
    const pools: string[][] = [];
    let waiting: string[] = [];
    for (const level of [5, 4, 3, 2, 1, 0]) {
      const here = people.filter((one) => one.level === level).map(({ id }) => id);
      waiting.push(...oracle.sorted(here, sums));
      if (waiting.length >= 15) {
        pools.push(waiting);
        waiting = [];
      }
    }
    if (waiting.length > 0) {
      if (pools.length > 0) pools.at(-1)?.push(...waiting);
      else pools.push(waiting);
    }
    return pools.flatMap((pool) => {
      const parts = Math.round(pool.length / 30) || 1;
      return Array.from({ length: parts }, (_, part) =>
        pool.filter(
          (__, at) =>
            Math.floor((part * pool.length) / parts) <= at && at < Math.floor(((part + 1) * pool.length) / parts),
        ),
      );
    });
  },
};

type Act = { day: number } & (
  | { do: 'claim'; who: number; task: number; late: number; decidedAfter: number }
  | { do: 'reverse'; pick: number }
  | { do: 'adjust'; who: number; points: number }
  | { do: 'join' }
  | { do: 'leave' | 'return' | 'lead' | 'follow' | 'suspend' | 'readmit' | 'hide' | 'show'; who: number }
);
const who = fc.nat(MEMBERS - 1);
const act = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      who,
      task: fc.nat(3),
      late: fc.double({ min: 0, max: 1.99, noNaN: true }),
      decidedAfter: fc.double({ min: 0, max: 6, noNaN: true }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reverse' as const), pick: fc.nat(50) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('adjust' as const), who, points: fc.integer({ min: -20, max: 30 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('join' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('leave', 'return', 'lead', 'follow', 'suspend', 'readmit', 'hide', 'show'),
      who,
    }),
  },
);
/** Days since the first Monday; after the last week its grace runs on. */
const acts = fc
  .array(fc.tuple(act, fc.double({ min: 0, max: WEEKS * 7 + 2, noNaN: true })), { minLength: 320, maxLength: 320 })
  .map((drawn) => drawn.map(([one, day]) => ({ ...one, day }) as Act));

async function play(
  place: StagedCommunity,
  members: string[],
  tasks: string[],
  one: Act,
  now: Date,
  later: (at: Date, run: () => Promise<unknown>) => void,
) {
  const { sql } = db;
  const base = { communityId: place.id, now };
  if (one.do === 'claim') {
    const taskId = tasks[one.task % tasks.length] ?? '';
    const actedAt = daysOn(-one.late, now).toISOString();
    const text = one.task === 3 ? { text: `words ${one.day}` } : {};
    const claim = await on.claim(place, taskId, members[one.who] ?? '', { now, actedAt, ...text });
    if (one.task === 3) {
      const at = daysOn(one.decidedAfter, now);
      later(at, () => on.approve(place, claim.id, place.moderator, at));
    }
    return;
  }
  if (one.do === 'reverse') {
    const rows = await sql<{ id: string }[]>`
      select id from claims where community_id = ${place.id} and state = 'approved' order by submitted_at desc, id limit 50`;
    const claimId = rows[one.pick % Math.max(1, rows.length)]?.id ?? crypto.randomUUID();
    return sql.begin((tx) => reverseClaim(tx, { ...base, claimId, leaderId: place.leader }, { reason: 'Not so' }));
  }
  if (one.do === 'join') {
    const userId = await on.person();
    await sql.begin((tx) => joinCommunity(tx, { ...base, userId }));
    members.push(userId);
    return;
  }
  const userId = members[one.who] ?? '';
  if (one.do === 'adjust')
    return sql.begin((tx) =>
      adjust(tx, { ...base, leaderId: place.leader }, { userId, points: one.points, reason: 'By hand' }),
    );
  if (one.do === 'hide') return sql`update users set hidden_at = now() where id = ${userId}`;
  if (one.do === 'show') return sql`update users set hidden_at = null where id = ${userId}`;
  if (one.do === 'suspend' || one.do === 'readmit')
    return sql`update users set suspended_at = ${one.do === 'suspend' ? now : null} where id = ${userId}`;
  if (one.do === 'leave') return sql.begin((tx) => leaveCommunity(tx, { ...base, userId }));
  if (one.do === 'return') return sql.begin((tx) => joinCommunity(tx, { ...base, userId }));
  return sql.begin((tx) =>
    changeRole(tx, { ...base, userId, leaderId: place.leader }, one.do === 'lead' ? 'leader' : 'member'),
  );
}

describe('whatever happens in a community for some weeks', () => {
  it('its groups, rises and falls are those of an independent count, and can be made again from the ledger', {
    timeout: 300_000,
  }, async () => {
    const [played = []] = fc.sample(acts, 1);
    const place = await on.community();
    const members = await Promise.all(Array.from({ length: MEMBERS }, () => on.member(place.id)));
    const tasks = await Promise.all([
      on.task(place, { points: 5, recurrence: 'daily' }),
      on.task(place, { points: 5, recurrence: 'daily' }),
      on.task(place, { points: 40, recurrence: 'weekly' }),
      on.task(place, { kind: 'submit_text', points: 25, recurrence: 'daily' }),
    ]);
    await switchOn(place, daysOn(2.5));

    const due: { at: Date; run: () => Promise<unknown> }[] = [];
    const later = (at: Date, run: () => Promise<unknown>) => due.push({ at, run });
    // Each of these at least once, whatever was drawn.
    const sure: Act[] = [
      { do: 'leave', who: 0, day: 8 },
      { do: 'hide', who: 1, day: 8 },
      { do: 'join', day: 4 },
    ];
    for (const one of [...played, ...sure]) {
      const at = daysOn(one.day);
      later(at, () => play(place, members, tasks, one, at, later));
    }
    /** Who may take part, as somebody looked it up just before the groups were made. */
    const present = new Map<string, Map<string, Date>>();
    for (let week = 0; week <= WEEKS; week += 1) {
      const at = daysOn(week * 7 + 2 + 6 / 1_440);
      later(at, async () => {
        const rows = await db.sql<{ id: string; joined: Date }[]>`
          select m.user_id as id, m.joined_at as joined from community_members m join users u on u.id = m.user_id
          where m.community_id = ${place.id} and m.role <> 'leader' and u.suspended_at is null
            and m.user_id not in (select id from users where hidden_at is not null)`;
        present.set(dayOf(daysOn(week * 7)), new Map(rows.map(({ id, joined }) => [id, joined])));
        await turn(at);
        // Nobody makes them twice.
        await turn(at);
      });
    }
    let done = 0;
    let refused = 0;
    while (due.length > 0) {
      due.sort((a, b) => a.at.getTime() - b.at.getTime());
      try {
        await due.shift()?.run();
        done += 1;
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        refused += 1;
      }
    }
    expect(done, `${refused} refused`).toBeGreaterThan(200);

    const divisions = new Map<string, number>();
    const seen = { rise: 0, fall: 0, apart: 0, newcomer: 0, groups: 0 };
    // Switched on in the middle of the first week, after its groups would have been made: they were made at once.
    for (let week = 0; week < WEEKS; week += 1) {
      const monday = daysOn(week * 7);
      const kept = await placesOf(place, dayOf(monday));
      const [before, sums] = [await oracle.points(place, daysOn(-7, monday)), await oracle.points(place, monday)];
      const joined = present.get(dayOf(monday)) ?? new Map<string, Date>();
      const isNew = (id: string) => !divisions.has(id) && (joined.get(id) ?? BASE) >= daysOn(-7, monday);
      const people = [...joined.keys()].map((id) => ({ id, level: isNew(id) ? 0 : (divisions.get(id) ?? 1) }));
      const groups = oracle.groups(people, before);
      seen.groups = Math.max(seen.groups, groups.length);
      const settled = present.get(dayOf(daysOn(7, monday)));
      const expected = groups.flatMap((group, at) => {
        const there = oracle.sorted(
          group.filter((id) => settled?.has(id)),
          new Map([...sums].map(([id, sum]) => [id, { ...sum, points: Math.max(0, sum.points) }])),
        );
        const moves = there.length < 3 ? 0 : Math.max(1, Math.floor(there.length / 5));
        return group.map((userId) => {
          const newcomer = isNew(userId);
          const division = newcomer ? 1 : (divisions.get(userId) ?? 1);
          const row = { userId, division, newcomer, group: at + 1 };
          const place_ = there.indexOf(userId);
          if (place_ < 0) return { ...row, outcome: 'apart', rank: null, points: null };
          const points = Math.max(0, sums.get(userId)?.points ?? 0);
          const better = there.filter((id) => (sums.get(id)?.points ?? 0) > points).length;
          const up = points > 0 && place_ < moves;
          const down = !up && moves > 0 && (points === 0 || place_ >= there.length - moves);
          const outcome = up && division < 5 ? 'rise' : down && division > 1 ? 'fall' : 'stay';
          return { ...row, outcome, rank: points > 0 ? better + 1 : null, points: points > 0 ? points : null };
        });
      });
      for (const one of expected) {
        divisions.set(one.userId, one.division + { rise: 1, fall: -1 }[one.outcome as 'rise' | 'fall'] || one.division);
        if (one.outcome in seen) seen[one.outcome as 'rise'] += 1;
        if (one.newcomer) seen.newcomer += 1;
      }
      const inOrder = expected.sort((a, b) => (a.userId < b.userId ? -1 : 1));
      expect(
        kept.map((row) => ({ ...row })),
        `week ${week}`,
      ).toEqual(inOrder);
    }
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
    expect(await checkLeagues(db.sql, place.id)).toEqual([]);

    // What comes after the grace moves nothing that is settled.
    const last = dayOf(daysOn((WEEKS - 1) * 7));
    const settled = await placesOf(place, last);
    const [first] = settled;
    await db.sql`
      update community_members set role = 'member' where community_id = ${place.id} and user_id = ${first?.userId ?? ''}`;
    const now = daysOn(WEEKS * 7 + 3);
    await db.sql.begin((tx) =>
      adjust(
        tx,
        { communityId: place.id, leaderId: place.leader, now },
        { userId: first?.userId ?? '', points: 500, reason: 'Late' },
      ),
    );
    await turn(now);
    expect(await placesOf(place, last)).toEqual(settled);
    expect(await checkLeagues(db.sql, place.id)).toEqual([]);
    // And whoever meddles with it is seen.
    await db.sql`
      update league_places set outcome = case outcome when 'rise' then 'fall' else 'rise' end
      where community_id = ${place.id} and week = ${last}::date and user_id = ${settled.find((one) => one.outcome !== 'apart')?.userId ?? ''}`;
    expect(await checkLeagues(db.sql, place.id)).not.toEqual([]);
  });
});

describe('a member’s league', () => {
  it('says what it is at each time of a week, to each of those who look', async () => {
    const place = await on.community();
    const [mira, tomas, ilse] = [
      await on.member(place.id, 'Mira'),
      await on.member(place.id, 'Tomás'),
      await on.member(place.id),
    ];
    expect((await leagueOf(place, mira, daysOn(1))).state).toBe('off');
    await switchOn(place, daysOn(0.5));
    await turn(daysOn(1));
    expect(await leagueOf(place, mira, daysOn(1))).toMatchObject({
      state: 'waiting',
      startsAt: daysOn(2).toISOString(),
      group: null,
    });
    await turn(daysOn(2 + 6 / 1_440));
    const task = await on.task(place, { points: 5, recurrence: 'daily' });
    await on.claim(place, task, mira, { now: daysOn(3), actedAt: daysOn(3).toISOString() });
    await on.claim(place, task, tomas, { now: daysOn(4), actedAt: daysOn(4).toISOString() });
    const running = await leagueOf(place, tomas, daysOn(5));
    expect(running).toMatchObject({ state: 'playing', asOf: daysOn(5).toISOString(), last: null });
    expect(running.group).toMatchObject({
      week: dayOf(BASE),
      endsAt: daysOn(7).toISOString(),
      settlesAt: daysOn(9).toISOString(),
      division: 1,
      members: 4,
      moves: 1,
      idle: 2,
      move: 'stay',
      next: null,
    });
    expect(running.group?.rows.map(({ displayName, rank, me, move }) => [displayName, rank, me, move])).toEqual([
      ['Mira', 1, false, 'rise'],
      ['Tomás', 1, true, 'stay'],
    ]);
    // Done on Sunday, received on Tuesday: it counts in the week in which it was done.
    await on.claim(place, task, tomas, { now: daysOn(8), actedAt: daysOn(6.9).toISOString() });
    const grace = await leagueOf(place, tomas, daysOn(8));
    expect(grace.group).toMatchObject({ week: dayOf(BASE), move: 'rise', next: 0 });
    await db.sql`update users set hidden_at = now() where id = ${ilse}`;
    expect(await leagueOf(place, ilse, daysOn(8))).toMatchObject({ state: 'hidden', group: null });
    expect(await leagueOf(place, place.leader, daysOn(8), 'leader')).toMatchObject({ state: 'leader', group: null });
    await turn(daysOn(9 + 6 / 1_440));
    expect(await leagueOf(place, tomas, daysOn(9.5))).toMatchObject({
      group: { week: dayOf(daysOn(7)), division: 2, rows: [] },
      last: { week: dayOf(BASE), move: 'rise', division: 2, rank: 1, of: 3 },
    });
    await db.sql`update communities set board_state = 'hidden' where id = ${place.id}`;
    expect(await leagueOf(place, mira, daysOn(9.5))).toMatchObject({ state: 'closed', group: null });
    await db.sql`update communities set board_state = 'open', leagues_since = null where id = ${place.id}`;
    expect(await leagueOf(place, mira, daysOn(9.5))).toMatchObject({ state: 'off', group: null });
  });

  it('of two processes that make the groups at once, one does', async () => {
    const place = await on.community();
    await Promise.all(Array.from({ length: 20 }, () => on.member(place.id)));
    await switchOn(place, daysOn(2.5));
    const quiet = { info: () => undefined, error: () => undefined } as never;
    const now = daysOn(3);
    await Promise.all([1, 2, 3].map(() => advanceLeagues({ sql: db.sql, log: quiet, now: () => now })));
    expect(await placesOf(place, dayOf(BASE))).toHaveLength(21);
    expect(await checkLeagues(db.sql, place.id)).toEqual([]);
  });
});
