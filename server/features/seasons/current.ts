import type { ISql } from 'postgres';
import type { SeasonState, SeasonSummary } from '../../contract/seasons.ts';

export type SummaryRow = {
  id: string;
  name: string;
  startsAt: Date | null;
  endsAt: Date;
  graceHours: number;
  startedAt: Date | null;
  frozenAt: Date | null;
};

/** Columns of a `SummaryRow` from `seasons s`. */
export const summaryColumnsOf = (sql: ISql) => sql`
  s.id, s.name, s.starts_at as "startsAt", s.ends_at as "endsAt", s.grace_hours as "graceHours",
  s.started_at as "startedAt", s.frozen_at as "frozenAt"`;

/** Nothing is written to a season from its grace's end on, but only what is copied is `frozen`. */
export function stateOf({ startedAt, endsAt, frozenAt }: SummaryRow, now: Date): SeasonState {
  if (startedAt === null) return 'draft';
  if (frozenAt !== null) return 'frozen';
  return now < endsAt ? 'live' : 'grace';
}

export const graceUntil = ({ endsAt, graceHours }: SummaryRow): Date =>
  new Date(endsAt.getTime() + graceHours * 60 * 60_000);

export const summaryOf = (row: SummaryRow, now: Date): SeasonSummary => ({
  id: row.id,
  name: row.name,
  state: stateOf(row, now),
  startsAt: (row.startedAt ?? row.startsAt)?.toISOString() ?? null,
  endsAt: row.endsAt.toISOString(),
  graceUntil: graceUntil(row).toISOString(),
});

/** The season that is live or in its grace; a community has at most one. */
export async function readCurrentSeason(sql: ISql, communityId: string, now: Date): Promise<SeasonSummary | null> {
  const [row] = await sql<SummaryRow[]>`
    select ${summaryColumnsOf(sql)} from seasons s
    where s.community_id = ${communityId} and s.started_at is not null and s.frozen_at is null`;
  return row ? summaryOf(row, now) : null;
}
