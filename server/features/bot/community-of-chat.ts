import type { ISql } from 'postgres';

/** The community that a chat of Telegram's is connected to; null where it is none's. */
export async function communityOfChat(sql: ISql, chatId: number | string): Promise<string | null> {
  const [row] = await sql<{ communityId: string }[]>`
    select community_id as "communityId" from community_chats where chat_id = ${String(chatId)}`;
  return row?.communityId ?? null;
}
