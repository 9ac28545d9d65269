import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type WireMessage = { role: string; content: string; tool_call_id?: string; tool_calls?: unknown[] };
export type Prompt = {
  headers: IncomingHttpHeaders;
  model: string;
  messages: WireMessage[];
  tools?: { function: { name: string } }[];
};
/** What the stand-in does with a prompt: writes pieces of text, calls tools, one of the faults, or whatever `play` does. */
export type Act =
  | { say: string[]; pauseMs?: number }
  | { call: { name: string; arguments: unknown }[] }
  | { status: number; retryAfter?: string }
  | { fault: 'hang' | 'cut' | 'garbage' | 'silent' }
  | { play: (response: ServerResponse) => unknown };
export type StandIn = {
  baseUrl: string;
  /** Every prompt that came, the latest last. */
  prompts: Prompt[];
  /** What it would send a bill for: requests that reached it, and the bytes of their bodies. */
  paid: { calls: number; sent: number };
  /** How many connections were closed by who asked before their answer was whole. */
  aborted: () => number;
  /** Decides what is done with each prompt from now on; `round` counts those of one question. */
  act(decide: (prompt: Prompt, round: number) => Act): void;
  close(): Promise<void>;
};

/** A line of a stream with one part of an answer. */
export const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** A service on 127.0.0.1 that speaks the protocol of chat completions, with faults. */
export async function startStandIn(): Promise<StandIn> {
  const prompts: Prompt[] = [];
  const paid = { calls: 0, sent: 0 };
  let aborted = 0;
  let decide: (prompt: Prompt, round: number) => Act = () => ({ say: ['I do not know.'] });
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      paid.calls += 1;
      paid.sent += Buffer.byteLength(body);
      const prompt = { ...JSON.parse(body), headers: request.headers } as Prompt;
      prompts.push(prompt);
      const round = prompt.messages.filter(({ role }) => role === 'tool').length > 0 ? 1 : 0;
      response.on('close', () => {
        if (!response.writableFinished) aborted += 1;
      });
      void play(response, decide(prompt, round));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    prompts,
    paid,
    aborted: () => aborted,
    act(next) {
      decide = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function play(response: ServerResponse, act: Act): Promise<void> {
  if ('play' in act) return void (await act.play(response));
  if ('status' in act) {
    response.writeHead(act.status, {
      'content-type': 'application/json',
      ...(act.retryAfter && { 'retry-after': act.retryAfter }),
    });
    response.end('{"error":{"message":"no"}}');
    return;
  }
  if ('fault' in act && act.fault === 'hang') return;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if ('fault' in act) {
    if (act.fault === 'garbage') return void response.end('data: {"choices": [{{{\n\n<html>hello</html>\n\n');
    response.write(chunk({ role: 'assistant', content: 'You have ' }));
    if (act.fault === 'cut') setTimeout(() => response.destroy(), 50);
    return;
  }
  if ('call' in act) {
    act.call.forEach(({ name, arguments: given }, index) => {
      const written = typeof given === 'string' ? given : JSON.stringify(given);
      response.write(
        chunk({
          tool_calls: [
            { index, id: `call-${index}`, type: 'function', function: { name, arguments: written.slice(0, 4) } },
          ],
        }),
      );
      response.write(chunk({ tool_calls: [{ index, function: { arguments: written.slice(4) } }] }));
    });
    response.write(chunk({}, 'tool_calls'));
  } else {
    for (const text of act.say) {
      if (act.pauseMs) await pause(act.pauseMs);
      if (response.destroyed) return;
      response.write(chunk({ content: text }));
    }
    response.write(chunk({}, 'stop'));
  }
  response.end('data: [DONE]\n\n');
}
