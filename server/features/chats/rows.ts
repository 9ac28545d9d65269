import { createHash } from 'node:crypto';
import type { ISql } from 'postgres';
import type { ChatGate, ChatSort, MissingRight } from '../../contract/chats.ts';

/** A connected chat as stored. */
export type ChatRow = {
  id: string;
  communityId: string;
  sort: ChatSort;
  chatId: string;
  title: string;
  username: string | null;
  inviteLink: string | null;
  missing: MissingRight[];
  unverifiableAt: Date | null;
  gate: ChatGate;
  checkedAt: Date;
  connectedAt: Date;
};

/** Columns of `ChatRow` of `community_chats g`. */
export const chatColumns = (sql: ISql) => sql`
  g.id, g.community_id as "communityId", g.sort, g.chat_id::text as "chatId", g.title, g.username,
  g.invite_link as "inviteLink", g.missing, g.unverifiable_at as "unverifiableAt", g.gate,
  g.checked_at as "checkedAt", g.connected_at as "connectedAt"`;

/** Where people join: the bot's own link screens them; a public name is open to everyone. */
export const joinUrlOf = ({ inviteLink, username }: Pick<ChatRow, 'inviteLink' | 'username'>): string | null =>
  inviteLink ?? (username === null ? null : `https://t.me/${username}`);

export async function findChat(sql: ISql, chatId: string): Promise<ChatRow | null> {
  const [row] = await sql<ChatRow[]>`select ${chatColumns(sql)} from community_chats g where g.chat_id = ${chatId}`;
  return row ?? null;
}

export const chatsOf = (sql: ISql, communityId: string): Promise<ChatRow[]> =>
  sql<ChatRow[]>`
    select ${chatColumns(sql)} from community_chats g where g.community_id = ${communityId} order by g.sort desc`;

export const hashOfCode = (code: string): Buffer => createHash('sha256').update(code).digest();
