import type { Runtime } from '../../base/runtime.ts';
import { WEBHOOK_TIMEOUT_MS } from '../../contract/limits.ts';
import type { AlertChannel, AlertCondition } from '../../contract/ops-logs.ts';
import { mayBeCalled, type Outcome, post, type World } from '../../integrations/outward/post.ts';
import { signature } from '../../integrations/outward/sign.ts';
import { inert } from '../../rules/inert.ts';

export type AlertMessage = {
  rule: string;
  kind: AlertCondition['kind'] | 'test';
  title: string;
  text: string;
  url: string;
};

const TELEGRAM_MAX = 4_000;
const WORDS: Record<Extract<Outcome, { error: string }>['error'], string> = {
  ADDRESS: 'the address is not a public one, or not plain https',
  TIMEOUT: `no answer within ${WEBHOOK_TIMEOUT_MS / 1_000} s`,
  TLS: 'its certificate is not trusted',
  CONNECTION: 'the connection failed',
};

/**
 * Tells a message to a Telegram chat or a webhook. Gives the id of the chat, which is another than the channel's once its
 * group has become a supergroup; null of a webhook. Throws when it was not taken.
 */
export async function deliver(
  { telegram, config, now }: Pick<Runtime, 'telegram' | 'config' | 'now'>,
  channel: AlertChannel,
  message: AlertMessage,
  world?: World,
): Promise<string | null> {
  if (channel.kind === 'webhook') {
    const body = JSON.stringify(message);
    const { secret } = config.alerts;
    const signed = secret !== null && { 'muster-signature': signature(Buffer.from(secret), body, now()) };
    await hand(channel.url, body, { headers: { ...signed }, world });
    return null;
  }
  const lines = message.text.startsWith(message.title) ? message.text : `${message.title}\n${message.text}`;
  return telegram.send(
    channel.chatId,
    inert(`${`${config.productName}: ${lines}`.slice(0, TELEGRAM_MAX).trimEnd().toWellFormed()}\n${message.url}`),
  );
}

type Handed = { headers: Record<string, string>; world: World | undefined };

async function hand(address: string, body: string, { headers, world }: Handed): Promise<void> {
  const url = new URL(address);
  if (!world && !mayBeCalled(url)) throw new Error(WORDS.ADDRESS);
  const outcome = await post(
    {
      url,
      body,
      headers: { 'content-type': 'application/json', 'user-agent': 'Muster', ...headers },
      timeoutMs: WEBHOOK_TIMEOUT_MS,
    },
    world,
  );
  if ('error' in outcome) throw new Error(WORDS[outcome.error]);
  if (outcome.status < 200 || outcome.status >= 300) throw new Error(`it answered ${outcome.status}`);
}

/** What may be shown of a failure: no token and no address with its secrets. */
export function wordsOfFailure(error: unknown): string {
  const words = error instanceof Error ? error.message : 'unknown error';
  return inert(words.replace(/\d{6,12}:[A-Za-z0-9_-]{20,}/g, '[token]').replace(/https?:\/\/\S+/g, '[address]')).slice(
    0,
    300,
  );
}
