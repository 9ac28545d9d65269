import type { ISql } from 'postgres';

import type { ChatState } from '../../contract/chats.ts';
import { CLOCKS_APART_MS } from '../../domain/chat-membership.ts';
import { isTrouble } from '../../integrations/telegram/chats.ts';
import { type ChatRuntime, fetchRights } from './connect.ts';
import { type ChatRow, chatColumns } from './rows.ts';

/**
 * Same as `isNewer` of the domain: the later time wins, within a second the higher number, and our own query beats
 * anything older.
 */
const takesUpdate = (sql: ISql, at: Date, id: number) => sql`
  (cm.asked_at is null or ${at}::timestamptz >= cm.asked_at - make_interval(secs => ${CLOCKS_APART_MS / 1_000}))
  and (cm.update_at is null or cm.update_at < ${at}::timestamptz
    or (cm.update_at = ${at}::timestamptz and cm.update_id < ${id}::bigint))`;

/** Stores an update about a person with an account. Strangers are not stored. */
export async function noteMember(
  sql: ISql,
  connectionId: string,
  { telegramUserId, state, at, id }: { telegramUserId: number; state: ChatState; at: Date; id: number },
): Promise<void> {
  await sql`
    insert into chat_members as cm (connection_id, user_id, state, checked_at, source, update_id, update_at)
    select ${connectionId}, u.id, ${state}, ${at}, 'update', ${id}, ${at} from users u
    where u.telegram_user_id = ${telegramUserId}
    on conflict (connection_id, user_id) do update set state = excluded.state,
      checked_at = greatest(cm.checked_at, excluded.checked_at), source = 'update', update_id = excluded.update_id,
      update_at = excluded.update_at
    where ${takesUpdate(sql, at, id)}`;
}

export type Person = { userId: string; telegramUserId: string };

/**
 * Queries a person's status in a chat and stores it unless an update came in between. An error only changes the time of
 * the last attempt: `blind` makes the chat unverifiable, and nobody counts as outside because of it.
 */
export async function fetchMember(
  runtime: ChatRuntime,
  chat: ChatRow,
  { userId, telegramUserId }: Person,
  source: 'asked' | 'sweep',
): Promise<'told' | 'stranger' | 'blind' | 'away' | { waitMs: number }> {
  const { sql, telegram, now } = runtime;
  const [before] = await sql<{ updateId: string | null }[]>`
    select update_id::text as "updateId" from chat_members where connection_id = ${chat.id} and user_id = ${userId}`;
  const membership = await telegram.chats.member(chat.chatId, telegramUserId);
  const at = now();
  if (!isTrouble(membership)) {
    await sql`
      insert into chat_members as cm (connection_id, user_id, state, checked_at, source, asked_at, tried_at)
      select id, ${userId}, ${membership}, ${at}, ${source}, ${at}, ${at} from community_chats where id = ${chat.id}
      on conflict (connection_id, user_id) do update set state = excluded.state, checked_at = excluded.checked_at,
        source = excluded.source, asked_at = excluded.asked_at, tried_at = excluded.tried_at
      where cm.update_id is not distinct from ${before?.updateId ?? null}::bigint`;
    return 'told';
  }
  switch (membership.kind) {
    case 'wait':
      return { waitMs: membership.ms };
    case 'moved':
      await sql`update community_chats set chat_id = ${membership.chatId} where id = ${chat.id}`;
      return fetchMember(runtime, { ...chat, chatId: membership.chatId }, { userId, telegramUserId }, source);
    case 'blind':
      await fetchRights(runtime, chat);
      return 'blind';
    case 'stranger':
      await sql`
        insert into chat_members (connection_id, user_id, state, tried_at)
        select id, ${userId}, 'unknown', ${at} from community_chats where id = ${chat.id}
        on conflict (connection_id, user_id) do update set tried_at = excluded.tried_at`;
      return 'stranger';
    case 'away':
      return 'away';
  }
}

/** Questions that are on their way, by chat and person. */
const questions = () => new Map<string, Promise<unknown>>();

/**
 * Queries a person's status in all chats of a community, one query per chat however many callers wait. False where one
 * failed.
 */
export async function fetchPerson(runtime: ChatRuntime, communityId: string, person: Person): Promise<boolean> {
  const chats = await runtime.sql<ChatRow[]>`
    select ${chatColumns(runtime.sql)} from community_chats g where g.community_id = ${communityId}`;
  const pending = runtime.own(questions);
  const outcomes = await Promise.all(
    chats.map((chat) => {
      const key = `${chat.id} ${person.userId}`;
      const running = pending.get(key);
      const request = running ?? fetchMember(runtime, chat, person, 'asked').finally(() => pending.delete(key));
      if (!running) pending.set(key, request);
      return request;
    }),
  );
  return outcomes.every((outcome) => outcome === 'told' || outcome === 'stranger');
}
