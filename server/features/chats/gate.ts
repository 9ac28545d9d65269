import type { ISql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { MyChat } from '../../contract/chats.ts';
import type { Standing as GateStanding } from '../../domain/chat-gate.ts';
import { type ChatRow, joinUrlOf } from './rows.ts';

/** A person's status in one chat of a community. */
export type Standing = GateStanding & { connectionId: string; checkedAt: Date | null };
type Row = Omit<Standing, 'joinUrl'> & Pick<ChatRow, 'username' | 'inviteLink'>;

export async function standingsOf(
  sql: ISql,
  { communityId, userId }: { communityId: string; userId: string },
): Promise<Standing[]> {
  const rows = await sql<Row[]>`
    select g.id as "connectionId", g.sort, g.title, g.username, g.invite_link as "inviteLink", g.gate,
      g.unverifiable_at as "unverifiableAt", coalesce(cm.state, 'unknown') as state, cm.checked_at as "checkedAt",
      cm.tried_at as "triedAt"
    from community_chats g
    left join chat_members cm on cm.connection_id = g.id and cm.user_id = ${userId}
    where g.community_id = ${communityId} order by g.sort desc`;
  return rows.map((row) => ({ ...row, joinUrl: joinUrlOf(row) }));
}

export const myChatOf = (one: Standing): MyChat => ({
  sort: one.sort,
  title: one.title,
  joinUrl: one.joinUrl,
  gate: one.gate,
  state: one.state,
  checkedAt: one.checkedAt?.toISOString() ?? null,
  unverifiable: one.unverifiableAt !== null,
});

export const isCheckPending = (error: unknown): boolean =>
  error instanceof HttpError && error.reason === 'CHAT_BEING_ASKED';
