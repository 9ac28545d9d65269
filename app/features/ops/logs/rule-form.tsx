import './parts.css';
import './rule-form.css';
import { useQueryClient } from '@tanstack/react-query';
import { ALERT_NAME_MAX, RULE_COOLDOWN_MAX_MINUTES, WEBHOOK_URL_MAX } from '../../../../server/contract/limits.ts';
import type { AlertChannel, AlertCondition, AlertRule, NewAlertRule } from '../../../../server/contract/ops-logs.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { m } from '../../../paraglide/messages.js';
import { Form, useForm } from '../../../shared/commands/form.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { wholeIn } from '../../../ui/typed-number.ts';
import { READS } from './parts.tsx';

type Kind = AlertCondition['kind'];
const KINDS: readonly Kind[] = ['new_issue', 'regression', 'rate', 'replay_delay', 'drops', 'weekly_digest', 'check'];
const KIND_WORDS: Record<Kind, () => string> = {
  new_issue: m.logs_when_new_issue,
  regression: m.logs_when_regression,
  rate: m.logs_kind_rate,
  replay_delay: m.logs_kind_delay,
  drops: m.logs_kind_drops,
  weekly_digest: m.logs_when_digest,
  check: m.logs_when_check,
};

/** The form's fields as typed. */
type Written = {
  name: string;
  enabled: boolean;
  kind: Kind;
  minutes: string;
  times: string;
  minimum: string;
  channel: AlertChannel['kind'];
  chatId: string;
  url: string;
  isQuiet: boolean;
  quietFrom: string;
  quietTo: string;
  timeZone: string;
  cooldownMinutes: string;
};

function written(rule: AlertRule | null): Written {
  const when = rule?.when ?? { kind: 'new_issue' as const };
  const to = rule?.to ?? null;
  return {
    name: rule?.name ?? '',
    enabled: rule?.enabled ?? true,
    kind: when.kind,
    minutes: String('minutes' in when ? when.minutes : 60),
    times: String('times' in when ? when.times : 3),
    minimum: String('minimum' in when ? when.minimum : 20),
    channel: to?.kind ?? 'telegram',
    chatId: to?.kind === 'telegram' ? to.chatId : '',
    // A webhook's query is hidden; saved unchanged, it stays.
    url: to?.kind === 'webhook' ? to.url : 'https://',
    isQuiet: rule?.quiet != null,
    quietFrom: rule?.quiet?.from ?? '22:00',
    quietTo: rule?.quiet?.to ?? '07:00',
    timeZone: rule?.quiet?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    cooldownMinutes: String(rule?.cooldownMinutes ?? 60),
  };
}

const whole = (text: string, min: number, max: number): string | null =>
  wholeIn(text, min, max) === null ? m.logs_whole_number({ min: number(min), max: number(max) }) : null;

/** What is wrong with what is written, by field. */
function problemsOf({ name, kind, channel, isQuiet, quietFrom, quietTo, ...form }: Written) {
  const limits: Partial<Record<Kind, [min: number, max: number]>> = { rate: [5, 1_440], replay_delay: [1, 10_080] };
  const minutes = limits[kind];
  return {
    name: name.trim() === '' ? m.logs_rule_name_empty() : null,
    minutes: minutes ? whole(form.minutes, ...minutes) : null,
    times: kind === 'rate' ? whole(form.times, 1, 1_000) : null,
    minimum: kind === 'rate' || kind === 'drops' ? whole(form.minimum, 1, 1_000_000) : null,
    chatId: channel === 'telegram' && !/^(-?\d{1,18}|@\w{4,32})$/.test(form.chatId.trim()) ? m.logs_chat_wrong() : null,
    url: channel === 'webhook' && !/^https:\/\/[^\s/]+\S*$/.test(form.url.trim()) ? m.logs_url_wrong() : null,
    quietTo: isQuiet && (quietFrom === quietTo || quietFrom === '' || quietTo === '') ? m.logs_quiet_wrong() : null,
    cooldownMinutes: whole(form.cooldownMinutes, 1, RULE_COOLDOWN_MAX_MINUTES),
  };
}

function conditionOf(form: Written): AlertCondition {
  const [minutes, minimum] = [Number(form.minutes), Number(form.minimum)];
  switch (form.kind) {
    case 'rate':
      return { kind: 'rate', minutes, minimum, times: Number(form.times) };
    case 'replay_delay':
      return { kind: 'replay_delay', minutes };
    case 'drops':
      return { kind: 'drops', minimum };
    default:
      return { kind: form.kind };
  }
}

const ruleOf = (form: Written): NewAlertRule => ({
  name: form.name.trim(),
  enabled: form.enabled,
  when: conditionOf(form),
  to:
    form.channel === 'telegram'
      ? { kind: 'telegram', chatId: form.chatId.trim() }
      : { kind: 'webhook', url: form.url.trim() },
  quiet: form.isQuiet ? { from: form.quietFrom, to: form.quietTo, timeZone: form.timeZone } : null,
  cooldownMinutes: Number(form.cooldownMinutes),
});

/** A new or existing rule. */
export function RuleForm({ rule, onDone }: { rule: AlertRule | null; onDone: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    initial: () => written(rule),
    problems: problemsOf,
    body: ruleOf,
    send: (body) =>
      rule === null
        ? call('POST /api/admin/client-logs/rules', { body })
        : call('PUT /api/admin/client-logs/rules/:ruleId', { params: { ruleId: rule.id }, body }),
    done: () => {
      onDone();
      void client.invalidateQueries(READS);
    },
  });
  const { kind, channel, isQuiet, enabled, timeZone } = form.values;
  return (
    <Form form={form} act={m.logs_rule_save()} className="log-form">
      <Field label={m.logs_rule_name()} maxLength={ALERT_NAME_MAX} {...form.field('name')} />
      <Select
        label={m.logs_rule_when()}
        options={KINDS.map((value) => ({ value, label: KIND_WORDS[value]() }))}
        {...form.field('kind')}
      />
      {(kind === 'rate' || kind === 'drops') && (
        <Field label={m.logs_rule_minimum()} inputMode="numeric" {...form.field('minimum')} />
      )}
      {(kind === 'rate' || kind === 'replay_delay') && (
        <Field label={m.logs_rule_minutes()} inputMode="numeric" {...form.field('minutes')} />
      )}
      {kind === 'rate' && (
        <Field
          label={m.logs_rule_times()}
          hint={m.logs_rule_times_hint()}
          inputMode="numeric"
          {...form.field('times')}
        />
      )}
      <Select
        label={m.logs_rule_to()}
        options={[
          { value: 'telegram', label: m.logs_rule_telegram() },
          { value: 'webhook', label: m.logs_rule_webhook() },
        ]}
        {...form.field('channel')}
      />
      {channel === 'telegram' ? (
        <Field
          label={m.logs_rule_chat()}
          hint={m.logs_rule_chat_hint()}
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('chatId')}
        />
      ) : (
        <Field
          label={m.logs_rule_url()}
          hint={m.logs_rule_url_hint()}
          type="url"
          maxLength={WEBHOOK_URL_MAX}
          {...form.field('url')}
        />
      )}
      <label className="log-tick">
        <input type="checkbox" checked={isQuiet} onChange={() => form.change({ isQuiet: !isQuiet })} />
        {m.logs_rule_quiet()}
      </label>
      {isQuiet && (
        <div className="rule-quiet-hours">
          <Field label={m.logs_from()} type="time" {...form.field('quietFrom')} />
          <Field label={m.logs_to()} type="time" hint={timeZone} {...form.field('quietTo')} />
        </div>
      )}
      <Field
        label={m.logs_rule_cooldown()}
        hint={m.logs_rule_cooldown_hint()}
        inputMode="numeric"
        {...form.field('cooldownMinutes')}
      />
      <label className="log-tick">
        <input type="checkbox" checked={enabled} onChange={() => form.change({ enabled: !enabled })} />
        {m.logs_rule_enabled()}
      </label>
    </Form>
  );
}
