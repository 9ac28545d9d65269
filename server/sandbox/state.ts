import { createHash, randomBytes } from 'node:crypto';

/** A person of the sandbox: a Telegram account and, where they have one, an X account. */
export type Person = {
  telegramUserId: string;
  firstName: string;
  lastName: string | null;
  username: string | null;
  xId: string | null;
  xUsername: string | null;
  /** Description on the sign-in page. */
  note: string;
};
export type MemberStatus = 'creator' | 'administrator' | 'member' | 'restricted' | 'left' | 'kicked';
export type Membership = { status: MemberStatus; isMember: boolean };
export type Chat = {
  id: string;
  type: 'channel' | 'supergroup' | 'group';
  title: string;
  username: string | null;
  botIsAdmin: boolean;
  /** Whether the bot is in the chat, and may invite people there. */
  botIsIn: boolean;
  botMayInvite: boolean;
  /** The number of the last message. */
  messageId: number;
  members: Map<string, Membership>;
};
export type FaultMode = '429' | '5xx' | 'timeout' | 'reset';
export type Fault = { match: string; mode: FaultMode; left: number };
/** One authorization code, of Telegram's OIDC or of X. */
export type Grant = {
  personId: string;
  clientId: string;
  redirectUri: string;
  codeChallenge: string | null;
  nonce: string | null;
  scope: string;
  expiresAt: number;
};
export type XAccount = { id: string; username: string; name: string };
export type XEngagement = { xId: string; kind: string; postId?: string; targetId?: string; text?: string };
export type Sent = { at: string; method: string; body: Record<string, unknown> };
export type PendingUpdate = { update_id: number; [kind: string]: unknown };
export type Webhook = { url: string; secretToken: string | null; allowedUpdates: string[] };

export type SandboxState = {
  people: Map<string, Person>;
  chats: Map<string, Chat>;
  xAccounts: Map<string, XAccount>;
  telegramCodes: Map<string, Grant>;
  xCodes: Map<string, Grant>;
  /** Access token of X → numeric X id. */
  xTokens: Map<string, string>;
  /** What a token of X, access or refresh, may be used for. */
  xScopes: Map<string, string>;
  /** Refresh token of X → numeric X id and the access token that came with it. */
  xRefreshTokens: Map<string, { xId: string; access: string }>;
  engagements: XEngagement[];
  faults: Fault[];
  outbox: Sent[];
  webhook: Webhook | null;
  nextUpdateId: number;
  /** For `getUpdates`: unconfirmed updates. */
  pending: PendingUpdate[];
  /** Kinds that the last `getUpdates` asked for. */
  polled: string[];
  /** People who blocked the bot. */
  blocked: Set<string>;
  /** Groups that became supergroups: old id → new id. */
  moved: Map<string, string>;
  /** What the bot wrote and has not deleted: chat and number → text. */
  messages: Map<string, string>;
  nextMessageId: number;
};

export const REQUIRED_CHANNEL = '-1001';
export const COMMUNITY_GROUP = '-1002';

const PEOPLE: Person[] = [
  person('1001', 'Maya', 'Lindqvist', 'maya_walks', '9001', 'maya_walks', 'Member, everything in place'),
  person('1002', 'Tomasz', 'Zieliński', null, '9002', 'tomasz_z', 'Has no Telegram username'),
  person('1003', 'Aiko', 'Mori', 'aiko_mori', null, null, 'Has no X account'),
  person('1004', 'Inês', 'Ferreira', 'ines_ridge', '9004', 'ines_ridge', 'Leads a community'),
  person('1005', 'Dmytro', 'Koval', 'dk_maps', '9005', 'dk_maps', 'Leads a community'),
  person('1006', 'Sam', 'Okafor', 'sam_okafor', '9006', 'sam_okafor', 'Removed from the required channel'),
];

function person(
  telegramUserId: string,
  firstName: string,
  lastName: string,
  username: string | null,
  xId: string | null,
  xUsername: string | null,
  note: string,
): Person {
  return { telegramUserId, firstName, lastName, username, xId, xUsername, note };
}

/** The world every sandbox starts with: six people, the required channel and one community's group. */
export function freshState(): SandboxState {
  const state: SandboxState = {
    people: new Map(),
    chats: new Map(),
    xAccounts: new Map(),
    telegramCodes: new Map(),
    xCodes: new Map(),
    xTokens: new Map(),
    xScopes: new Map(),
    xRefreshTokens: new Map(),
    engagements: [],
    faults: [],
    outbox: [],
    webhook: null,
    // Counts on after a reset and a start, as the Bot API does.
    nextUpdateId: Date.now(),
    pending: [],
    polled: [],
    blocked: new Set(),
    moved: new Map(),
    messages: new Map(),
    nextMessageId: 1,
  };
  state.chats.set(REQUIRED_CHANNEL, chat(REQUIRED_CHANNEL, 'channel', 'Muster Square', 'muster_square'));
  state.chats.set(COMMUNITY_GROUP, chat(COMMUNITY_GROUP, 'supergroup', 'Ridge & Valley Walkers', null));
  for (const one of PEOPLE) putPerson(state, { ...one });
  setMembership(state, REQUIRED_CHANNEL, '1006', { status: 'kicked', isMember: false });
  setMembership(state, COMMUNITY_GROUP, '1001', { status: 'member', isMember: true });
  setMembership(state, COMMUNITY_GROUP, '1004', { status: 'creator', isMember: true });
  return state;
}

function chat(id: string, type: Chat['type'], title: string, username: string | null): Chat {
  return {
    id,
    type,
    title,
    username,
    botIsAdmin: true,
    botIsIn: true,
    botMayInvite: true,
    messageId: 0,
    members: new Map(),
  };
}

/** An empty chat, also without the bot. */
export const emptyChat = (id: string, type: Chat['type'], title: string, username: string | null): Chat => ({
  ...chat(id, type, title, username),
  botIsAdmin: false,
  botIsIn: false,
  botMayInvite: false,
});

/** Adds or changes a person. New people join the required channel, so they can use the app at once. */
export function putPerson(state: SandboxState, one: Person): void {
  const existing = state.people.get(one.telegramUserId);
  if (existing?.xId && existing.xId !== one.xId) state.xAccounts.delete(existing.xId);
  state.people.set(one.telegramUserId, one);
  if (one.xId && one.xUsername) {
    state.xAccounts.set(one.xId, { id: one.xId, username: one.xUsername, name: fullName(one) });
  }
  const square = state.chats.get(REQUIRED_CHANNEL);
  if (!existing && square) square.members.set(one.telegramUserId, { status: 'member', isMember: true });
}

/** Sets a person's status in a chat, which is created if new; returns the previous status. */
export function setMembership(state: SandboxState, chatId: string, personId: string, next: Membership): Membership {
  let room = state.chats.get(chatId);
  if (!room) {
    room = chat(chatId, 'supergroup', `Group ${chatId}`, null);
    state.chats.set(chatId, room);
  }
  const before = room.members.get(personId) ?? { status: 'left', isMember: false };
  room.members.set(personId, next);
  return before;
}

export const fullName = (one: Person): string => (one.lastName ? `${one.firstName} ${one.lastName}` : one.firstName);

/**
 * An id for a person added by hand. The same handle gives the same id, also after a restart, because the app remembers
 * accounts; without a handle it is a new person each time.
 */
export function idFor(kind: 'person' | 'x', handle: string | null): string {
  const seed = handle === null ? randomBytes(16) : `${kind}:${handle.toLowerCase()}`;
  return String(100_000_000 + createHash('sha256').update(seed).digest().readUIntBE(0, 4));
}

/** A URL-safe random string of 32 bytes. */
export const randomToken = (): string => randomBytes(32).toString('base64url');
