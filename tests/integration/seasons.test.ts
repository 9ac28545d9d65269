import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Leaderboard } from '../../server/contract/boards.ts';
import { RewardDetail, Season } from '../../server/contract/seasons.ts';
import { raffle } from '../../server/domain/draw.ts';
import { recordPoints } from '../../server/features/awards/record.ts';
import { readDrift } from '../../server/features/ledger/drift.ts';
import { countForInstance } from '../../server/features/ledger/instance.ts';
import { verifyDraw } from '../../server/features/rewards/verify-draw.ts';
import { closeSeasons } from '../../server/features/seasons/close.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

const HOUR = 60 * 60_000;

const server = await ofFile(testServer({ sandbox: false }));

const command = (method: string, path: string, cookie: string, body?: unknown) =>
  server.command(method, path, { cookie, body });
const ahead = (ms: number) => new Date(server.runtime.now().getTime() + ms).toISOString();

async function place(size = 4) {
  const leader = await server.person({ name: 'Lea' });
  const { id, slug } = await community(server, leader.userId);
  await server.sql`
    insert into community_members (community_id, user_id, role) values (${id}, ${leader.userId}, 'leader')`;
  const members = await Promise.all(
    Array.from({ length: size }, (_, index) => memberOf(server, id, 'member', { name: `=M${index}` })),
  );
  const at = `/api/communities/${id}`;
  return {
    id,
    slug,
    at,
    leader,
    members,
    give: (index: number, points: number) =>
      server.sql.begin((tx) =>
        recordPoints(tx, server.runtime.now(), [
          { communityId: id, userId: members[index]?.userId ?? '', kind: 'award', points, actorId: leader.userId },
        ]),
      ),
    plan: async (change: object = {}) => {
      const body = {
        name: 'Spring',
        rules: 'Be kind',
        startsAt: null,
        endsAt: ahead(48 * HOUR),
        graceHours: 2,
        taskIds: [],
        ...change,
      };
      return command('POST', `${at}/seasons`, leader.cookie, body);
    },
    board: async (query: string, cookie?: string) =>
      Leaderboard.parse((await server.request('GET', `${at}/leaderboard?${query}`, cookie ? { cookie } : {})).json),
  };
}

describe('a season', () => {
  it('goes from draft to frozen, and nothing changes what it promised', async () => {
    const here = await place();
    const { cookie } = here.leader;
    const season = Season.parse((await here.plan()).json);
    const at = `${here.at}/seasons/${season.id}`;
    expect(season).toMatchObject({ state: 'draft', startsAt: null, rewards: [] });
    expect((await server.request('GET', `${here.at}/seasons`)).json).toEqual([]);
    expect((await command('PATCH', at, cookie, { name: 'Early spring' })).json).toMatchObject({ name: 'Early spring' });

    const rule = { type: 'raffle', minPoints: 5, places: 2, tickets: 'by_points' };
    const reward = await command('POST', `${at}/rewards`, cookie, {
      name: 'A mug',
      description: '',
      rule,
      minTrust: null,
    });
    expect(reward.json).toMatchObject({ seedHash: null, drawnAt: null });
    const rewardAt = `${here.at}/rewards/${reward.json.id}`;
    const outsiders = [{}, { cookie: here.members[0]?.cookie ?? '' }];
    for (const asker of outsiders)
      for (const path of [at, rewardAt]) expect((await server.request('GET', path, asker)).status, path).toBe(404);
    await here.give(0, 500);

    const notLive = { status: 409, json: { reason: 'SEASON_NOT_LIVE' } };
    expect(await command('POST', `${at}/end`, cookie)).toMatchObject(notLive);
    expect((await command('POST', `${at}/start`, cookie)).json).toMatchObject({ state: 'live' });
    const { seedHash } = (await server.request('GET', rewardAt)).json;
    expect(seedHash).toMatch(/^[0-9a-f]{64}$/);
    for (const [method, path, body] of [
      ['PATCH', at, { name: 'Late spring' }],
      ['DELETE', at, undefined],
      ['POST', `${at}/start`, undefined],
      ['POST', `${at}/rewards`, { name: 'A cap', description: '', rule, minTrust: null }],
      ['PATCH', rewardAt, { name: 'A cap' }],
      ['DELETE', rewardAt, undefined],
    ] as const)
      expect(await command(method, path, cookie, body), `${method} ${path}`).toMatchObject({
        status: 409,
        json: { reason: 'SEASON_LOCKED' },
      });
    const second = Season.parse((await here.plan({ name: 'Summer' })).json);
    expect(await command('POST', `${here.at}/seasons/${second.id}/start`, cookie)).toMatchObject({
      status: 409,
      json: { reason: 'SEASON_RUNNING' },
    });

    await here.give(0, 10);
    await here.give(1, 30);
    await here.give(2, 10);
    await here.give(3, 4);
    const board = await here.board('period=season', here.members[2]?.cookie);
    expect(board.top.map(({ rank, points }) => [rank, points])).toEqual([
      [1, 30],
      [2, 10],
      [2, 10],
      [4, 4],
    ]);
    expect(board).toMatchObject({ season: { id: season.id, state: 'live' }, me: { rank: 2, points: 10 } });

    expect((await command('POST', `${at}/end`, cookie)).json).toMatchObject({ state: 'grace' });
    expect(await command('POST', `${at}/end`, cookie)).toMatchObject(notLive);
    expect(await command('POST', `${rewardAt}/draw`, cookie)).toMatchObject({
      status: 409,
      json: { reason: 'NOT_FROZEN' },
    });
    await closeSeasons(server.runtime);
    expect((await server.request('GET', at)).json.state).toBe('grace');
    server.advance(2 * HOUR + 1);
    await Promise.all([closeSeasons(server.runtime), closeSeasons(server.runtime)]);
    expect((await server.request('GET', at)).json.state).toBe('frozen');
    // Its digest stands for the seed; who knew the seed itself before the draw would know who wins.
    for (const asker of [...outsiders, { cookie }])
      expect((await server.request('GET', rewardAt, asker)).json).toMatchObject({ seedHash, seed: null, winners: [] });
    expect(await server.request('GET', `${rewardAt}/draw`)).toMatchObject({
      status: 409,
      json: { reason: 'NOT_DRAWN' },
    });
    await here.give(3, 400);
    await server.sql`delete from community_members where user_id = ${here.members[1]?.userId ?? ''}`;
    const frozen = await here.board(`seasonId=${season.id}`, here.members[2]?.cookie);
    expect(frozen.top.map(({ rank, points }) => [rank, points])).toEqual(
      board.top.map((row) => [row.rank, row.points]),
    );
    expect(frozen.me).toMatchObject({ rank: 2, points: 10 });
    expect(frozen.around).toHaveLength(4);

    const drawn = await Promise.all([
      command('POST', `${rewardAt}/draw`, cookie),
      command('POST', `${rewardAt}/draw`, cookie),
    ]);
    expect(drawn.map(({ status }) => status).sort()).toEqual([200, 409]);
    const detail = RewardDetail.parse((await server.request('GET', rewardAt)).json);
    expect(
      createHash('sha256')
        .update(Buffer.from(detail.seed ?? '', 'hex'))
        .digest('hex'),
    ).toBe(seedHash);
    const box = [0, 1, 2]
      .map((index) => ({ userId: here.members[index]?.userId ?? '', tickets: [10, 30, 10][index] ?? 0 }))
      .sort((a, b) => (a.userId < b.userId ? -1 : 1));
    expect(detail.winners.map(({ userId }) => userId)).toEqual(raffle(box, 2, Buffer.from(detail.seed ?? '', 'hex')));
    expect(detail.entrants).toBe(3);
    const file = await server.request('GET', `${rewardAt}/draw`);
    expect(verifyDraw(file.text)).toContain('the same');
    const csv = await server.request('GET', `${rewardAt}/winners`, { cookie });
    expect(csv.text).toMatch(/"'=M\d"/);
    const badges = await server.sql`
      select count(*)::int as count from badges where community_id = ${here.id} and code = 'season_podium'`;
    expect(badges[0]?.['count']).toBe(3);
    const audit = await server.sql`
      select action from audit_entries where community_id = ${here.id} and (starts_with(action, 'season') or starts_with(action, 'reward')) order by id`;
    expect(audit.map((row) => row['action'])).toEqual([
      'season.planned',
      'season.changed',
      'reward.added',
      'season.started',
      'season.planned',
      'season.ended',
      'season.frozen',
      'reward.drawn',
    ]);
  });

  it('does not count points that were taken back towards who came first', async () => {
    const here = await place(2);
    const { cookie } = here.leader;
    const season = Season.parse((await here.plan({ graceHours: 0 })).json);
    const at = `${here.at}/seasons/${season.id}`;
    const rule = { type: 'first_come', minPoints: 30, places: 1 };
    const asked = { name: 'A mug', description: '', rule, minTrust: null };
    const reward = (await command('POST', `${at}/rewards`, cookie, asked)).json;
    await command('POST', `${at}/start`, cookie);
    const claim = async (index: number, points: number) => {
      const about = { title: 'A task', instructions: '', points, recurrence: 'once', setup: { kind: 'check_in' } };
      const task = (await command('POST', `${here.at}/tasks`, cookie, about)).json;
      const made = await command('POST', `${here.at}/tasks/${task.id}/claims`, here.members[index]?.cookie ?? '', {});
      expect(made.status, made.text).toBe(201);
      return made.json.id as string;
    };
    const unearned = await claim(0, 30);
    await claim(1, 30);
    await claim(0, 30);
    const reversal = await command('POST', `${here.at}/claims/${unearned}/reversal`, cookie, { reason: 'Not so' });
    expect(reversal.status, reversal.text).toBe(200);

    await command('POST', `${at}/end`, cookie);
    server.advance(1);
    await closeSeasons(server.runtime);
    const drawn = RewardDetail.parse((await command('POST', `${here.at}/rewards/${reward.id}/draw`, cookie)).json);
    expect(drawn.entrants).toBe(2);
    expect(drawn.winners.map(({ userId }) => userId)).toEqual([here.members[1]?.userId]);
  });

  it('gives nothing to who is suspended, and a draw without them verifies', async () => {
    const here = await place(4);
    const { cookie } = here.leader;
    const season = Season.parse((await here.plan({ graceHours: 0 })).json);
    const at = `${here.at}/seasons/${season.id}`;
    const add = async (rule: object) => {
      const asked = { name: 'A mug', description: '', rule, minTrust: null };
      return (await command('POST', `${at}/rewards`, cookie, asked)).json.id as string;
    };
    const rewards = [
      await add({ type: 'all', minPoints: 1 }),
      await add({ type: 'first_come', minPoints: 5, places: 1 }),
      await add({ type: 'top_n', places: 1 }),
      await add({ type: 'top_percent', percent: 50 }),
      await add({ type: 'raffle', minPoints: 1, places: 4, tickets: 'by_points' }),
    ];
    await command('POST', `${at}/start`, cookie);
    for (const index of [0, 1, 2, 3]) await here.give(index, 40 - 10 * index);
    const [away, late, ...others] = here.members.map(({ userId }) => userId);
    const suspend = (userId = '', since: Date | null = server.runtime.now()) =>
      server.sql`update users set suspended_at = ${since} where id = ${userId}`;
    await suspend(away);
    await command('POST', `${at}/end`, cookie);
    server.advance(1);
    await closeSeasons(server.runtime);
    // One is suspended before the results are copied, one after.
    const results = (await here.board(`seasonId=${season.id}`)).top;
    expect(results.map(({ rank, userId }) => [rank, userId])).toEqual([late, ...others].map((id, at) => [at + 1, id]));
    await suspend(away, null);
    await suspend(late);
    const drawn: RewardDetail[] = [];
    for (const id of rewards)
      drawn.push(RewardDetail.parse((await command('POST', `${here.at}/rewards/${id}/draw`, cookie)).json));
    expect(drawn.map(({ entrants }) => entrants)).toEqual([2, 2, 2, 2, 2]);
    const winners = drawn.map((reward) => reward.winners.map(({ userId }) => userId));
    const [first] = others;
    expect(winners.slice(0, 4)).toEqual([others, [first], [first], [first]]);
    expect(winners[4]?.toSorted()).toEqual(others.toSorted());
    const file = await server.request('GET', `${here.at}/rewards/${rewards[4]}/draw`);
    expect(verifyDraw(file.text)).toContain('the same');
    await suspend(late, null);
  });

  it('keeps what two leaders change of a reward at the same moment', async () => {
    const here = await place(1);
    const { cookie } = here.leader;
    const season = Season.parse((await here.plan()).json);
    const rule = { type: 'top_n', places: 1 };
    const wanted = { name: 'A mug', description: '', rule, minTrust: null };
    const reward = await command('POST', `${here.at}/seasons/${season.id}/rewards`, cookie, wanted);
    const rewardAt = `${here.at}/rewards/${reward.json.id}`;
    const changes: Promise<unknown>[] = [];
    await server.sql.begin(async (tx) => {
      await tx`select from seasons where id = ${season.id} for update`;
      for (const change of [{ name: 'A cap' }, { minTrust: 40 }])
        changes.push(command('PATCH', rewardAt, cookie, change));
      // Both have begun, and wait for the season.
      await untilLockWaits(server.sql, 2);
    });
    await Promise.all(changes);
    const changed = (await server.request('GET', rewardAt, { cookie })).json;
    expect(changed).toMatchObject({ name: 'A cap', minTrust: 40 });
  });

  it('starts by itself at its time, the next one after the one before', async () => {
    const here = await place(1);
    const planned = [
      Season.parse((await here.plan({ startsAt: ahead(HOUR), endsAt: ahead(5 * HOUR), graceHours: 2 })).json),
      Season.parse((await here.plan({ startsAt: ahead(3 * HOUR), endsAt: ahead(24 * HOUR) })).json),
    ];
    const states = () =>
      Promise.all(
        planned.map(async ({ id }) => {
          const asked = await server.request('GET', `${here.at}/seasons/${id}`, { cookie: here.leader.cookie });
          return asked.json.state;
        }),
      );
    for (const [hours, expected] of [
      [0, ['draft', 'draft']],
      [1, ['live', 'draft']],
      // Its time has come, and the one before runs, or has its grace.
      [2, ['live', 'draft']],
      [3, ['grace', 'draft']],
      [1, ['frozen', 'live']],
    ] as const) {
      server.advance(hours * HOUR);
      await closeSeasons(server.runtime);
      expect(await states(), `${hours} hours on`).toEqual(expected);
    }
  });

  it('does not start while its community is suspended, and one that fails holds up no other', async () => {
    const [shut, first, second] = [await place(1), await place(1), await place(1)];
    const planned = await Promise.all(
      [shut, first, second].map(async (here) => {
        const { json } = await here.plan({ startsAt: ahead(HOUR) });
        return { here, season: Season.parse(json) };
      }),
    );
    const states = () =>
      Promise.all(
        planned.map(async ({ here, season }) => {
          const asked = await server.request('GET', `${here.at}/seasons/${season.id}`, { cookie: here.leader.cookie });
          return asked.json.state ?? asked.json.reason;
        }),
      );
    await server.sql`update communities set status = 'suspended' where id = ${shut.id}`;
    await server.sql.unsafe(`
      create function refuse_one() returns trigger language plpgsql as
        $$ begin if new.id = '${planned[1]?.season.id}' then raise 'not today'; end if; return new; end $$;
      create trigger refuse_one before update on seasons for each row execute function refuse_one()`);
    server.advance(HOUR);
    await closeSeasons(server.runtime);
    const [, ...open] = await states();
    expect(open).toEqual(['draft', 'live']);
    await server.sql`drop function refuse_one cascade`;
    await closeSeasons(server.runtime);
    expect((await states())[1]).toBe('live');
    await server.sql`update communities set status = 'active' where id = ${shut.id}`;
    expect((await states())[0]).toBe('draft');
    await closeSeasons(server.runtime);
    expect(await states()).toEqual(['live', 'live', 'live']);
  });

  it('refuses dates far away or the wrong way round, tasks of elsewhere, and text that cannot be shown', async () => {
    const here = await place(1);
    const other = await place(1);
    const [task] = await server.sql<{ id: string }[]>`select id from tasks where community_id = ${other.id} limit 1`;
    for (const [change, status, reason] of [
      [{ endsAt: ahead(-HOUR) }, 422, 'DATE_OUT_OF_RANGE'],
      [{ endsAt: '9999-01-01T00:00:00Z' }, 422, 'DATE_OUT_OF_RANGE'],
      [{ startsAt: '1970-01-01T00:00:00Z' }, 422, 'DATE_OUT_OF_RANGE'],
      [{ startsAt: ahead(72 * HOUR) }, 422, 'DATE_OUT_OF_RANGE'],
      [{ endsAt: ahead(400 * 24 * HOUR) }, 422, 'DATE_OUT_OF_RANGE'],
      [{ taskIds: [task?.id] }, 422, 'UNKNOWN_TASK'],
      [{ name: 'Spring\u202e' }, 400, 'INVALID_INPUT'],
    ] as const)
      expect(await here.plan(change), JSON.stringify(change)).toMatchObject({ status, json: { reason } });
    const over = Season.parse((await here.plan({ endsAt: ahead(HOUR) })).json);
    server.advance(HOUR);
    expect(await command('POST', `${here.at}/seasons/${over.id}/start`, here.leader.cookie)).toMatchObject({
      status: 422,
      json: { reason: 'DATE_OUT_OF_RANGE' },
    });
    const foreign = Season.parse((await other.plan()).json);
    expect((await command('POST', `${here.at}/seasons/${foreign.id}/start`, here.leader.cookie)).status).toBe(404);
  });
});

describe('a board', () => {
  it('is seen by leaders alone while it is hidden, and stands still while it is frozen', async () => {
    const here = await place(2);
    const season = Season.parse((await here.plan()).json);
    await command('POST', `${here.at}/seasons/${season.id}/start`, here.leader.cookie);
    await here.give(0, 10);
    const put = (state: string) => command('PUT', `${here.at}/board`, here.leader.cookie, { state });
    expect((await put('hidden')).json.state).toBe('hidden');
    const mine = here.members[0]?.cookie;
    for (const query of ['period=all', 'period=season', `seasonId=${season.id}`]) {
      const hidden = { state: 'hidden', top: [], around: [], me: null };
      expect(await here.board(query, mine), query).toMatchObject(hidden);
      expect((await here.board(query, here.leader.cookie)).top, query).toHaveLength(1);
    }
    const dashboard = await server.request('GET', `${here.at}/dashboard`, { cookie: mine ?? '' });
    expect(dashboard.json).toMatchObject({ rank: null, around: [], points: 10 });
    expect((await server.request('GET', here.at)).json.top).toEqual([]);

    await put('frozen');
    await here.give(1, 50);
    server.advance(HOUR);
    for (const period of ['week', 'season']) {
      const frozen = await here.board(`period=${period}`, mine);
      expect(
        frozen.top.map(({ points }) => points),
        period,
      ).toEqual([10]);
      expect(frozen.me, period).toMatchObject({ rank: 1, points: 10 });
      expect(new Date(frozen.asOf).getTime(), period).toBeLessThan(server.runtime.now().getTime());
    }
    const still = await server.request('GET', `${here.at}/dashboard`, { cookie: mine ?? '' });
    expect(still.json).toMatchObject({ rank: 1, ranked: 1 });
    await put('open');
    expect((await here.board('period=all', mine)).top.map(({ points }) => points)).toEqual([50, 10]);
    const left = await server.sql`select from frozen_boards where community_id = ${here.id}`;
    expect(left).toHaveLength(0);
  });

  it('of the instance adds what people have in public communities', async () => {
    const [one, two] = [await place(1), await place(1)];
    const person = one.members[0];
    await server.sql`insert into community_members (community_id, user_id) values (${two.id}, ${person?.userId ?? ''})`;
    await one.give(0, 7_000);
    await server.sql.begin((tx) =>
      recordPoints(tx, server.runtime.now(), [
        { communityId: two.id, userId: person?.userId ?? '', kind: 'award', points: 30, actorId: null },
      ]),
    );
    await countForInstance(server.runtime);
    const reply = await server.request('GET', '/api/leaderboard?period=today', { cookie: person?.cookie ?? '' });
    const board = Leaderboard.parse(reply.json);
    expect(board).toMatchObject({ scope: 'instance', communityId: null, me: { rank: 1, points: 7_030 } });
  });

  it('leaves out who is suspended for as long as that lasts, here and on the instance', async () => {
    const here = await place(3);
    const season = Season.parse((await here.plan()).json);
    await command('POST', `${here.at}/seasons/${season.id}/start`, here.leader.cookie);
    for (const index of [0, 1]) await here.give(index, 1_000_000 + index);
    const [lower, higher, newcomer] = here.members.map(({ userId }) => userId);
    const shown = async () => {
      await countForInstance(server.runtime);
      const boards = await Promise.all(['all', 'today', 'season'].map((period) => here.board(`period=${period}`)));
      const instance = Leaderboard.parse(
        (await server.request('GET', '/api/leaderboard?period=all', { cookie: here.leader.cookie })).json,
      );
      return [...boards, instance].map(({ top }) =>
        top.filter(({ points }) => points >= 1_000_000).map(({ rank, userId }) => [rank, userId]),
      );
    };
    const everywhere = (rows: unknown[]) => [rows, rows, rows, rows];
    const both = [
      [1, higher],
      [2, lower],
    ];
    expect(await shown()).toEqual(everywhere(both));
    await server.sql`update users set suspended_at = now() where id = any(${[higher ?? '', newcomer ?? '']}::uuid[])`;
    expect(await shown()).toEqual(everywhere([[1, lower]]));
    // What is recorded meanwhile, their first points too, goes to the ledger and to no board.
    await here.give(1, 5);
    await here.give(2, 2_000_000);
    expect(await shown()).toEqual(everywhere([[1, lower]]));
    await server.sql`delete from community_members where community_id = ${here.id} and user_id = ${higher ?? ''}`;
    await server.sql`
      insert into community_members (community_id, user_id, role) values (${here.id}, ${higher ?? ''}, 'member')`;
    expect(await shown()).toEqual(everywhere([[1, lower]]));
    expect(await server.sql.begin(readDrift)).toEqual([]);
    await server.sql`update users set suspended_at = null where id = any(${[higher ?? '', newcomer ?? '']}::uuid[])`;
    expect(await shown()).toEqual(
      everywhere([
        [1, newcomer],
        [2, higher],
        [3, lower],
      ]),
    );
    expect(await server.sql.begin(readDrift)).toEqual([]);
  });
});
