import type { ISql, Sql, TransactionSql } from 'postgres';
import { prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { mayGivePoints } from './switch.ts';

/** First day of a moment's month, UTC: X bills by months. */
const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;
type Spending = { communityId: string; now: Date };

/** How a community stands with X: what it may spend this month and has, and whether its tasks may give points. */
export async function readStanding(
  sql: ISql,
  { communityId, now }: Spending,
  x: { configured: boolean; byEnvironment: boolean },
) {
  const month = monthOf(now);
  const [row] = await sql<[{ budget: number; spent: number; calls: number }]>`
    select coalesce((select monthly from x_budgets where community_id = ${communityId}), 0) as budget,
      coalesce((select thousandths from x_spend where community_id = ${communityId} and month = ${month}), 0) as spent,
      coalesce((select calls from x_spend where community_id = ${communityId} and month = ${month}), 0) as calls`;
  return {
    month: month.slice(0, 7),
    configured: x.configured,
    givesPoints: await mayGivePoints(sql, x.byEnvironment),
    byEnvironment: x.byEnvironment,
    ...row,
  };
}

/** Sets what a community may spend in a month, in thousandths of a dollar. What was spent stays. */
export async function setBudget(
  tx: TransactionSql,
  scope: { communityId: string; thousandths: number; adminId: string; reason: string; now: Date },
): Promise<void> {
  const { communityId, thousandths, adminId, now } = scope;
  const reason = prose('reason', scope.reason);
  const [community] = await tx<
    { name: string }[]
  >`select name from communities where id = ${communityId} for key share`;
  await tx`
    insert into x_budgets (community_id, monthly, changed_at) values (${communityId}, ${thousandths}, ${now})
    on conflict (community_id) do update set monthly = ${thousandths}, changed_at = ${now}`;
  const by = { actorId: adminId, action: 'community.x_budget', subject: community?.name ?? null, at: now };
  const entry = `$${(thousandths / 1_000).toFixed(2)} a month: ${reason}`;
  await audit(tx, { communityId: null, subjectId: communityId, reason: entry, ...by });
}

/** Whether anything of this price may be asked yet: told before a claim waits for it. */
export async function hasRoom(sql: ISql, { communityId, now }: Spending, thousandths: number): Promise<boolean> {
  const [row] = await sql`
    select from x_budgets b left join x_spend s on s.community_id = b.community_id and s.month = ${monthOf(now)}
    where b.community_id = ${communityId} and coalesce(s.thousandths, 0) + ${thousandths}::int <= b.monthly`;
  return row !== undefined;
}

/** Takes what asking may cost at most, before it is asked; false where the month's budget has no room for it. */
export async function reserve(sql: Sql, { communityId, now }: Spending, thousandths: number): Promise<boolean> {
  const [row] = await sql`
    insert into x_spend as s (community_id, month, thousandths, calls)
    select community_id, ${monthOf(now)}::date, ${thousandths}::int, 1 from x_budgets
    where community_id = ${communityId} and monthly >= ${thousandths}::int
    on conflict (community_id, month) do update set thousandths = s.thousandths + ${thousandths}::int, calls = s.calls + 1
    where s.thousandths + ${thousandths}::int <= (select monthly from x_budgets where community_id = ${communityId})
    returning true as taken`;
  return row !== undefined;
}

/** Gives back what was taken and is not billed. */
export async function giveBack(sql: Sql, { communityId, now }: Spending, thousandths: number): Promise<void> {
  await sql`
    update x_spend set thousandths = greatest(0, thousandths - ${thousandths})
    where community_id = ${communityId} and month = ${monthOf(now)}`;
}
