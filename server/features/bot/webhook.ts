import { isLoopbackHttp } from '../../base/loopback.ts';
import type { Runtime } from '../../base/runtime.ts';
import { isSecure } from '../../http/cookies.ts';
import { kindsOf, updateHandlers } from './intake.ts';
import { COMMANDS } from './words.ts';

/** Whether the Bot API can reach this place: Telegram calls https only, and a stand-in on this computer calls anything. */
export const canBeCalled = ({ publicOrigin, telegram }: Runtime['config']): boolean =>
  isSecure({ publicOrigin }) || isLoopbackHttp(new URL(telegram.apiRoot));

/**
 * Has the Bot API call this place with updates. Asked for again and again: nobody says when a webhook was taken away. A job.
 */
export async function registerWebhook({ config, telegram }: Runtime): Promise<void> {
  const { botToken, webhookSecret } = config.telegram;
  if (botToken === null || webhookSecret === null || !canBeCalled(config)) return;
  const url = new URL('/api/telegram/webhook', config.publicOrigin).href;
  // What went wrong is in the log already; the next turn comes soon.
  await telegram.setWebhook({ url, secret: webhookSecret, kinds: kindsOf(updateHandlers) }).catch(() => undefined);
}

const registration = () => ({ commands: false });
/** Tells Telegram what the bot understands, once in a process. A job, because Telegram may be away. */
export async function registerCommands({ config, telegram, own }: Runtime): Promise<void> {
  const registered = own(registration);
  if (config.telegram.botToken === null || registered.commands) return;
  await telegram.setCommands(COMMANDS).then(
    () => {
      registered.commands = true;
    },
    () => undefined,
  );
}
