import type { AdminOverview } from '../../contract/routes.ts';
import type { Telegram } from '../../integrations/telegram/telegram.ts';

const ASK_TELEGRAM_MS = 2_000;

/** Whether our bot answers; what Telegram said instead is shown to the people who can mend it. */
export async function telegramState(
  telegram: Telegram,
  requiredChannel: string | null,
  timeoutMs = ASK_TELEGRAM_MS,
): Promise<AdminOverview['telegram']> {
  const state = { configured: telegram.configured, botUsername: null, requiredChannel, error: null };
  if (!telegram.configured) return state;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return { ...state, botUsername: await Promise.race([telegram.botUsername(), late]) };
  } catch (error) {
    return { ...state, error: wordsOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** The error's words without anything that looks like the bot's token (Bot API URLs carry it). */
function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : 'unknown error';
  return words.replace(/\d{6,12}:[A-Za-z0-9_-]{20,}/g, '[token]').slice(0, 300);
}
