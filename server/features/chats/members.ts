import type { ISql } from 'postgres';

import type { ChatState } from '../../contract/chats.ts';
import { CLOCKS_APART_MS } from '../../domain/chat-membership.ts';
import { isTrouble } from '../../integrations/telegram/chats.ts';
import { askRights, type ChatRuntime } from './connect.ts';
import { type ChatRow, chatColumns } from './rows.ts';

/** As `isNewer` of the domain: the later time wins, of two of the same second the higher number, and an answer of ours beats what is older. */
const takesUpdate = (sql: ISql, at: Date, id: number) => sql`
  (cm.asked_at is null or ${at}::timestamptz >= cm.asked_at - make_interval(secs => ${CLOCKS_APART_MS / 1_000}))
  and (cm.update_at is null or cm.update_at < ${at}::timestamptz
    or (cm.update_at = ${at}::timestamptz and cm.update_id < ${id}::bigint))`;

/** Keeps what an update says of somebody who has an account here. Strangers are not written down. */
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
 * Asks Telegram whether somebody is in a chat, and keeps what it says unless an update came meanwhile. An error changes nothing but the
 * time of the last try: `blind` makes the chat unverifiable, and no one is out of it by that.
 */
export async function askMember(
  runtime: ChatRuntime,
  chat: ChatRow,
  { userId, telegramUserId }: Person,
  source: 'asked' | 'sweep',
): Promise<'told' | 'stranger' | 'blind' | 'away' | { waitMs: number }> {
  const { sql, telegram, now } = runtime;
  const [before] = await sql<{ updateId: string | null }[]>`
    select update_id::text as "updateId" from chat_members where connection_id = ${chat.id} and user_id = ${userId}`;
  const told = await telegram.chats.member(chat.chatId, telegramUserId);
  const at = now();
  if (!isTrouble(told)) {
    await sql`
      insert into chat_members as cm (connection_id, user_id, state, checked_at, source, asked_at, tried_at)
      select id, ${userId}, ${told}, ${at}, ${source}, ${at}, ${at} from community_chats where id = ${chat.id}
      on conflict (connection_id, user_id) do update set state = excluded.state, checked_at = excluded.checked_at,
        source = excluded.source, asked_at = excluded.asked_at, tried_at = excluded.tried_at
      where cm.update_id is not distinct from ${before?.updateId ?? null}::bigint`;
    return 'told';
  }
  switch (told.kind) {
    case 'wait':
      return { waitMs: told.ms };
    case 'moved':
      await sql`update community_chats set chat_id = ${told.chatId} where id = ${chat.id}`;
      return askMember(runtime, { ...chat, chatId: told.chatId }, { userId, telegramUserId }, source);
    case 'blind':
      await askRights(runtime, chat);
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

/** Asks about a person in all chats of a community, each once at a time however many wait. False where some could not be asked. */
export async function askPerson(runtime: ChatRuntime, communityId: string, person: Person): Promise<boolean> {
  const chats = await runtime.sql<ChatRow[]>`
    select ${chatColumns(runtime.sql)} from community_chats g where g.community_id = ${communityId}`;
  const asking = runtime.own(questions);
  const outcomes = await Promise.all(
    chats.map((chat) => {
      const key = `${chat.id} ${person.userId}`;
      const known = asking.get(key);
      const asked = known ?? askMember(runtime, chat, person, 'asked').finally(() => asking.delete(key));
      if (!known) asking.set(key, asked);
      return asked;
    }),
  );
  return outcomes.every((outcome) => outcome === 'told' || outcome === 'stranger');
}
