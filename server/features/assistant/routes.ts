import { HttpError } from '../../base/http-error.ts';
import type { AnswerEvent } from '../../contract/assistant.ts';
import { ASSISTANT_SILENCE_MS } from '../../contract/limits.ts';
import type { Handlers } from '../../http/handler.ts';
import { createProvider } from '../../integrations/ai/provider.ts';
import { readMyCommunities } from '../profile/profile.ts';
import { answer } from './answer.ts';
import { giveBack, QUOTA, questionsLeft, takeQuestion } from './quota.ts';

export const assistantHandlers = {
  'GET /api/assistant': async ({ runtime, sql, actor }) => {
    const hasModel = runtime.config.ai.baseUrl !== null;
    const left = hasModel ? await questionsLeft(sql, { userId: actor.userId, now: runtime.now() }) : 0;
    return { json: { hasModel, perDay: hasModel ? QUOTA.perMember : 0, left } };
  },

  'POST /api/assistant/answers': async ({ runtime, sql, actor, body, gone, log }) => {
    const provider = createProvider(runtime.config.ai, ASSISTANT_SILENCE_MS);
    if (!provider) throw new HttpError(409, 'NO_MODEL', 'This instance has no model. Answers are quoted.');
    const now = runtime.now();
    const asker = { userId: actor.userId, now };
    const left = await takeQuestion(sql, asker);
    const mine = await readMyCommunities(sql, actor, now);
    const onFailure = async () => {
      await giveBack(sql, asker);
      return questionsLeft(sql, asker);
    };
    const events = answer({
      provider,
      reader: { sql, actor, mine, now },
      question: body,
      left,
      onFailure,
      log: log(),
      gone,
    });
    return { stream: written(events), type: 'text/event-stream' };
  },
} satisfies Handlers;

async function* written(events: AsyncIterable<AnswerEvent>): AsyncGenerator<string> {
  // Says at once that the question was taken.
  yield ': taken\n\n';
  for await (const { event, data } of events) yield `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
