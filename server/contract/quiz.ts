/** Packs of questions, attempts, and what members see of both (docs/decisions/quizzes.md). */
import * as z from 'zod/mini';
import { instant, localId, trimmed, whole, worded } from './fields.ts';
import {
  QUIZ_EXPLANATION_MAX,
  QUIZ_ITEMS_MAX,
  QUIZ_ITEMS_MIN,
  QUIZ_NUMBER_MAX,
  QUIZ_OPTION_MAX,
  QUIZ_OPTIONS_MAX,
  QUIZ_PACK_ABOUT_MAX,
  QUIZ_PACK_BYTES,
  QUIZ_PACK_QUESTIONS_MAX,
  QUIZ_PACK_TITLE_MAX,
  QUIZ_QUESTION_ID_MAX,
  QUIZ_QUESTION_MAX,
  QUIZ_QUESTIONS_MAX,
  QUIZ_SOURCE_TITLE_MAX,
  QUIZ_TOOK_MAX_MS,
  QUIZ_UNIT_MAX,
} from './limits.ts';
import { packProblem, questionProblem } from './quiz-check.ts';
import { command, type Declaration, type RouteKey, read } from './route.ts';

const kebab = z
  .string()
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be small words with hyphens'), z.maxLength(QUIZ_QUESTION_ID_MAX));
const entry = z.strictObject({ id: localId, text: trimmed(1, QUIZ_OPTION_MAX) });
const entries = (min: number, max: number) => z.array(entry).check(z.minLength(min), z.maxLength(max));
const ids = (max: number) => z.array(localId).check(z.minLength(1), z.maxLength(max));
const decimal = z
  .string()
  .check(z.regex(/^-?\d+(\.\d+)?$/, 'must be a decimal number, as 0.5'), z.maxLength(QUIZ_NUMBER_MAX));

export const QuizSource = z.strictObject({
  title: trimmed(1, QUIZ_SOURCE_TITLE_MAX),
  url: z.url().check(z.startsWith('https://'), z.maxLength(2_000)),
});
export type QuizSource = z.infer<typeof QuizSource>;
const common = {
  id: kebab,
  text: worded(3, QUIZ_QUESTION_MAX),
  explanation: trimmed(0, QUIZ_EXPLANATION_MAX),
  /** Every question of ours has one; a community's own may do without. */
  source: z.optional(QuizSource),
};

/** A question with its key. Only leaders of its community, and the device that practises with it, are ever sent one. */
export const QuizQuestion = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('single'),
      ...common,
      options: entries(2, QUIZ_OPTIONS_MAX),
      correct: ids(1),
    }),
    z.strictObject({
      kind: z.literal('multiple'),
      ...common,
      options: entries(2, QUIZ_OPTIONS_MAX),
      correct: ids(QUIZ_OPTIONS_MAX),
    }),
    z.strictObject({
      kind: z.literal('ordering'),
      ...common,
      items: entries(QUIZ_ITEMS_MIN, QUIZ_ITEMS_MAX),
      /** Ids of the items in the right order. */
      correct: ids(QUIZ_ITEMS_MAX),
    }),
    z.strictObject({
      kind: z.literal('matching'),
      ...common,
      left: entries(QUIZ_ITEMS_MIN, QUIZ_ITEMS_MAX),
      /** May have entries that belong to nothing. */
      right: entries(QUIZ_ITEMS_MIN, QUIZ_ITEMS_MAX),
      /** The right id of each left one. */
      correct: z.record(localId, localId),
    }),
    z.strictObject({
      kind: z.literal('number'),
      ...common,
      correct: z.strictObject({ value: decimal, tolerance: decimal }),
      unit: z.optional(trimmed(1, QUIZ_UNIT_MAX)),
    }),
  ])
  .check(({ value, issues }) => {
    const problem = questionProblem(value);
    if (problem !== null) issues.push({ code: 'custom', message: `${value.id}: ${problem}`, input: value });
  });
export type QuizQuestion = z.infer<typeof QuizQuestion>;

const packFields = {
  title: worded(3, QUIZ_PACK_TITLE_MAX),
  about: trimmed(0, QUIZ_PACK_ABOUT_MAX),
  /** BCP 47, of the questions' words. */
  language: z.string().check(z.regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language, as en'), z.maxLength(35)),
  questions: z.array(QuizQuestion).check(z.minLength(1), z.maxLength(QUIZ_PACK_QUESTIONS_MAX)),
};
const hasOwnIds = ({ questions }: { questions: readonly { id: string }[] }) => packProblem(questions) === null;
const SAME_IDS = 'two questions have the same id';
/** A pack as a file holds it: ours, and what is exported and imported. */
export const QuizPack = z.strictObject({ id: kebab, ...packFields }).check(z.refine(hasOwnIds, SAME_IDS));
export type QuizPack = z.infer<typeof QuizPack>;

/** A pack of ours, or a community's own by its id. */
export const QuizPackRef = z.string().check(z.regex(/^(shipped:[a-z0-9-]{1,64}|own:[0-9a-f-]{36})$/, 'names no pack'));
export type QuizPackRef = z.infer<typeof QuizPackRef>;

/** The pack from which a quiz task draws its questions, instead of its own. */
export const QuizDraw = z.strictObject({
  ref: QuizPackRef,
  /** The pack's title for the member's card. The server writes it. */
  title: z.optional(z.string().check(z.maxLength(QUIZ_PACK_TITLE_MAX))),
  /** Questions of each attempt. */
  count: whole(1, QUIZ_QUESTIONS_MAX),
});
export type QuizDraw = z.infer<typeof QuizDraw>;

/** An answer to a question of any kind: chosen options, or items in their order; pairs of a matching; a number as typed. */
export const QuizAnswer = z.strictObject({
  questionId: localId,
  optionIds: z.array(localId).check(z.maxLength(QUIZ_OPTIONS_MAX)),
  pairs: z.optional(z.array(z.strictObject({ left: localId, choice: localId })).check(z.maxLength(QUIZ_ITEMS_MAX))),
  value: z.optional(trimmed(0, QUIZ_NUMBER_MAX)),
});
export type QuizAnswer = z.infer<typeof QuizAnswer>;

const shown = z.array(z.object({ id: z.string(), text: z.string() }));
/** A question of an attempt: ids and order are of this attempt alone, and no field can contain a key. */
export const AttemptQuestion = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('single'), id: z.string(), text: z.string(), options: shown }),
  z.object({ kind: z.literal('multiple'), id: z.string(), text: z.string(), options: shown }),
  z.object({ kind: z.literal('ordering'), id: z.string(), text: z.string(), items: shown }),
  z.object({ kind: z.literal('matching'), id: z.string(), text: z.string(), left: shown, choices: shown }),
  z.object({ kind: z.literal('number'), id: z.string(), text: z.string(), unit: z.nullable(z.string()) }),
]);
export type AttemptQuestion = z.infer<typeof AttemptQuestion>;

/** How one question of a passed attempt went. */
export const QuestionOutcome = z.object({
  questionId: z.string(),
  isRight: z.boolean(),
  yours: z.nullable(QuizAnswer),
  key: QuizAnswer,
  explanation: z.string(),
  source: z.nullable(QuizSource),
});
export type QuestionOutcome = z.infer<typeof QuestionOutcome>;

export const QuizAttempt = z.object({
  id: z.string(),
  pack: z.string(),
  title: z.string(),
  communityId: z.nullable(z.string()),
  taskId: z.nullable(z.string()),
  /** Number of questions, and how many must be right. */
  count: z.number(),
  needed: z.number(),
  drawnAt: z.string(),
  /** Until it is graded, and again once it is passed. */
  questions: z.array(AttemptQuestion),
  result: z.nullable(
    z.object({
      /** `hasty`: answered faster than people read, so it is not counted; in a task a reviewer looks at it. */
      outcome: z.enum(['passed', 'failed', 'hasty']),
      gradedAt: z.string(),
      /** Only for a passed attempt: the number of right answers would help a guesser. */
      score: z.nullable(z.number()),
      told: z.nullable(z.array(QuestionOutcome)),
    }),
  ),
});
export type QuizAttempt = z.infer<typeof QuizAttempt>;

/** A pack that can be taken for grading, with the member's state. */
export const GradedPack = z.object({
  ref: z.string(),
  title: z.string(),
  about: z.string(),
  count: z.number(),
  needed: z.number(),
  passed: z.boolean(),
  /** When the next attempt may be taken out; null: now. */
  retryAt: z.nullable(z.string()),
});
export type GradedPack = z.infer<typeof GradedPack>;

/** A pack in the leaders' list. */
export const QuizPackSummary = z.object({
  ref: z.string(),
  title: z.string(),
  about: z.string(),
  language: z.string(),
  questions: z.number(),
  /** Tasks of the community that draw from it. */
  tasks: z.number(),
  changedAt: z.nullable(z.string()),
});
export type QuizPackSummary = z.infer<typeof QuizPackSummary>;
export const OwnQuizPack = z.object({ id: z.string(), ...packFields, changedAt: z.string(), tasks: z.number() });
export type OwnQuizPack = z.infer<typeof OwnQuizPack>;
export const NewQuizPack = z.strictObject(packFields).check(z.refine(hasOwnIds, SAME_IDS));
export type NewQuizPack = z.infer<typeof NewQuizPack>;

/** How often a question was put in this community's tasks, and how often its answer was not right. */
export const QuizMiss = z.object({
  ref: z.string(),
  pack: z.string(),
  text: z.string(),
  shown: z.number(),
  missed: z.number(),
});
export type QuizMiss = z.infer<typeof QuizMiss>;

/** One question of an attempt as a reviewer sees it. */
export const PaperLine = z.object({
  question: z.string(),
  answer: z.string(),
  /** Null where that is not for the reader: packs of ours, and moderators, who compete. */
  isRight: z.nullable(z.boolean()),
});
export type PaperLine = z.infer<typeof PaperLine>;

export const quizRoutes = {
  'GET /api/quiz': read('user', 'Packs that I may take out for grading, and my attempts, the latest first', {
    output: z.object({ packs: z.array(GradedPack), attempts: z.array(QuizAttempt) }),
  }),
  'POST /api/quiz/attempts': command(
    'user',
    'Take a pack out: questions without keys; one that is open already is given again',
    { body: z.strictObject({ pack: QuizPackRef }), output: QuizAttempt, status: 201 },
  ),
  'POST /api/quiz/attempts/:attemptId/answers': command(
    'user',
    'Have my attempt graded, once; what is graded already is answered as it is',
    {
      body: z.strictObject({
        /** How long the questions were open, by a monotonic clock. */
        tookMs: whole(0, QUIZ_TOOK_MAX_MS),
        answers: z.array(QuizAnswer).check(z.maxLength(QUIZ_QUESTIONS_MAX)),
        /** Device time of the action; advisory. */
        actedAt: z.optional(instant),
      }),
      output: QuizAttempt,
    },
  ),
  'POST /api/communities/:communityId/tasks/:taskId/attempts': command(
    'member',
    'Take out the questions of a task that draws from a pack; its claim has them graded',
    { output: QuizAttempt, status: 201 },
  ),
  'GET /api/communities/:communityId/quiz-packs': read(
    'leader',
    'Packs that tasks may draw from, without their questions',
    { output: z.object({ items: z.array(QuizPackSummary) }) },
  ),
  'POST /api/communities/:communityId/quiz-packs': command('leader', 'Add a pack of the community’s own', {
    body: NewQuizPack,
    bodyBytes: QUIZ_PACK_BYTES,
    output: OwnQuizPack,
    status: 201,
  }),
  'GET /api/communities/:communityId/quiz-packs/:packId': read(
    'leader',
    'A pack of the community’s own with its keys',
    { output: OwnQuizPack },
  ),
  'PUT /api/communities/:communityId/quiz-packs/:packId': command(
    'leader',
    'Write a pack anew; attempts that are out keep the questions they were given',
    { body: NewQuizPack, bodyBytes: QUIZ_PACK_BYTES, output: OwnQuizPack },
  ),
  'DELETE /api/communities/:communityId/quiz-packs/:packId': command(
    'leader',
    'Delete a pack that no task draws from',
    { output: z.object({ ok: z.literal(true) }) },
  ),
  'GET /api/communities/:communityId/quiz-misses': read(
    'leader',
    'Questions that this community’s tasks put, the most missed first',
    { output: z.object({ items: z.array(QuizMiss) }) },
  ),
} as const satisfies Record<RouteKey, Declaration>;
