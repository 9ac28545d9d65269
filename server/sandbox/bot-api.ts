/**
 * Telegram's Bot API, as far as the product speaks it.
 * A long file, because it is one method after another.
 */
import { setTimeout } from 'node:timers/promises';
import { Router } from 'express';
import { SANDBOX_BOT_TOKEN, SANDBOX_BOT_USERNAME, SANDBOX_CLIENT_ID } from './settings.ts';
import { type Chat, type Membership, type Person, randomToken, setMembership } from './state.ts';
import type { World } from './world.ts';

const BOT = {
  id: Number(SANDBOX_CLIENT_ID),
  is_bot: true,
  first_name: 'Muster Sandbox',
  username: SANDBOX_BOT_USERNAME,
};

class BotError extends Error {
  readonly code: number;
  readonly parameters: Record<string, unknown> | undefined;
  constructor(code: number, description: string, parameters?: Record<string, unknown>) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}
const POLL_MS = 50;

type Input = Record<string, unknown>;
type Method = (world: World, input: Input) => unknown;

const METHODS: Record<string, Method> = {
  getMe: () => ({ ...BOT, can_join_groups: true, can_read_all_group_messages: false, supports_inline_queries: true }),
  getChat: (world, input) => ({
    ...chatView(roomOf(world, input)),
    invite_link: inviteLink(input),
    accent_color_id: 0,
  }),
  getChatMember(world, input) {
    const room = roomOf(world, input);
    const one = world.state.people.get(String(input['user_id']));
    if (!room.botIsIn) throw new BotError(403, 'Forbidden: bot is not a member of the supergroup chat');
    if (String(input['user_id']) === SANDBOX_CLIENT_ID) return botMember(room);
    if (!room.botIsAdmin) throw new BotError(400, 'Bad Request: CHAT_ADMIN_REQUIRED');
    if (!one) throw new BotError(400, 'Bad Request: user not found');
    return memberView(one, room.members.get(one.telegramUserId));
  },
  getChatMemberCount: (world, input) =>
    [...roomOf(world, input).members.values()].filter(({ isMember }) => isMember).length,
  approveChatJoinRequest: (world, input) => answerRequest(world, input, 'approveChatJoinRequest'),
  declineChatJoinRequest: (world, input) => answerRequest(world, input, 'declineChatJoinRequest'),
  getChatAdministrators(world, input) {
    const room = roomOf(world, input);
    const people = [...room.members].flatMap(([id, membership]) => {
      const one = world.state.people.get(id);
      return one && /^(creator|administrator)$/.test(membership.status) ? [memberView(one, membership)] : [];
    });
    return room.botIsAdmin ? [...people, botMember(room)] : people;
  },
  setWebhook(world, input) {
    const url = String(input['url'] ?? '');
    world.state.webhook =
      url === ''
        ? null
        : {
            url,
            secretToken: typeof input['secret_token'] === 'string' ? input['secret_token'] : null,
            allowedUpdates: listOf(input['allowed_updates']),
          };
    return true;
  },
  getWebhookInfo: (world) => ({
    url: world.state.webhook?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: world.state.pending.length,
    ...(world.state.webhook ? { allowed_updates: world.state.webhook.allowedUpdates } : {}),
  }),
  deleteWebhook(world) {
    world.state.webhook = null;
    return true;
  },
  async getUpdates(world, input) {
    if (world.state.webhook)
      throw new BotError(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook first");
    world.state.polled = listOf(input['allowed_updates']);
    const from = Number(input['offset'] ?? 0);
    world.state.pending = world.state.pending.filter(({ update_id: id }) => id >= from);
    const until = Date.now() + Number(input['timeout'] ?? 0) * 1_000;
    while (world.state.pending.length === 0 && Date.now() < until) await setTimeout(POLL_MS);
    return world.state.pending.slice(0, Number(input['limit'] ?? 100));
  },
  setMyCommands(world, input) {
    record(world, 'setMyCommands', input);
    return true;
  },
  answerCallbackQuery(world, input) {
    record(world, 'answerCallbackQuery', input);
    return true;
  },
  answerInlineQuery(world, input) {
    record(world, 'answerInlineQuery', input);
    return true;
  },
  sendMessage(world, input) {
    const chat = writtenTo(world, input);
    const text = String(input['text'] ?? '');
    if (text === '') throw new BotError(400, 'Bad Request: message text is empty');
    if (text.length > 4_096) throw new BotError(400, 'Bad Request: message is too long');
    refuseButtons(input);
    record(world, 'sendMessage', input);
    const message_id = world.state.nextMessageId++;
    world.state.messages.set(`${chat['id']} ${message_id}`, text);
    return { message_id, from: BOT, date: seconds(world), chat, text };
  },
  editMessageText(world, input) {
    const chat = writtenTo(world, input);
    const key = `${chat['id']} ${input['message_id']}`;
    const text = String(input['text'] ?? '');
    if (!world.state.messages.has(key)) throw new BotError(400, 'Bad Request: message to edit not found');
    if (world.state.messages.get(key) === text) {
      throw new BotError(
        400,
        'Bad Request: message is not modified: specified new message content and reply markup are exactly the same',
      );
    }
    record(world, 'editMessageText', input);
    world.state.messages.set(key, text);
    return { message_id: Number(input['message_id']), from: BOT, date: seconds(world), chat, text };
  },
  deleteMessage(world, input) {
    const chat = writtenTo(world, input);
    if (!world.state.messages.delete(`${chat['id']} ${input['message_id']}`)) {
      throw new BotError(400, 'Bad Request: message to delete not found');
    }
    record(world, 'deleteMessage', input);
    return true;
  },
  createChatInviteLink(world, input) {
    const room = roomOf(world, input);
    if (!room.botIsAdmin || !room.botMayInvite)
      throw new BotError(400, 'Bad Request: not enough rights to manage chat invite link');
    record(world, 'createChatInviteLink', input);
    return {
      invite_link: `https://t.me/+${randomToken().slice(0, 16)}`,
      creator: BOT,
      creates_join_request: input['creates_join_request'] === true || input['creates_join_request'] === 'true',
      is_primary: false,
      is_revoked: false,
      ...(typeof input['name'] === 'string' ? { name: input['name'] } : {}),
    };
  },
};

/** `/bot<token>/<method>`, GET or POST, with Telegram's answers and error shapes (Bot API, "Making requests"). */
export function botApi(world: World): Router {
  const router = Router();
  router.all(/^\/bot([^/]+)\/([A-Za-z]+)$/, async (req, res) => {
    const token = req.params[0] ?? '';
    const name = req.params[1] ?? '';
    const fail = (code: number, description: string, parameters?: Record<string, unknown>) =>
      res.status(code).json({ ok: false, error_code: code, description, ...(parameters && { parameters }) });
    if (token !== SANDBOX_BOT_TOKEN) return void fail(401, 'Unauthorized');
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!method) return void fail(404, 'Not Found');
    try {
      const form = typeof req.body === 'string' ? Object.fromEntries(new URLSearchParams(req.body)) : req.body;
      res.json({ ok: true, result: await method(world, { ...req.query, ...form }) });
    } catch (error) {
      if (error instanceof BotError) return void fail(error.code, error.message, error.parameters);
      throw error;
    }
  });
  return router;
}

/** Sends `chat_member` to the registered webhook; resolves to whether it was taken. Tries three times, as Telegram retries. */
export function chatMemberChanged(world: World, room: Chat, one: Person, before: Membership): Promise<boolean> {
  return deliver(world, 'chat_member', {
    chat: chatView(room),
    from: BOT,
    date: seconds(world),
    old_chat_member: memberView(one, before),
    new_chat_member: memberView(one, room.members.get(one.telegramUserId)),
  });
}

export type Rights = Pick<Chat, 'botIsIn' | 'botIsAdmin' | 'botMayInvite'>;

/** Sends `my_chat_member`: the bot gained or lost its rights in a chat. */
export function botRightsChanged(world: World, room: Chat, before: Rights, by: Person | null): Promise<boolean> {
  return deliver(world, 'my_chat_member', {
    chat: chatView(room),
    from: by ? userView(by) : BOT,
    date: seconds(world),
    old_chat_member: botMember(before),
    new_chat_member: botMember(room),
  });
}

/** A person writes to the bot in private, or in a chat that it is in. */
export function messageWritten(world: World, one: Person, room: Chat | null, text: string): Promise<boolean> {
  const command = /^\/\w+(@\w+)?/.exec(text);
  return deliver(world, 'message', {
    message_id: world.state.nextMessageId++,
    from: userView(one),
    chat: room ? chatView(room) : privateChat(one),
    date: seconds(world),
    text,
    ...(command ? { entities: [{ type: 'bot_command', offset: 0, length: command[0].length }] } : {}),
  });
}

/** A press of a button below the bot's message, which sends `data`. */
export const keyPressed = (world: World, one: Person, room: Chat | null, data: string): Promise<boolean> =>
  deliver(world, 'callback_query', {
    id: randomToken().slice(0, 18),
    from: userView(one),
    message: { message_id: 1, date: seconds(world), chat: room ? chatView(room) : privateChat(one), from: BOT },
    chat_instance: '1',
    data,
  });

/** A person types `@bot …` in any chat. */
export const inlineQueried = (world: World, one: Person, query: string): Promise<boolean> =>
  deliver(world, 'inline_query', { id: randomToken().slice(0, 18), from: userView(one), query, offset: '' });

/** A person blocks the bot in private, or lets it write again. */
export function botBlocked(world: World, one: Person, blocked: boolean): Promise<boolean> {
  if (blocked) world.state.blocked.add(one.telegramUserId);
  else world.state.blocked.delete(one.telegramUserId);
  const member = (status: string) => ({ status, user: BOT, ...(status === 'kicked' ? { until_date: 0 } : {}) });
  return deliver(world, 'my_chat_member', {
    chat: privateChat(one),
    from: userView(one),
    date: seconds(world),
    old_chat_member: member(blocked ? 'member' : 'kicked'),
    new_chat_member: member(blocked ? 'kicked' : 'member'),
  });
}

/**
 * Sends to the registered webhook, else holds it for `getUpdates` if that has asked for the kind. False where neither
 * takes it.
 */
async function deliver(world: World, kind: string, payload: unknown): Promise<boolean> {
  const webhook = world.state.webhook;
  const update = { update_id: world.state.nextUpdateId++, [kind]: payload };
  if (!webhook) {
    const isPolled = world.state.polled.includes(kind);
    if (isPolled) world.state.pending.push(update);
    return isPolled;
  }
  if (!webhook.allowedUpdates.includes(kind)) return false;
  const body = JSON.stringify(update);
  for (let attempt = 1; attempt <= 3; attempt++) {
    try {
      const answer = await fetch(webhook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(webhook.secretToken ? { 'x-telegram-bot-api-secret-token': webhook.secretToken } : {}),
        },
        body,
        signal: AbortSignal.timeout(5_000),
      });
      if (answer.ok) return true;
      world.log(`webhook answered ${answer.status} (attempt ${attempt})`);
    } catch (error) {
      world.log(`webhook did not answer (attempt ${attempt}): ${String(error)}`);
    }
  }
  return false;
}

const seconds = (world: World): number => Math.floor(world.now().getTime() / 1000);

function record(world: World, method: string, body: Input): void {
  world.state.outbox.push({ at: world.now().toISOString(), method, body });
}

function listOf(given: unknown): string[] {
  const list: unknown = typeof given === 'string' ? JSON.parse(given) : given;
  return Array.isArray(list) ? list.map(String) : [];
}

/** The chat that the bot writes to, as the Bot API shows it. */
function writtenTo(world: World, input: Input): Record<string, unknown> {
  const id = String(input['chat_id'] ?? '');
  const moved = world.state.moved.get(id);
  if (moved !== undefined) {
    throw new BotError(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      migrate_to_chat_id: Number(moved),
    });
  }
  if (world.state.blocked.has(id)) throw new BotError(403, 'Forbidden: bot was blocked by the user');
  const one = world.state.people.get(id);
  return one ? privateChat(one) : chatView(roomOf(world, input));
}

/** Telegram rejects button links to local hosts, and button data over 64 bytes. */
function refuseButtons(input: Input): void {
  const given = input['reply_markup'];
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? {});
  if (/"url":"http:\/\/(localhost|127\.)/.test(text)) {
    throw new BotError(400, 'Bad Request: inline keyboard button URL is invalid: Wrong HTTP URL');
  }
  for (const [, data = ''] of text.matchAll(/"callback_data":"([^"]*)"/g)) {
    if (data.length < 1 || data.length > 64) throw new BotError(400, 'Bad Request: BUTTON_DATA_INVALID');
  }
}

function roomOf(world: World, input: Input): Chat {
  const id = String(input['chat_id'] ?? '');
  const room = id.startsWith('@')
    ? [...world.state.chats.values()].find((one) => one.username === id.slice(1))
    : world.state.chats.get(id);
  if (!room) throw new BotError(400, 'Bad Request: chat not found');
  return room;
}

const inviteLink = (input: Input): string => `https://t.me/+sandbox${String(input['chat_id']).replace(/\W/g, '')}`;

const chatView = (room: Chat): Record<string, unknown> => ({
  id: Number(room.id),
  type: room.type,
  title: room.title,
  ...(room.username ? { username: room.username } : {}),
});

const userView = (one: Person): Record<string, unknown> => ({
  id: Number(one.telegramUserId),
  is_bot: false,
  first_name: one.firstName,
  ...(one.lastName ? { last_name: one.lastName } : {}),
  ...(one.username ? { username: one.username } : {}),
});

const privateChat = (one: Person): Record<string, unknown> => ({
  id: Number(one.telegramUserId),
  type: 'private',
  first_name: one.firstName,
  ...(one.username ? { username: one.username } : {}),
});

function memberView(one: Person, membership: Membership | undefined): Record<string, unknown> {
  const user = userView(one);
  const status = membership?.status ?? 'left';
  if (status === 'restricted') return { status, user, is_member: membership?.isMember ?? false, until_date: 0 };
  if (status === 'kicked') return { status, user, until_date: 0 };
  if (status === 'creator') return { status, user, is_anonymous: false };
  return { status, user };
}

const botMember = ({ botIsIn, botIsAdmin, botMayInvite }: Rights): Record<string, unknown> => {
  if (!botIsIn) return { status: 'left', user: BOT };
  return botIsAdmin
    ? { status: 'administrator', user: BOT, can_manage_chat: true, can_invite_users: botMayInvite }
    : { status: 'member', user: BOT };
};

/** Accepts or declines a join request; the resulting membership is sent like any change. */
function answerRequest(world: World, input: Input, method: string): true {
  const room = roomOf(world, input);
  const one = world.state.people.get(String(input['user_id']));
  if (!room.botIsAdmin || !room.botMayInvite) throw new BotError(400, 'Bad Request: CHAT_ADMIN_REQUIRED');
  if (!one) throw new BotError(400, 'Bad Request: USER_ID_INVALID');
  record(world, method, input);
  if (method === 'approveChatJoinRequest') {
    const before = setMembership(world.state, room.id, one.telegramUserId, { status: 'member', isMember: true });
    void chatMemberChanged(world, room, one, before);
  }
  return true;
}

/** Tells of a message that a person wrote in a chat; gives its number. */
export async function postWritten(
  world: World,
  room: Chat,
  one: Person,
  { text, isForwarded }: { text: string; isForwarded: boolean },
): Promise<{ messageId: number; delivered: boolean }> {
  room.messageId += 1;
  const delivered = await deliver(world, 'message', {
    message_id: room.messageId,
    date: seconds(world),
    chat: chatView(room),
    from: userView(one),
    text,
    ...(isForwarded && {
      forward_origin: { type: 'hidden_user', sender_user_name: 'Somebody', date: seconds(world) },
    }),
  });
  return { messageId: room.messageId, delivered };
}

/** Tells that a person reacted to a message, or (no emoji) took their reaction back. */
export const reacted = (world: World, room: Chat, one: Person, messageId: number, emoji: string | null) =>
  deliver(world, 'message_reaction', {
    chat: chatView(room),
    message_id: messageId,
    user: userView(one),
    date: seconds(world),
    old_reaction: [],
    new_reaction: emoji === null ? [] : [{ type: 'emoji', emoji }],
  });

/** Sends the update that a person asks to join by a link of the bot's. */
export const joinRequested = (world: World, room: Chat, one: Person) =>
  deliver(world, 'chat_join_request', {
    chat: chatView(room),
    from: userView(one),
    user_chat_id: Number(one.telegramUserId),
    date: seconds(world),
  });
