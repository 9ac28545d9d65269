import type { Sql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { AlertChannel, AlertCondition } from '../../contract/ops-logs.ts';
import { notify } from '../notifications/notify.ts';
import { type AlertMessage, deliver, wordsOfFailure } from './deliver.ts';
import type { Quiet } from './quiet.ts';

export type RuleRow = {
  id: string;
  name: string;
  enabled: boolean;
  condition: AlertCondition;
  channel: AlertChannel;
  quiet: Quiet | null;
  cooldownMinutes: number;
  createdAt: Date;
  lastAlertAt: Date | null;
  failingSince: Date | null;
  failure: string | null;
};
export const ruleColumns = (sql: Sql | TransactionSql) => sql`
  id, name, enabled, condition, channel, quiet, cooldown_minutes as "cooldownMinutes", created_at as "createdAt",
  last_alert_at as "lastAlertAt", failing_since as "failingSince", failure`;

/** Failed attempts after which operators are notified about a channel. */
const REPORTED_AFTER_TRIES = 3;

type DeliveryPorts = Pick<Runtime, 'sql' | 'telegram' | 'config' | 'now'>;

/**
 * Sends a message to a rule's channel. A Telegram group that became a supergroup is followed, and all its rules learn
 * the new id. Throws when it was rejected.
 */
export async function deliverAlert(
  runtime: DeliveryPorts,
  { id, channel }: Pick<RuleRow, 'id' | 'channel'>,
  message: AlertMessage,
): Promise<void> {
  const { sql } = runtime;
  const chatId = await deliver(runtime, channel, message);
  if (channel.kind === 'telegram' && chatId !== null && chatId !== channel.chatId)
    await sql`
      update client_log_rules set channel = jsonb_set(channel, '{chatId}', to_jsonb(${chatId}::text))
      where channel->>'kind' = 'telegram' and channel->>'chatId' = ${channel.chatId}`;
  await sql`update client_log_rules set failing_since = null, failure = null, failure_told = false where id = ${id}`;
}

/** Records a failed channel and notifies operators elsewhere, once until it works again. */
export async function noteFailure(
  runtime: DeliveryPorts & Pick<Runtime, 'log'>,
  rule: RuleRow,
  { error, tries, now }: { error: unknown; tries: number; now: Date },
): Promise<void> {
  const { sql, log } = runtime;
  const problem = wordsOfFailure(error);
  log.warn({ rule: rule.id, tries, problem }, 'an alert was not delivered');
  await sql`
    update client_log_rules set failing_since = coalesce(failing_since, ${now}), failure = ${problem}
    where id = ${rule.id}`;
  if (tries < REPORTED_AFTER_TRIES) return;
  const [first] = await sql`
    update client_log_rules set failure_told = true where id = ${rule.id} and not failure_told returning true as is`;
  if (!first) return;
  await notifyStaff(sql, rule, now);
  await notifyElsewhere(runtime, rule, problem);
}

/** A notification to all operators' devices. */
async function notifyStaff(sql: Sql, rule: RuleRow, at: Date): Promise<void> {
  const staff = await sql<
    { id: string }[]
  >`select id from users where role in ('ops', 'admin') and suspended_at is null`;
  for (const { id } of staff)
    await notify(sql, {
      topic: 'security',
      userId: id,
      path: '/admin/client-logs',
      title: 'Alerts aren’t delivered',
      body: `The alert “${rule.name}” can’t be delivered to its channel.`,
      at,
    });
}

/** The same in the channels of the other rules, each once. */
async function notifyElsewhere(runtime: DeliveryPorts, rule: RuleRow, problem: string): Promise<void> {
  const others = await runtime.sql<{ channel: AlertChannel }[]>`
    select distinct channel from client_log_rules
    where enabled and id <> ${rule.id} and channel <> (select channel from client_log_rules where id = ${rule.id})`;
  const title = `The channel of the alert “${rule.name}” takes nothing: ${problem}`;
  const url = `${runtime.config.publicOrigin}/admin/client-logs`;
  for (const { channel } of others)
    await deliver(runtime, channel, { rule: rule.name, kind: 'test', title, text: title, url }).catch(() => undefined);
}
