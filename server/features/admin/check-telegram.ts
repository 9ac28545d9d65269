import type { Runtime } from '../../base/runtime.ts';
import { withoutToken } from '../../base/text.ts';
import type { Telegram } from '../../integrations/telegram/telegram.ts';
import type { Facts, Found } from './check.ts';
import { iso, stateOf } from './check.ts';

const TELEGRAM_TIMEOUT_MS = 2_000;
/** Pending updates that count as many, and the age at which an error no longer matters. */
const MANY_PENDING = 100;
const ERROR_RECENT_MS = 60 * 60_000;
const WORDS_MAX = 300;

type TelegramPorts = { requiredChannel: string | null; webhookUrl: string; timeoutMs?: number };

/** Whether the bot answers and Telegram reaches us; Telegram's error is shown to operators. */
export async function telegramState(
  telegram: Telegram,
  { requiredChannel, webhookUrl, timeoutMs = TELEGRAM_TIMEOUT_MS }: TelegramPorts,
): Promise<Facts<'telegram'>> {
  const state = { configured: telegram.configured, botUsername: null, requiredChannel, error: null, webhook: null };
  if (!telegram.configured) return state;
  try {
    const [botUsername, webhook] = await within(
      timeoutMs,
      Promise.all([telegram.botUsername(), requiredChannel === null ? null : telegram.webhook()]),
    );
    if (webhook === null) return { ...state, botUsername };
    const { url, pending, errorAt, error } = webhook;
    return {
      ...state,
      botUsername,
      webhook: { isOurs: url === webhookUrl, pending, errorAt: iso(errorAt), error: error && words(error) },
    };
  } catch (error) {
    return { ...state, error: words(error instanceof Error ? error.message : 'unknown error') };
  }
}

const words = (text: string): string => withoutToken(text).slice(0, WORDS_MAX);

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Without a bot nobody can sign in, and membership of the channel is unknown. */
export async function checkTelegram({ telegram, config, now }: Runtime): Promise<Found<'telegram'>> {
  const began = performance.now();
  const { requiredChannel } = config.telegram;
  const webhookUrl = new URL('/api/telegram/webhook', config.publicOrigin).href;
  const facts = await telegramState(telegram, { requiredChannel, webhookUrl });
  const { webhook } = facts;
  const hasFreshError =
    webhook !== null && webhook.errorAt !== null && now().getTime() - Date.parse(webhook.errorAt) < ERROR_RECENT_MS;
  const state = stateOf({
    failed: facts.error !== null,
    attention:
      !facts.configured || (webhook !== null && (!webhook.isOurs || webhook.pending > MANY_PENDING || hasFreshError)),
  });
  return { state, facts, figure: Math.round(performance.now() - began) };
}
