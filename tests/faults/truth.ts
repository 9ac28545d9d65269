import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import type { Cast } from './people.ts';

/** What has not arrived after this time gets its last chance: the page is opened once more. */
export const STORED_WITHIN_MS = 40_000;

/** What a case has raised: log entries by their tag, and presses of tasks. */
export type Raised = { tag: string; logs: number; claims: number };
export type Count = {
  logs: number;
  claims: number;
  twice: number;
  /** Entries stored under another member than the one who raised them. */
  foreign: number;
};

/** Reads from the database itself what arrived of a case. */
export async function countStored(sql: Sql, { tag }: Raised, { member, communityId }: Cast): Promise<Count> {
  const logs = await sql<{ name: string; userId: string | null; repeats: number }[]>`
    select substring(coalesce(data->>'message', data->>'action') from ${`${tag}-(?:error|debug)-[0-9]+`}) as name,
      user_id as "userId", coalesce((data->>'repeats')::int, 1) as repeats
    from client_log_entries where coalesce(data->>'message', data->>'action') like ${`%${tag}-%`}`;
  const claims = await sql<{ task: string; userId: string }[]>`
    select task_id as task, user_id as "userId" from claims where community_id = ${communityId}`;
  const awards = await sql<{ task: string }[]>`
    select task_id as task from point_events where community_id = ${communityId} and kind = 'award'`;
  const names = new Set(logs.map(({ name }) => name));
  const tasks = new Set(claims.map(({ task }) => task));
  const awarded = new Set(awards.map(({ task }) => task));
  return {
    logs: names.size,
    // An act counts when it stands in the ledger.
    claims: [...tasks].filter((task) => awarded.has(task)).length,
    twice:
      logs.reduce((sum, { repeats }) => sum + repeats, 0) -
      names.size +
      (claims.length - tasks.size) +
      (awards.length - awarded.size),
    foreign:
      logs.filter(({ userId }) => userId !== null && userId !== member.userId).length +
      claims.filter(({ userId }) => userId !== member.userId).length,
  };
}

/** Waits until so much is stored. Answers whether it came to that in time. */
export async function until(done: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    if (await done()) return true;
    await sleep(20);
  }
  return false;
}
