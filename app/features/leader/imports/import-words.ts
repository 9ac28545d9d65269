import type {
  ImportField,
  ImportFinding,
  ImportKind,
  ImportProblem,
  ImportSource,
} from '../../../../server/contract/imports.ts';
import { m } from '../../../paraglide/messages.js';

export const SOURCES: Record<ImportSource, () => string> = {
  muster: m.import_source_muster,
  zealy: m.import_source_zealy,
  galxe: m.import_source_galxe,
  discourse: m.import_source_discourse,
  ctfd: m.import_source_ctfd,
  other: m.import_source_other,
};

/** Possible fields of a column, in display order. */
export const FIELDS: Record<ImportKind, readonly ImportField[]> = {
  people: ['telegram', 'telegram_id', 'name', 'points', 'x', 'joined', 'leave'],
  tasks: ['title', 'instructions', 'points', 'kind', 'recurrence', 'link', 'setup', 'schedule', 'caps', 'leave'],
};
const FIELD_WORDS: Record<ImportField, () => string> = {
  leave: m.import_field_leave,
  points: m.import_field_points,
  telegram: m.import_field_telegram,
  telegram_id: m.import_field_telegram_id,
  name: m.import_field_name,
  x: m.import_field_x,
  joined: m.import_field_joined,
  title: m.import_field_title,
  instructions: m.import_field_instructions,
  kind: m.import_field_kind,
  recurrence: m.import_field_recurrence,
  link: m.import_field_link,
  setup: m.import_field_setup,
  schedule: m.import_field_schedule,
  caps: m.import_field_caps,
};
export const fieldWord = (field: ImportField): string => FIELD_WORDS[field]();

type Read = { from: string; to: string };
type Words = readonly [what: () => string, about: (read: Read) => string];
const PROBLEMS: Record<ImportProblem, Words> = {
  letters_unknown: [m.import_problem_letters_unknown, m.import_about_letters_unknown],
  letters_lost: [m.import_problem_letters_lost, m.import_about_letters_lost],
  points_missing: [m.import_problem_points_missing, m.import_about_points_missing],
  no_points: [m.import_problem_no_points, m.import_about_no_points],
  empty: [m.import_problem_empty, m.import_about_empty],
  no_lines: [m.import_problem_no_lines, m.import_about_no_lines],
  quote_open: [m.import_problem_quote_open, m.import_about_quote_open],
  lines_many: [m.import_problem_lines_many, m.import_about_lines_many],
  columns_many: [m.import_problem_columns_many, m.import_about_columns_many],
  column_twice: [m.import_problem_column_twice, m.import_about_column_twice],
  nobody_named: [m.import_problem_nobody_named, m.import_about_nobody_named],
  no_title: [m.import_problem_no_title, m.import_about_no_title],
  cells_many: [m.import_problem_cells_many, m.import_about_cells_many],
  cell_long: [m.import_problem_cell_long, m.import_about_cell_long],
  twice: [m.import_problem_twice, m.import_about_twice],
  here: [m.import_problem_here, m.import_about_here],
  identity_missing: [m.import_problem_identity_missing, m.import_about_identity_missing],
  telegram_unreadable: [m.import_problem_telegram_unreadable, m.import_about_telegram_unreadable],
  telegram_id_unreadable: [m.import_problem_telegram_id_unreadable, m.import_about_telegram_id_unreadable],
  name_changed: [m.import_problem_name_changed, m.import_about_name_changed],
  x_unreadable: [m.import_problem_x_unreadable, m.import_about_x_unreadable],
  joined_unreadable: [m.import_problem_joined_unreadable, m.import_about_joined_unreadable],
  points_unreadable: [m.import_problem_points_unreadable, m.import_about_points_unreadable],
  points_negative: [m.import_problem_points_negative, m.import_about_points_negative],
  points_large: [m.import_problem_points_large, m.import_about_points_large],
  points_grouped: [m.import_problem_points_grouped, m.import_about_points_grouped],
  points_decimal: [m.import_problem_points_decimal, m.import_about_points_decimal],
  title_unreadable: [m.import_problem_title_unreadable, m.import_about_title_unreadable],
  title_cut: [m.import_problem_title_cut, m.import_about_title_cut],
  instructions_cut: [m.import_problem_instructions_cut, m.import_about_instructions_cut],
  kind_unknown: [m.import_problem_kind_unknown, m.import_about_kind_unknown],
  x_action: [m.import_problem_x_action, m.import_about_x_action],
  link_missing: [m.import_problem_link_missing, m.import_about_link_missing],
  recurrence_unknown: [m.import_problem_recurrence_unknown, m.import_about_recurrence_unknown],
  setup_unreadable: [m.import_problem_setup_unreadable, m.import_about_setup_unreadable],
  place_missing: [m.import_problem_place_missing, m.import_about_place_missing],
  x_points: [m.import_problem_x_points, m.import_about_x_points],
  schedule_left: [m.import_problem_schedule_left, m.import_about_schedule_left],
  task_points_large: [m.import_problem_task_points_large, m.import_about_task_points_large],
};
const HERE_TASKS: Words = [m.import_problem_here_tasks, m.import_about_here_tasks];

const NUMBERS = /^\d+$/;
/** A finding and its meaning, in words. */
export function findingWords(
  { problem, reading }: Pick<ImportFinding, 'problem' | 'reading'>,
  kind: ImportKind,
  number: (value: number) => string,
): { what: string; about: string } {
  const [what, about] = problem === 'here' && kind === 'tasks' ? HERE_TASKS : PROBLEMS[problem];
  const to = reading?.to ?? '';
  return {
    what: what(),
    about: about({ from: reading?.from ?? '', to: NUMBERS.test(to) ? number(Number(to)) : to }),
  };
}
