import type { AnswerEvent, AssistantQuestion } from '../../../server/contract/assistant.ts';
import { addressOf, request } from '../../lib/http.ts';

/**
 * Streams an answer from the instance's model until `signal` aborts, which stops the model too.
 * @throws as `request`; a TypeError when the answer breaks off
 */
export async function* answerFromServer(body: AssistantQuestion, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
  const { method, path } = addressOf('POST /api/assistant/answers');
  const response = await request(method, path, body, { signal, headers: { accept: 'text/event-stream' } });
  if (!response.body) throw new TypeError('No answer.');
  let isOver = false;
  for await (const event of eventsOf(response.body)) {
    yield event;
    isOver ||= event.event === 'done' || event.event === 'failed';
  }
  if (!isOver) throw new TypeError('The answer broke off.');
}

/** Parses server-sent events (HTML, section 9.2), as far as our server uses the format. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let held = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      held += decoder.decode(value, { stream: true });
      const blocks = held.split('\n\n');
      held = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = /^event: (\w+)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (event && data) yield { event, data: JSON.parse(data) } as AnswerEvent;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
