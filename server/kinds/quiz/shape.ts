import * as z from 'zod/mini';
import { instant, localId, trimmed, uuid, whole, worded } from '../../contract/fields.ts';
import {
  QUIZ_EXPLANATION_MAX,
  QUIZ_OPTION_MAX,
  QUIZ_OPTIONS_MAX,
  QUIZ_QUESTION_MAX,
  QUIZ_QUESTIONS_MAX,
  QUIZ_TOOK_MAX_MS,
} from '../../contract/limits.ts';
import { QuizAnswer, QuizDraw } from '../../contract/quiz.ts';

const option = z.strictObject({ id: localId, text: trimmed(1, QUIZ_OPTION_MAX) });

export const quizShape = {
  setup: z.strictObject({
    kind: z.literal('quiz'),
    passPercent: whole(1, 100),
    /** Each attempt draws its questions from a pack; the task has none of its own. */
    pack: z.optional(QuizDraw),
    questions: z
      .array(
        z.strictObject({
          id: localId,
          text: worded(3, QUIZ_QUESTION_MAX),
          options: z.array(option).check(z.minLength(2), z.maxLength(QUIZ_OPTIONS_MAX)),
          /** Ids of the right options; all of them and no other make the question right. */
          correct: z.array(localId).check(z.minLength(1), z.maxLength(QUIZ_OPTIONS_MAX)),
          explanation: z.optional(trimmed(0, QUIZ_EXPLANATION_MAX)),
        }),
      )
      .check(z.maxLength(QUIZ_QUESTIONS_MAX)),
  }),
  ask: z.strictObject({
    kind: z.literal('quiz'),
    passPercent: z.number(),
    /** Taken out with an attempt instead, see `POST …/attempts`: then there are no questions here. */
    pack: z.optional(z.object({ title: z.string(), count: z.number() })),
    /** Questions and options in an order of the member's own. */
    questions: z.array(
      z.strictObject({ id: z.string(), text: z.string(), options: z.array(option), multiple: z.boolean() }),
    ),
  }),
  evidence: z.strictObject({
    kind: z.literal('quiz'),
    startedAt: instant,
    /** How long the questions were open, by a monotonic clock. */
    tookMs: z.optional(whole(0, QUIZ_TOOK_MAX_MS)),
    /** The attempt that these answers belong to, where the task draws from a pack. */
    attemptId: z.optional(uuid),
    answers: z.array(QuizAnswer).check(z.maxLength(QUIZ_QUESTIONS_MAX)),
  }),
};
