import type { SwAnswer, SwRequest } from '../server/contract/sw-messages.ts';

/** What each request of a page does; all are answered on the port that came with them. */
export type Answers = {
  [K in SwRequest['type']]: (
    request: Extract<SwRequest, { type: K }>,
  ) => Promise<Partial<Extract<SwAnswer, { ok: true }>> | undefined>;
};

const isRequest = (data: unknown, answers: Answers): data is SwRequest =>
  typeof data === 'object' && data !== null && Object.hasOwn(answers, String((data as SwRequest).type));

/**
 * Answers one message. The caller holds its event open until this ends: messages on the port alone do not keep the
 * worker running.
 */
export async function answer(event: ExtendableMessageEvent, answers: Answers): Promise<void> {
  const [port] = event.ports;
  if (!isRequest(event.data, answers)) return;
  const reply: SwAnswer = await answers[event.data.type](event.data as never).then(
    (more) => ({ ok: true, ...more }),
    (error: unknown) => ({ ok: false, error: error instanceof Error ? error.message : String(error) }),
  );
  port?.postMessage(reply);
}
