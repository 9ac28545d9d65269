import express, { type Request, type Response, Router } from 'express';
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
import { emptyChat, freshState, putPerson, setMembership } from './state.ts';
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

  const read = <S extends z.ZodMiniType>(schema: S, req: Request, res: Response): z.output<S> | undefined => {
    const parsed = schema.safeParse(req.body);
    if (parsed.success) return parsed.data;
    res.status(400).json({ error: 'wrong body', issues: parsed.error.issues });
    return undefined;
  };

  const membershipOf = (input: { chatId: string; telegramUserId: string }, res: Response) => {
    const room = world.state.chats.get(input.chatId);
    const one = world.state.people.get(input.telegramUserId);
    if (room && one) return { room, one };
    res.status(404).json({ error: 'no such chat or person' });
    return undefined;
  };

  router.get('/people', (_req, res) => {
    res.json([...world.state.people.values()]);
  });
  router.put('/people', (req, res) => {
    const input = read(PersonInput, req, res);
    if (!input) return;
    putPerson(world.state, {
      telegramUserId: input.telegramUserId,
      firstName: input.firstName,
      lastName: input.lastName ?? null,
      username: input.username ?? null,
      xId: input.xId ?? null,
      xUsername: input.xUsername ?? null,
      note: world.state.people.get(input.telegramUserId)?.note ?? 'Member',
    });
    res.json({ ok: true });
  });
  router.put('/memberships', async (req, res) => {
    const input = read(MembershipInput, req, res);
    if (!input) return;
    const one = world.state.people.get(input.telegramUserId);
    if (!one) return void res.status(404).json({ error: 'no such person' });
    const isMember =
      input.status === 'restricted'
        ? (input.isMember ?? false)
        : ['creator', 'administrator', 'member'].includes(input.status);
    const before = setMembership(world.state, input.chatId, input.telegramUserId, { status: input.status, isMember });
    const room = world.state.chats.get(input.chatId);
    res.json({ ok: true, delivered: room ? await chatMemberChanged(world, room, one, before) : false });
  });
  router.put('/bot', async (req, res) => {
    const input = read(BotInput, req, res);
    if (!input) return;
    const room = world.state.chats.get(input.chatId);
    if (!room) return void res.status(404).json({ error: 'no such chat' });
    const before = { ...room };
    room.botIsAdmin = input.admin;
    room.botIsIn = input.isIn ?? true;
    room.botMayInvite = input.mayInvite ?? input.admin;
    const by = input.by === undefined ? null : (world.state.people.get(input.by) ?? null);
    res.json({ ok: true, delivered: await botRightsChanged(world, room, before, by) });
  });
  /** A chat that the bot is not in yet. */
  router.put('/chats', (req, res) => {
    const input = read(ChatInput, req, res);
    if (!input) return;
    const { chatId, type, title, username = null } = input;
    world.state.chats.set(chatId, emptyChat(chatId, type, title, username));
    res.json({ ok: true });
  });
  router.put('/posts', async (req, res) => {
    const input = read(PostInput, req, res);
    const found = input && membershipOf(input, res);
    if (!input || !found) return;
    const { text, isForwarded = false } = input;
    res.json({ ok: true, ...(await postWritten(world, found.room, found.one, { text, isForwarded })) });
  });
  router.put('/reactions', async (req, res) => {
    const input = read(ReactionInput, req, res);
    const found = input && membershipOf(input, res);
    if (!input || !found) return;
    res.json({ ok: true, delivered: await reacted(world, found.room, found.one, input.messageId, input.emoji) });
  });
  router.put('/join-requests', async (req, res) => {
    const input = read(RequestInput, req, res);
    const found = input && membershipOf(input, res);
    if (!input || !found) return;
    res.json({ ok: true, delivered: await joinRequested(world, found.room, found.one) });
  });
  router.put('/messages', async (req, res) => {
    const input = read(MessageInput, req, res);
    if (!input) return;
    const one = world.state.people.get(input.telegramUserId);
    const room = input.chatId === undefined ? null : world.state.chats.get(input.chatId);
    if (!one || room === undefined) return void res.status(404).json({ error: 'no such person or chat' });
    res.json({ ok: true, delivered: await messageWritten(world, one, room, input.text) });
  });
  router.put('/presses', async (req, res) => {
    const input = read(PressInput, req, res);
    if (!input) return;
    const one = world.state.people.get(input.telegramUserId);
    const room = input.chatId === undefined ? null : world.state.chats.get(input.chatId);
    if (!one || room === undefined) return void res.status(404).json({ error: 'no such person or chat' });
    res.json({ ok: true, delivered: await keyPressed(world, one, room, input.data) });
  });
  router.put('/inline', async (req, res) => {
    const input = read(InlineInput, req, res);
    if (!input) return;
    const one = world.state.people.get(input.telegramUserId);
    if (!one) return void res.status(404).json({ error: 'no such person' });
    res.json({ ok: true, delivered: await inlineQueried(world, one, input.query) });
  });
  router.put('/blocks', async (req, res) => {
    const input = read(BlockInput, req, res);
    if (!input) return;
    const one = world.state.people.get(input.telegramUserId);
    if (!one) return void res.status(404).json({ error: 'no such person' });
    res.json({ ok: true, delivered: await botBlocked(world, one, input.blocked) });
  });
  router.put('/migrations', (req, res) => {
    const input = read(MoveInput, req, res);
    if (!input) return;
    const room = world.state.chats.get(input.chatId);
    if (!room) return void res.status(404).json({ error: 'no such chat' });
    world.state.chats.set(input.to, { ...room, id: input.to });
    world.state.chats.delete(input.chatId);
    world.state.moved.set(input.chatId, input.to);
    res.json({ ok: true });
  });
  router.put('/x/engagements', (req, res) => {
    const input = read(EngagementInput, req, res);
    if (!input) return;
    world.state.engagements.push({
      xId: input.xId,
      kind: input.kind,
      ...(input.postId === undefined ? {} : { postId: input.postId }),
      ...(input.targetId === undefined ? {} : { targetId: input.targetId }),
      ...(input.text === undefined ? {} : { text: input.text }),
    });
    res.json({ ok: true });
  });
  router.post('/faults', (req, res) => {
    const input = read(FaultInput, req, res);
    if (!input) return;
    world.state.faults.push({ match: input.match, mode: input.mode, left: input.count ?? 1 });
    res.json({ ok: true });
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
