import './switches.css';
import { useQuery } from '@tanstack/react-query';
import type { Switch } from '../../../../server/contract/overview.ts';
import { read, useUser } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Card, Chip, SectionHead } from '../../../ui/card.tsx';
import { Reading } from '../../../ui/states.tsx';
import { XPointsSwitch } from './x-points-switch.tsx';

const X_POLICY = 'https://developer.x.com/en/developer-terms/policy';

type Words = { name: () => string; line: () => string; example: () => string };
const WORDS: Record<Switch['name'], Words> = {
  X_ACTION_POINTS: {
    name: m.desk_switch_x_action_points,
    line: m.desk_switch_x_action_points_line,
    example: m.desk_switch_x_action_points_example,
  },
  NEW_COMMUNITIES_COUNT: {
    name: m.desk_switch_new_communities_count,
    line: m.desk_switch_new_communities_count_line,
    example: m.desk_switch_new_communities_count_example,
  },
  SERVICE_WORKER: {
    name: m.desk_switch_service_worker,
    line: m.desk_switch_service_worker_line,
    example: m.desk_switch_service_worker_example,
  },
  TELEGRAM_BOT_TOKEN: {
    name: m.desk_switch_telegram_bot_token,
    line: m.desk_switch_telegram_bot_token_line,
    example: m.desk_switch_telegram_bot_token_example,
  },
  TELEGRAM_REQUIRED_CHANNEL: {
    name: m.desk_switch_telegram_required_channel,
    line: m.desk_switch_telegram_required_channel_line,
    example: m.desk_switch_telegram_required_channel_example,
  },
  X_CLIENT_ID: {
    name: m.desk_switch_x_client_id,
    line: m.desk_switch_x_client_id_line,
    example: m.desk_switch_x_client_id_example,
  },
  AI_BASE_URL: {
    name: m.desk_switch_ai_base_url,
    line: m.desk_switch_ai_base_url_line,
    example: m.desk_switch_ai_base_url_example,
  },
  PRICES_BASE_URL: {
    name: m.desk_switch_prices_base_url,
    line: m.desk_switch_prices_base_url_line,
    example: m.desk_switch_prices_base_url_example,
  },
  PUSH_HOSTS: {
    name: m.desk_switch_push_hosts,
    line: m.desk_switch_push_hosts_line,
    example: m.desk_switch_push_hosts_example,
  },
  CLIENT_LOG_DAYS: {
    name: m.desk_switch_client_log_days,
    line: m.desk_switch_client_log_days_line,
    example: m.desk_switch_client_log_days_example,
  },
};

/** Features switched by the environment: their state, its meaning, and how to change it. */
export function Switches() {
  const query = useQuery(read('GET /api/admin/switches'));
  return (
    <section>
      <SectionHead title={m.desk_switches()} />
      <p className="text-small text-muted switches__lead">{m.desk_switches_line()}</p>
      <Reading query={query}>
        {(switches) => (
          <Card className="card--rows">
            <ul className="ruled-list">
              {switches.map((one) => (
                <li key={one.name}>
                  <OneSwitch of={one} />
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Reading>
    </section>
  );
}

function OneSwitch({ of: { name, isOn, value } }: { of: Switch }) {
  const words = WORDS[name];
  const isAdmin = useUser()?.role === 'admin';
  const isFlag = value === 'on' || value === 'off';
  const state = isFlag ? (isOn ? m.desk_on() : m.desk_off()) : (value ?? (isOn ? m.desk_set() : m.desk_not_set()));
  return (
    <details className="disclosure switches__one">
      <summary>
        <span className="switches__name">{words.name()}</span>
        <Chip kind={isOn ? 'ink' : 'plain'}>
          <bdi>{state}</bdi>
        </Chip>
      </summary>
      <p className="text-small text-muted">{words.line()}</p>
      {name === 'X_ACTION_POINTS' && isAdmin && <XPointsSwitch />}
      {name === 'X_ACTION_POINTS' && (
        <p>
          <a className="text-link touch-target" href={X_POLICY} target="_blank" rel="noopener noreferrer">
            {m.desk_x_policy()}
          </a>
        </p>
      )}
      <p className="text-small switches__change">
        {m.desk_switch_change({ name, value: isFlag ? (isOn ? 'off' : 'on') : words.example() })}
      </p>
    </details>
  );
}
