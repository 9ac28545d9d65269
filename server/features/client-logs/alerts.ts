import type { Sql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { LOG_DAILY_ROWS } from '../../contract/limits.ts';
import type { AlertChannel } from '../../contract/ops-logs.ts';
import { inertLine } from '../../rules/inert.ts';
import { GROUP_IN_A_MINUTE } from '../bot-messages/pace.ts';
import { deliverAlert, noteFailure, type RuleRow, ruleColumns } from './alert-delivery.ts';
import { wordsOfFailure } from './deliver.ts';
import { digestOf } from './digest.ts';
import { quietForMs } from './quiet.ts';
import type { Happening } from './transitions.ts';

/** Waiting alerts of one rule: a flood of new issues becomes one alert with a number. */
const WAITING_MAX = 100;
const LISTED_MAX = 10;
const TRIES_MAX = 6;
const CLAIMED_MS = 60_000;
/** Alerts go past the bot's queue (docs/decisions/bot.md), at the pace that a group takes. */
const GROUP_EVERY_MS = 60_000 / GROUP_IN_A_MINUTE;
const RULES_LOCK = 7_186_012;

type Found = { subject: string; title: string; text: string; issueId: string | null };

const TITLES: Readonly<Record<Happening['kind'], string>> = { new_issue: 'New issue', regression: 'Back again' };

/** Queues alerts for the rules that match an ingested batch. */
export async function enqueueAlerts(sql: TransactionSql, happenings: readonly Happening[], now: Date): Promise<void> {
  if (happenings.length === 0) return;
  const rules = await sql<RuleRow[]>`
    select ${ruleColumns(sql)} from client_log_rules where enabled and condition->>'kind' in ('new_issue', 'regression')`;
  for (const rule of rules) {
    const wanted = happenings.filter(({ kind }) => kind === rule.condition.kind).slice(0, WAITING_MAX);
    for (const { kind, issueId, title, culprit } of wanted)
      await enqueue(sql, rule, now, {
        subject: issueId,
        title: `${TITLES[kind]}: ${inertLine(title)}`,
        text: culprit === null ? '' : inertLine(culprit),
        issueId,
      });
  }
}

/** Queues an alert for each rule that is told of checks, and counts them. `once` names it: a second one of the same name is none. */
export async function enqueueCheckAlert(
  sql: TransactionSql,
  alert: { once: string; title: string; text: string },
  now: Date,
): Promise<number> {
  const rules = await sql<RuleRow[]>`
    select ${ruleColumns(sql)} from client_log_rules where enabled and condition->>'kind' = 'check'`;
  for (const { id, quiet } of rules)
    await sql`
      insert into client_log_alerts (rule_id, once, at, title, text, not_before)
      values (${id}, ${`${id} ${alert.once}`}, ${now}, ${alert.title.slice(0, 400)}, ${alert.text},
        ${new Date(now.getTime() + quietForMs(quiet, now))})
      on conflict (once) do nothing`;
  return rules.length;
}

/** Judges the rules that look at numbers, and notes what they found. Any number of processes may call it. */
export async function runRules(runtime: Runtime): Promise<void> {
  const now = runtime.now();
  await runtime.sql.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${RULES_LOCK})`;
    const rules = await sql<RuleRow[]>`
      select ${ruleColumns(sql)} from client_log_rules where enabled and condition->>'kind' not in ('new_issue', 'regression', 'check')`;
    for (const rule of rules) {
      const found = await judge(sql, rule, now, runtime.build);
      if (found) await enqueue(sql, rule, now, found);
    }
  });
}

async function enqueue(sql: TransactionSql, rule: RuleRow, now: Date, found: Found): Promise<void> {
  // A weekly alert is sent once, whatever the rule's pause, because it stays true all day.
  const window =
    rule.condition.kind === 'weekly_digest' ? '' : Math.floor(now.getTime() / (rule.cooldownMinutes * 60_000));
  const notBefore = new Date(now.getTime() + quietForMs(rule.quiet, now));
  await sql`
    insert into client_log_alerts (rule_id, once, at, title, text, issue_id, not_before)
    select ${rule.id}, ${`${rule.id} ${found.subject} ${window}`}, ${now}, ${found.title.slice(0, 400)}, ${found.text}, ${found.issueId}, ${notBefore}
    where (select count(*) from client_log_alerts where rule_id = ${rule.id} and state = 'waiting') < ${WAITING_MAX}
    on conflict (once) do nothing`;
}

async function judge(sql: TransactionSql, { condition }: RuleRow, now: Date, running: string): Promise<Found | null> {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  const found = (subject: string, title: string): Found => ({ subject, title, text: '', issueId: null });
  switch (condition.kind) {
    case 'rate': {
      // By the time of occurrence, without old releases: entries that phones replay from yesterday are no rush of
      // today.
      const [row] = await sql<[{ recent: number; week: number }]>`
        select (select coalesce(sum(repeats), 0)::float8 from client_log_entries
            where kind = 'error' and happened_at >= ${ago(condition.minutes)} and received_at >= ${ago(condition.minutes)}
              and (release is null or release = ${running})) as recent,
          (select coalesce(sum(errors), 0)::float8 from client_log_series
            where dimension = 'all' and value = '' and hour >= ${ago(7 * 1_440)} and hour < ${ago(condition.minutes + 60)}) as week`;
      const usual = row.week / ((7 * 1_440) / condition.minutes);
      const isRush = row.recent >= condition.minimum && row.recent >= usual * condition.times;
      return isRush
        ? found('rate', `${row.recent} errors in ${condition.minutes} minutes, usually ${Math.round(usual)}`)
        : null;
    }
    case 'replay_delay': {
      const [row] = await sql<[{ median: number | null }]>`
        select percentile_cont(0.5) within group (order by extract(epoch from received_at - happened_at))::float8 / 60 as median
        from client_log_entries where received_at >= ${ago(60)}`;
      return row.median !== null && row.median > condition.minutes
        ? found(
            'replay_delay',
            `Half of the last hour's entries arrived more than ${Math.round(row.median)} minutes late`,
          )
        : null;
    }
    case 'drops': {
      const [row] = await sql<[{ lost: number; refused: number }]>`
        select (select coalesce(sum(errors + debugs), 0)::float8 from client_log_drops where received_at >= ${ago(60)}) as lost,
          (select coalesce(sum(refused), 0)::float8 from client_log_daily where day = ${now.toISOString().slice(0, 10)}) as refused`;
      if (row.lost + row.refused < condition.minimum) return null;
      return found(
        'drops',
        `${row.lost} entries lost on devices in the last hour, ${row.refused} refused today (cap ${LOG_DAILY_ROWS})`,
      );
    }
    case 'weekly_digest':
      return digestOf(sql, now);
    default:
      return null;
  }
}

type Claimed = { id: string; ruleId: string; title: string; text: string; issueId: string | null; tries: number };

/** Sends what is due, each rule's as one message. What fails is tried again, later each time, six times at most. */
export async function sendAlerts(runtime: Runtime): Promise<void> {
  const { sql } = runtime;
  const now = runtime.now();
  const due = await sql<{ ruleId: string }[]>`
    select distinct rule_id as "ruleId" from client_log_alerts where state = 'waiting' and not_before <= ${now}`;
  for (const { ruleId } of due) {
    const [rule] = await sql<RuleRow[]>`select ${ruleColumns(sql)} from client_log_rules where id = ${ruleId}`;
    if (!rule) continue;
    const coolUntil = (rule.lastAlertAt?.getTime() ?? 0) + rule.cooldownMinutes * 60_000;
    const freeAt = Math.max(coolUntil, await chatFreeAt(sql, rule.channel));
    const heldMs = Math.max(quietForMs(rule.quiet, now), freeAt - now.getTime());
    if (heldMs > 0) {
      await sql`update client_log_alerts set not_before = ${new Date(now.getTime() + heldMs)}
        where rule_id = ${ruleId} and state = 'waiting' and not_before <= ${now}`;
      continue;
    }
    await sendRule(runtime, rule, now);
  }
}

/** When the next alert may go to a Telegram chat, whichever rule's the last one was; ms since 1970. */
async function chatFreeAt(sql: Sql, channel: AlertChannel): Promise<number> {
  if (channel.kind !== 'telegram') return 0;
  const [row] = await sql<[{ last: Date | null }]>`
    select max(last_alert_at) as last from client_log_rules
    where channel->>'kind' = 'telegram' and channel->>'chatId' = ${channel.chatId}`;
  return (row.last?.getTime() ?? 0) + GROUP_EVERY_MS;
}

async function sendRule(runtime: Runtime, rule: RuleRow, now: Date): Promise<void> {
  const { sql } = runtime;
  // Claimed by moving its time: another process passes it by, and a process that dies lets it come due again.
  const claimed = await sql<Claimed[]>`
    update client_log_alerts set not_before = ${new Date(now.getTime() + CLAIMED_MS)}, tries = tries + 1
    where id in (select id from client_log_alerts where rule_id = ${rule.id} and state = 'waiting' and not_before <= ${now}
      order by at limit ${WAITING_MAX} for update skip locked)
    returning id, rule_id as "ruleId", title, text, issue_id as "issueId", tries`;
  const [first] = claimed;
  if (!first) return;
  const ids = claimed.map(({ id }) => id);
  try {
    await deliverAlert(runtime, rule, messageOf(runtime.config.publicOrigin, rule, claimed));
    await sql`update client_log_alerts set state = 'sent', error = null where id = any(${ids}::uuid[])`;
    await sql`update client_log_rules set last_alert_at = ${now} where id = ${rule.id}`;
  } catch (error) {
    const tries = Math.max(...claimed.map((alert) => alert.tries));
    const state = tries >= TRIES_MAX ? 'failed' : 'waiting';
    await sql`update client_log_alerts set state = ${state}, error = ${wordsOfFailure(error)},
        not_before = ${new Date(now.getTime() + 60_000 * 2 ** tries)} where id = any(${ids}::uuid[])`;
    await noteFailure(runtime, rule, { error, tries, now });
  }
}

function messageOf(origin: string, rule: RuleRow, alerts: readonly Claimed[]) {
  const [first] = alerts;
  const more = alerts.length - LISTED_MAX;
  const lines = alerts
    .slice(0, LISTED_MAX)
    .flatMap(({ title, text, issueId }) => [
      title,
      ...(text === '' ? [] : [text]),
      ...(issueId === null || alerts.length === 1 ? [] : [`${origin}/admin/client-logs?issue=${issueId}`]),
    ]);
  const page = rule.condition.kind === 'check' ? '/admin' : '/admin/client-logs';
  const url = `${origin}${page}${alerts.length === 1 && first?.issueId ? `?issue=${first.issueId}` : ''}`;
  const title = alerts.length === 1 ? (first?.title ?? '') : `${rule.name}: ${alerts.length} things`;
  return {
    rule: rule.name,
    kind: rule.condition.kind,
    title,
    text: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    url,
  };
}
