import { beforeEach, expect, test } from 'vitest';
import type { TaskSetup } from '../../server/contract/tasks.ts';
import type { X_KINDS } from '../../server/contract/x-post.ts';
import { syncPoints } from '../../server/features/x/switch.ts';
import type { StagedCommunity } from '../support/engagement.ts';
import { xStage } from '../support/x-stage.ts';

let place: StagedCommunity;

const doneAt = new Date().toISOString();
const idOf = (url: string) => url.split('/').at(-1) ?? '';

const x = await xStage();
const me = await x.linked(3001, '9701');
const named = await x.linked(3002, '9702', { checks: false });
/** A post of the community's own, from before anything of the tests. */
const parent = await x.post('9001', 'We walk on Saturday');
beforeEach(async () => {
  place = await x.on.community();
  for (const { userId } of [me, named]) await x.on.join(place.id, userId);
});

const setupOf = (kind: (typeof X_KINDS)[number]): TaskSetup => {
  if (kind === 'x_follow') return { kind, handle: 'maya_walks' };
  if (kind === 'x_post') return { kind, text: '', hashtag: 'RidgeWalk', about: '' };
  return { kind, post: parent, about: 'Our walk' };
};
const claimed = async (task: string, evidence: object, who = me) => {
  const reply = await x.claim(place.id, task, who.cookie, evidence);
  expect(reply.status, reply.text).toBe(201);
  return reply.json as { id: string; state: string; points: number };
};
const stands = async (id: string, who = me) => {
  const { state, reason, checks, history } = await x.read(place.id, id, who.cookie);
  const at = checks.find(({ what }: { what: string }) => what === 'x');
  return { state, reason, ok: at?.ok, note: at?.note, steps: history.map(({ kind }: { kind: string }) => kind) };
};
const spent = async () => {
  const [row] = await x.server.sql<{ spent: number }[]>`
    select thousandths as spent from x_spend where community_id = ${place.id}`;
  return row?.spent ?? 0;
};

const ACTS = [
  { kind: 'x_follow', act: () => x.act('follow', me.xId, { screen_name: 'maya_walks' }), cost: 10 },
  { kind: 'x_like', act: () => x.act('like', me.xId, { tweet_id: idOf(parent) }), cost: 1 },
  { kind: 'x_repost', act: () => x.act('repost', me.xId, { tweet_id: idOf(parent) }), cost: 10 },
] as const;

test.each(ACTS)(
  '$kind: what X does not show is not counted, what it shows is, and its rows are paid for',
  async (one) => {
    await x.budget(place.id, 5_000);
    const task = await x.task(place, setupOf(one.kind));
    const first = await claimed(task, { kind: one.kind, doneAt });
    expect(first.state).toBe('checking');
    await x.run();
    expect(await stands(first.id)).toMatchObject({ state: 'rejected', ok: false, steps: ['submitted', 'checked'] });
    expect((await stands(first.id)).reason).toContain('X does not show');
    await one.act();
    x.server.advance(61_000);
    const second = await claimed(task, { kind: one.kind, doneAt });
    await x.run();
    expect(await stands(second.id)).toMatchObject({ state: 'approved', ok: true });
    expect((await stands(second.id)).note).toMatch(/^X shows/);
    expect(await spent()).toBe(one.cost);
  },
);

const POSTS = [
  { kind: 'x_reply', more: () => ({ in_reply_to: idOf(parent) }), text: 'I come' },
  { kind: 'x_quote', more: () => ({ url: parent }), text: 'Look' },
  { kind: 'x_post', more: () => ({}), text: 'Off to the #ridgewalk!' },
] as const;

test.each(POSTS)('$kind: the member’s own post counts, once; somebody else’s does not', async (one) => {
  await x.budget(place.id, 5_000);
  const task = await x.task(place, setupOf(one.kind));
  const others = await x.post(named.xId, one.text, one.more());
  const first = await claimed(task, { kind: one.kind, url: others });
  await x.run();
  expect(await stands(first.id)).toMatchObject({
    state: 'rejected',
    reason: `This post is by @${named.handle}; your linked account is @${me.handle}.`,
  });
  x.server.advance(61_000);
  const mine = await x.post(me.xId, one.text, one.more());
  const second = await claimed(task, { kind: one.kind, url: `${mine}?s=20` });
  await x.run();
  expect(await stands(second.id)).toMatchObject({ state: 'approved', ok: true });
  const again = await x.claim(place.id, await x.task(place, setupOf(one.kind)), me.cookie, {
    kind: one.kind,
    url: mine,
  });
  expect([again.status, again.json.reason]).toEqual([422, 'X_POST_USED']);
  // Nothing of what X showed is kept.
  const kept = await x.server.sql`select c::text || coalesce((select string_agg(e::text, '') from claim_events e
    where e.claim_id = c.id), '') as row from claims c where c.id = ${second.id}`;
  expect(JSON.stringify(kept)).not.toContain(one.text);
});

test('a post without the hashtag, one about something else, and one that is gone are told apart', async () => {
  await x.budget(place.id, 5_000);
  const untagged = await x.post(me.xId, 'Off to the #ridge');
  const aside = await x.post(me.xId, 'Something else', { in_reply_to: '1' });
  const gone = `https://x.com/${me.handle}/status/${BigInt(idOf(parent)) + 1_000_000_000_000n}`;
  const told: unknown[] = [];
  for (const [kind, url] of [
    ['x_post', untagged],
    ['x_reply', aside],
    ['x_quote', gone],
  ] as const) {
    const { id } = await claimed(await x.task(place, setupOf(kind)), { kind, url });
    await x.run();
    told.push((await stands(id)).reason);
  }
  expect(told).toEqual([
    '#RidgeWalk is not in this post.',
    'This post does not answer the post of the task.',
    'X shows no such post publicly. It may be gone, or its account is private.',
  ]);
});

test.each(['429', '5xx', 'reset'] as const)(
  'X that answers %s makes a claim wait, refuses nobody and costs nothing',
  async (mode) => {
    await x.budget(place.id, 5_000);
    await x.act('like', me.xId, { tweet_id: idOf(parent) });
    const asked = [
      { kind: 'x_like', evidence: { doneAt }, match: '/liked_tweets' },
      { kind: 'x_post', evidence: { url: await x.post(me.xId, `#RidgeWalk ${mode}`) }, match: '/oembed' },
    ] as const;
    for (const { kind, evidence, match } of asked) {
      const { id } = await claimed(await x.task(place, setupOf(kind)), { kind, ...evidence });
      await x.fault(match, mode);
      await x.run();
      expect(await stands(id)).toMatchObject({
        state: 'checking',
        ok: null,
        note: 'X has not answered yet. It is asked again.',
      });
      await x.run();
      expect((await stands(id)).state).toBe('checking');
      x.server.advance(60_000);
      await x.run();
      expect((await stands(id)).state).toBe('approved');
    }
    expect(await spent()).toBeLessThanOrEqual(10);
  },
);

test('X that is away for a day leaves it to a reviewer, who sees it only then', async () => {
  const { id } = await claimed(await x.task(place, setupOf('x_post')), {
    kind: 'x_post',
    url: await x.post(me.xId, '#RidgeWalk late'),
  });
  const waiting = () => x.server.sql`
    select from claims c where c.id = ${id} and not exists (select from x_checks q where q.claim_id = c.id)`;
  expect(await waiting()).toHaveLength(0);
  x.server.advance(25 * 60 * 60_000);
  await x.fault('/oembed', '5xx');
  await x.run();
  expect(await stands(id)).toMatchObject({
    state: 'checking',
    note: 'X has not answered for a day. A reviewer decides.',
  });
  expect(await waiting()).toHaveLength(1);
});

test('a budget that is used up, none at all, and an account that X is not asked for go to a reviewer', async () => {
  const said = async (who: typeof me) => {
    const { id, state } = await claimed(await x.task(place, setupOf('x_repost')), { kind: 'x_repost', doneAt }, who);
    await x.run();
    return [state, (await stands(id, who)).note];
  };
  const usedUp = `@${me.handle} says so. This month’s budget for asking X is used up: a reviewer decides.`;
  expect(await said(me)).toEqual(['submitted', usedUp]);
  await x.budget(place.id, 150);
  expect(await said(me)).toEqual(['submitted', usedUp]);
  await x.budget(place.id, 250);
  expect((await said(me))[0]).toBe('checking');
  expect((await said(named))[1]).toContain('X is not asked for this account');
});

test('without an account at X nothing is claimed', async () => {
  const stranger = await x.server.person();
  await x.on.join(place.id, stranger.userId);
  const reply = await x.claim(place.id, await x.task(place, setupOf('x_like')), stranger.cookie, {
    kind: 'x_like',
    doneAt,
  });
  expect([reply.status, reply.json.reason]).toEqual([422, 'X_NOT_LINKED']);
});

test('tasks at X give points only where the environment and an administrator say so', async () => {
  const open = await xStage({ env: { X_ACTION_POINTS: 'on' } });
  try {
    const leader = await open.linked(4001, '9801');
    const admin = await open.server.person({ role: 'admin' });
    const there = await open.on.community();
    await open.server.sql`
      update community_members set user_id = ${leader.userId} where community_id = ${there.id} and role = 'leader'`;
    const body = { setup: setupOf('x_follow'), title: 'Follow us', instructions: '', points: 5, recurrence: 'once' };
    const add = async (points = 5) =>
      open.server.command('POST', `/api/communities/${there.id}/tasks`, {
        cookie: leader.cookie,
        body: { ...body, points },
      });
    const turn = (isOn: boolean) =>
      open.server.command('PUT', '/api/admin/switches/x-points', {
        cookie: admin.cookie,
        body: { isOn, reason: 'A partner of X asked for it' },
      });
    expect((await add()).json.reason).toBe('X_POINTS_OFF');
    expect((await add(0)).status).toBe(201);
    expect((await turn(true)).json).toMatchObject({ byEnvironment: true, isOn: true });
    const worth = await add();
    expect([worth.status, worth.json.points]).toEqual([201, 5]);
    const member = await open.linked(4002, '9802');
    await open.on.join(there.id, member.userId);
    const first = await open.claim(there.id, worth.json.id, member.cookie, { kind: 'x_follow', doneAt });
    expect(first.json.points).toBe(5);
    // The environment alone, or the switch alone, is not enough: what was promised is taken back before it is given.
    const closed = {
      ...open.server.runtime,
      config: { ...open.server.runtime.config, x: { ...open.server.runtime.config.x, actionPoints: false } },
    };
    await syncPoints(closed);
    const [task] = await open.server.sql<{ points: number }[]>`select points from tasks where id = ${worth.json.id}`;
    expect(task?.points).toBe(0);
    await open.server.sql`update tasks set points = 7 where id = ${worth.json.id}`;
    await turn(false);
    const [off] = await open.server.sql<{ points: number }[]>`select points from tasks where id = ${worth.json.id}`;
    expect(off?.points).toBe(0);
    const acts = await open.server
      .sql`select action, reason from audit_entries where action like 'switch.%' order by id`;
    expect(acts).toMatchObject([{ action: 'switch.x_points_on' }, { action: 'switch.x_points_off' }]);
  } finally {
    await open.server.close();
  }
});

test('a claim gives nothing at a task that still promises points', async () => {
  const task = await x.task(place, setupOf('x_follow'), 50);
  expect((await claimed(task, { kind: 'x_follow', doneAt })).points).toBe(0);
});
