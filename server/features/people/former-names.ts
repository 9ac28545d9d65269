import type { ISql, TransactionSql } from 'postgres';
import { FORMER_NAMES_SHOWN } from '../../contract/desk-limits.ts';
import type { FormerName } from '../../contract/people.ts';

type Kind = FormerName['kind'];
type Names = Readonly<Record<Kind, string | null>>;

/** What an account is called by before it changes; null for one that is not there yet. */
export async function namesOf(tx: ISql, telegramUserId: string): Promise<(Names & { userId: string }) | null> {
  const [row] = await tx<(Names & { userId: string })[]>`
    select id as "userId", telegram_username as telegram, twitter_username as x, display_name as display
    from users where telegram_user_id = ${telegramUserId}`;
  return row ?? null;
}

/** Keeps those of the names of before that are others now. */
export async function storeFormerNames(
  tx: TransactionSql,
  { userId, before, after, now }: { userId: string; before: Partial<Names>; after: Partial<Names>; now: Date },
): Promise<void> {
  for (const kind of ['telegram', 'x', 'display'] as const) {
    const name = before[kind];
    if (!name || !(kind in after) || name === after[kind]) continue;
    await tx`
      insert into former_names (user_id, kind, name, until) values (${userId}, ${kind}, ${name}, ${now})`;
  }
}

/** The latest first. */
export async function readFormerNames(sql: ISql, userId: string): Promise<FormerName[]> {
  const rows = await sql<(Omit<FormerName, 'until'> & { until: Date })[]>`
    select kind, name, until from former_names where user_id = ${userId}
    order by until desc, id desc limit ${FORMER_NAMES_SHOWN}`;
  return rows.map((row) => ({ ...row, until: row.until.toISOString() }));
}
