import OpenAI, { APIConnectionTimeoutError } from 'openai';
import type { Config } from '../../config.ts';

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

/** A failed attempt is repeated once, unless words have come: 429, 5xx, a connection that breaks. */
const RETRIES = 1;
/** More calls than that in one answer are none of a model that is in its right mind. */
const CALLS_MAX = 8;
const ARGUMENTS_MAX = 2_000;

/**
 * The service that the operator named, or null when none is.
 * @param silenceMs how long it may be silent, before its first piece and between two
 */
export function createProvider({ baseUrl, apiKey, model }: Config['ai'], silenceMs: number): Provider | null {
  if (baseUrl === null || model === null) return null;
  const client = new OpenAI({
    baseURL: baseUrl,
    // Services of one's own often want none; the library wants one.
    apiKey: apiKey ?? 'none',
    // The environment's own variables of that library say nothing here.
    organization: null,
    project: null,
    maxRetries: RETRIES,
    timeout: silenceMs,
    logLevel: 'off',
  });
  return {
    async *stream(messages, tools, signal) {
      const own = new AbortController();
      const ends = AbortSignal.any([signal, own.signal]);
      try {
        const asking = client.chat.completions.create(
          {
            model,
            stream: true,
            messages: messages.map(toWire),
            ...(tools.length > 0 && { tools: tools.map(toolToWire) }),
          },
          { signal: ends },
        );
        // The library waits before it tries again, and hears of no end meanwhile.
        const pieces = await Promise.race([asking, rejectedBy(ends)]);
        yield* piecesOf(unlessSilent(pieces, silenceMs));
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

const rejectedBy = (signal: AbortSignal): Promise<never> =>
  new Promise((_, refuse) => {
    if (signal.aborted) refuse(signal.reason);
    signal.addEventListener('abort', () => refuse(signal.reason), { once: true });
  });

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

async function* piecesOf(chunks: AsyncIterable<OpenAI.ChatCompletionChunk>): AsyncGenerator<Piece> {
  const calls: ToolCall[] = [];
  let isWhole = false;
  for await (const chunk of chunks) {
    // Services add chunks without a choice: usage, and what not.
    const choice = chunk.choices?.[0];
    if (!choice) continue;
    if (typeof choice.delta?.content === 'string' && choice.delta.content !== '') yield { text: choice.delta.content };
    for (const part of choice.delta?.tool_calls ?? []) addTo(calls, part);
    isWhole ||= choice.finish_reason !== null && choice.finish_reason !== undefined;
  }
  if (!isWhole) throw new ProviderError('the answer broke off');
  const named = calls.filter((call) => call !== undefined && call.name !== '');
  if (named.length > 0) yield { calls: named };
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
