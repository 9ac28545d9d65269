import { beforeEach, describe, expect, it, vi } from 'vitest';
import { recordPoints } from '../../server/features/awards/record.ts';
import { reverseClaim } from '../../server/features/claims/reversal.ts';
import { readDrift } from '../../server/features/ledger/drift.ts';
import { countForInstance } from '../../server/features/ledger/instance.ts';
import { lockCommunities } from '../../server/features/ledger/lock.ts';
import { INSTANCE, type PointEvent } from '../../server/features/ledger/record.ts';
import { fc, runs } from '../support/chance.ts';
import { createTestDatabase } from '../support/database.ts';
import { type StagedCommunity, stage } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

let place: StagedCommunity;
const db = await ofFile(createTestDatabase());
const on = stage(db.sql);

beforeEach(async () => {
  place = await on.community();
});

const write = (events: PointEvent[], now = NOW) => db.sql.begin((tx) => recordPoints(tx, now, events));
const adjust = (userId: string, points: number): PointEvent => ({
  communityId: place.id,
  userId,
  kind: 'adjust',
  points,
  reason: 'test',
  actorId: place.leader,
});

/** What was earned, not given by hand: it counts on the instance's boards, too. */
const earn = (userId: string, points: number): PointEvent => ({ ...adjust(userId, points), kind: 'award' });

/** Resolves once somebody waits for another transaction's end. */
const someoneWaits = () =>
  vi.waitFor(async () => {
    const waiting = await db.sql`
      select from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where not l.granted and a.datname = current_database()`;
    expect(waiting.length).toBeGreaterThan(0);
  });

const standing = async (communityId: string, period: string, userId: string): Promise<number | null> => {
  if (communityId === INSTANCE) await countForInstance({ sql: db.sql });
  const [row] = await db.sql<{ points: number }[]>`
    select points from standings where community_id = ${communityId} and period = ${period} and user_id = ${userId}`;
  return row?.points ?? null;
};

describe('the ledger', () => {
  it('takes no line of somebody or of a place that is not there, alone or among others', async () => {
    const member = await on.member(place.id);
    const nobody = '11111111-2222-4333-8444-555555555555';
    const line = (communityId: string, userId: string) => db.sql`
      insert into point_events (community_id, user_id, kind, points)
      select ${communityId}, id, 'adjust', 1 from unnest(${[member, userId]}::uuid[]) id`;
    for (const wrong of [line(place.id, nobody), line(nobody, member)])
      await expect(wrong).rejects.toMatchObject({ code: '23503' });
    await expect(write([adjust(member, 5), adjust(nobody, 5)])).rejects.toThrow();
    expect(await db.sql`select from point_events where user_id = ${member}`).toHaveLength(0);
  });

  it('gives the badge of a level when points reach it, in one step or in a mixture of them', async () => {
    const [slow, fast] = [await on.member(place.id), await on.member(place.id)];
    const held = async (userId: string) =>
      (await db.sql`select code from badges where user_id = ${userId} order by code`).map((row) => row['code']);
    await write([adjust(slow, 1_149)]);
    await write([adjust(slow, 10), adjust(slow, -10)]);
    expect(await held(slow)).toEqual([]);
    await write([adjust(slow, -20), adjust(slow, 21)]);
    expect(await held(slow)).toEqual(['level_five']);
    await write([adjust(slow, 3_500), adjust(slow, 25)]);
    await write([adjust(fast, 6_000)]);
    for (const member of [slow, fast]) expect(await held(member)).toEqual(['level_five', 'level_ten']);
  });

  it('gives no badge for what was taken back', async () => {
    const [honest, other] = [await on.member(place.id), await on.member(place.id)];
    const kinds = ['check_in', 'visit_link', 'submit_text', 'submit_url', 'poll'] as const;
    const counted = async (userId: string, kind: (typeof kinds)[number], isKept: boolean) => {
      const task = await on.task(place, { kind: 'check_in' });
      const claim = await on.claim(place, task, userId, { now: NOW });
      // Of which kind it is, is all that the badge asks.
      await db.sql`update tasks set kind = ${kind} where id = ${task}`;
      const asked = { communityId: place.id, claimId: claim.id, leaderId: place.leader, now: NOW };
      if (!isKept) await db.sql.begin((tx) => reverseClaim(tx, asked, { reason: 'Not theirs' }));
    };
    for (let round = 0; round < 2; round += 1)
      for (const [index, kind] of kinds.entries()) {
        await counted(honest, kind, true);
        await counted(other, kind, round === 1 && index > 1);
      }
    const held = async (userId: string) =>
      (await db.sql`select code from badges where user_id = ${userId} order by code`).map((row) => row['code']);
    expect(await held(honest)).toEqual(['all_rounder', 'first_step', 'ten_done']);
    expect(await held(other)).toEqual(['first_step']);
  });

  it('gives the badges of a streak for days in a row, each to whom they belong', async () => {
    const [steady, often] = [await on.member(place.id), await on.member(place.id)];
    const streaks = async (userId: string) =>
      (await db.sql`select code from badges where user_id = ${userId} and community_id is null order by code`).map(
        (row) => row['code'],
      );
    const [daily, other] = [
      await on.task(place, { recurrence: 'daily' }),
      await on.task(place, { recurrence: 'daily' }),
    ];
    const play = async (day: number) => {
      const now = new Date(Date.UTC(2026, 9, day, 12));
      await on.claim(place, daily, steady, { now });
      // As many claims, on every third day two of them.
      for (const task of day % 3 === 0 ? [daily, other] : day % 3 === 1 ? [daily] : [])
        await on.claim(place, task, often, { now });
    };
    for (let day = 1; day <= 6; day += 1) await play(day);
    expect(await streaks(steady)).toEqual([]);
    await play(7);
    expect(await streaks(steady)).toEqual(['week_streak']);
    expect(await streaks(often)).toEqual([]);
    for (let day = 8; day <= 30; day += 1) await play(day);
    expect(await streaks(steady)).toEqual(['month_streak', 'week_streak']);
    expect(await streaks(often)).not.toContain('month_streak');
  });

  it('gives the badges of a streak for days that reviewers counted long after', async () => {
    const slow = await on.member(place.id);
    const task = await on.task(place, { kind: 'submit_text', recurrence: 'daily' });
    const at = (day: number) => new Date(Date.UTC(2026, 4, day, 12));
    const waiting: string[] = [];
    for (let day = 1; day <= 30; day += 1)
      waiting.push((await on.claim(place, task, slow, { now: at(day), text: `Day ${day}` })).id);
    // The latest first, and the run is whole with the day of a hundred days ago.
    for (const id of waiting.reverse()) await on.approve(place, id, place.moderator, at(101));
    const held = await db.sql`select code from badges where user_id = ${slow} and community_id is null order by code`;
    expect(held.map((row) => row['code'])).toEqual(['month_streak', 'week_streak']);
  });

  it('keeps whom its lines name, also those that are being written', async () => {
    const member = await on.member(place.id);
    await write([adjust(member, 5)]);
    const drop = (userId: string) => db.sql`delete from users where id = ${userId}`;
    await expect(drop(member)).rejects.toMatchObject({ code: '23503' });
    await expect(db.sql`delete from communities where id = ${place.id}`).rejects.toMatchObject({ code: '23503' });
    await expect(db.sql`update users set id = gen_random_uuid() where id = ${member}`).rejects.toMatchObject({
      code: '23503',
    });
    const [writing, deleting] = [await on.member(place.id), await on.member(place.id)];
    // Their lines are not written yet when the one is deleted, nor is the other gone yet when lines are written.
    let refused: Promise<unknown> | undefined;
    await db.sql.begin(async (tx) => {
      await recordPoints(tx, NOW, [adjust(writing, 1)]);
      refused = expect(drop(writing)).rejects.toMatchObject({ code: '23503' });
      await someoneWaits();
    });
    await refused;
    await db.sql.begin(async (tx) => {
      await tx`delete from users where id = ${deleting}`;
      const line = db.sql`
        insert into point_events (community_id, user_id, kind, points) values (${place.id}, ${deleting}, 'adjust', 1)`;
      refused = expect(line).rejects.toMatchObject({ code: '23503' });
      await someoneWaits();
    });
    await refused;
    const unwritten = await on.member(place.id);
    await drop(unwritten);
    expect(await db.sql`select from users where id = ${unwritten}`).toHaveLength(0);
  });

  it('counts one event on every board of its community and of the instance', async () => {
    const member = await on.member(place.id);
    await write([earn(member, 70)]);
    for (const period of ['all', 'day:2026-11-21', 'week:2026-W47', 'month:2026-11']) {
      expect(await standing(place.id, period, member), period).toBe(70);
      expect(await standing(INSTANCE, period, member), period).toBe(70);
    }
    expect(await readDrift(db.sql)).toEqual([]);
  });

  it('keeps a private community off the boards of the instance', async () => {
    place = await on.community('private');
    const member = await on.member(place.id);
    await write([earn(member, 5)]);
    expect([await standing(place.id, 'all', member), await standing(INSTANCE, 'all', member)]).toEqual([5, null]);
  });

  it('keeps what is given by hand off the boards of the instance, and so it stays when it is taken back', async () => {
    const member = await on.member(place.id);
    await write([adjust(member, 100_000), earn(member, 5)]);
    expect([await standing(place.id, 'all', member), await standing(INSTANCE, 'all', member)]).toEqual([100_005, 5]);
    await write([adjust(member, -100_000)]);
    expect([await standing(place.id, 'all', member), await standing(INSTANCE, 'all', member)]).toEqual([5, 5]);
    expect(await readDrift(db.sql)).toEqual([]);
  });

  it('counts there what is earned from the word of an administrator on, and takes it back where it counted', async () => {
    const member = await on.member(place.id);
    const say = (counts: boolean) =>
      db.sql`update communities set counts_on_instance = ${counts} where id = ${place.id}`;
    await say(false);
    await on.claim(place, await on.task(place), member, { now: NOW });
    expect(await standing(INSTANCE, 'all', member)).toBe(null);
    await say(true);
    const { id } = await on.claim(place, await on.task(place, { points: 7 }), member, { now: NOW });
    expect(await standing(INSTANCE, 'all', member)).toBe(7);
    await say(false);
    await write([{ ...adjust(member, -7), kind: 'reverse', claimId: id }]);
    expect([await standing(place.id, 'all', member), await standing(INSTANCE, 'all', member)]).toEqual([5, 0]);
    expect(await readDrift(db.sql)).toEqual([]);
  });

  it.each([
    ['public', 'private', 5],
    ['private', 'public', null],
  ] as const)('takes an award back where it counted, when a %s community has become %s', async (was, is, counted) => {
    place = await on.community(was);
    const member = await on.member(place.id);
    const { id } = await on.claim(place, await on.task(place), member, { now: NOW });
    expect(await standing(INSTANCE, 'all', member)).toBe(counted);
    await db.sql`update communities set visibility = ${is} where id = ${place.id}`;
    await write([{ ...adjust(member, -5), kind: 'reverse', claimId: id }]);
    expect(await standing(place.id, 'all', member)).toBe(0);
    expect(await standing(INSTANCE, 'all', member)).toBe(counted === null ? null : 0);
    expect(await readDrift(db.sql)).toEqual([]);
  });

  it('writes an award of a member, task and period once, and names only what it wrote', async () => {
    const member = await on.member(place.id);
    const taskId = await on.task(place);
    const award: PointEvent = { ...adjust(member, 10), kind: 'award', taskId, period: 'once' };
    const written = await Promise.all([write([award, award]), write([award])]);
    expect(written.flat()).toHaveLength(1);
    expect(await standing(place.id, 'all', member)).toBe(10);
    expect(await readDrift(db.sql)).toEqual([]);
  });

  it('adds what happens during a season to it, by the time of the act, until it is frozen', async () => {
    const member = await on.member(place.id);
    const [season] = await db.sql<[{ id: string }]>`
      insert into seasons (community_id, name, started_at, ends_at, grace_hours, created_by)
      values (${place.id}, 'Autumn', '2026-11-01', '2026-11-21T00:00:00Z', 24, ${place.leader}) returning id`;
    const inSeason = () => standing(place.id, `season:${season.id}`, member);
    await write([{ ...adjust(member, 1), actedAt: new Date('2026-11-20T23:00:00Z') }]);
    await write([{ ...adjust(member, 2), actedAt: new Date('2026-11-21T01:00:00Z') }]);
    expect(await inSeason()).toBe(1);
    await write(
      [{ ...adjust(member, 4), actedAt: new Date('2026-11-20T23:00:00Z') }],
      new Date('2026-11-22T00:00:00Z'),
    );
    expect(await inSeason()).toBe(1);
  });

  describe('of a season', () => {
    const begin = async (taskIds: string[] = []) => {
      const [season] = await db.sql<[{ id: string }]>`
        insert into seasons (community_id, name, started_at, ends_at, grace_hours, task_ids, created_by)
        values (${place.id}, 'Autumn', ${NOW}, ${later(2)}, 2, ${taskIds}, ${place.leader}) returning id`;
      return (userId: string) => standing(place.id, `season:${season.id}`, userId);
    };
    const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

    it('counts what was done for its tasks alone, where it names any', async () => {
      const member = await on.member(place.id);
      const [chosen, other] = [await on.task(place, { points: 5 }), await on.task(place, { points: 40 })];
      const inSeason = await begin([chosen]);
      for (const task of [chosen, other]) await on.claim(place, task, member, { now: later(1) });
      await write([adjust(member, 300)], later(1));
      expect(await inSeason(member)).toBe(5);
      expect(await standing(place.id, 'all', member)).toBe(345);
    });

    it('takes points back from the season in which they counted, and from no other', async () => {
      const member = await on.member(place.id);
      const before = await on.claim(place, await on.task(place, { points: 7 }), member, { now: later(-1) });
      const inSeason = await begin();
      const within = await on.claim(place, await on.task(place, { points: 20 }), member, { now: later(1) });
      await on.claim(place, await on.task(place, { points: 100 }), member, { now: later(1) });
      const reversal = (claimId: string, points: number): PointEvent => ({
        ...adjust(member, -points),
        kind: 'reverse',
        claimId,
      });
      await write([reversal(before.id, 7)], later(1.5));
      expect(await inSeason(member)).toBe(120);
      // It has ended, and its grace goes on.
      await write([reversal(within.id, 20)], later(3));
      expect(await inSeason(member)).toBe(100);
      expect(await standing(place.id, 'all', member)).toBe(100);
      expect(await readDrift(db.sql)).toEqual([]);
    });
  });

  it('begins a day anew with its first event, and leaves it alone when a slower clock writes later', async () => {
    const member = await on.member(place.id);
    const [today, tomorrow] = [NOW, new Date('2026-11-22T00:00:01Z')];
    await write([adjust(member, 5)], today);
    await write([adjust(member, 7)], tomorrow);
    await write([adjust(member, 11)], today);
    expect(await standing(place.id, 'day:2026-11-22', member)).toBe(7);
    expect(await standing(place.id, 'day:2026-11-21', member)).toBe(null);
    expect(await standing(place.id, 'week:2026-W47', member)).toBe(23);
    expect(await standing(place.id, 'all', member)).toBe(23);
    expect(await readDrift(db.sql)).toEqual([]);
  });

  it('writes a group for many people at once, and leaves out of it only what is there already', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => on.member(place.id)));
    const taskId = await on.task(place);
    const award = (userId: string): PointEvent => ({ ...adjust(userId, 10), kind: 'award', taskId, period: 'once' });
    await write([award(people[3] ?? '')]);
    const groups = await Promise.all([write(people.map(award)), write([...people].reverse().map(award))]);
    expect(groups.flat()).toHaveLength(29);
    for (const userId of people) expect(await standing(INSTANCE, 'all', userId)).toBe(10);
    expect(await readDrift(db.sql)).toEqual([]);
  });

  it('and its counts agree after any mixture of events, joins, roles and departures', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            who: fc.nat(4),
            act: fc.constantFrom('add', 'take', 'lead', 'follow', 'leave', 'join'),
            points: fc.integer({ min: 1, max: 300_000 }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        async (acts) => {
          place = await on.community();
          const people = await Promise.all(Array.from({ length: 5 }, () => on.member(place.id)));
          await Promise.all(
            acts.map(async ({ who, act, points }) => {
              const userId = people[who] ?? '';
              if (act === 'add') return write([adjust(userId, points)]);
              if (act === 'take') return write([adjust(userId, -points), adjust(userId, 1)]);
              if (act === 'leave')
                return db.sql`delete from community_members where community_id = ${place.id} and user_id = ${userId}`;
              if (act === 'join')
                return db.sql`insert into community_members (community_id, user_id) values (${place.id}, ${userId}) on conflict do nothing`;
              return db.sql`update community_members set role = ${act === 'lead' ? 'leader' : 'member'}
                where community_id = ${place.id} and user_id = ${userId}`;
            }),
          );
          expect(await readDrift(db.sql)).toEqual([]);
        },
      ),
      { numRuns: runs(25, 100) },
    );
  });
});

describe('the instance’s boards', () => {
  const waiting = async () => (await db.sql`select from instance_queue`).length;
  const ofInstance = (userId: string) => standing(INSTANCE, 'all', userId);

  it('follow what communities write, each line once however many processes count', async () => {
    await countForInstance({ sql: db.sql });
    const members = await Promise.all(Array.from({ length: 20 }, () => on.member(place.id)));
    const writers = members.map((member, n) => write([earn(member, n + 1), earn(member, 100)]));
    const counters = Array.from({ length: 6 }, () => countForInstance({ sql: db.sql }));
    await Promise.all([...writers, ...counters]);
    for (const [n, member] of members.entries()) expect(await ofInstance(member)).toBe(n + 101);
    expect(await waiting()).toBe(0);
    expect(await readDrift(db.sql)).toEqual([]);
  });

  it('count lines of several days that waited together as if they had come one by one', async () => {
    const member = await on.member(place.id);
    for (const [points, when] of [
      [5, '2026-11-30T23:59:59Z'],
      [7, '2026-12-01T00:00:01Z'],
      [11, '2026-12-01T00:00:02Z'],
    ] as const)
      await write([earn(member, points)], new Date(when));
    expect(await waiting()).toBe(3);
    expect(await readDrift(db.sql)).toEqual([]);
    expect(await ofInstance(member)).toBe(23);
    expect(await standing(INSTANCE, 'day:2026-12-01', member)).toBe(18);
    expect(await standing(INSTANCE, 'month:2026-12', member)).toBe(18);
    expect(await standing(INSTANCE, 'week:2026-W49', member)).toBe(23);
    expect(await readDrift(db.sql)).toEqual([]);
  });

  it('hold up no community, and no community holds up another', async () => {
    const [other, third] = [await on.community(), await on.community()];
    const [here, there] = [await on.member(place.id), await on.member(other.id)];
    const instance = db.sql.begin(async (tx) => {
      await lockCommunities(tx, [INSTANCE, third.id]);
      await db.sql.begin((own) => recordPoints(own, NOW, [earn(here, 1)]));
      return db.sql.begin(async (first) => {
        await recordPoints(first, NOW, [earn(here, 2)]);
        await db.sql.begin((own) => recordPoints(own, NOW, [{ ...earn(there, 3), communityId: other.id }]));
      });
    });
    await instance;
    expect([await standing(place.id, 'all', here), await standing(other.id, 'all', there)]).toEqual([3, 3]);
  });
});
