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

  'POST /api/communities/:communityId/chats/links': async ({ runtime, sql, body, scope }) => {
    const bot = await botName(runtime);
    if (bot === null) throw noBot();
    return { json: await makeLink(sql, scope, { sort: body.sort, bot }) };
  },

  'PATCH /api/communities/:communityId/chats/:connectionId': async ({ sql, params, body, scope }) => {
    await setGate(sql, scope, params.connectionId, body.gate);
    return { json: { ok: true } };
  },

  'DELETE /api/communities/:communityId/chats/:connectionId': async ({ sql, params, scope }) => {
    await disconnect(sql, scope, params.connectionId);
    return { json: { ok: true } };
  },

  'POST /api/communities/:communityId/chats/:connectionId/check': async ({ runtime, sql, scope }) => {
    const chat = await chatOf(sql, scope);
    return { json: { asked: await fetchRights(runtime, chat) } };
  },

  'GET /api/communities/:communityId/chat-membership': async ({ sql, scope }) => {
    const standings = await standingsOf(sql, scope);
    return { json: { chats: standings.map(myChatOf), asked: true } satisfies MyChats };
  },

  'POST /api/communities/:communityId/chat-membership/check': async ({ runtime, sql, actor, scope }) => {
    const isAnswered = await fetchPerson(runtime, scope.communityId, actor);
    const standings = await standingsOf(sql, scope);
    return { json: { chats: standings.map(myChatOf), asked: isAnswered } satisfies MyChats };
  },

  'GET /api/communities/:communityId/tasks/:taskId/seen': async ({ sql, actor, scope }) => {
    const { timeZone, zoneBefore, zoneFrom } = actor;
    const seen = await readMySeen(sql, { ...scope, timeZone, zoneBefore, zoneFrom });
    if (!seen) throw notFound('task');
    return { json: seen };
  },
} satisfies Handlers;
