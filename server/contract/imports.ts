import * as z from 'zod/mini';
import { CommunitySummary } from './community.ts';
import { Done, trimmed } from './fields.ts';
import { ENCODINGS, IMPORT_BYTES, IMPORT_COLUMNS, IMPORT_FILE_NAME_MAX } from './import-limits.ts';
import { ANSWER_LONG_MS } from './limits.ts';
import { command, type Declaration, type RouteKey, read, route } from './route.ts';

export const ImportKind = z.enum(['people', 'tasks']);
export type ImportKind = z.infer<typeof ImportKind>;
/** The file's product; `muster` is our own. */
export const ImportSource = z.enum(['muster', 'zealy', 'galxe', 'discourse', 'ctfd', 'other']);
export type ImportSource = z.infer<typeof ImportSource>;
/** What a column becomes: the first row for people, the second for tasks, `points` for both; `leave` is left out. */
export const ImportField = z.enum([
  'leave',
  'points',
  ...['telegram', 'telegram_id', 'name', 'x', 'joined'],
  ...['title', 'instructions', 'kind', 'recurrence', 'link', 'setup', 'schedule', 'caps'],
] as const);
export type ImportField = z.infer<typeof ImportField>;

/** What is wrong, or to be looked at, in lines of a file; the first ones are of the whole file. */
export const ImportProblem = z.enum([
  ...[
    'letters_unknown',
    'letters_lost',
    'points_missing',
    'no_points',
    'empty',
    'no_lines',
    'quote_open',
    'lines_many',
    'columns_many',
    'column_twice',
    'nobody_named',
    'no_title',
  ],
  ...['cells_many', 'cell_long', 'twice', 'here'],
  ...['identity_missing', 'telegram_unreadable', 'telegram_id_unreadable', 'name_changed', 'x_unreadable'],
  ...['joined_unreadable', 'points_unreadable', 'points_negative', 'points_large', 'points_grouped', 'points_decimal'],
  ...['title_unreadable', 'title_cut', 'instructions_cut', 'kind_unknown', 'x_action', 'link_missing'],
  ...['recurrence_unknown', 'setup_unreadable', 'place_missing', 'schedule_left', 'task_points_large', 'x_points'],
] as const);
export type ImportProblem = z.infer<typeof ImportProblem>;

/** Which lines a problem concerns and what happens to them. */
export const ImportFinding = z.object({
  problem: ImportProblem,
  /** `stops`: nothing of the file can be taken. `left_out`: these lines are not. `taken`: they are, as it is read. */
  effect: z.enum(['stops', 'left_out', 'taken']),
  /** Whether the leader can choose between the latter two. */
  choice: z.boolean(),
  /** The lines on which their rows begin, counted from 1; every one of them. */
  lines: z.array(z.number()),
  /** The column that is meant; null: the whole row. */
  column: z.nullable(z.number()),
  /** An example of how a cell is read. */
  reading: z.nullable(z.object({ from: z.string(), to: z.string() })),
});
export type ImportFinding = z.infer<typeof ImportFinding>;

/** What an import of the file would do. Nothing is written. */
export const ImportCheck = z.object({
  /** How the file's letters are written. */
  /** See `Letters` (letters.ts). */
  letters: z.object({
    read: z.nullable(z.enum(ENCODINGS)),
    offered: z.array(z.object({ encoding: z.enum(ENCODINGS), sample: z.string() })),
  }),
  source: ImportSource,
  columns: z.array(z.object({ name: z.string(), samples: z.array(z.string()), field: ImportField })),
  /** Rows below the names of the columns. */
  rows: z.number(),
  ready: z.number(),
  leftOut: z.number(),
  points: z.number(),
  /** How many people the community can still import; null: no limit, because an administrator allowed it. */
  room: z.nullable(z.number()),
  findings: z.array(ImportFinding),
});
export type ImportCheck = z.infer<typeof ImportCheck>;

/** Words of a list with commas between them, as a query has it. */
const listOf = <S extends z.ZodMiniType>(word: S, max: number) =>
  z.pipe(
    z.string().check(z.maxLength(40 * max)),
    z.pipe(
      z.transform((text: string) => text.split(',') as z.input<S>[]),
      z.array(word).check(z.maxLength(max)),
    ),
  );

/** Parameters of a file, which is the body. */
export const ImportQuery = z.strictObject({
  kind: ImportKind,
  name: trimmed(1, IMPORT_FILE_NAME_MAX),
  /** How its letters are written; found out from its bytes when absent. */
  encoding: z.optional(z.enum(ENCODINGS)),
  /** The file's product; detected by its columns when absent. */
  source: z.optional(ImportSource),
  /** What each column becomes, in the order of the file; as the source's are when absent. */
  columns: z.optional(listOf(ImportField, IMPORT_COLUMNS)),
  /** Problems whose lines are taken, and those whose lines are left out, where there is a choice. */
  take: z.optional(listOf(ImportProblem, ImportProblem.options.length)),
  leave: z.optional(listOf(ImportProblem, ImportProblem.options.length)),
});
export type ImportQuery = z.infer<typeof ImportQuery>;

const Tally = z.object({ people: z.number(), points: z.number() });
/** What was moved in. */
export const Import = z.object({
  id: z.string(),
  kind: ImportKind,
  source: ImportSource,
  fileName: z.string(),
  at: z.string(),
  by: z.string(),
  /** People or tasks that it brought. */
  count: z.number(),
  points: z.number(),
  /**
   * Members whose points are in the ledger; those whose points are pending; people who have not joined, with or without
   * an account.
   */
  settled: Tally,
  settling: Tally,
  waiting: Tally,
  /** Until then it can be undone. */
  undoUntil: z.string(),
  undoneAt: z.nullable(z.string()),
  /** People whose points are still to be reversed. */
  undoing: z.number(),
});
export type Import = z.infer<typeof Import>;

/** A community that imported a person who has not joined, as that person sees it. */
export const Offer = z.object({
  communityId: z.string(),
  slug: z.string(),
  name: z.string(),
  /** What waits for them there. */
  points: z.number(),
});
export type Offer = z.infer<typeof Offer>;

const FILE_BODY = {
  query: ImportQuery,
  bodyTypes: ['text/csv'],
  bodyBytes: IMPORT_BYTES,
  answerMs: ANSWER_LONG_MS,
} as const;

export const importRoutes = {
  'GET /api/communities/:communityId/imports': read('leader', 'What was moved in from elsewhere, the latest first', {
    output: z.array(Import),
  }),
  'POST /api/communities/:communityId/imports/check': route(
    'leader',
    'What an import of a CSV file would do, with every problem by line; writes nothing',
    { ...FILE_BODY, output: ImportCheck, cache: 'no-store', perMinute: 30 },
  ),
  'POST /api/communities/:communityId/imports': command(
    'leader',
    'Move in members with points, or tasks, from a CSV file',
    { ...FILE_BODY, output: Import, status: 201, perMinute: 10 },
  ),
  'POST /api/communities/:communityId/imports/:importId/undo': command(
    'leader',
    'Undo an import: its points are reversed, its tasks archived',
    { output: Import, perMinute: 10 },
  ),
  'GET /api/user/offers': read('user', 'Communities that moved me in from elsewhere and that I have not joined', {
    output: z.array(Offer),
  }),
  'POST /api/user/offers/:placeId': command(
    'verified',
    'Join a community that moved me in; what waited for me there is mine',
    { output: CommunitySummary },
  ),
  'DELETE /api/user/offers/:placeId': command(
    'user',
    'Say no to a community that moved me in; it is not told, and not offered again',
    { output: Done },
  ),
} as const satisfies Record<RouteKey, Declaration>;
