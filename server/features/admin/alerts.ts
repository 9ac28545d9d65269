import { createHash } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { AdminOverview, CheckName, CheckState } from '../../contract/overview.ts';
import { inertLine } from '../../rules/inert.ts';
import { enqueueCheckAlert } from '../client-logs/alerts.ts';
import { CHECKS } from './checks.ts';

/** A check that cannot be made is told like a bad one after so many minutes. */
const UNKNOWN_FOR_MIN = 30;

/** What is stored of a check: its state since when, since when it is not fine, and which state was told. */
export type Stored = { state: CheckState; since: Date; illSince: Date | null; told: CheckState | null };
type News = 'bad' | 'worse' | 'well';

/**
 * What operators are told of a check now; null: nothing. One alert when it has been bad for its time, one more where it got
 * worse, and one when it has been well for its time: whatever comes and goes in between is nobody's business.
 */
export function newsOf({ state, since, illSince, told }: Stored, name: CheckName, now: Date): News | null {
  const { badForMin, wellForMin } = CHECKS[name];
  const lasts = (from: Date | null, minutes: number) =>
    from !== null && now.getTime() - from.getTime() >= minutes * 60_000;
  if (state === 'fine') return told !== null && lasts(since, wellForMin) ? 'well' : null;
  if (told === null) return lasts(illSince, state === 'unknown' ? UNKNOWN_FOR_MIN : badForMin) ? 'bad' : null;
  return told !== 'failed' && state === 'failed' && lasts(since, badForMin) ? 'worse' : null;
}

/** The alert in words: what is wrong, what to do, and where more is written. */
export function alertOf(name: CheckName, news: News, sentence: string): { title: string; text: string } {
  const { title, wayOut } = CHECKS[name];
  if (news === 'well') return { title: `${title}: well again`, text: '' };
  const text = `What to do: ${wayOut}\nMore: docs/operations/what-to-do-when.md#${name}`;
  return { title: inertLine(`${title}${news === 'worse' ? ' is worse' : ''}: ${sentence}`), text };
}

/** Queues what is to be told of a check, in the transaction that notes that it was. */
export async function alertNews(
  tx: TransactionSql,
  { name, sentence, stored, now }: { name: CheckName; sentence: string; stored: Stored; now: Date },
): Promise<void> {
  // What the database itself does not take is told by the process that notices it, without a row (`watch.ts`).
  if (name === 'database' && stored.state === 'failed') return;
  const news = newsOf(stored, name, now);
  if (news === null) return;
  const alert = { once: `${name} ${news} ${now.toISOString()}`, ...alertOf(name, news, sentence) };
  const rules = await enqueueCheckAlert(tx, alert, now);
  // Nobody is told yet: a rule that is added later still tells of this check while it is bad.
  if (rules === 0 && news !== 'well') return;
  await tx`update health_states set told = ${news === 'well' ? null : stored.state} where name = ${name}`;
}

/** Brings the rules that the environment sets in line with it. A chat that moved keeps its new id. */
export async function syncAlertRules({ sql, config, now }: Pick<Runtime, 'sql' | 'config' | 'now'>): Promise<void> {
  const { telegramChat, webhook } = config.alerts;
  const wanted = {
    ALERTS_TELEGRAM_CHAT: telegramChat === null ? null : { kind: 'telegram', chatId: telegramChat },
    ALERTS_WEBHOOK: webhook === null ? null : { kind: 'webhook', url: webhook },
  };
  for (const [setting, channel] of Object.entries(wanted)) {
    if (channel === null) await sql`delete from client_log_rules where setting = ${setting}`;
    else
      await sql`
        insert into client_log_rules as r (name, enabled, condition, channel, cooldown_minutes, created_at, setting)
        values (${setting}, true, ${sql.json({ kind: 'check', set: digestOf(channel) })}, ${sql.json(channel)}, 0, ${now()}, ${setting})
        on conflict (setting) do update set condition = excluded.condition, channel = excluded.channel,
          failing_since = null, failure = null, failure_told = false
        where r.condition <> excluded.condition`;
  }
}

/** Who is told of checks, and whose channel takes nothing. */
export async function readAlerting({ sql, config }: Runtime): Promise<NonNullable<AdminOverview['alerts']>> {
  const rows = await sql<{ setting: string | null; since: Date | null; failure: string | null }[]>`
    select setting, failing_since as since, failure from client_log_rules where enabled and condition->>'kind' = 'check'`;
  const channels = SETTINGS_OF.flatMap(({ setting, kind, isSet }) => {
    if (!isSet(config.alerts)) return [];
    const row = rows.find((rule) => rule.setting === setting);
    return [{ kind, failingSince: row?.since?.toISOString() ?? null, error: row?.failure ?? null }];
  });
  return {
    channels,
    rules: rows.filter((rule) => rule.setting === null).length,
    heartbeat: config.heartbeatUrl !== null,
  };
}

type Alerts = Runtime['config']['alerts'];
const SETTINGS_OF = [
  { setting: 'ALERTS_TELEGRAM_CHAT', kind: 'telegram', isSet: ({ telegramChat }: Alerts) => telegramChat !== null },
  { setting: 'ALERTS_WEBHOOK', kind: 'webhook', isSet: ({ webhook }: Alerts) => webhook !== null },
] as const;

/** Tells a changed setting from a chat that moved, without its secret. */
const digestOf = (channel: object): string => createHash('sha256').update(JSON.stringify(channel)).digest('hex');
