import type { ISql } from 'postgres';

/** The community that a Telegram chat is connected to; null where there is none. */
export async function communityOfChat(sql: ISql, chatId: number | string): Promise<string | null> {
  const [row] = await sql<{ communityId: string }[]>`
    select community_id as "communityId" from community_chats where chat_id = ${String(chatId)}`;
  return row?.communityId ?? null;
}
