import { HttpError } from '../../base/http-error.ts';
import type { AnswerEvent } from '../../contract/assistant.ts';
import { ASSISTANT_QUESTIONS_PER_DAY, ASSISTANT_SILENCE_MS } from '../../contract/limits.ts';
import type { Handlers } from '../../http/handler.ts';
import { createMeter } from '../../integrations/ai/meter.ts';
import { createProvider } from '../../integrations/ai/provider.ts';
import { readMyCommunities } from '../profile/profile.ts';
import { answer } from './answer.ts';
import { communityToCount, questionsLeft, type Settled, settleQuestion, takeQuestion } from './quota.ts';

export const assistantHandlers = {
  'GET /api/assistant': async ({ runtime, sql, actor }) => {
    if (runtime.config.ai.baseUrl === null) return { json: { hasModel: false, perDay: 0, left: 0 } };
    const now = runtime.now();
    const mine = await readMyCommunities(sql, actor, now);
    const left = await questionsLeft(sql, { userId: actor.userId, communityIds: mine.map(({ id }) => id), now });
    return { json: { hasModel: true, perDay: ASSISTANT_QUESTIONS_PER_DAY, left } };
  },

  'POST /api/assistant/answers': async ({ runtime, sql, actor, body, gone, log }) => {
    const meter = createMeter();
    const provider = createProvider(runtime.config.ai, ASSISTANT_SILENCE_MS, meter);
    if (!provider) throw new HttpError(409, 'NO_MODEL', 'This instance has no model. Answers are quoted.');
    const now = runtime.now();
    const mine = await readMyCommunities(sql, actor, now);
    const communityIds = mine.map(({ id }) => id);
    const { communityId } = await communityToCount(sql, communityIds, now);
    const asker = { userId: actor.userId, communityId, now };
    await takeQuestion(sql, asker);
    let settled: Promise<Settled> | undefined;
    const settle = () => {
      settled ??= settleQuestion(sql, asker, meter.spent()).then(async (isCounted) => ({
        isCounted,
        left: await questionsLeft(sql, { userId: actor.userId, communityIds, now }),
      }));
      return settled;
    };
    const reader = { sql, actor, mine, now };
    const events = answer({ provider, meter, reader, question: body, settle, log: log(), gone });
    return { stream: written(events, settle), type: 'text/event-stream' };
  },
} satisfies Handlers;

async function* written(events: AsyncIterable<AnswerEvent>, settle: () => Promise<Settled>): AsyncGenerator<string> {
  try {
    // Says at once that the question was taken.
    yield ': taken\n\n';
    for await (const { event, data } of events) yield `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  } finally {
    // Also when the caller is gone.
    await settle();
  }
}
