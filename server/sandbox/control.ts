import express, { Router } from 'express';
import * as z from 'zod/mini';
import {
  botBlocked,
  botRightsChanged,
  chatMemberChanged,
  inlineQueried,
  joinRequested,
  keyPressed,
  messageWritten,
  postWritten,
  reacted,
} from './bot-api.ts';
import { type Chat, emptyChat, freshState, type Person, putPerson, setMembership } from './state.ts';
import type { World } from './world.ts';

const id = z.union([z.string().check(z.regex(/^-?\d{1,20}$/)), z.pipe(z.int(), z.transform(String))]);
const name = z.string().check(z.minLength(1), z.maxLength(64));

const PersonInput = z.strictObject({
  telegramUserId: id,
  firstName: name,
  lastName: z.optional(z.nullable(name)),
  username: z.optional(z.nullable(name)),
  xId: z.optional(z.nullable(id)),
  xUsername: z.optional(z.nullable(name)),
});
const MembershipInput = z.strictObject({
  chatId: id,
  telegramUserId: id,
  status: z.enum(['creator', 'administrator', 'member', 'restricted', 'left', 'kicked']),
  isMember: z.optional(z.boolean()),
});
const MessageInput = z.strictObject({
  telegramUserId: id,
  /** A private chat when absent. */
  chatId: z.optional(id),
  text: z.string().check(z.minLength(1), z.maxLength(4_096)),
});
const PressInput = z.strictObject({
  telegramUserId: id,
  /** A private chat when absent. */
  chatId: z.optional(id),
  data: z.string().check(z.maxLength(1_000)),
});
const InlineInput = z.strictObject({ telegramUserId: id, query: z.string().check(z.maxLength(256)) });
const BlockInput = z.strictObject({ telegramUserId: id, blocked: z.boolean() });
const MoveInput = z.strictObject({ chatId: id, to: id });
const BotInput = z.strictObject({
  chatId: id,
  admin: z.boolean(),
  /** Whether the bot is in the chat, and may invite people. */
  isIn: z.optional(z.boolean()),
  mayInvite: z.optional(z.boolean()),
  /** The person who changes it, by whom the app knows the chat's owner. */
  by: z.optional(id),
});
const ChatInput = z.strictObject({
  chatId: id,
  type: z.enum(['channel', 'supergroup', 'group']),
  title: name,
  username: z.optional(z.nullable(name)),
});
const PostInput = z.strictObject({
  chatId: id,
  telegramUserId: id,
  text: z.string().check(z.maxLength(4_096)),
  isForwarded: z.optional(z.boolean()),
});
const ReactionInput = z.strictObject({
  chatId: id,
  telegramUserId: id,
  messageId: z.int(),
  emoji: z.nullable(z.string().check(z.maxLength(16))),
});
const RequestInput = z.strictObject({ chatId: id, telegramUserId: id });
const EngagementInput = z.strictObject({
  xId: id,
  kind: z.enum(['like', 'repost', 'reply', 'quote', 'follow', 'post']),
  postId: z.optional(id),
  targetId: z.optional(id),
  text: z.optional(z.string().check(z.maxLength(4_000))),
});
const FaultInput = z.strictObject({
  match: z.string().check(z.minLength(1), z.maxLength(200)),
  mode: z.enum(['429', '5xx', 'timeout', 'reset']),
  count: z.optional(z.int().check(z.gte(1), z.lte(10_000))),
});

class Missing extends Error {}
type Put = <S extends z.ZodMiniType>(
  path: string,
  schema: S,
  work: (input: z.output<S>) => object | Promise<object>,
) => void;

/** The sandbox's own API, for tests and curious people: who there is, what they are in, and what goes wrong. */
export function control(world: World): Router {
  const router = Router();
  router.use((req, res, next) => {
    // A page of another site must not steer the sandbox through the visitor's browser.
    const site = req.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      return void res.status(403).json({ error: 'control is not for pages of other origins' });
    }
    next();
  });
  router.use(express.json());

  const taking =
    (method: 'put' | 'post'): Put =>
    (path, schema, work) =>
      void router[method](path, async (req, res) => {
        const parsed = schema.safeParse(req.body);
        if (!parsed.success) return void res.status(400).json({ error: 'wrong body', issues: parsed.error.issues });
        try {
          res.json({ ok: true, ...(await work(parsed.data)) });
        } catch (error) {
          if (!(error instanceof Missing)) throw error;
          res.status(404).json({ error: error.message });
        }
      });
  const put = taking('put');
  putPeopleAndChats(world, put);
  putUpdates(world, put);
  put('/x/engagements', EngagementInput, ({ xId, kind, postId, targetId, text }) => {
    world.state.engagements.push({
      xId,
      kind,
      ...(postId === undefined ? {} : { postId }),
      ...(targetId === undefined ? {} : { targetId }),
      ...(text === undefined ? {} : { text }),
    });
    return {};
  });
  taking('post')('/faults', FaultInput, ({ match, mode, count = 1 }) => {
    world.state.faults.push({ match, mode, left: count });
    return {};
  });
  router.get('/people', (_req, res) => {
    res.json([...world.state.people.values()]);
  });
  router.get('/outbox', (_req, res) => {
    res.json(world.state.outbox);
  });
  router.post('/reset', (_req, res) => {
    // The app's registrations stay, because the app does not hear of this.
    world.state = { ...freshState(), webhook: world.state.webhook, polled: world.state.polled };
    world.releaseHeld();
    res.json({ ok: true });
  });
  return router;
}

function personOf({ state }: World, telegramUserId: string): Person {
  const one = state.people.get(telegramUserId);
  if (!one) throw new Missing('no such person');
  return one;
}

function roomOf({ state }: World, chatId: string): Chat {
  const room = state.chats.get(chatId);
  if (!room) throw new Missing('no such chat');
  return room;
}

function putPeopleAndChats(world: World, put: Put): void {
  put('/people', PersonInput, ({ lastName = null, username = null, xId = null, xUsername = null, ...person }) => {
    const note = world.state.people.get(person.telegramUserId)?.note ?? 'Member';
    putPerson(world.state, { ...person, lastName, username, xId, xUsername, note });
    return {};
  });
  put('/memberships', MembershipInput, async (input) => {
    const one = personOf(world, input.telegramUserId);
    const isMember =
      input.status === 'restricted'
        ? (input.isMember ?? false)
        : ['creator', 'administrator', 'member'].includes(input.status);
    const before = setMembership(world.state, input.chatId, input.telegramUserId, { status: input.status, isMember });
    const room = world.state.chats.get(input.chatId);
    return { delivered: room ? await chatMemberChanged(world, room, one, before) : false };
  });
  put('/bot', BotInput, async (input) => {
    const room = roomOf(world, input.chatId);
    const before = { ...room };
    room.botIsAdmin = input.admin;
    room.botIsIn = input.isIn ?? true;
    room.botMayInvite = input.mayInvite ?? input.admin;
    const by = input.by === undefined ? null : (world.state.people.get(input.by) ?? null);
    return { delivered: await botRightsChanged(world, room, before, by) };
  });
  /** A chat that the bot is not in yet. */
  put('/chats', ChatInput, ({ chatId, type, title, username = null }) => {
    world.state.chats.set(chatId, emptyChat(chatId, type, title, username));
    return {};
  });
  put('/migrations', MoveInput, ({ chatId, to }) => {
    world.state.chats.set(to, { ...roomOf(world, chatId), id: to });
    world.state.chats.delete(chatId);
    world.state.moved.set(chatId, to);
    return {};
  });
}

/** What people do in Telegram, of which the bot gets an update. */
function putUpdates(world: World, put: Put): void {
  const both = (input: { chatId: string; telegramUserId: string }) =>
    [roomOf(world, input.chatId), personOf(world, input.telegramUserId)] as const;
  const inChat = ({ telegramUserId, chatId }: { telegramUserId: string; chatId?: string | undefined }) =>
    [personOf(world, telegramUserId), chatId === undefined ? null : roomOf(world, chatId)] as const;

  put('/posts', PostInput, ({ text, isForwarded = false, ...input }) =>
    postWritten(world, ...both(input), { text, isForwarded }),
  );
  put('/reactions', ReactionInput, async ({ messageId, emoji, ...input }) => ({
    delivered: await reacted(world, ...both(input), messageId, emoji),
  }));
  put('/join-requests', RequestInput, async (input) => ({ delivered: await joinRequested(world, ...both(input)) }));
  put('/messages', MessageInput, async ({ text, ...input }) => ({
    delivered: await messageWritten(world, ...inChat(input), text),
  }));
  put('/presses', PressInput, async ({ data, ...input }) => ({
    delivered: await keyPressed(world, ...inChat(input), data),
  }));
  put('/inline', InlineInput, async ({ telegramUserId, query }) => ({
    delivered: await inlineQueried(world, personOf(world, telegramUserId), query),
  }));
  put('/blocks', BlockInput, async ({ telegramUserId, blocked }) => ({
    delivered: await botBlocked(world, personOf(world, telegramUserId), blocked),
  }));
}
