import type { Runtime } from '../../base/runtime.ts';
import { type Found, iso, stateOf } from './check.ts';

const DAY_MS = 86_400_000;
/** Missed runs that are tolerated, and the least time before they are reported. */
const MISSED_RUNS = 3;
const LEAST_LATE_MS = 5 * 60_000;

/** Jobs whose last run failed, or that have not run for too long. */
export async function checkJobs({ sql, now, startedAt }: Runtime): Promise<Found<'jobs'>> {
  const at = now();
  const rows = await sql<
    { name: string; everyMs: number; ranAt: Date; okAt: Date | null; since: Date | null; error: string | null }[]
  >`
    select name, every_ms as "everyMs", ran_at as "ranAt", ok_at as "okAt", failing_since as since, error
    from job_runs order by name`;
  const isLate = (row: { ranAt: Date; everyMs: number }) =>
    at.getTime() - row.ranAt.getTime() > Math.max(LEAST_LATE_MS, MISSED_RUNS * row.everyMs);
  const behind = rows.filter((row) => row.error !== null || isLate(row));
  const lastAt = rows.reduce<Date | null>((last, { ranAt }) => (last && last > ranAt ? last : ranAt), null);
  const hasNoneRun = rows.length === 0 && at.getTime() - startedAt.getTime() > LEAST_LATE_MS;
  return {
    state: stateOf({ failed: behind.some(({ error }) => error !== null), attention: behind.length > 0 || hasNoneRun }),
    facts: {
      all: rows.length,
      lastAt: iso(lastAt),
      behind: behind.map(({ name, since, ranAt, okAt, error }) => ({
        name,
        since: iso(since ?? ranAt),
        okAt: iso(okAt),
        error,
      })),
    },
    figure: rows.length - behind.length,
  };
}

const PUSH_DAYS = 7;
/** Share of rejected messages that is reported, from this many messages on. */
const PUSH_LOST = 0.05;
const PUSH_BROKEN = 0.5;
const PUSH_LEAST = 20;

/** How push services accepted a week's messages, and which asked for a pause. */
export async function checkPush({ sql, now }: Runtime): Promise<Found<'push'>> {
  const at = now();
  const [rows, resting, [counted]] = await Promise.all([
    sql<{ origin: string; sent: number; gone: number; failed: number }[]>`
      select s.origin, sum(s.sent)::int as sent, sum(s.gone)::int as gone, sum(s.failed)::int as failed
      from notification_services s join notifications n on n.id = s.notification_id
      where n.created_at > ${new Date(at.getTime() - PUSH_DAYS * DAY_MS)}
      group by 1 order by 2 desc, 1`,
    sql<{ origin: string }[]>`select origin from push_origins where resting_until > ${at} order by 1`,
    sql<[{ count: number }]>`select count(*)::int from push_subscriptions`,
  ]);
  const lost = ({ sent, failed }: { sent: number; failed: number }) =>
    sent + failed >= PUSH_LEAST ? failed / (sent + failed) : 0;
  const sum = (what: 'sent' | 'gone' | 'failed') => rows.reduce((all, row) => all + row[what], 0);
  const [sent, failed] = [sum('sent'), sum('failed')];
  return {
    state: stateOf({
      failed: rows.some((row) => lost(row) > PUSH_BROKEN),
      attention: resting.length > 0 || rows.some((row) => lost(row) > PUSH_LOST),
    }),
    facts: {
      subscriptions: counted.count,
      sent,
      gone: sum('gone'),
      failed,
      services: rows.map((row) => ({ service: hostOf(row.origin), sent: row.sent, failed: row.failed })),
      resting: resting.map(({ origin }) => hostOf(origin)),
    },
    figure: sent + failed > 0 ? sent / (sent + failed) : null,
  };
}

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : origin);

const INTAKE_SLOW_S = 60;
const INTAKE_STUCK_S = 15 * 60;

/** Whether entries from devices are ingested, and alerts are delivered. */
export async function checkIntake({ sql, now }: Runtime): Promise<Found<'intake'>> {
  const at = now();
  const [[inbox], [daily], rules] = await Promise.all([
    sql<[{ waiting: number; oldest: Date | null }]>`
      select count(*)::int as waiting, min(received_at) as oldest from client_log_inbox`,
    sql<{ stored: number; refused: number }[]>`
      select stored::float8, refused::float8 from client_log_daily where day = ${at.toISOString().slice(0, 10)}::date`,
    sql<{ name: string }[]>`
      select name from client_log_rules where enabled and failing_since is not null order by name limit 20`,
  ]);
  const oldestS = inbox.oldest ? Math.max(0, Math.round((at.getTime() - inbox.oldest.getTime()) / 1_000)) : 0;
  const refusedToday = daily?.refused ?? 0;
  return {
    state: stateOf({
      failed: oldestS > INTAKE_STUCK_S,
      attention: oldestS > INTAKE_SLOW_S || refusedToday > 0 || rules.length > 0,
    }),
    facts: {
      waiting: inbox.waiting,
      oldestS,
      today: daily?.stored ?? 0,
      refusedToday,
      deafRules: rules.map(({ name }) => name),
    },
    figure: daily?.stored ?? 0,
  };
}

const TROUBLED_SHOWN = 5;

/** Deliveries to other programs that were given up within a day, and webhooks that are paused for it. */
export async function checkWebhooks({ sql, now }: Runtime): Promise<Found<'webhooks'>> {
  const since = new Date(now().getTime() - DAY_MS);
  const [[sums], troubled] = await Promise.all([
    sql<[{ active: number; waiting: number; failed: number }]>`
      select (select count(*)::int from webhooks where active) as active,
        (select count(*)::int from webhook_deliveries where state = 'waiting') as waiting,
        (select count(*)::int from webhook_deliveries where created_at > ${since} and state = 'failed') as failed`,
    sql<{ slug: string; name: string; failed: number; paused: number }[]>`
      select c.slug, c.name, sum(w.failed)::int as failed, sum(w.paused)::int as paused
      from communities c join (
        select w.community_id, 0 as failed, 1 as paused from webhooks w where w.paused_at is not null
        union all
        select w.community_id, 1, 0 from webhook_deliveries d join webhooks w on w.id = d.webhook_id
        where d.created_at > ${since} and d.state = 'failed'
      ) w on w.community_id = c.id
      group by c.id, c.slug, c.name order by 4 desc, 3 desc, c.name limit ${TROUBLED_SHOWN}`,
  ]);
  return {
    state: stateOf({ failed: false, attention: troubled.length > 0 }),
    facts: { ...sums, troubled: [...troubled] },
    figure: sums.failed,
  };
}
