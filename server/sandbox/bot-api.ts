import { Router } from 'express';
import { SANDBOX_BOT_TOKEN, SANDBOX_BOT_USERNAME, SANDBOX_CLIENT_ID } from './settings.ts';
import { type Chat, type Membership, type Person, randomToken } from './state.ts';
import type { World } from './world.ts';

const BOT = {
  id: Number(SANDBOX_CLIENT_ID),
  is_bot: true,
  first_name: 'Muster Sandbox',
  username: SANDBOX_BOT_USERNAME,
};

class BotError extends Error {
  readonly code: number;
  constructor(code: number, description: string) {
    super(description);
    this.code = code;
  }
}

type Input = Record<string, unknown>;
type Method = (world: World, input: Input) => unknown;

const METHODS: Record<string, Method> = {
  getMe: () => ({ ...BOT, can_join_groups: true, can_read_all_group_messages: false, supports_inline_queries: false }),
  getChat: (world, input) => ({
    ...chatView(roomOf(world, input)),
    invite_link: inviteLink(input),
    accent_color_id: 0,
  }),
  getChatMember(world, input) {
    const room = roomOf(world, input);
    const one = world.state.people.get(String(input['user_id']));
    if (String(input['user_id']) === SANDBOX_CLIENT_ID) return botMember(room);
    if (!room.botIsAdmin) throw new BotError(400, 'Bad Request: CHAT_ADMIN_REQUIRED');
    if (!one) throw new BotError(400, 'Bad Request: user not found');
    return memberView(one, room.members.get(one.telegramUserId));
  },
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
    const given = input['allowed_updates'];
    const allowed: unknown = typeof given === 'string' ? JSON.parse(given) : given;
    world.state.webhook =
      url === ''
        ? null
        : {
            url,
            secretToken: typeof input['secret_token'] === 'string' ? input['secret_token'] : null,
            allowedUpdates: Array.isArray(allowed) ? allowed.map(String) : [],
          };
    return true;
  },
  getWebhookInfo: (world) => ({
    url: world.state.webhook?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: 0,
    ...(world.state.webhook ? { allowed_updates: world.state.webhook.allowedUpdates } : {}),
  }),
  sendMessage(world, input) {
    const chatId = String(input['chat_id'] ?? '');
    const text = String(input['text'] ?? '');
    const room = world.state.chats.get(chatId);
    const one = world.state.people.get(chatId);
    if (!room && !one) throw new BotError(400, 'Bad Request: chat not found');
    if (text === '') throw new BotError(400, 'Bad Request: message text is empty');
    record(world, 'sendMessage', input);
    return {
      message_id: world.state.outbox.length,
      from: BOT,
      date: seconds(world),
      chat: room
        ? chatView(room)
        : one
          ? { id: Number(chatId), type: 'private', first_name: one.firstName }
          : undefined,
      text,
    };
  },
  createChatInviteLink(world, input) {
    const room = roomOf(world, input);
    if (!room.botIsAdmin) throw new BotError(400, 'Bad Request: not enough rights to manage chat invite link');
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
  router.all(/^\/bot([^/]+)\/([A-Za-z]+)$/, (req, res) => {
    const token = req.params[0] ?? '';
    const name = req.params[1] ?? '';
    const fail = (code: number, description: string) =>
      res.status(code).json({ ok: false, error_code: code, description });
    if (token !== SANDBOX_BOT_TOKEN) return void fail(401, 'Unauthorized');
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!method) return void fail(404, 'Not Found');
    try {
      const form = typeof req.body === 'string' ? Object.fromEntries(new URLSearchParams(req.body)) : req.body;
      res.json({ ok: true, result: method(world, { ...req.query, ...form }) });
    } catch (error) {
      if (error instanceof BotError) return void fail(error.code, error.message);
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

/** Sends `my_chat_member`: the bot gained or lost its rights in a chat. */
export function botRightsChanged(world: World, room: Chat, wasAdmin: boolean): Promise<boolean> {
  return deliver(world, 'my_chat_member', {
    chat: chatView(room),
    from: BOT,
    date: seconds(world),
    old_chat_member: botMember({ ...room, botIsAdmin: wasAdmin }),
    new_chat_member: botMember(room),
  });
}

async function deliver(world: World, kind: string, payload: unknown): Promise<boolean> {
  const webhook = world.state.webhook;
  if (!webhook?.allowedUpdates.includes(kind)) return false;
  const body = JSON.stringify({ update_id: world.state.nextUpdateId++, [kind]: payload });
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

function memberView(one: Person, membership: Membership | undefined): Record<string, unknown> {
  const user = {
    id: Number(one.telegramUserId),
    is_bot: false,
    first_name: one.firstName,
    ...(one.lastName ? { last_name: one.lastName } : {}),
    ...(one.username ? { username: one.username } : {}),
  };
  const status = membership?.status ?? 'left';
  if (status === 'restricted') return { status, user, is_member: membership?.isMember ?? false, until_date: 0 };
  if (status === 'kicked') return { status, user, until_date: 0 };
  if (status === 'creator') return { status, user, is_anonymous: false };
  return { status, user };
}

const botMember = (room: Chat): Record<string, unknown> => ({
  status: room.botIsAdmin ? 'administrator' : 'member',
  user: BOT,
});
