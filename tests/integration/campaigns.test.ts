import { expect, test } from 'vitest';
import { sendBotMessages } from '../../server/features/bot/send.ts';
import { fanOut } from '../../server/features/notifications/fan-out.ts';
import { openPushStage } from '../support/push-stage.ts';
import { join } from '../support/world.ts';

// The sandbox is there for its bot: who can get no push is told by it.
const { server, subscriber, place } = await openPushStage();

const send = async () => {
  await fanOut(server.runtime, new AbortController().signal);
  await sendBotMessages(server.runtime, new AbortController().signal);
};
const ask = (cookie: string, method: string, path: string, body?: unknown) =>
  server.command(method, path, { cookie, body });
const stage = async () => {
  const made = await place();
  return { ...made, path: `/api/communities/${made.id}/campaigns` };
};
const campaign = (change: object = {}) => ({
  title: 'Saturday',
  body: 'We meet at ten.',
  sendAt: null,
  audience: {},
  ...change,
});
const first = async (cookie: string, path: string) => (await ask(cookie, 'GET', path)).json.items[0];

test('is sent to its audience, and its sender sees how it fared', async () => {
  const { path, leader, member, moderator } = await stage();
  const made = await ask(leader.cookie, 'POST', path, campaign({ audience: { roles: ['member'] } }));
  expect(made.status, made.text).toBe(201);
  expect(made.json).toMatchObject({ state: 'waiting', queued: 0, audience: { roles: ['member'] } });
  await send();
  expect([member, moderator, leader].map(({ browser }) => browser.got().length)).toEqual([1, 0, 0]);
  for (const event of ['shown', 'clicked', 'done'])
    await server.request('POST', `/api/pwa/notifications/${made.json.id}/events`, {
      cookie: member.cookie,
      body: { event, at: new Date().toISOString() },
    });
  expect(await first(leader.cookie, path)).toMatchObject({
    id: made.json.id,
    state: 'done',
    sent: 1,
    shown: 1,
    clicked: 1,
    dismissed: 0,
    failed: 0,
    services: [{ service: 'fcm.googleapis.com', sent: 1, gone: 0, failed: 0 }],
    finishedAt: expect.any(String),
  });
});

test('waits for its time, and can be taken back until then', async () => {
  const { path, leader, member } = await stage();
  const at = (ms: number) => new Date(server.runtime.now().getTime() + ms).toISOString();
  const [later, never] = [
    await ask(leader.cookie, 'POST', path, campaign({ title: 'Later', sendAt: at(3_600_000) })),
    await ask(leader.cookie, 'POST', path, campaign({ title: 'Never', sendAt: at(3_600_000) })),
  ];
  await send();
  expect(member.browser.got()).toEqual([]);
  // Neither another community's leader nor an admin reaches it from their own list.
  const [other, admin] = [await stage(), await subscriber({ role: 'admin' })];
  expect((await ask(other.leader.cookie, 'DELETE', `${other.path}/${later.json.id}`)).status).toBe(404);
  const cancellation = `/api/admin/campaigns/${later.json.id}/cancellation`;
  expect((await ask(admin.cookie, 'POST', cancellation, { reason: 'Not mine' })).status).toBe(404);
  expect((await ask(leader.cookie, 'DELETE', `${path}/${never.json.id}`)).status).toBe(200);
  server.advance(3_600_001);
  await send();
  expect(member.browser.got().map(({ notification }) => notification.data.id)).toEqual([later.json.id]);
  const tooLate = await ask(leader.cookie, 'DELETE', `${path}/${later.json.id}`);
  expect(tooLate.json).toMatchObject({ status: 409, reason: 'CAMPAIGN_SENT' });
  const past = await ask(leader.cookie, 'POST', path, campaign({ sendAt: at(-1_000) }));
  expect(past.json).toMatchObject({ status: 422, reason: 'DATE_OUT_OF_RANGE' });
});

test('reaches nobody from a community that was suspended before its time came', async () => {
  const { id, path, leader, member } = await stage();
  const sendAt = new Date(server.runtime.now().getTime() + 3_600_000).toISOString();
  expect((await ask(leader.cookie, 'POST', path, campaign({ sendAt }))).status).toBe(201);
  await server.sql`update communities set status = 'suspended' where id = ${id}`;
  server.advance(3_600_001);
  await send();
  expect(member.browser.got()).toEqual([]);
});

test('a test goes to who wrote it and to nobody else', async () => {
  const { path, leader, member, moderator } = await stage();
  const { title, body } = campaign();
  expect((await ask(leader.cookie, 'POST', `${path}/test`, { title, body })).status).toBe(200);
  await send();
  expect([leader, member, moderator].map(({ browser }) => browser.got().length)).toEqual([1, 0, 0]);
});

test('to everybody here is for admins, and reaches who is in no community', async () => {
  const [admin, anybody] = [await subscriber({ role: 'admin' }), await subscriber()];
  expect((await ask(anybody.cookie, 'POST', '/api/admin/campaigns', campaign())).status).toBe(403);
  const filtered = await ask(admin.cookie, 'POST', '/api/admin/campaigns', campaign({ audience: { minPoints: 1 } }));
  expect(filtered.json).toMatchObject({ status: 422, reason: 'AUDIENCE_OF_COMMUNITY' });
  const made = await ask(admin.cookie, 'POST', '/api/admin/campaigns', campaign());
  expect(made.status).toBe(201);
  await send();
  expect([anybody, admin].map(({ browser }) => browser.got().length)).toEqual([1, 0]);
  expect(await first(admin.cookie, '/api/admin/campaigns')).toMatchObject({ id: made.json.id, state: 'done' });
});

test('who can get no push is told by the bot, who wants both gets each once, who never started it is left alone', async () => {
  const { id, path, leader, member } = await stage();
  const outbox = async () => {
    const sent = (await (await fetch(`${server.sandboxUrl}/control/outbox`)).json()) as {
      method: string;
      body: { chat_id: number | string; text: string };
    }[];
    return sent.filter(({ method }) => method === 'sendMessage').map(({ body }) => [String(body.chat_id), body.text]);
  };
  const before = (await outbox()).length;
  // Known to the sandbox's bot, and without a browser that could be pushed to.
  await server.signIn(1001);
  const [known] = await server.sql<[{ id: string }]>`select id from users where telegram_user_id = 1001`;
  await join(server.sql, id, known.id, 'member');
  const choices = [{ communityId: null, topic: 'announcement', channel: 'both' }];
  await ask(member.cookie, 'PUT', '/api/user/notifications', { quiet: null, dailyCap: 8, collapse: true, choices });
  const made = await ask(leader.cookie, 'POST', path, campaign({ title: 'To all of you' }));
  await send();
  const sent = (await outbox()).slice(before);
  expect(sent.map(([chat]) => chat)).toEqual(['1001']);
  expect(sent[0]?.[1]).toContain('To all of you\nWe meet at ten.\n');
  expect(member.browser.got()).toHaveLength(1);
  const figures = await first(leader.cookie, path);
  // The bot knows neither the member who wanted both nor the author of the community's claim.
  expect(figures).toMatchObject({ id: made.json.id, told: 1, gone: 2, failed: 0 });
  const room = await ask(member.cookie, 'GET', '/api/user/notifications');
  expect(room.json.telegram).toEqual({ bot: expect.any(String), refused: true });
  await ask(leader.cookie, 'POST', path, campaign({ title: 'Once more' }));
  await send();
  expect((await first(leader.cookie, path)).gone).toBe(0);
});
