import type { TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { claimTask } from './claim.ts';

/** Ends a rehearsal: nothing of it is kept. */
class Undone extends Error {}

/**
 * Has every connection of the pool try a claim of nobody's and undo it. A connection is a process of PostgreSQL that reads
 * the tables' descriptions and plans its statements when it first needs them, 50 to 100 ms for a claim: those who come
 * right after a start would each wait for that. To be called before anybody else asks for a connection.
 */
export async function rehearseClaims({ sql, log, now }: Pick<Runtime, 'sql' | 'log' | 'now'>): Promise<void> {
  const count = sql.options.max;
  let waiting = count;
  let begin = (): void => undefined;
  const allAreHere = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const arrive = () => {
    waiting -= 1;
    if (waiting === 0) begin();
  };
  const rehearsals = Array.from({ length: count }, () =>
    sql
      .begin(async (tx) => {
        arrive();
        // All at once, or one connection would do for all of them.
        await allAreHere;
        await claimOfNobody(tx, now());
        throw new Undone();
      })
      .catch((error: unknown) => {
        begin();
        if (!(error instanceof Undone)) throw error;
      }),
  );
  const ended = await Promise.allSettled(rehearsals);
  for (const one of ended)
    if (one.status === 'rejected') log.warn({ err: one.reason }, 'a connection was not made ready for claims');
}

async function claimOfNobody(tx: TransactionSql, now: Date): Promise<void> {
  const [people] = await tx<[{ leader: string; member: string }]>`
    with made as (
      insert into users (telegram_user_id, display_name)
      select -(random() * 1e15)::bigint, 'Rehearsal' from generate_series(1, 2) returning id)
    select min(id::text) as leader, max(id::text) as member from made`;
  const [place] = await tx<[{ id: string }]>`
    insert into communities (slug, name, visibility, created_by)
    values ('rehearsal-' || gen_random_uuid(), 'Rehearsal', 'private', ${people.leader}) returning id`;
  await tx`
    insert into community_members (community_id, user_id, role, joined_at)
    values (${place.id}, ${people.member}, 'member', ${now})`;
  const [task] = await tx<[{ id: string }]>`
    insert into tasks (community_id, kind, title, points, recurrence, created_by, created_at)
    values (${place.id}, 'check_in', 'Rehearsal', 1, 'daily', ${people.leader}, ${now}) returning id`;
  const asked = { communityId: place.id, taskId: task.id, userId: people.member, timeZone: 'UTC', now };
  await claimTask(tx, asked, {});
}
