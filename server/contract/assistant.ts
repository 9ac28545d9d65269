import * as z from 'zod/mini';
import { trimmed } from './fields.ts';
import { ASSISTANT_ANSWER_MAX, ASSISTANT_EARLIER_MAX, ASSISTANT_QUESTION_MAX } from './limits.ts';
import { type Declaration, type RouteKey, read, route } from './route.ts';

/** Whether the instance has a model for members, and today's questions (a UTC day). */
export const AssistantState = z.object({ hasModel: z.boolean(), perDay: z.number(), left: z.number() });
export type AssistantState = z.infer<typeof AssistantState>;

const question = trimmed(1, ASSISTANT_QUESTION_MAX);
export const AssistantQuestion = z.strictObject({
  question,
  /** The questions and answers just before, oldest first. */
  earlier: z.optional(
    z
      .array(z.strictObject({ question, answer: trimmed(1, ASSISTANT_ANSWER_MAX) }))
      .check(z.maxLength(ASSISTANT_EARLIER_MAX)),
  ),
});
export type AssistantQuestion = z.infer<typeof AssistantQuestion>;

/** A source of an answer. The text cites it as `[number]`; `href` is a path of ours. */
export type AnswerSource = {
  number: number;
  kind: 'guide' | 'rules' | 'task' | 'announcement' | 'claim' | 'standing';
  title: string;
  where: string;
  href: string;
};
/**
 * An answer of the instance's model, `text/event-stream`. `text` adds to the answer, `read` says what the model looks
 * at, `done` ends it with its sources, `failed` ends it without them: the text so far must be discarded. A question
 * counts unless it reached no model (`away`); such questions are refunded a few times a day.
 */
export type AnswerEvent =
  | { event: 'text'; data: { text: string } }
  | { event: 'read'; data: { tool: string } }
  | { event: 'done'; data: { sources: AnswerSource[]; left: number } }
  | { event: 'failed'; data: { reason: 'late' | 'away' | 'empty'; left: number; isCounted: boolean } };

export const assistantRoutes = {
  'GET /api/assistant': read('verified', 'Whether there is a model to ask, and how many questions I have left today', {
    output: AssistantState,
  }),
  'POST /api/assistant/answers': route('verified', 'Ask the model; it reads what I may read and changes nothing', {
    body: AssistantQuestion,
    stream: ['text/event-stream'],
    cache: 'no-store',
    perMinute: 20,
  }),
} as const satisfies Record<RouteKey, Declaration>;
