import type { Sql } from 'postgres';
import { pause } from '../../base/pause.ts';
import { CHAT_UNSEEN_MS } from '../../contract/chat-limits.ts';
import type { ChatRuntime } from './connect.ts';
import { fetchMember, type Person } from './members.ts';
import { type ChatRow, chatColumns } from './rows.ts';

/**
 * Telegram names no limit for reads, and takes about thirty messages a second from one bot (its FAQ). Two thirds of that leave room
 * for what people wait for: messages, and "Try again".
 */
export const SWEPT_PER_SECOND = 20;
const EVERY_MS = 1_000 / SWEPT_PER_SECOND;
/** People per query; when a run ends, the next continues with the next due ones. */
const AT_ONCE = 500;
/** A run ends after this time, so a shutdown does not wait. */
const RUN_MS = 4 * 60_000;
/** Who is due is found by looking at all members: when nobody was, not again at once. A day is what they have. */
const NOBODY_DUE_MS = 15 * 60_000;
/** Telegram is down: a run that fails so often in a row ends. */
const GIVEN_UP_AFTER = 3;

/** The clock of a sweep, for benches and tests: `sleep` ends early where the process wants to stop. */
export type SweepClock = { sleep(ms: number): Promise<void> };

type Due = Person & { connectionId: string };

const dueIn = (sql: Sql, now: Date) => {
  const before = new Date(now.getTime() - CHAT_UNSEEN_MS);
  return sql`
    from community_chats g
    join community_members m on m.community_id = g.community_id
    join users u on u.id = m.user_id and u.suspended_at is null
    left join chat_members cm on cm.connection_id = g.id and cm.user_id = m.user_id
    where g.unverifiable_at is null
      and (cm.checked_at is null or cm.checked_at < ${before}) and (cm.tried_at is null or cm.tried_at < ${before})`;
};

/** How many are due now, and how long checking them takes, ms. */
export async function planSweep(sql: Sql, now: Date): Promise<{ due: number; takesMs: number }> {
  const [row] = await sql<[{ due: number }]>`select count(*)::int as due ${dueIn(sql, now)}`;
  return { due: row.due, takesMs: row.due * EVERY_MS };
}

/** Until when Telegram wants no requests, or nobody is looked for. */
const leftAlone = () => ({ until: 0 });

/**
 * Checks members of connected chats without an update for a day: one may have been lost. At most `SWEPT_PER_SECOND`;
 * each check is recorded at once, so the next run continues, in any process. An error revokes nobody. Returns how many
 * were checked. A job.
 */
export async function sweepChats(runtime: ChatRuntime, stopping: AbortSignal, clock?: SweepClock): Promise<number> {
  const { sql, now } = runtime;
  const sleep = clock?.sleep ?? ((ms: number) => pause(ms, stopping));
  const begun = now().getTime();
  const rest = runtime.own(leftAlone);
  if (begun < rest.until) return 0;
  let checked = 0;
  let failed = 0;
  for (;;) {
    const due = await sql<Due[]>`
      select g.id as "connectionId", u.id as "userId", u.telegram_user_id::text as "telegramUserId" ${dueIn(sql, now())}
      order by cm.tried_at nulls first, g.id, m.user_id limit ${AT_ONCE}`;
    if (due.length === 0) rest.until = begun + NOBODY_DUE_MS;
    const chats = new Map<string, ChatRow>();
    for (const chat of await sql<ChatRow[]>`
      select ${chatColumns(sql)} from community_chats g where g.unverifiable_at is null`)
      chats.set(chat.id, chat);
    for (const person of due) {
      const chat = chats.get(person.connectionId);
      if (!chat) continue;
      if (stopping.aborted || now().getTime() - begun > RUN_MS) return checked;
      const start = now().getTime();
      const outcome = await fetchMember(runtime, chat, person, 'sweep');
      checked += 1;
      if (typeof outcome === 'object') {
        rest.until = now().getTime() + outcome.waitMs;
        return checked;
      }
      if (outcome === 'blind') chats.delete(chat.id);
      failed = outcome === 'away' ? failed + 1 : 0;
      if (failed === GIVEN_UP_AFTER) return checked;
      await sleep(Math.max(0, EVERY_MS - (now().getTime() - start)));
    }
    if (due.length < AT_ONCE || failed > 0) return checked;
  }
}
