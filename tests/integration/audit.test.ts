import { randomInt } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { AUDIT_WORDS } from '../../app/shared/audit/audit-words.ts';
import { closeSeasons } from '../../server/features/seasons/close.ts';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES, fill, queryOf, sampleBody } from '../support/samples.ts';
import { type Reply, testServer } from '../support/server.ts';
import { community, memberOf, type TestCommunity } from '../support/world.ts';

const server = await ofFile(testServer({ sandbox: false }));

let place: TestCommunity;
let leader: { userId: string; cookie: string };
let member: { userId: string; cookie: string };
beforeEach(async () => {
  server.advance(60_000);
  place = await community(server, (await server.person()).userId);
  [leader, member] = await Promise.all([
    memberOf(server, place.id, 'leader', { name: 'Lena Leads' }),
    memberOf(server, place.id, 'member', { name: 'Mo' }),
  ]);
});

const P = '/api/communities/:communityId';
/** Words for a form that is not sent yet, a file that is tried, a link to bring a bot by, a question to Telegram: no change of ours. */
const PROPOSALS: readonly string[] = [
  `POST ${P}/task-proposals`,
  `POST ${P}/summaries`,
  `POST ${P}/imports/check`,
  `POST ${P}/chats/links`,
  `POST ${P}/chats/:connectionId/check`,
];
const commands = ALL_ROUTES.filter(
  ({ key, method, declaration: { access } }) =>
    method !== 'GET' && (access === 'leader' || access === 'moderator') && !PROPOSALS.includes(key),
);
type Ready = { params?: Record<string, string>; body?: unknown; file?: string };

async function act(key: string, { params = {}, body = sampleBody(key), file }: Ready = {}): Promise<Reply> {
  const [method = '', path = ''] = key.split(' ');
  const reply = await server.command(method, fill(path, { communityId: place.id, ...params }) + queryOf(path), {
    cookie: leader.cookie,
    headers: { ...(file !== undefined && { 'content-type': 'text/csv' }) },
    ...(file === undefined ? {} : { raw: file }),
    body,
  });
  expect(reply.status, `${key} ${reply.text}`).toBeLessThan(300);
  return reply;
}
const idOf = async (key: string, ready?: Ready): Promise<string> => (await act(key, ready)).json.id;

const MEMBERS_FILE = { file: 'telegram,points\n@somebody_new,5\n' };
const season = () => idOf(`POST ${P}/seasons`);
const reward = async (seasonId?: string) =>
  idOf(`POST ${P}/seasons/:seasonId/rewards`, { params: { seasonId: seasonId ?? (await season()) } });
const liveSeason = async () => {
  const seasonId = await season();
  await act(`POST ${P}/seasons/:seasonId/start`, { params: { seasonId } });
  return seasonId;
};
const webhook = () =>
  idOf(`POST ${P}/webhooks`, { body: { url: 'https://a.example/', events: ['announcement.posted'] } });
const chat = async () => {
  const [{ id }] = await server.sql<[{ id: string }]>`
    insert into community_chats (community_id, sort, chat_id, title, checked_at, connected_at)
    values (${place.id}, 'group', ${-1_000_000_000_000 - randomInt(1_000_000_000)}, 'Ridge', now(), now()) returning id`;
  return { params: { connectionId: id } };
};
const manualTask = async () =>
  idOf(`POST ${P}/tasks`, {
    body: { setup: { kind: 'manual' }, title: 'Helped', instructions: '', points: 5, recurrence: 'once' },
  });

/** What has to be there before a command can be done. Commands that need nothing stand here too: none is forgotten. */
const READY: Record<string, () => Promise<Ready> | Ready> = {
  [`POST ${P}/tasks`]: () => ({}),
  [`PATCH ${P}/tasks/:taskId`]: () => ({ params: { taskId: place.taskId } }),
  [`PUT ${P}/task-order`]: () => ({ body: { taskIds: [place.taskId] } }),
  [`PUT ${P}/saved-replies`]: () => ({ body: { reject: ['Not on our route'], request_changes: [] } }),
  [`POST ${P}/tasks/:taskId/copies`]: () => ({ params: { taskId: place.taskId } }),
  [`POST ${P}/tasks/:taskId/grants`]: async () => ({
    params: { taskId: await manualTask() },
    body: { userId: member.userId, reason: 'Helped a lot' },
  }),
  [`POST ${P}/tasks/:taskId/partner-secret`]: async () => {
    const setup = { kind: 'partner', url: 'https://a.example.org/', asks: '' };
    const body = { setup, title: 'Buy a map', instructions: '', points: 5, recurrence: 'once' };
    return { params: { taskId: await idOf(`POST ${P}/tasks`, { body }) } };
  },
  [`POST ${P}/claims/:claimId/decision`]: () => ({ params: { claimId: place.claimId } }),
  [`POST ${P}/decisions`]: () => ({ body: { decisions: [{ claimId: place.claimId, decision: 'approve' }] } }),
  [`POST ${P}/claims/:claimId/reversal`]: async () => {
    const params = { claimId: place.claimId };
    await act(`POST ${P}/claims/:claimId/decision`, { params });
    return { params };
  },
  [`POST ${P}/adjustments`]: () => ({ body: { userId: member.userId, points: 5, reason: 'Thanks' } }),
  [`PUT ${P}/board`]: () => ({}),
  [`PATCH ${P}`]: () => ({}),
  [`PUT ${P}/members/:userId/role`]: () => ({ params: { userId: member.userId } }),
  [`POST ${P}/members/:userId/removal`]: () => ({ params: { userId: member.userId } }),
  [`POST ${P}/announcements`]: () => ({}),
  [`DELETE ${P}/announcements/:announcementId`]: async () => ({
    params: { announcementId: await idOf(`POST ${P}/announcements`) },
  }),
  [`PUT ${P}/announcements/:announcementId`]: async () => ({
    params: {
      announcementId: await idOf(`POST ${P}/announcements`, { body: { title: 'Rain', body: 'b', notify: null } }),
    },
  }),
  [`POST ${P}/imports`]: () => MEMBERS_FILE,
  [`POST ${P}/imports/:importId/undo`]: async () => ({
    params: { importId: await idOf(`POST ${P}/imports`, MEMBERS_FILE) },
  }),
  [`PATCH ${P}/chats/:connectionId`]: chat,
  [`DELETE ${P}/chats/:connectionId`]: chat,
  [`POST ${P}/webhooks`]: () => ({}),
  [`PATCH ${P}/webhooks/:webhookId`]: async () => ({ params: { webhookId: await webhook() } }),
  [`DELETE ${P}/webhooks/:webhookId`]: async () => ({ params: { webhookId: await webhook() } }),
  [`POST ${P}/webhooks/:webhookId/deliveries/:deliveryId/replay`]: async () => {
    const webhookId = await webhook();
    await act(`POST ${P}/announcements`);
    const [row] = await server.sql<{ id: string }[]>`
      select id from webhook_deliveries where webhook_id = ${webhookId}`;
    return { params: { webhookId, deliveryId: row?.id ?? '' } };
  },
  [`POST ${P}/campaigns`]: () => ({}),
  [`POST ${P}/campaigns/test`]: () => ({}),
  [`DELETE ${P}/campaigns/:campaignId`]: async () => {
    const sendAt = new Date(server.runtime.now().getTime() + 3_600_000).toISOString();
    const body = { title: 'Later', body: 'Then', sendAt, audience: {} };
    return { params: { campaignId: await idOf(`POST ${P}/campaigns`, { body }) } };
  },
  [`POST ${P}/quiz-packs`]: () => ({}),
  [`PUT ${P}/quiz-packs/:packId`]: async () => ({ params: { packId: await idOf(`POST ${P}/quiz-packs`) } }),
  [`DELETE ${P}/quiz-packs/:packId`]: async () => ({ params: { packId: await idOf(`POST ${P}/quiz-packs`) } }),
  [`POST ${P}/api-keys`]: () => ({}),
  [`DELETE ${P}/api-keys/:keyId`]: async () => ({ params: { keyId: await idOf(`POST ${P}/api-keys`) } }),
  [`POST ${P}/seasons`]: () => ({}),
  [`PATCH ${P}/seasons/:seasonId`]: async () => ({ params: { seasonId: await season() } }),
  [`DELETE ${P}/seasons/:seasonId`]: async () => ({ params: { seasonId: await season() } }),
  [`POST ${P}/seasons/:seasonId/start`]: async () => ({ params: { seasonId: await season() } }),
  [`POST ${P}/seasons/:seasonId/end`]: async () => ({ params: { seasonId: await liveSeason() } }),
  [`POST ${P}/seasons/:seasonId/rewards`]: async () => ({ params: { seasonId: await season() } }),
  [`PATCH ${P}/rewards/:rewardId`]: async () => ({ params: { rewardId: await reward() } }),
  [`DELETE ${P}/rewards/:rewardId`]: async () => ({ params: { rewardId: await reward() } }),
  [`POST ${P}/rewards/:rewardId/draw`]: async () => {
    const seasonId = await season();
    const rewardId = await reward(seasonId);
    await act(`POST ${P}/seasons/:seasonId/start`, { params: { seasonId } });
    await act(`POST ${P}/seasons/:seasonId/end`, { params: { seasonId } });
    server.advance(49 * 3_600_000);
    await closeSeasons(server.runtime);
    return { params: { rewardId } };
  },
};

test('every command of leaders and moderators is tried here', () => {
  expect(Object.keys(READY).sort()).toEqual(commands.map(({ key }) => String(key)).sort());
});

describe.each(commands)('$key', ({ key }) => {
  test('is written down: who, what and to whom, for which leaders have words', async () => {
    const ready = await READY[key]?.();
    const [before] = await server.sql<[{ last: string }]>`select coalesce(max(id), 0)::text as last from audit_entries`;
    await act(key, ready);
    const entries = await server.sql<{ community: string; actor: string; action: string }[]>`
      select community_id as community, actor_id as actor, action from audit_entries where id > ${before.last}`;
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      expect(entry).toMatchObject({ community: place.id, actor: leader.userId });
      expect(Object.keys(AUDIT_WORDS)).toContain(entry.action);
    }
  });
});

/** What changes something there, for each of what leaders change. */
const CHANGES: Record<string, Record<string, unknown>> = {
  [`PATCH ${P}`]: { name: 'Another name', tags: ['one', 'two'], inviteThreshold: 7, visibility: 'private' },
  [`PATCH ${P}/tasks/:taskId`]: {
    title: 'Another title',
    schedule: {
      opensAt: null,
      closesAt: '2026-12-24T18:00:00+02:00',
      window: { days: [1], from: '08:00', until: '09:00' },
    },
    conditions: { match: 'all', of: [{ is: 'level', atLeast: 2 }] },
  },
  [`PATCH ${P}/chats/:connectionId`]: { gate: 'claim' },
  [`PATCH ${P}/webhooks/:webhookId`]: { events: ['claim.decided', 'announcement.posted'], active: false },
  [`PATCH ${P}/seasons/:seasonId`]: { name: 'Another season', graceHours: 5 },
  [`PATCH ${P}/rewards/:rewardId`]: { name: 'Another reward', rule: { type: 'top_n', places: 4 } },
};

test('every change of leaders is tried here', () => {
  expect(Object.keys(CHANGES).sort()).toEqual(
    commands.flatMap(({ key, method }) => (method === 'PATCH' ? [String(key)] : [])).sort(),
  );
});

describe.each(Object.keys(CHANGES))('%s', (key) => {
  test('that changes nothing is not written down, and one that does is, once', async () => {
    const { params = {} } = (await READY[key]?.()) ?? {};
    const written = async (body: unknown) => {
      const [before] = await server.sql<
        [{ last: string }]
      >`select coalesce(max(id), 0)::text as last from audit_entries`;
      const reply = await act(key, { params, body });
      const [{ count }] = await server.sql<[{ count: number }]>`
        select count(*)::int from audit_entries where id > ${before.last}`;
      return { count, json: reply.json };
    };
    expect((await written({})).count).toBe(0);
    const changed = await written(CHANGES[key]);
    expect(changed.count).toBe(1);
    expect(await written(CHANGES[key])).toEqual({ ...changed, count: 0 });
    expect((await written({})).count).toBe(0);
  });
});
