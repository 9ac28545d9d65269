import type { Logger } from 'pino';
import type { Sql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Config } from '../../config.ts';
import { ASSISTANT_SILENCE_MS, QUESTION_BYTES_MAX, WRITING_DEADLINE_MS } from '../../contract/limits.ts';
import { bytesOf, createMeter } from '../../integrations/ai/meter.ts';
import { createProvider, type Message } from '../../integrations/ai/provider.ts';
import { settleQuestion, takeQuestion } from '../assistant/quota.ts';

/** What a handler has that wants the model to write something. */
export type Writer = {
  config: Pick<Config, 'ai'>;
  sql: Sql;
  userId: string;
  communityId: string;
  now: Date;
  gone: AbortSignal;
  log: Pick<Logger, 'warn'>;
};

/** Text of people for a prompt: it cannot close its frame. */
export const framed = (text: string): string => `<source>\n${text.replace(/<(\/?)source/gi, '‹$1source')}\n</source>`;

/** Texts of people, each cut to its share where all of them are longer than one prompt may be. */
export function sharing(texts: readonly string[]): string[] {
  const size = (most: number) => bytesOf(JSON.stringify(texts.map((text) => text.slice(0, most))));
  let most = Math.max(...texts.map(({ length }) => length));
  while (size(most) > TEXTS_BYTES_MAX) most = Math.floor(most * 0.9);
  return texts.map((text) => (text.length > most ? `${text.slice(0, most)}…` : text));
}
/** The rest is for the rules, and for what is written. */
const TEXTS_BYTES_MAX = QUESTION_BYTES_MAX - 15_000;

/**
 * Lets the instance's model write, without tools, and reads what it wrote with `understood`. Counts as one question of the
 * member, which is given back only where the model could not be reached. Throws 409 `NO_MODEL`, 429 `QUESTIONS_USED_UP`, and 503
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
  const meter = createMeter();
  const provider = createProvider(writer.config.ai, ASSISTANT_SILENCE_MS, meter);
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
  const isCounted = await settleQuestion(writer.sql, writer, meter.spent());
  if (found !== null) return found;
  throw new HttpError(503, 'MODEL_FAILED', 'The model gave nothing that can be used. Your words are still here.', {
    details: { isCounted },
  });
}
