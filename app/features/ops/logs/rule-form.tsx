import './parts.css';
import './rule-form.css';
import { type FormEvent, useState } from 'react';
import { ALERT_NAME_MAX, RULE_COOLDOWN_MAX_MINUTES, WEBHOOK_URL_MAX } from '../../../../server/contract/limits.ts';
import type { AlertChannel, AlertCondition, AlertRule, NewAlertRule } from '../../../../server/contract/ops-logs.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { useOnline } from '../../../lib/online.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Refused, useLogCommand } from './parts.tsx';

type Kind = AlertCondition['kind'];
const KINDS: readonly Kind[] = ['new_issue', 'regression', 'rate', 'replay_delay', 'drops', 'weekly_digest'];
const KIND_WORDS: Record<Kind, () => string> = {
  new_issue: m.logs_when_new_issue,
  regression: m.logs_when_regression,
  rate: m.logs_kind_rate,
  replay_delay: m.logs_kind_delay,
  drops: m.logs_kind_drops,
  weekly_digest: m.logs_when_digest,
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
  from: string;
  to: string;
  timeZone: string;
  cooldown: string;
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
    from: rule?.quiet?.from ?? '22:00',
    to: rule?.quiet?.to ?? '07:00',
    timeZone: rule?.quiet?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    cooldown: String(rule?.cooldownMinutes ?? 60),
  };
}

type Name = 'name' | 'minutes' | 'times' | 'minimum' | 'chatId' | 'url' | 'quiet' | 'cooldown';
const whole = (text: string, min: number, max: number): string | null =>
  /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max
    ? null
    : m.logs_whole_number({ min: number(min), max: number(max) });

/** The form's problems, by field. */
function problemsOf(form: Written): Partial<Record<Name, string>> {
  const limits: Partial<Record<Kind, [min: number, max: number]>> = { rate: [5, 1_440], replay_delay: [1, 10_080] };
  const minutes = limits[form.kind];
  const asksMinimum = form.kind === 'rate' || form.kind === 'drops';
  const problems: [Name, string | null][] = [
    ['name', form.name.trim() === '' ? m.logs_rule_name_empty() : null],
    ['minutes', minutes ? whole(form.minutes, ...minutes) : null],
    ['times', form.kind === 'rate' ? whole(form.times, 1, 1_000) : null],
    ['minimum', asksMinimum ? whole(form.minimum, 1, 1_000_000) : null],
    [
      'chatId',
      form.channel === 'telegram' && !/^(-?\d{1,18}|@\w{4,32})$/.test(form.chatId.trim()) ? m.logs_chat_wrong() : null,
    ],
    ['url', form.channel === 'webhook' && !/^https:\/\/[^\s/]+\S*$/.test(form.url.trim()) ? m.logs_url_wrong() : null],
    [
      'quiet',
      form.isQuiet && (form.from === form.to || form.from === '' || form.to === '') ? m.logs_quiet_wrong() : null,
    ],
    ['cooldown', whole(form.cooldown, 1, RULE_COOLDOWN_MAX_MINUTES)],
  ];
  return Object.fromEntries(problems.filter(([, problem]) => problem !== null)) as Partial<Record<Name, string>>;
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
  quiet: form.isQuiet ? { from: form.from, to: form.to, timeZone: form.timeZone } : null,
  cooldownMinutes: Number(form.cooldown),
});

/** A new or existing rule. */
export function RuleForm({ rule, onDone }: { rule: AlertRule | null; onDone: () => void }) {
  const [form, setForm] = useState(() => written(rule));
  const [isTried, setTried] = useState(false);
  const online = useOnline();
  const act = useLogCommand(
    (body: NewAlertRule) =>
      rule === null
        ? call('POST /api/admin/client-logs/rules', { body })
        : call('PUT /api/admin/client-logs/rules/:ruleId', { params: { ruleId: rule.id }, body }),
    onDone,
  );
  const problems = problemsOf(form);
  const shown = isTried ? problems : {};
  const set = (next: Partial<Written>) => setForm({ ...form, ...next });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problems).length === 0 && online) act.mutate(ruleOf(form));
  };
  return (
    <form className="log-form" onSubmit={submit} noValidate>
      <Field
        label={m.logs_rule_name()}
        value={form.name}
        maxLength={ALERT_NAME_MAX}
        error={shown.name}
        onValue={(name) => set({ name })}
      />
      <Select
        label={m.logs_rule_when()}
        options={KINDS.map((value) => ({ value, label: KIND_WORDS[value]() }))}
        value={form.kind}
        onValue={(kind) => set({ kind })}
      />
      {(form.kind === 'rate' || form.kind === 'drops') && (
        <Field
          label={m.logs_rule_minimum()}
          inputMode="numeric"
          value={form.minimum}
          error={shown.minimum}
          onValue={(minimum) => set({ minimum })}
        />
      )}
      {(form.kind === 'rate' || form.kind === 'replay_delay') && (
        <Field
          label={m.logs_rule_minutes()}
          inputMode="numeric"
          value={form.minutes}
          error={shown.minutes}
          onValue={(minutes) => set({ minutes })}
        />
      )}
      {form.kind === 'rate' && (
        <Field
          label={m.logs_rule_times()}
          hint={m.logs_rule_times_hint()}
          inputMode="numeric"
          value={form.times}
          error={shown.times}
          onValue={(times) => set({ times })}
        />
      )}
      <Select
        label={m.logs_rule_to()}
        options={[
          { value: 'telegram', label: m.logs_rule_telegram() },
          { value: 'webhook', label: m.logs_rule_webhook() },
        ]}
        value={form.channel}
        onValue={(channel) => set({ channel })}
      />
      {form.channel === 'telegram' ? (
        <Field
          label={m.logs_rule_chat()}
          hint={m.logs_rule_chat_hint()}
          autoCapitalize="none"
          spellCheck={false}
          value={form.chatId}
          error={shown.chatId}
          onValue={(chatId) => set({ chatId })}
        />
      ) : (
        <Field
          label={m.logs_rule_url()}
          hint={m.logs_rule_url_hint()}
          type="url"
          maxLength={WEBHOOK_URL_MAX}
          value={form.url}
          error={shown.url}
          onValue={(url) => set({ url })}
        />
      )}
      <label className="log-tick">
        <input type="checkbox" checked={form.isQuiet} onChange={() => set({ isQuiet: !form.isQuiet })} />
        {m.logs_rule_quiet()}
      </label>
      {form.isQuiet && (
        <div className="rule-quiet-hours">
          <Field label={m.logs_from()} type="time" value={form.from} onValue={(from) => set({ from })} />
          <Field
            label={m.logs_to()}
            type="time"
            value={form.to}
            error={shown.quiet}
            onValue={(to) => set({ to })}
            hint={form.timeZone}
          />
        </div>
      )}
      <Field
        label={m.logs_rule_cooldown()}
        hint={m.logs_rule_cooldown_hint()}
        inputMode="numeric"
        value={form.cooldown}
        error={shown.cooldown}
        onValue={(cooldown) => set({ cooldown })}
      />
      <label className="log-tick">
        <input type="checkbox" checked={form.enabled} onChange={() => set({ enabled: !form.enabled })} />
        {m.logs_rule_enabled()}
      </label>
      <Refused error={act.error} />
      <div className="actions">
        <Button type="submit" busy={act.isPending} disabledReason={online ? null : m.leader_needs_connection()}>
          {m.logs_rule_save()}
        </Button>
      </div>
    </form>
  );
}
