import { type Api, GrammyError } from 'grammy';
import type { MissingRight } from '../../contract/chats.ts';
import { missingRights } from '../../domain/chat-membership.ts';

/** A person's status in a chat, from the Bot API. */
export type ChatMembership = 'member' | 'left' | 'kicked' | 'restricted';

/** Maps a `ChatMember` of the Bot API; null for an unknown status. */
export function membershipOf(member: { status: string; is_member?: boolean | undefined }): ChatMembership | null {
  switch (member.status) {
    case 'creator':
    case 'administrator':
    case 'member':
      return 'member';
    case 'restricted':
      // A restricted person may be in the chat, muted, or outside it: `is_member` says which.
      return member.is_member ? 'restricted' : 'left';
    case 'kicked':
      return 'kicked';
    case 'left':
      return 'left';
    default:
      return null;
  }
}

/** Why Telegram gave no answer. None of these tells whether a person is in a chat. */
export type ChatTrouble =
  /** Too many calls: retry after `ms`. */
  | { kind: 'wait'; ms: number }
  /** Telegram cannot be reached, or fails. */
  | { kind: 'away' }
  /** The bot is not in the chat, or lacks the right to look. */
  | { kind: 'blind' }
  /** The group has become a supergroup with this id. */
  | { kind: 'moved'; chatId: string }
  /** Telegram does not know the person by that number, as it does not before they first met the bot. */
  | { kind: 'stranger' };

export type ChatFacts = { title: string; username: string | null; sort: 'group' | 'channel' };

/** The bot's calls about communities' chats. */
export type TelegramChats = {
  /** `getChatMember` of a person. */
  member(chatId: string, telegramUserId: string): Promise<ChatMembership | ChatTrouble>;
  /** Whether a person may change the chat: its creator or an administrator. */
  isAdmin(chatId: string, telegramUserId: string): Promise<boolean | ChatTrouble>;
  /** `getChatMember` of the bot: what it lacks. */
  rights(chatId: string): Promise<MissingRight[] | ChatTrouble>;
  /** `getChat`. */
  facts(chatId: string): Promise<ChatFacts | ChatTrouble>;
  /** `createChatInviteLink` with join requests. */
  joinLink(chatId: string, name: string): Promise<string | ChatTrouble>;
  /** `approveChatJoinRequest` or `declineChatJoinRequest`. */
  answerJoin(chatId: string, telegramUserId: string, approve: boolean): Promise<boolean | ChatTrouble>;
};

export const isTrouble = (answer: unknown): answer is ChatTrouble =>
  typeof answer === 'object' && answer !== null && 'kind' in answer;

/** `ask` calls the Bot API and logs failures without secrets. */
export function createChats(callApi: <T>(method: string, call: (api: Api) => Promise<T>) => Promise<T>): TelegramChats {
  const attempt = async <T>(method: string, call: (api: Api) => Promise<T>): Promise<T | ChatTrouble> => {
    try {
      return await callApi(method, call);
    } catch (error) {
      return troubleOf(error);
    }
  };
  let botId: Promise<number> | undefined;
  const ownId = (api: Api): Promise<number> => {
    botId ??= api.getMe().then(
      ({ id }) => id,
      (error: unknown) => {
        botId = undefined;
        throw error;
      },
    );
    return botId;
  };
  return {
    member: (chatId, telegramUserId) =>
      attempt('getChatMember', async (api) => {
        const membership = membershipOf(await api.getChatMember(chatId, Number(telegramUserId)));
        if (membership === null) throw new Error('a status that is not known here');
        return membership;
      }),
    isAdmin: (chatId, telegramUserId) =>
      attempt('getChatMember', async (api) => {
        const { status } = await api.getChatMember(chatId, Number(telegramUserId));
        return status === 'creator' || status === 'administrator';
      }),
    rights: (chatId) =>
      attempt('getChatMember', async (api) => missingRights(await api.getChatMember(chatId, await ownId(api)))),
    facts: (chatId) =>
      attempt('getChat', async (api) => {
        const { title, username, type } = await api.getChat(chatId);
        return { title: title ?? chatId, username: username ?? null, sort: type === 'channel' ? 'channel' : 'group' };
      }),
    joinLink: (chatId, name) =>
      attempt('createChatInviteLink', async (api) => {
        const { invite_link: link } = await api.createChatInviteLink(chatId, {
          name: name.slice(0, 32),
          creates_join_request: true,
        });
        return link;
      }),
    answerJoin: (chatId, telegramUserId, approve) =>
      attempt('answerChatJoinRequest', async (api) => {
        const person = Number(telegramUserId);
        if (approve) await api.approveChatJoinRequest(chatId, person);
        else await api.declineChatJoinRequest(chatId, person);
        return true;
      }),
  };
}

const STRANGER = /user not found|USER_ID_INVALID|PARTICIPANT_ID_INVALID|member not found/i;
const BLIND =
  /CHAT_ADMIN_REQUIRED|chat not found|not a member|was kicked|not enough rights|member list is inaccessible/i;

/** Known errors of the Bot API. An unknown one says nothing about a person. */
export function troubleOf(error: unknown): ChatTrouble {
  if (!(error instanceof GrammyError)) return { kind: 'away' };
  const { retry_after: seconds, migrate_to_chat_id: moved } = error.parameters;
  if (moved !== undefined) return { kind: 'moved', chatId: String(moved) };
  if (seconds !== undefined) return { kind: 'wait', ms: seconds * 1_000 };
  if (STRANGER.test(error.description)) return { kind: 'stranger' };
  if (error.error_code === 403 || BLIND.test(error.description)) return { kind: 'blind' };
  return { kind: 'away' };
}
