import { setTimeout as pause } from 'node:timers/promises';
import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';
import type { Config } from '../../config.ts';
import { bytesOf, type Meter } from './meter.ts';

/** A tool that a model may call; `parameters` is JSON Schema. */
export type Tool = { name: string; description: string; parameters: Record<string, unknown> };
/** A call as the model wrote it: neither its name nor its arguments are to be believed. */
export type ToolCall = { id: string; name: string; arguments: string };
export type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; calls?: readonly ToolCall[] }
  | { role: 'tool'; callId: string; content: string };
/** Pieces of one answer: text as it comes, at the end the calls that the model wants answered first. */
export type Piece = { text: string } | { calls: ToolCall[] };

/** The service did not answer, or with something that is no answer. `isLate`: it took too long. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly isLate: boolean;
  constructor(message: string, options: { isLate?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.isLate = options.isLate ?? false;
  }
}

export type Provider = {
  /**
   * Streams one answer until `signal` aborts, which closes the connection to the service. Throws `ProviderError`, also after
   * the first piece.
   */
  stream(messages: readonly Message[], tools: readonly Tool[], signal: AbortSignal): AsyncIterable<Piece>;
};

const REPEATED_AFTER_MS = 500;
/** More calls in one answer indicate a broken model. */
const CALLS_MAX = 8;
const ARGUMENTS_MAX = 2_000;

/**
 * The service that the operator configured, or null.
 * @param silenceMs longest silence before the first piece and between two
 * @param meter of the question: counts, and ends it over the limit
 */
export function createProvider(
  { baseUrl, apiKey, model }: Config['ai'],
  silenceMs: number,
  meter: Meter,
): Provider | null {
  if (baseUrl === null || model === null) return null;
  const client = new OpenAI({
    baseURL: baseUrl,
    // Self-hosted services often need no key, but the library requires one.
    apiKey: apiKey ?? 'none',
    // Overrides the library's own environment variables.
    organization: null,
    project: null,
    // Retries happen here, where it is known whether the call was billed.
    maxRetries: 0,
    fetch: meter.fetch,
    timeout: silenceMs,
    logLevel: 'off',
  });
  return {
    async *stream(messages, tools, signal) {
      const own = new AbortController();
      const ends = AbortSignal.any([signal, own.signal]);
      try {
        const request = () =>
          client.chat.completions.create(
            {
              model,
              stream: true,
              messages: messages.map(toWire),
              ...(tools.length > 0 && { tools: tools.map(toolToWire) }),
            },
            { signal: ends },
          );
        const { calls } = meter.spent();
        const pieces = await request().catch(async (error: unknown) => {
          // One retry when the service was not reached or failed itself. A connection that broke may have been billed.
          const isTrouble = error instanceof APIError && (error.status ?? 0) >= 500;
          if (ends.aborted || !(isTrouble || meter.spent().calls === calls)) throw error;
          await pause(REPEATED_AFTER_MS, undefined, { signal: ends });
          return request();
        });
        yield* piecesOf(unlessSilent(pieces, silenceMs), meter);
      } catch (error) {
        if (signal.aborted || error instanceof ProviderError) throw error;
        const isLate = error instanceof APIConnectionTimeoutError;
        throw new ProviderError(error instanceof Error ? error.message : 'no answer', { isLate, cause: error });
      } finally {
        own.abort();
      }
    },
  };
}

async function* unlessSilent<T>(source: AsyncIterable<T>, silenceMs: number): AsyncGenerator<T> {
  const pieces = source[Symbol.asyncIterator]();
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, refuse) => {
      timer = setTimeout(() => refuse(new ProviderError('silent for too long', { isLate: true })), silenceMs);
    });
    try {
      const next = await Promise.race([pieces.next(), late]);
      if (next.done) return;
      yield next.value;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The first choice of a stream. Everything is counted, and reading stops at the limit. */
async function* piecesOf(chunks: AsyncIterable<OpenAI.ChatCompletionChunk>, meter: Meter): AsyncGenerator<Piece> {
  const calls: ToolCall[] = [];
  let isWhole = false;
  for await (const chunk of chunks) {
    // Services add chunks without a choice: usage, and what not.
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    for (const { delta } of choices) meter.hear(textBytes(delta));
    const choice = choices.find(({ index = 0 }) => index === 0);
    if (choice && !isWhole) {
      const { content, tool_calls } = choice.delta ?? {};
      if (typeof content === 'string' && content !== '') yield { text: content };
      for (const part of tool_calls ?? []) addTo(calls, part);
      isWhole = choice.finish_reason !== null && choice.finish_reason !== undefined;
    }
    if (meter.left() === 0) throw new ProviderError('it says more than one question may cost');
  }
  if (!isWhole) throw new ProviderError('the answer broke off');
  const named = calls.filter((call) => call !== undefined && call.name !== '');
  if (named.length > 0) yield { calls: named };
}

const NO_TEXT: ReadonlySet<string> = new Set(['id', 'role', 'type']);
/** Bytes of the words in a part of an answer, whatever a service calls them: content, reasoning, arguments of calls. */
function textBytes(part: unknown): number {
  if (typeof part === 'string') return bytesOf(part);
  if (typeof part !== 'object' || part === null) return 0;
  return Object.entries(part).reduce((sum, [name, value]) => sum + (NO_TEXT.has(name) ? 0 : textBytes(value)), 0);
}

function addTo(calls: ToolCall[], part: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall): void {
  if (!Number.isInteger(part.index) || part.index < 0 || part.index >= CALLS_MAX) return;
  const call = calls[part.index] ?? { id: '', name: '', arguments: '' };
  calls[part.index] = {
    id: part.id ?? call.id,
    name: call.name + (part.function?.name ?? ''),
    arguments: (call.arguments + (part.function?.arguments ?? '')).slice(0, ARGUMENTS_MAX),
  };
}

function toWire(message: Message): OpenAI.ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content };
  if (message.role !== 'assistant' || message.calls === undefined)
    return { role: message.role, content: message.content };
  return {
    role: 'assistant',
    content: message.content,
    tool_calls: message.calls.map((call) => ({
      id: call.id,
      type: 'function' as const,
      function: { name: call.name, arguments: call.arguments },
    })),
  };
}

const toolToWire = ({ name, description, parameters }: Tool): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters },
});
