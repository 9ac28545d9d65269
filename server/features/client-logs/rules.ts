import type { Sql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import { ALERT_RULES_MAX } from '../../contract/limits.ts';
import type { Alert, AlertChannel, AlertRule, NewAlertRule } from '../../contract/ops-logs.ts';
import { type RuleRow, ruleColumns } from './alert-delivery.ts';
import { isTimeZone } from './quiet.ts';

const ALERTS_SHOWN = 100;

/** A webhook's query may contain its secret: it is stored and never shown again. */
function shown(channel: AlertChannel): AlertChannel {
  if (channel.kind !== 'webhook') return channel;
  const { origin, pathname } = new URL(channel.url);
  return { kind: 'webhook', url: origin + pathname };
}

const ruleOf = (row: RuleRow): AlertRule => ({
  id: row.id,
  name: row.name,
  enabled: row.enabled,
  when: row.condition,
  to: shown(row.channel),
  quiet: row.quiet,
  cooldownMinutes: row.cooldownMinutes,
  createdAt: row.createdAt.toISOString(),
  lastAlertAt: row.lastAlertAt?.toISOString() ?? null,
  failing: row.failingSince && { since: row.failingSince.toISOString(), error: row.failure ?? '' },
});

function check(rule: NewAlertRule): void {
  if (rule.quiet && !isTimeZone(rule.quiet.timeZone))
    throw new HttpError(400, 'INVALID_INPUT', 'quiet.timeZone: is no time zone, as in Europe/Berlin');
  if (rule.quiet && rule.quiet.from === rule.quiet.to)
    throw new HttpError(400, 'INVALID_INPUT', 'quiet.to: must differ from its beginning');
  if (rule.to.kind === 'webhook' && !URL.canParse(rule.to.url))
    throw new HttpError(400, 'INVALID_INPUT', 'to.url: must be an https URL');
}

export async function readRules(sql: Sql): Promise<AlertRule[]> {
  const rows = await sql<
    RuleRow[]
  >`select ${ruleColumns(sql)} from client_log_rules where setting is null order by created_at, id`;
  return rows.map(ruleOf);
}

/** One rule with its whole channel. Throws 404. */
export async function findRule(sql: Sql, ruleId: string): Promise<RuleRow> {
  const [row] = await sql<
    RuleRow[]
  >`select ${ruleColumns(sql)} from client_log_rules where id = ${ruleId} and setting is null`;
  if (!row) throw notFound('rule');
  return row;
}

export async function addRule(sql: Sql, rule: NewAlertRule, by: string, now: Date): Promise<AlertRule> {
  check(rule);
  const [row] = await sql<RuleRow[]>`
    insert into client_log_rules (name, enabled, condition, channel, quiet, cooldown_minutes, created_by, created_at)
    select ${rule.name}, ${rule.enabled}, ${sql.json(rule.when)}, ${sql.json(rule.to)}, ${rule.quiet ? sql.json(rule.quiet) : null},
      ${rule.cooldownMinutes}, ${by}, ${now}
    where (select count(*) from client_log_rules where setting is null) < ${ALERT_RULES_MAX} returning ${ruleColumns(sql)}`;
  if (!row)
    throw new HttpError(409, 'TOO_MANY_RULES', `There are ${ALERT_RULES_MAX} rules already.`, {
      details: { limit: ALERT_RULES_MAX },
    });
  return ruleOf(row);
}

export async function replaceRule(sql: Sql, ruleId: string, rule: NewAlertRule): Promise<AlertRule> {
  check(rule);
  const before = await findRule(sql, ruleId);
  const old = shown(before.channel);
  const isSame = rule.to.kind === 'webhook' && old.kind === 'webhook' && rule.to.url === old.url;
  const [row] = await sql<RuleRow[]>`
    update client_log_rules set name = ${rule.name}, enabled = ${rule.enabled}, condition = ${sql.json(rule.when)},
      channel = ${sql.json(isSame ? before.channel : rule.to)}, quiet = ${rule.quiet ? sql.json(rule.quiet) : null},
      cooldown_minutes = ${rule.cooldownMinutes}, failing_since = null, failure = null, failure_told = false
    where id = ${ruleId} and setting is null returning ${ruleColumns(sql)}`;
  if (!row) throw notFound('rule');
  if (!row.enabled) await sql`delete from client_log_alerts where rule_id = ${ruleId} and state = 'waiting'`;
  return ruleOf(row);
}

export async function deleteRule(sql: Sql, ruleId: string): Promise<void> {
  const [row] = await sql`delete from client_log_rules where id = ${ruleId} and setting is null returning id`;
  if (!row) throw notFound('rule');
}

export async function readAlerts(sql: Sql, now: Date): Promise<Alert[]> {
  type Row = Omit<Alert, 'at' | 'state'> & { at: Date; state: 'waiting' | 'sent' | 'failed'; notBefore: Date };
  const rows = await sql<Row[]>`
    select a.id, a.rule_id as "ruleId", r.name as rule, a.at, a.title, a.issue_id as "issueId", a.state, a.tries, a.error,
      a.not_before as "notBefore"
    from client_log_alerts a join client_log_rules r on r.id = a.rule_id order by a.at desc, a.id limit ${ALERTS_SHOWN}`;
  return rows.map(({ at, notBefore, state, ...alert }) => ({
    ...alert,
    at: at.toISOString(),
    state: state === 'waiting' && alert.tries === 0 && notBefore > now ? 'held' : state,
  }));
}
