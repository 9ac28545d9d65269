import { HttpError, notFound } from '../../base/http-error.ts';
import type { MyChats } from '../../contract/chats.ts';
import type { Handlers } from '../../http/handler.ts';
import { botName } from '../notifications/settings.ts';
import { readMySeen } from './activity.ts';
import { chatOf, disconnect, fetchRights, makeLink, setGate } from './connect.ts';
import { myChatOf, standingsOf } from './gate.ts';
import { fetchPerson } from './members.ts';
import { readRoom } from './room.ts';

const noBot = () =>
  new HttpError(409, 'TELEGRAM_NOT_CONFIGURED', 'This place has no Telegram bot yet. Ask the people who run it.');

export const chatHandlers = {
  'GET /api/communities/:communityId/chats': async ({ runtime, sql, community }) => {
    const bot = await botName(runtime);
    return { json: await readRoom(sql, community.id, bot, runtime.now()) };
  },

  'POST /api/communities/:communityId/chats/links': async ({ runtime, sql, actor, community, body }) => {
    const bot = await botName(runtime);
    if (bot === null) throw noBot();
    const leader = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    return { json: await makeLink(sql, leader, { sort: body.sort, bot }) };
  },

  'PATCH /api/communities/:communityId/chats/:connectionId': async (call) => {
    const { runtime, sql, actor, community, params, body } = call;
    const leader = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    await setGate(sql, leader, params.connectionId, body.gate);
    return { json: { ok: true } };
  },

  'DELETE /api/communities/:communityId/chats/:connectionId': async (call) => {
    const { runtime, sql, actor, community, params } = call;
    const leader = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    await disconnect(sql, leader, params.connectionId);
    return { json: { ok: true } };
  },

  'POST /api/communities/:communityId/chats/:connectionId/check': async ({ runtime, sql, community, params }) => {
    const chat = await chatOf(sql, { communityId: community.id, connectionId: params.connectionId });
    return { json: { asked: await fetchRights(runtime, chat) } };
  },

  'GET /api/communities/:communityId/chat-membership': async ({ sql, actor, community }) => {
    const standings = await standingsOf(sql, { communityId: community.id, userId: actor.userId });
    return { json: { chats: standings.map(myChatOf), asked: true } satisfies MyChats };
  },

  'POST /api/communities/:communityId/chat-membership/check': async ({ runtime, sql, actor, community }) => {
    const isAnswered = await fetchPerson(runtime, community.id, actor);
    const standings = await standingsOf(sql, { communityId: community.id, userId: actor.userId });
    return { json: { chats: standings.map(myChatOf), asked: isAnswered } satisfies MyChats };
  },

  'GET /api/communities/:communityId/tasks/:taskId/seen': async ({ runtime, sql, actor, community, params }) => {
    const { userId, timeZone, zoneBefore, zoneFrom } = actor;
    const zones = { timeZone, zoneBefore, zoneFrom };
    const scope = { communityId: community.id, taskId: params.taskId, userId, now: runtime.now(), ...zones };
    const seen = await readMySeen(sql, scope);
    if (!seen) throw notFound('task');
    return { json: seen };
  },
} satisfies Handlers;
