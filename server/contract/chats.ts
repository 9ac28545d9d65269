import * as z from 'zod/mini';
import { Done } from './fields.ts';
import { ANSWER_UPSTREAM_MS } from './limits.ts';
import { command, type Declaration, type RouteKey, read, route } from './route.ts';

/** Groups and supergroups are one sort: the second is what the first grows into. */
export const ChatSort = z.enum(['group', 'channel']);
export type ChatSort = z.infer<typeof ChatSort>;
/** What is closed to members outside of the chat: nothing, claiming, or entering the community. */
export const ChatGate = z.enum(['off', 'claim', 'enter']);
export type ChatGate = z.infer<typeof ChatGate>;
/** What the bot lacks: to be there, to be an administrator, the right to invite. */
export const MissingRight = z.enum(['present', 'admin', 'invite_users']);
export type MissingRight = z.infer<typeof MissingRight>;
export const ChatState = z.enum(['member', 'left', 'kicked', 'restricted', 'unknown']);
export type ChatState = z.infer<typeof ChatState>;

export const ConnectedChat = z.object({
  id: z.string(),
  sort: ChatSort,
  title: z.string(),
  /** Where people join: the bot's own link, else the public name; null where neither is known. */
  joinUrl: z.nullable(z.string()),
  gate: ChatGate,
  missing: z.array(MissingRight),
  /** Since when the bot lacks something; null: all is well. */
  unverifiableAt: z.nullable(z.string()),
  checkedAt: z.string(),
  connectedAt: z.string(),
  /** Members of the community by their known status; `unknown` has none yet. */
  people: z.object({ inside: z.number(), outside: z.number(), unknown: z.number() }),
});
export type ConnectedChat = z.infer<typeof ConnectedChat>;

/** A start link that waits for the bot to be brought somewhere. The link itself is shown once, to who made it. */
export const WaitingLink = z.object({
  sort: ChatSort,
  endsAt: z.string(),
  /** The bot came to a chat that could not be taken, and why; null: it came nowhere yet. */
  problem: z.nullable(z.enum(['taken', 'wrong_sort', 'not_yours'])),
});
export type WaitingLink = z.infer<typeof WaitingLink>;

export const ChatRoom = z.object({
  /** Null: this instance has no bot, so nothing can be connected. */
  bot: z.nullable(z.string()),
  chats: z.array(ConnectedChat),
  waiting: z.array(WaitingLink),
});
export type ChatRoom = z.infer<typeof ChatRoom>;

/** My status in a chat of a community. */
export const MyChat = z.object({
  sort: ChatSort,
  title: z.string(),
  joinUrl: z.nullable(z.string()),
  gate: ChatGate,
  state: ChatState,
  checkedAt: z.nullable(z.string()),
  /** The bot cannot see the chat's members: nobody counts as outside. */
  unverifiable: z.boolean(),
});
export type MyChat = z.infer<typeof MyChat>;
export const MyChats = z.object({
  chats: z.array(MyChat),
  /** False where Telegram did not answer: then nothing changed. */
  asked: z.boolean(),
});
export type MyChats = z.infer<typeof MyChats>;

/** What was seen of me in the group for a task, in its period now. */
export const SeenInChat = z.object({ count: z.number(), needed: z.number(), lastAt: z.nullable(z.string()) });
export type SeenInChat = z.infer<typeof SeenInChat>;

export const chatRoutes = {
  'GET /api/communities/:communityId/chats': read(
    'leader',
    'Telegram chats of the community, and what the bot lacks there',
    { output: ChatRoom },
  ),
  'POST /api/communities/:communityId/chats/links': command(
    'leader',
    'Make a link with which I bring the bot to a group or channel',
    {
      body: z.strictObject({ sort: ChatSort }),
      output: z.object({ url: z.string(), endsAt: z.string() }),
      status: 201,
      perMinute: 20,
      shownOnce: 'url',
    },
  ),
  'PATCH /api/communities/:communityId/chats/:connectionId': command(
    'leader',
    'Say what is closed to who is not in the chat',
    { body: z.strictObject({ gate: z.optional(ChatGate) }), output: Done, answerMs: ANSWER_UPSTREAM_MS },
  ),
  'DELETE /api/communities/:communityId/chats/:connectionId': command('leader', 'Disconnect a chat', { output: Done }),
  'POST /api/communities/:communityId/chats/:connectionId/check': route(
    'leader',
    'Ask Telegram anew for the rights of the bot',
    { output: z.object({ asked: z.boolean() }), cache: 'no-store', perMinute: 10, answerMs: ANSWER_UPSTREAM_MS },
  ),
  'GET /api/communities/:communityId/chat-membership': read('user', 'Whether I am in the chats of a community', {
    output: MyChats,
  }),
  'POST /api/communities/:communityId/chat-membership/check': route(
    'user',
    'Ask Telegram anew whether I am in the chats of a community',
    { output: MyChats, cache: 'no-store', perMinute: 10 },
  ),
  'GET /api/communities/:communityId/tasks/:taskId/seen': read(
    'member',
    'What was seen of me in the group for a task',
    { output: SeenInChat },
  ),
} as const satisfies Record<RouteKey, Declaration>;
