import type { Runtime } from '../../base/runtime.ts';
import { sendMessages } from '../bot-messages/send.ts';
import { countSent } from '../notifications/telegram.ts';

/** Sends the bot's messages. A job. */
export const sendBotMessages = (runtime: Runtime, stopping: AbortSignal): Promise<void> =>
  sendMessages(runtime, stopping, { settled: countSent });
