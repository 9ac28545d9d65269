import type { AnswerEvent, AssistantQuestion } from '../../server/contract/assistant.ts';
import type { TestServer } from './server.ts';

export type Heard = {
  status: number;
  reason: string | undefined;
  events: AnswerEvent[];
  text: string;
  /** Of the last event. */
  end: AnswerEvent | undefined;
};

/** Asks the assistant as a page does and hears its answer to the end, or until `onText` says that it is enough. */
export async function ask(
  server: TestServer,
  cookie: string,
  body: AssistantQuestion,
  onText: (text: string) => boolean = () => true,
): Promise<Heard> {
  const stopped = new AbortController();
  const response = await fetch(`${server.url.replace('localhost', '127.0.0.1')}/api/assistant/answers`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(body),
    signal: stopped.signal,
  });
  const heard: Heard = { status: response.status, reason: undefined, events: [], text: '', end: undefined };
  if (!response.ok || !response.body) return { ...heard, reason: (await response.json()).reason };
  const decoder = new TextDecoder();
  let held = '';
  try {
    for await (const piece of response.body) {
      held += decoder.decode(piece, { stream: true });
      const blocks = held.split('\n\n');
      held = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        if (!event || !data) continue;
        const one = { event, data: JSON.parse(data) } as AnswerEvent;
        heard.events.push(one);
        heard.end = one;
        if (one.event === 'text') heard.text += one.data.text;
        if (one.event === 'text' && !onText(heard.text)) stopped.abort();
      }
    }
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
  }
  return heard;
}
