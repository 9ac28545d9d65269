import type { AlertChannel, AlertCondition } from '../../contract/ops-logs.ts';
import type { Runtime } from '../../http/handler.ts';
import { guardedPost } from '../../integrations/guarded-post.ts';
import { inert } from './inert.ts';

export type AlertMessage = {
  rule: string;
  kind: AlertCondition['kind'] | 'test';
  title: string;
  text: string;
  url: string;
};

const TELEGRAM_MAX = 4_000;

/** Tells a message to a Telegram chat or a webhook. Throws when it was not taken. */
export async function deliver(
  { telegram, config }: Pick<Runtime, 'telegram' | 'config'>,
  channel: AlertChannel,
  message: AlertMessage,
): Promise<void> {
  if (channel.kind === 'webhook') return guardedPost(channel.url, message);
  const lines = message.text.startsWith(message.title) ? message.text : `${message.title}\n${message.text}`;
  await telegram.send(
    channel.chatId,
    inert(`${`${config.productName}: ${lines}`.slice(0, TELEGRAM_MAX).trimEnd().toWellFormed()}\n${message.url}`),
  );
}

/** What may be shown of a failure: no token and no address with its secrets. */
export function wordsOfFailure(error: unknown): string {
  const words = error instanceof Error ? error.message : 'unknown error';
  return inert(words.replace(/\d{6,12}:[A-Za-z0-9_-]{20,}/g, '[token]').replace(/https?:\/\/\S+/g, '[address]')).slice(
    0,
    300,
  );
}
