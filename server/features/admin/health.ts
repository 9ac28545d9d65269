import type { Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { withoutToken } from '../../base/text.ts';
import { CheckName, type CheckState, type Checks } from '../../contract/overview.ts';
import { alertNews, type Stored, syncAlertRules } from './alerts.ts';
import type { Check, Facts, Found } from './check.ts';
import { CHECKS } from './checks.ts';

export type Making = { [N in CheckName]: Check<N> };
const MAKING = Object.fromEntries(CheckName.options.map((name) => [name, CHECKS[name].make])) as Making;
/** A check that takes longer has not been made. */
const CHECK_WITHIN_MS = 3_000;
const HEALTH_DAYS_SHOWN = 14;
const HEALTH_RETENTION_DAYS = 400;
const ERROR_MAX = 300;

type Failure = { state: 'unknown'; error: string };
type Outcome<N extends CheckName> = Found<N> | Failure;
type Day = { day: string; state: CheckState; figure: number | null };

/** Runs one check. An error or a timeout is a result too. */
async function made<N extends CheckName>(runtime: Runtime, name: N, make: Check<N>): Promise<Outcome<N>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_WITHIN_MS / 1_000} s`)), CHECK_WITHIN_MS);
  });
  try {
    return await Promise.race([make(runtime), late]);
  } catch (error) {
    runtime.log.warn({ err: error, check: name }, 'a health check could not be made');
    const words = error instanceof Error ? error.message : String(error);
    return { state: 'unknown', error: withoutToken(words).slice(0, ERROR_MAX) };
  } finally {
    clearTimeout(timer);
  }
}

/** All checks as they are now, with since when each is so and what its last days were like. Never throws. */
export async function readChecks(runtime: Runtime, checks = MAKING): Promise<Checks> {
  const [stored, ...outcomes] = await Promise.all([
    readStored(runtime.sql, runtime.now()).catch(() => ({
      since: new Map<string, Since>(),
      days: new Map<string, Day[]>(),
    })),
    ...CheckName.options.map((name) => made(runtime, name, checks[name] as Check<CheckName>)),
  ]);
  const shown = CheckName.options.map((name, at) => {
    const outcome = outcomes[at] as Outcome<CheckName>;
    const before = stored.since.get(name);
    const isSame = before?.state === outcome.state;
    return [
      name,
      {
        state: outcome.state,
        since: isSame ? before.since : outcome.state === 'unknown' ? null : runtime.now().toISOString(),
        error: outcome.state === 'unknown' ? outcome.error : null,
        facts: outcome.state === 'unknown' ? null : (outcome.facts as Facts<CheckName>),
        wayOut: CHECKS[name].wayOut,
        days: stored.days.get(name) ?? [],
      },
    ];
  });
  return Object.fromEntries(shown) as Checks;
}

type Since = { state: CheckState; since: string };

async function readStored(sql: Sql, now: Date): Promise<{ since: Map<string, Since>; days: Map<string, Day[]> }> {
  const today = now.toISOString().slice(0, 10);
  const [states, rows] = await Promise.all([
    sql<{ name: string; state: CheckState; since: Date }[]>`select name, state, since from health_states`,
    sql<(Day & { name: string })[]>`
      select name, day::text, state, figure from health_days
      where day > ${today}::date - ${HEALTH_DAYS_SHOWN}::int order by name, day`,
  ]);
  const days = new Map<string, Day[]>();
  for (const { name, ...day } of rows) days.set(name, [...(days.get(name) ?? []), day]);
  return {
    since: new Map(states.map(({ name, state, since }) => [name, { state, since: since.toISOString() }])),
    days,
  };
}

/**
 * Runs every check and stores the results: since when, the worst state per day, the last figure per day. What changed for
 * long enough is told. It is a job, so operators see the night in the morning.
 */
export async function storeHealth(
  runtime: Runtime,
  _stopping?: AbortSignal,
  checks: Partial<Making> = MAKING,
): Promise<void> {
  const { sql } = runtime;
  const now = runtime.now();
  const today = now.toISOString().slice(0, 10);
  await syncAlertRules(runtime);
  for (const name of CheckName.options) {
    const make = checks[name] as Check<CheckName> | undefined;
    if (make) await storeOutcome(sql, name, await made(runtime, name, make), now);
  }
  await sql`delete from health_days where day < ${today}::date - ${HEALTH_RETENTION_DAYS}::int`;
  await sql`delete from backups where at < ${now}::timestamptz - ${HEALTH_RETENTION_DAYS}::int * interval '1 day'`;
}

async function storeOutcome<N extends CheckName>(sql: Sql, name: N, outcome: Outcome<N>, now: Date): Promise<void> {
  const { state } = outcome;
  await sql.begin(async (tx) => {
    const [stored] = await tx<[Stored]>`
      insert into health_states as s (name, state, since, ill_since)
      values (${name}, ${state}, ${now}, ${state === 'fine' ? null : now})
      on conflict (name) do update set state = excluded.state,
        since = case when s.state = excluded.state then s.since else excluded.since end,
        ill_since = case when excluded.state = 'fine' then null else coalesce(s.ill_since, excluded.ill_since) end
      returning state, since, ill_since as "illSince", told`;
    const sentence =
      outcome.state === 'unknown'
        ? `it could not be checked (${outcome.error})`
        : outcome.state === 'fine'
          ? ''
          : CHECKS[name].says(outcome.facts, outcome.state);
    await alertNews(tx, { name, sentence, stored, now });
    if (outcome.state === 'unknown') return;
    await tx`
      insert into health_days as d (name, day, state, figure)
      values (${name}, ${now.toISOString().slice(0, 10)}, ${state}, ${outcome.figure})
      on conflict (name, day) do update set figure = excluded.figure, state =
        case when 'failed' in (d.state, excluded.state) then 'failed'
          when 'attention' in (d.state, excluded.state) then 'attention' else 'fine' end`;
  });
}
