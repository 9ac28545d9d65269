import { notFound } from '../../../../server/base/http-error.ts';
import type { ConnectedChat, MyChats } from '../../../../server/contract/chats.ts';
import type { NotSeen } from '../../../../server/contract/refusals.ts';
import type { TaskSetup } from '../../../../server/contract/tasks.ts';
import { setupOf } from '../../../../server/domain/task-row.ts';
import type { AnswersFor } from './answers.ts';
import { findTask } from './tasks.ts';
import { type Asker, audit, type Chat, type Community, type StoredTask } from './world.ts';

type TelegramSetup = Extract<TaskSetup, { kind: 'telegram_join' | 'telegram_chat' | 'telegram_reaction' }>;

type Attested = { ok: true; note: string } | { ok: false; unseen: NotSeen };

/** What a task's chat reveals of a member, as in the server's `attest`: membership only, no messages. */
export function attest({ world, me, now }: Asker, { communityId }: StoredTask, setup: TelegramSetup): Attested {
  const sort = setup.kind === 'telegram_join' ? setup.chat : 'group';
  const chat = world.communities.find(({ id }) => id === communityId)?.chats.find((one) => one.sort === sort);
  const unseen = (why: NotSeen): Attested => ({ ok: false, unseen: why });
  if (!chat) return unseen({ why: 'no_chat' });
  const { title, inside } = chat;
  switch (setup.kind) {
    case 'telegram_chat':
      return unseen({ why: 'messages', title, count: 0, needed: setup.needed, minLength: setup.minLength });
    case 'telegram_reaction':
      return unseen({ why: 'no_reaction', title });
    case 'telegram_join':
      return inside.includes(me.id)
        ? { ok: true, note: `Seen in ${title}, as the demo plays it` }
        : unseen({ why: 'left', title, at: now.toISOString() });
  }
}

/** The demo's chats are not on Telegram, so they have no link. */
const NOWHERE = { joinUrl: null };

function shownToLeaders({ members }: Community, { inside: ids, ...chat }: Chat): ConnectedChat {
  const inside = members.filter(({ userId }) => ids.includes(userId)).length;
  const people = { inside, outside: members.length - inside, unknown: 0 };
  return { ...chat, ...NOWHERE, missing: [], unverifiableAt: null, people };
}

/** A member's status in each of the community's chats, all of which the demo knows. */
export const standingsOf = ({ chats }: Community, userId: string) =>
  chats.map(({ sort, title, gate, checkedAt, inside }) => ({
    ...{ sort, title, gate, checkedAt, ...NOWHERE },
    state: inside.includes(userId) ? ('member' as const) : ('left' as const),
    unverifiableAt: null,
    triedAt: checkedAt === null ? null : new Date(checkedAt),
  }));

const shownToMe = ({ me }: Asker, community: Community): MyChats => ({
  chats: standingsOf(community, me.id).map(({ unverifiableAt: _, triedAt: __, ...chat }) => ({
    ...chat,
    unverifiable: false,
  })),
  asked: true,
});

function findChat({ chats }: Community, { connectionId }: { connectionId: string }): Chat {
  const chat = chats.find(({ id }) => id === connectionId);
  if (!chat) throw notFound('chat');
  return chat;
}

export const chatAnswers = {
  'GET /api/communities/:communityId/chat-membership': ({ asker, community }) => shownToMe(asker, community),
  'POST /api/communities/:communityId/chat-membership/check': ({ asker, community }) => shownToMe(asker, community),
} satisfies AnswersFor<'user'>;

export const chatAnswersForMembers = {
  // A sample chat has no messages.
  'GET /api/communities/:communityId/tasks/:taskId/seen': ({ asker, community, params }) => {
    const setup = setupOf(findTask(asker.world, community, params.taskId));
    return { count: 0, needed: setup.kind === 'telegram_chat' ? setup.needed : 1, lastAt: null };
  },
} satisfies AnswersFor<'member'>;

export const chatAnswersForLeaders = {
  // Without a bot, no chat can be connected.
  'GET /api/communities/:communityId/chats': ({ community }) => ({
    bot: null,
    chats: community.chats.map((chat) => shownToLeaders(community, chat)),
    waiting: [],
  }),

  'PATCH /api/communities/:communityId/chats/:connectionId': ({ asker, community, params, body: { gate } }) => {
    const chat = findChat(community, params);
    if (gate !== undefined && gate !== chat.gate) {
      chat.gate = gate;
      audit(asker, community, `chat.gate_${gate}`, chat.title);
    }
    return { ok: true };
  },

  'DELETE /api/communities/:communityId/chats/:connectionId': ({ asker, community, params }) => {
    const chat = findChat(community, params);
    community.chats = community.chats.filter((one) => one !== chat);
    audit(asker, community, 'chat.disconnected', chat.title);
    return { ok: true };
  },

  'POST /api/communities/:communityId/chats/:connectionId/check': ({ asker, community, params }) => {
    findChat(community, params).checkedAt = asker.now.toISOString();
    return { asked: true };
  },
} satisfies AnswersFor<'leader'>;
