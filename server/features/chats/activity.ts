import type { ISql } from 'postgres';
import type { SeenInChat } from '../../contract/chats.ts';
import { seenLength } from '../../contract/seen-length.ts';
import type { Recurrence } from '../../contract/tasks.ts';
import type { TelegramUpdate } from '../../contract/telegram.ts';
import { messageOf } from '../../domain/chat-membership.ts';
import { localDay } from '../../domain/periods.ts';
import { type Zones, zoneAt } from '../../domain/time-zone.ts';
import { claimPeriods } from '../../rules/periods.ts';
import { zonesOf } from '../../storage/zone.ts';

type Message = NonNullable<TelegramUpdate['message']>;
type Reaction = NonNullable<TelegramUpdate['message_reaction']>;
type Counting = Zones & {
  communityId: string;
  taskId: string;
  userId: string;
  recurrence: Recurrence;
  config: Record<string, unknown>;
};

/** The live tasks of one kind of the chat's community, each with the person, who must be a member there and not lead it. */
const countingTasks = (
  sql: ISql,
  scope: { connectionId: string; telegramUserId: number; kind: 'telegram_chat' | 'telegram_reaction'; at: Date },
) => sql<Counting[]>`
  select t.community_id as "communityId", t.id as "taskId", u.id as "userId", t.recurrence, t.config, ${zonesOf(sql, scope.at)}
  from community_chats g
  join tasks t on t.community_id = g.community_id and t.kind = ${scope.kind} and t.status = 'live'
  join users u on u.telegram_user_id = ${scope.telegramUserId}
  join community_members m on m.community_id = g.community_id and m.user_id = u.id and m.role <> 'leader'
  where g.id = ${scope.connectionId} and (t.opens_at is null or t.opens_at <= ${scope.at})
    and (t.closes_at is null or t.closes_at > ${scope.at})`;

const periodOf = (task: Counting, at: Date): string => claimPeriods(localDay(at, zoneAt(task, at)))[task.recurrence];

/**
 * Length of a member's own message in the group: not forwarded, not by a bot or via one, not in the name of a chat, and
 * no command. The text is only measured, never stored.
 */
export function ownLength(message: Message): number | null {
  const { from, text = message.caption, forward_origin, is_automatic_forward, sender_chat, via_bot } = message;
  if (!from || from.is_bot || forward_origin || is_automatic_forward || sender_chat || via_bot) return null;
  if (text === undefined || text.startsWith('/')) return null;
  return seenLength(text.trim());
}

/** Counts a group message for tasks that require messages of this length. */
export async function countMessage(sql: ISql, connectionId: string, message: Message): Promise<void> {
  const length = ownLength(message);
  if (length === null || !message.from) return;
  const at = new Date(message.date * 1_000);
  const tasks = await countingTasks(sql, {
    connectionId,
    telegramUserId: message.from.id,
    kind: 'telegram_chat',
    at,
  });
  for (const task of tasks) {
    const { minLength = 1 } = task.config as { minLength?: number };
    if (length < minLength) continue;
    await sql`
      insert into chat_activity as a (community_id, task_id, user_id, period, count, first_at, last_at)
      values (${task.communityId}, ${task.taskId}, ${task.userId}, ${periodOf(task, at)}, 1, ${at}, ${at})
      on conflict (task_id, user_id, period, community_id) do update set count = a.count + 1,
        first_at = least(a.first_at, excluded.first_at), last_at = greatest(a.last_at, excluded.last_at)`;
  }
}

/** Whether a task's link names this message of this chat. */
function isNamed(link: unknown, { chat, message_id: messageId }: Reaction): boolean {
  const named = typeof link === 'string' ? messageOf(link) : null;
  if (named === null || named.messageId !== messageId) return false;
  return named.chat === String(chat.id) || named.chat === `@${chat.username?.toLowerCase()}`;
}

/** Records that a member added or removed a reaction to a task's message. */
export async function noteReaction(sql: ISql, connectionId: string, reaction: Reaction): Promise<void> {
  if (!reaction.user || reaction.user.is_bot) return;
  const at = new Date(reaction.date * 1_000);
  const tasks = await countingTasks(sql, {
    connectionId,
    telegramUserId: reaction.user.id,
    kind: 'telegram_reaction',
    at,
  });
  const count = reaction.new_reaction.length > 0 ? 1 : 0;
  for (const task of tasks) {
    if (!isNamed(task.config['link'], reaction)) continue;
    await sql`
      insert into chat_activity as a (community_id, task_id, user_id, period, count, first_at, last_at)
      values (${task.communityId}, ${task.taskId}, ${task.userId}, ${periodOf(task, at)}, ${count}, ${at}, ${at})
      on conflict (task_id, user_id, period, community_id) do update set count = excluded.count, last_at = excluded.last_at
      where a.last_at <= excluded.last_at`;
  }
}

export type Seen = { count: number; firstAt: Date | null; lastAt: Date | null };
const NOTHING: Seen = { count: 0, firstAt: null, lastAt: null };

/** What was seen of a member for a task in one period. */
export async function readSeen(
  sql: ISql,
  { taskId, userId, period }: { taskId: string; userId: string; period: string },
): Promise<Seen> {
  const [row] = await sql<Seen[]>`
    select count, first_at as "firstAt", last_at as "lastAt" from chat_activity
    where task_id = ${taskId} and user_id = ${userId} and period = ${period}`;
  return row ?? NOTHING;
}

/** The same of the period now, for the member's own screen; null where there is no such task. */
export async function readMySeen(
  sql: ISql,
  scope: Zones & { communityId: string; taskId: string; userId: string; now: Date },
): Promise<SeenInChat | null> {
  const [task] = await sql<{ recurrence: Recurrence; needed: number }[]>`
    select recurrence, coalesce((config ->> 'needed')::int, 1) as needed from tasks
    where id = ${scope.taskId} and community_id = ${scope.communityId} and status <> 'draft'
      and kind in ('telegram_chat', 'telegram_reaction')`;
  if (!task) return null;
  const { now, taskId, userId } = scope;
  const period = claimPeriods(localDay(now, zoneAt(scope, now)))[task.recurrence];
  const seen = await readSeen(sql, { taskId, userId, period });
  return {
    count: seen.count,
    needed: task.needed,
    lastAt: seen.count > 0 ? (seen.lastAt?.toISOString() ?? null) : null,
  };
}

/** Older counts belong to no possible claim. A job. */
const RETENTION_MS = 40 * 24 * 60 * 60_000;
export async function forgetActivity({ sql, now }: { sql: ISql; now: () => Date }): Promise<void> {
  await sql`
    delete from chat_activity a using tasks t
    where t.id = a.task_id and t.recurrence <> 'once' and a.last_at < ${new Date(now().getTime() - RETENTION_MS)}`;
}
