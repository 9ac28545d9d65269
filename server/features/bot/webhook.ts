import { isLoopbackHttp } from '../../base/loopback.ts';
import type { Runtime } from '../../base/runtime.ts';
import { isSecure } from '../../http/cookies.ts';
import { kindsOf, updateHandlers } from './intake.ts';
import { COMMANDS } from './words.ts';

/** Whether the Bot API can reach this instance: Telegram calls only https, a local stand-in calls anything. */
export const canBeCalled = ({ publicOrigin, telegram }: Runtime['config']): boolean =>
  isSecure({ publicOrigin }) || isLoopbackHttp(new URL(telegram.apiRoot));

/** Registers this instance's webhook. Repeated, because nothing reports a removed webhook. A job. */
export async function registerWebhook({ config, telegram }: Runtime): Promise<void> {
  const { botToken, webhookSecret } = config.telegram;
  if (botToken === null || webhookSecret === null || !canBeCalled(config)) return;
  const url = new URL('/api/telegram/webhook', config.publicOrigin).href;
  // The error is logged already; the job runs again soon.
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
