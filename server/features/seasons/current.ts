import type { ISql } from 'postgres';
import type { SeasonState, SeasonSummary } from '../../contract/seasons.ts';

type Times<Time> = { startsAt: Time | null; endsAt: Time; startedAt: Time | null; frozenAt: Time | null };
export type SummaryRow = { id: string; name: string; graceHours: number } & Times<Date>;
export type JsonSummaryRow = Omit<SummaryRow, keyof Times<Date>> & Times<string>;

const COLUMNS = `
  s.id, s.name, s.starts_at as "startsAt", s.ends_at as "endsAt", s.grace_hours as "graceHours",
  s.started_at as "startedAt", s.frozen_at as "frozenAt"`;

/** Columns of a `SummaryRow` from `seasons s`. */
export const summaryColumnsOf = (sql: ISql) => sql.unsafe(COLUMNS);

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

/** The live season or the one in its grace, as JSON; a community has at most one. SQL text with a parameter name. */
export const currentText = (community: string) => `(
  select to_jsonb(one) from (
    select ${COLUMNS} from seasons s
    where s.community_id = ${community}::uuid and s.started_at is not null and s.frozen_at is null) one)`;

export const currentOf = (
  { startsAt, endsAt, startedAt, frozenAt, ...row }: JsonSummaryRow,
  now: Date,
): SeasonSummary =>
  summaryOf(
    {
      ...row,
      startsAt: startsAt === null ? null : new Date(startsAt),
      endsAt: new Date(endsAt),
      startedAt: startedAt === null ? null : new Date(startedAt),
      frozenAt: frozenAt === null ? null : new Date(frozenAt),
    },
    now,
  );
