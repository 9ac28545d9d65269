import type { ChatState, MissingRight } from '../contract/chats.ts';

/**
 * Tolerance between Telegram's clock, which has seconds, and ours, ms. An update older than our last answer by more
 * than that is outdated.
 */
export const CLOCKS_APART_MS = 60_000;

export const isInside = (state: ChatState): boolean => state === 'member' || state === 'restricted';

type BotMember = { status: string; can_invite_users?: boolean | undefined };
/** Rights that the bot lacks to see members and to let people in. */
export function missingRights({ status, can_invite_users: mayInvite }: BotMember): MissingRight[] {
  if (status === 'creator') return [];
  if (status === 'administrator') return mayInvite === true ? [] : ['invite_users'];
  return status === 'member' || status === 'restricted' ? ['admin'] : ['present'];
}

/** What a link to a message of a group names: `t.me/c/<number>/<message>` or `t.me/<name>/<message>`; null for anything else. */
export function messageOf(link: string): { chat: string; messageId: number } | null {
  const match = /^https:\/\/t\.me\/(?:c\/(\d{1,15})|([a-z]\w{3,31}))\/(?:\d{1,10}\/)?(\d{1,10})(?:\?.*)?$/i.exec(
    link.trim(),
  );
  if (!match) return null;
  const [, number, name, message] = match;
  return { chat: number === undefined ? `@${name?.toLowerCase()}` : `-100${number}`, messageId: Number(message) };
}
