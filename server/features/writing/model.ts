import type { Logger } from 'pino';
import type { Sql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Config } from '../../config.ts';
import { ASSISTANT_SILENCE_MS, WRITING_DEADLINE_MS } from '../../contract/limits.ts';
import { createProvider, type Message } from '../../integrations/ai/provider.ts';
import { giveBack, takeQuestion } from '../assistant/quota.ts';

/** What a handler has that wants the model to write something. */
export type Writer = {
  config: Pick<Config, 'ai'>;
  sql: Sql;
  userId: string;
  now: Date;
  gone: AbortSignal;
  log: Pick<Logger, 'warn'>;
};

/** Text of people for a prompt: it cannot close its frame. */
export const framed = (text: string): string => `<source>\n${text.replace(/<(\/?)source/gi, '‹$1source')}\n</source>`;

/**
 * Lets the instance's model write, without tools, and reads what it wrote with `understood`. Counts as one question of the
 * member and gives it back where nothing came that is understood. Throws 409 `NO_MODEL`, 429 `QUESTIONS_USED_UP`, and 503
 * `MODEL_FAILED` when it is away, late, or wrote nothing that can be used.
 * @param max characters; what is longer is cut off and not paid for further
 * @param understood null: it is of no use
 */
export async function letWrite<T>(
  writer: Writer,
  messages: readonly Message[],
  max: number,
  understood: (text: string) => T | null,
): Promise<T> {
  const provider = createProvider(writer.config.ai, ASSISTANT_SILENCE_MS);
  if (!provider) throw new HttpError(409, 'NO_MODEL', 'This instance has no model.');
  await takeQuestion(writer.sql, writer);
  const ends = AbortSignal.any([writer.gone, AbortSignal.timeout(WRITING_DEADLINE_MS)]);
  let text = '';
  let found: T | null = null;
  try {
    for await (const piece of provider.stream(messages, [], ends)) {
      if ('text' in piece) text += piece.text;
      if (text.length >= max) break;
    }
    found = understood(text.slice(0, max).trim());
  } catch (error) {
    writer.log.warn({ err: error instanceof Error ? error.message : error }, 'the model wrote nothing');
  }
  if (found !== null) return found;
  await giveBack(writer.sql, writer);
  throw new HttpError(503, 'MODEL_FAILED', 'The model gave nothing that can be used. Your words are still here.');
}
