import type { TransactionSql } from 'postgres';
import { inertLine } from '../../rules/inert.ts';

const MONDAY = 1;
const FROM_HOUR = 8;
const SHOWN = 5;
const WEEK_MS = 7 * 86_400_000;

type Loud = { title: string; count: number };

/** On Mondays from 8:00 UTC: the week before in some lines. Null at other times. */
export async function digestOf(
  sql: TransactionSql,
  now: Date,
): Promise<{ subject: string; title: string; text: string; issueId: null } | null> {
  if (now.getUTCDay() !== MONDAY || now.getUTCHours() < FROM_HOUR) return null;
  const from = new Date(now.getTime() - WEEK_MS);
  const [numbers] = await sql<[{ errors: number; fresh: number; back: number; open: number }]>`
    select (select coalesce(sum(errors), 0)::float8 from client_log_series where dimension = 'all' and value = '' and hour >= ${from}) as errors,
      (select count(*)::int from client_log_issues where first_at >= ${from}) as fresh,
      (select count(distinct issue_id)::int from client_log_issue_events where what = 'regressed' and at >= ${from}) as back,
      (select count(*)::int from client_log_issues where state = 'open') as open`;
  const loudest = await sql<Loud[]>`
    select i.title, sum(d.count)::float8 as count from client_log_days d join client_log_groups g on g.id = d.group_id
      join client_log_issues i on i.id = g.issue_id
    where d.day >= ${from.toISOString().slice(0, 10)} and i.state = 'open' group by i.id order by 2 desc limit ${SHOWN}`;
  const lines = [
    `${numbers.errors} errors, ${numbers.fresh} new issues, ${numbers.back} came back, ${numbers.open} open`,
    ...loudest.map(({ title, count }) => `${count} × ${inertLine(title).slice(0, 160)}`),
  ];
  return {
    subject: `week ${now.toISOString().slice(0, 10)}`,
    title: 'Client logs, the last week',
    text: lines.join('\n'),
    issueId: null,
  };
}
