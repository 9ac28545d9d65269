import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ANSWERED, answer } from '../../../app/features/demo/in-memory/answer.ts';
import { type Demo, seedDemo } from '../../../app/features/demo/in-memory/seed.ts';
import type { Claim } from '../../../server/contract/claims.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { ApiError } from '../../../server/contract/errors.ts';
import { type Key, type OutputOf, routes } from '../../../server/contract/routes.ts';
import type { TaskKind } from '../../../server/contract/tasks.ts';

const NOW = new Date('2026-11-25T15:00:00Z');
const SLUG = 'ridge-valley-walkers';
let demo: Demo;
let now = NOW;
const asked = new Set<string>();

type With = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown; key?: string };
/** Asks as the page does, through JSON; what is answered must be of the contract's shape. */
async function ask(as: 'member' | 'leader', key: Key, given: With = {}): Promise<{ status: number; body: unknown }> {
  const [method = '', pattern = ''] = key.split(' ');
  const params: Record<string, string> = { communityId: SLUG, ...given.params };
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  const url = given.query ? `${path}?${new URLSearchParams(given.query)}` : path;
  const question = { method, url, body: given.body, key: given.key ?? null };
  const reply = await answer({ world: demo.world, me: demo[as], now }, question);
  const body: unknown = JSON.parse(JSON.stringify(reply.body));
  const { output } = routes[key] as { output?: z.ZodMiniType };
  if (reply.status < 300 && output) {
    asked.add(key);
    const checked = z.safeParse(output, body);
    expect(checked.success ? [] : checked.error.issues, key).toEqual([]);
  }
  return { status: reply.status, body };
}
async function ok<K extends Key>(as: 'member' | 'leader', key: K, given: With = {}): Promise<OutputOf<K>> {
  const { status, body } = await ask(as, key, given);
  expect({ key, refused: status < 300 ? null : body }).toEqual({ key, refused: null });
  return body as OutputOf<K>;
}
const refused = async (as: 'member' | 'leader', key: Key, given: With = {}) => {
  const { status, body } = await ask(as, key, given);
  return `${status} ${(body as ApiError).reason}`;
};

const today = () => ok('member', 'GET /api/communities/:communityId/dashboard');
const taskIn = (dashboard: Dashboard, title: string) => {
  const found = dashboard.tasks.find((task) => task.title === title);
  if (!found) throw new Error(`There is no ${title} today`);
  return found;
};
const claim = async (title: string, evidence?: object): Promise<Claim> => {
  const { id } = taskIn(await today(), title);
  const body = { ...(evidence && { evidence }) };
  return ok('member', 'POST /api/communities/:communityId/tasks/:taskId/claims', { params: { taskId: id }, body });
};
const queue = () => ok('leader', 'GET /api/communities/:communityId/review');

beforeEach(() => {
  now = NOW;
  demo = seedDemo(NOW, 'Europe/Lisbon');
});

describe('the instance of the demo', () => {
  it('is seeded alike each time, with weeks behind it and something to do now', async () => {
    expect(seedDemo(NOW, 'Europe/Lisbon')).toEqual(demo);
    const { streakDays, countedToday, tasks, points, rank, announcements, season } = await today();
    expect({ streakDays, countedToday, season: season?.name }).toEqual({
      streakDays: 12,
      countedToday: false,
      season: 'Winter waymarks',
    });
    expect(points).toBeGreaterThan(100);
    expect(rank).toBeGreaterThan(0);
    expect(announcements).toHaveLength(2);
    const states = new Set(tasks.map((task) => task.claim?.state ?? (task.gate.open ? 'open' : 'shut')));
    expect([...states].sort()).toEqual(['approved', 'changes_requested', 'open', 'rejected', 'shut', 'submitted']);
    const kinds = new Set<TaskKind>(tasks.map(({ kind }) => kind));
    for (const kind of ['check_in', 'quiz', 'poll', 'submit_text', 'submit_url', 'submit_image', 'visit_link'] as const)
      expect(kinds).toContain(kind);
    expect((await queue()).waiting).toBeGreaterThan(3);
    const weeks = await ok('leader', 'GET /api/communities/:communityId/analytics', { query: { days: '28' } });
    expect(weeks.days.filter(({ approved }) => approved > 0).length).toBeGreaterThan(20);
  });

  it('stores the picture of an answer, and tells its member what was decided', async () => {
    const sentBack = taskIn(await today(), 'Picture of a waymark').claim as Claim;
    const imageId = '018f3a5e-0000-7000-8000-000000000001';
    const picture = new Blob([new Uint8Array([1, 2, 3])], { type: 'image/webp' });
    await ok('member', 'PUT /api/communities/:communityId/images/:imageId', { params: { imageId }, body: picture });
    expect(demo.world.pictures.get(imageId)).toBe('data:image/webp;base64,AQID');
    const ofClaim = 'POST /api/communities/:communityId/claims/:claimId' as const;
    const params = { claimId: sentBack.id };
    const evidence = { kind: 'submit_image', imageId, note: 'Number 9.' };
    const { version } = await ok('member', `${ofClaim}/resubmission`, { params, body: { evidence } });
    await ok('leader', `${ofClaim}/decision`, { params, body: { decision: 'approve', version } });
    const told = await ok('member', 'GET /api/user/notifications');
    expect(told.latest[0]).toMatchObject({ topic: 'review', title: 'Picture of a waymark' });
    await ok('leader', `${ofClaim}/reversal`, { params, body: { reason: 'A copy.' } });
    const rejected = taskIn(await today(), 'Report the state of a path').claim as Claim;
    const body = { text: 'It was the mill lane, below the bridge.' };
    const appealed = await ok('member', `${ofClaim}/appeal`, { params: { claimId: rejected.id }, body });
    expect(appealed.appeal?.outcome).toBe('open');
  });

  it('plays the weeks of a league by the ledger: who moved before, what moves me, and none where it is off', async () => {
    const league = () => ok('member', 'GET /api/communities/:communityId/league');
    // The sample's day is a Wednesday, when the week's groups are made.
    const { state, group, last } = await league();
    expect({ state, week: group?.week, members: group?.members, next: group?.next }).toEqual({
      state: 'playing',
      week: '2026-11-23',
      members: 7,
      next: null,
    });
    expect(last).toMatchObject({ week: '2026-11-16', division: group?.division });
    const mine = (of: typeof group) => of?.rows.find(({ me }) => me);
    const reason = 'It was a long way.';
    const task = await ok('leader', 'POST /api/communities/:communityId/tasks', {
      body: { setup: { kind: 'manual' }, title: 'Carry', instructions: '', points: 500, recurrence: 'once' },
    });
    const given = await ok('leader', 'POST /api/communities/:communityId/tasks/:taskId/grants', {
      params: { taskId: task.id },
      body: { userId: demo.member.id, reason },
    });
    const after = (await league()).group;
    expect(mine(after)).toMatchObject({ rank: 1, points: (mine(group)?.points ?? 0) + 500, move: 'rise' });

    // On a Tuesday nothing is settled: the week before still runs, and the new one has begun.
    now = new Date('2026-12-01T12:00:00Z');
    const grace = (await league()).group;
    expect([grace?.week, grace?.next]).toEqual(['2026-11-23', 0]);
    now = new Date('2026-12-02T12:00:00Z');
    const settled = await league();
    expect(settled.group).toMatchObject({ week: '2026-11-30', division: (group?.division ?? 0) + 1 });
    expect(settled.last).toMatchObject({ week: '2026-11-23', move: 'rise', rank: 1, of: 7 });
    // What is taken back after that changes nothing of it.
    const params = { claimId: given.id };
    await ok('leader', 'POST /api/communities/:communityId/claims/:claimId/reversal', { params, body: { reason } });
    expect((await league()).last).toEqual(settled.last);

    await ok('member', 'POST /api/communities/:communityId/leave');
    await ok('member', 'POST /api/communities/:communityId/join');
    expect(await league()).toMatchObject({ state: 'waiting', startsAt: '2026-12-09T00:00:00.000Z' });
    expect((await ok('leader', 'GET /api/communities/:communityId/league')).state).toBe('leader');
    const change = (leagues: boolean) => ok('leader', 'PATCH /api/communities/:communityId', { body: { leagues } });
    expect((await change(false)).leagues).toBe(false);
    expect((await league()).state).toBe('off');
    expect((await today()).community.leagues).toBe(false);
    now = new Date('2026-12-07T12:00:00Z');
    expect((await change(true)).leagues).toBe(true);
    expect(await league()).toMatchObject({ state: 'waiting', startsAt: '2026-12-09T00:00:00.000Z' });
  });

  it('has a sample’s group in Telegram: who is in it earns by joining, and nothing is written there', async () => {
    const { bot, chats } = await ok('leader', 'GET /api/communities/:communityId/chats');
    expect(bot).toBeNull();
    expect(chats).toMatchObject([{ title: 'Ridge & Valley group', missing: [], people: { inside: 7, outside: 1 } }]);
    const mine = await ok('member', 'GET /api/communities/:communityId/chat-membership');
    expect(mine.chats).toMatchObject([{ title: 'Ridge & Valley group', state: 'member', joinUrl: null }]);
    const task = async (title: string, setup: object) =>
      ok('leader', 'POST /api/communities/:communityId/tasks', {
        body: { setup, title, instructions: '', points: 5, recurrence: 'once' },
      });
    await task('Join us', { kind: 'telegram_join', chat: 'group' });
    const { id: taskId } = await task('Say hello', { kind: 'telegram_chat', needed: 3, minLength: 10 });
    const joined = await claim('Join us', { kind: 'telegram_join' });
    expect([joined.state, joined.checks[0]?.note]).toEqual([
      'approved',
      'Seen in Ridge & Valley group, as the demo plays it',
    ]);
    const key = 'POST /api/communities/:communityId/tasks/:taskId/claims';
    const written = { params: { taskId }, body: { evidence: { kind: 'telegram_chat' } } };
    expect(await refused('member', key, written)).toBe('422 NOT_SEEN_YET');
    const seen = await ok('member', 'GET /api/communities/:communityId/tasks/:taskId/seen', { params: { taskId } });
    expect(seen).toEqual({ count: 0, needed: 3, lastAt: null });
  });

  it('answers every route that it says it has, each in the shape of the contract', async () => {
    const dashboard = await today();
    const taskId = dashboard.tasks[0]?.id ?? '';
    const { id: communityId } = dashboard.community;
    const member = demo.member.id;
    const claimId = (await queue()).items[0]?.claim.id ?? '';
    const reason = 'Because it is so.';
    for (const key of ANSWERED as Key[]) {
      if (!key.startsWith('GET ')) continue;
      const season = demo.world.communities[0]?.seasons[0];
      const poll = taskIn(dashboard, 'Where to on New Year’s Day?').id;
      const params = {
        communityId,
        taskId: key.endsWith('/poll') ? poll : taskId,
        claimId,
        userId: member,
        seasonId: season?.id ?? '',
        rewardId: season?.rewards[0]?.id ?? '',
      };
      await ok('leader', key, { params });
    }
    const base = 'POST /api/communities/:communityId' as const;
    const made = await ok('leader', `${base}/tasks`, {
      body: { setup: { kind: 'manual' }, title: 'Washed up', instructions: '', points: 5, recurrence: 'weekly' },
    });
    const ofTask = { params: { taskId: made.id } };
    await ok('leader', 'PATCH /api/communities/:communityId/tasks/:taskId', {
      ...ofTask,
      body: { title: 'Washed up after the walk' },
    });
    await ok('leader', `${base}/tasks/:taskId/copies`, ofTask);
    const granted = await ok('leader', `${base}/tasks/:taskId/grants`, { ...ofTask, body: { userId: member, reason } });
    expect(granted.state).toBe('approved');
    await ok('leader', `${base}/adjustments`, { body: { userId: member, points: 7, reason } });
    await ok('leader', `${base}/decisions`, { body: { decisions: [{ claimId, decision: 'approve', version: 99 }] } });
    const said = await ok('leader', `${base}/announcements`, { body: { title: 'Snow', body: 'Bring poles.' } });
    expect((await today()).announcements.map(({ title }) => title)).toContain('Snow');
    const changed = { title: 'Snow', body: 'Bring poles and tea.' };
    await ok('leader', 'PUT /api/communities/:communityId/announcements/:announcementId', {
      params: { announcementId: said.id },
      body: changed,
    });
    expect((await today()).announcements.find(({ id }) => id === said.id)).toMatchObject(changed);
    await ok('leader', 'DELETE /api/communities/:communityId/announcements/:announcementId', {
      params: { announcementId: said.id },
    });
    const replies = { reject: ['Not on our route'], request_changes: [] };
    await ok('leader', 'PUT /api/communities/:communityId/saved-replies', { body: replies });
    expect(await ok('leader', 'GET /api/communities/:communityId/saved-replies')).toEqual(replies);
    await ok('leader', 'PUT /api/communities/:communityId/task-order', { body: { taskIds: [made.id] } });
    const { items } = await ok('leader', 'GET /api/communities/:communityId/tasks');
    expect(items[0]?.id).toBe(made.id);
    await ok('leader', 'PUT /api/communities/:communityId/board', { body: { state: 'hidden' } });
    expect((await today()).around).toEqual([]);
    await ok('leader', 'PATCH /api/communities/:communityId', { body: { inviteThreshold: 60 } });
    await ok('member', `${base}/chat-membership/check`);
    const ofChat = { params: { connectionId: demo.world.communities[0]?.chats[0]?.id ?? '' } };
    await ok('leader', `${base}/chats/:connectionId/check`, ofChat);
    await ok('leader', 'PATCH /api/communities/:communityId/chats/:connectionId', {
      ...ofChat,
      body: { gate: 'claim' },
    });
    await ok('leader', 'DELETE /api/communities/:communityId/chats/:connectionId', ofChat);
    expect((await ok('leader', 'GET /api/communities/:communityId/chats')).chats).toEqual([]);
    const other = demo.world.communities[0]?.members.at(-1)?.userId ?? '';
    const role = { params: { userId: other }, body: { role: 'moderator' } };
    await ok('leader', 'PUT /api/communities/:communityId/members/:userId/role', role);
    await ok('leader', `${base}/members/:userId/removal`, { params: { userId: other }, body: { reason } });
    await ok('member', `${base}/leave`);
    expect((await ok('member', `${base}/join`)).role).toBe('member');
    await ok('member', 'PATCH /api/user/profile', { body: { timeZone: 'Europe/Kyiv' } });
    const settings = { quiet: null, dailyCap: 3, collapse: true, choices: [] };
    expect(await ok('member', 'PUT /api/user/notifications', { body: settings })).toEqual(settings);
    const file = new Blob(['lat,lon'], { type: 'text/plain' });
    const fileId = '018f3a5e-0000-7000-8000-000000000002';
    await ok('member', 'PUT /api/communities/:communityId/files/:fileId', { params: { fileId }, body: file });
    await ok('member', 'POST /api/auth/membership/check');
    await ok('member', 'POST /api/debug/client-logs', { body: { type: 'debug', data: { action: 'x' } } });
    const entries = [{ id: 'e1', type: 'debug', data: {} }];
    await ok('member', 'POST /api/debug/client-logs/batch', { body: { sentAt: '', entries } });
    expect(ANSWERED.filter((key) => !asked.has(key))).toEqual([]);
  });

  it('says in words what it has nothing of, and shuts leaders’ rooms to members', async () => {
    const webhook = { body: { url: 'https://example.org/', events: ['claim.decided'] } };
    expect(await refused('leader', 'POST /api/communities/:communityId/webhooks', webhook)).toBe('403 NOT_IN_DEMO');
    expect(await refused('leader', 'GET /api/communities/:communityId/api-keys')).toBe('403 NOT_IN_DEMO');
    expect(await refused('member', 'GET /api/communities/:communityId/admin')).toBe('403 NOT_ALLOWED');
    const params = { communityId: 'saturday-seed-library' };
    expect(await refused('member', 'GET /api/communities/:communityId/dashboard', { params })).toBe('403 NOT_A_MEMBER');
  });
});
