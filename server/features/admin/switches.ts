import type { Config } from '../../config.ts';
import type { Switch } from '../../contract/overview.ts';

const hostOf = (url: string | null): string | null => (url === null ? null : new URL(url).host);

/** Features that the environment switches, as this process has them; of secrets only whether there is one. */
export function switchesOf(config: Config): Switch[] {
  const { telegram, x, ai, prices, push } = config;
  const flag = (name: Switch['name'], isOn: boolean): Switch => ({ name, isOn, value: isOn ? 'on' : 'off' });
  const set = (name: Switch['name'], value: string | null, isSecret = false): Switch => ({
    name,
    isOn: value !== null,
    value: isSecret ? null : value,
  });
  return [
    flag('X_ACTION_POINTS', x.actionPoints),
    flag('NEW_COMMUNITIES_COUNT', config.newCommunitiesCount),
    flag('SERVICE_WORKER', config.serviceWorker),
    set('TELEGRAM_BOT_TOKEN', telegram.botToken, true),
    set('TELEGRAM_REQUIRED_CHANNEL', telegram.requiredChannel),
    set('X_CLIENT_ID', x.clientId, true),
    set('AI_BASE_URL', ai.model === null ? hostOf(ai.baseUrl) : `${ai.model}, ${hostOf(ai.baseUrl)}`),
    set('PRICES_BASE_URL', hostOf(prices.baseUrl)),
    set('PUSH_HOSTS', push.hosts.length > 0 ? push.hosts.join(', ') : null),
    set('CLIENT_LOG_DAYS', String(config.clientLogDays)),
  ];
}
