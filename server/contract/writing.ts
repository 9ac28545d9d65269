import * as z from 'zod/mini';
import { trimmed, whole, worded } from './fields.ts';
import {
  ANSWER_LONG_MS,
  LARGE_BODY_BYTES,
  POLL_OPTIONS_MAX,
  QUIZ_OPTION_MAX,
  SUMMED_ANSWER_MAX,
  SUMMED_ANSWERS_MAX,
  SUMMED_UP_MAX,
  TASK_INSTRUCTIONS_MAX,
  TASK_POINTS_MAX,
  TASK_SENTENCE_MAX,
  TASK_TITLE_MAX,
} from './limits.ts';
import { type Declaration, type RouteKey, route } from './route.ts';
import { Recurrence, TaskKind } from './tasks.ts';

/**
 * A task that a model drafted: checked and not saved. The leader fills in what a model cannot know (links, places,
 * times, a quiz's right answers).
 */
export const TaskProposal = z.object({
  kind: TaskKind,
  title: worded(3, TASK_TITLE_MAX),
  instructions: trimmed(0, TASK_INSTRUCTIONS_MAX),
  points: whole(0, TASK_POINTS_MAX),
  recurrence: Recurrence,
  /** For a poll. */
  choices: z.optional(z.array(trimmed(1, QUIZ_OPTION_MAX)).check(z.minLength(2), z.maxLength(POLL_OPTIONS_MAX))),
});
export type TaskProposal = z.infer<typeof TaskProposal>;

/** Both count as questions to the assistant (`GET /api/assistant`), and answer 409 `NO_MODEL` where there is none. */
export const writingRoutes = {
  'POST /api/communities/:communityId/task-proposals': route(
    'leader',
    'Let the model draft a task from a sentence; it is saved nowhere',
    {
      body: z.strictObject({ sentence: worded(3, TASK_SENTENCE_MAX) }),
      output: TaskProposal,
      cache: 'no-store',
      perMinute: 10,
      answerMs: ANSWER_LONG_MS,
    },
  ),
  'POST /api/communities/:communityId/summaries': route('leader', 'Let the model sum up answers; neither is kept', {
    body: z.strictObject({
      answers: z.array(trimmed(1, SUMMED_ANSWER_MAX)).check(z.minLength(2), z.maxLength(SUMMED_ANSWERS_MAX)),
    }),
    bodyBytes: LARGE_BODY_BYTES,
    output: z.object({ text: z.string().check(z.maxLength(SUMMED_UP_MAX)), answers: z.number() }),
    cache: 'no-store',
    perMinute: 10,
    answerMs: ANSWER_LONG_MS,
  }),
} as const satisfies Record<RouteKey, Declaration>;
