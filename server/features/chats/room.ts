import type { ISql, Sql } from 'postgres';
import type { ChatRoom, ConnectedChat, WaitingLink } from '../../contract/chats.ts';
import { type ChatRow, chatColumns, joinUrlOf } from './rows.ts';

type People = { inside: number; outside: number; unknown: number };
const chatOf = (row: ChatRow & People): ConnectedChat => ({
  id: row.id,
  sort: row.sort,
  title: row.title,
  joinUrl: joinUrlOf(row),
  gate: row.gate,
  missing: row.missing,
  unverifiableAt: row.unverifiableAt?.toISOString() ?? null,
  checkedAt: row.checkedAt.toISOString(),
  connectedAt: row.connectedAt.toISOString(),
  people: { inside: row.inside, outside: row.outside, unknown: row.unknown },
});

/** The chats of a community as its leaders see them, and the links of theirs that wait. */
export async function readRoom(sql: Sql, communityId: string, bot: string | null, now: Date): Promise<ChatRoom> {
  const [chats, waiting] = await Promise.all([readChats(sql, communityId), readWaiting(sql, communityId, now)]);
  return { bot, chats, waiting };
}

async function readChats(sql: ISql, communityId: string): Promise<ConnectedChat[]> {
  const rows = await sql<(ChatRow & People)[]>`
    select ${chatColumns(sql)}, people.* from community_chats g
    cross join lateral (
      select count(*) filter (where cm.state in ('member', 'restricted'))::int as inside,
        count(*) filter (where cm.state in ('left', 'kicked'))::int as outside,
        count(*) filter (where cm.state is null or cm.state = 'unknown')::int as unknown
      from community_members m left join chat_members cm on cm.connection_id = g.id and cm.user_id = m.user_id
      where m.community_id = g.community_id
    ) people
    where g.community_id = ${communityId} order by g.sort desc`;
  return rows.map(chatOf);
}

async function readWaiting(sql: ISql, communityId: string, now: Date): Promise<WaitingLink[]> {
  const rows = await sql<{ sort: WaitingLink['sort']; expiresAt: Date; problem: WaitingLink['problem'] }[]>`
    select distinct on (sort) sort, expires_at as "expiresAt", problem from chat_links
    where community_id = ${communityId} and used_at is null and expires_at > ${now} order by sort, created_at desc`;
  return rows.map(({ sort, expiresAt, problem }) => ({ sort, problem, endsAt: expiresAt.toISOString() }));
}
