import { HttpError } from '../../base/http-error.ts';
import { TASK_INSTRUCTIONS_MAX, TASK_POINTS_MAX, TASK_TITLE_MAX } from '../../contract/limits.ts';
import {
  Caps,
  TaskKind as Kinds,
  NewTask,
  Recurrence,
  Schedule,
  type TaskKind,
  TaskSetup,
} from '../../contract/tasks.ts';
import { isXKind } from '../../contract/x-post.ts';
import { isSeen, tidyName } from '../../domain/text.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { checkSchedule, checkSetup } from '../tasks/check.ts';
import { isNothing, pointsIn } from './cells.ts';
import type { Findings } from './findings.ts';
import { plainName } from './presets.ts';
import { eachRow, type Lookup, type Table } from './table.ts';

export type TaskLine = { line: number; task: NewTask };

/** A cell with a whole quiz in it is long. */
const SETUP_MAX = 200_000;

/** What else has to do with X cannot be asked for here. */
const ON_X = /^(?:x|tweet|twitter)(?:_|$)|_tweet$/;
/** Kinds by the words that other products have for them. */
const KINDS_BY_NAME: ReadonlyMap<string, TaskKind> = new Map(
  Kinds.options.flatMap((kind) => (kindOf(kind).imported?.words ?? []).map((word) => [word, kind] as const)),
);
const EVERY: Readonly<Record<string, Recurrence>> = {
  never: 'once',
  one_time: 'once',
  onetime: 'once',
  day: 'daily',
  everyday: 'daily',
  week: 'weekly',
  month: 'monthly',
};

/** `xPoints`: whether tasks at X give points. */
type TaskOptions = { xPoints: boolean; now: Date };

/** Reads tasks from a table. As `readPeople` does. */
export async function readTasks(table: Table, findings: Findings, options: TaskOptions): Promise<TaskLine[]> {
  if (!table.positions.has('title')) findings.stop('no_title', { line: table.head });
  if (!table.positions.has('points')) findings.take('no_points', { line: table.head });
  const tasks: TaskLine[] = [];
  const seen = new Set<string>();
  await eachRow(table, findings, SETUP_MAX, (row) => {
    const task = readTask(row, findings, options);
    if (!task) return;
    const where = { line: row.line, column: row.column('title') };
    const title = titleKey(task.title);
    if (seen.has(title)) return findings.leave('twice', where);
    seen.add(title);
    tasks.push({ line: row.line, task });
  });
  return tasks;
}

/** Titles that read the same are one. */
export const titleKey = (title: string): string => title.normalize('NFKC').trim().toLowerCase();

function readTask(row: Lookup, findings: Findings, { xPoints, now }: TaskOptions): NewTask | null {
  const title = readTitle(row, findings);
  const instructions = title === null ? null : readInstructions(row, findings);
  const points = instructions === null ? null : readPoints(row, findings);
  const recurrence = points === null ? null : readRecurrence(row, findings);
  const setup = recurrence === null ? null : readSetup(row, findings, now);
  if (title === null || instructions === null || points === null || recurrence === null || setup === null) return null;
  const limits = readLimits(row, findings, now);
  const given = isXKind(setup.kind) && !xPoints ? withoutPoints(row, findings, points) : points;
  const task = { title, instructions, points: given, recurrence, setup, status: 'draft', ...limits };
  const checked = NewTask.safeParse(task);
  if (checked.success) return checked.data;
  findings.leave('setup_unreadable', { line: row.line, column: row.column('setup') });
  return null;
}

/** Text that can be shown as it is: one line, or several. */
function shown(text: string, lines: 'one' | 'several'): string {
  const controls = lines === 'one' ? /[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu : /[^\P{Cc}\n\t]|[\u202a-\u202e]/gu;
  const plain = text
    .replaceAll('\r\n', '\n')
    .replace(/\p{Surrogate}/gu, '')
    .replace(controls, lines === 'one' ? ' ' : '');
  return (lines === 'one' ? tidyName(plain) : plain).trim();
}

function readTitle(row: Lookup, findings: Findings): string | null {
  const where = { line: row.line, column: row.column('title') };
  const title = shown(row.text('title'), 'one');
  if (!isSeen(title) || [...title].length < 3) {
    findings.leave('title_unreadable', where);
    return null;
  }
  if (title.length <= TASK_TITLE_MAX) return title;
  const cut = `${title
    .slice(0, TASK_TITLE_MAX - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()}…`;
  return findings.take('title_cut', where, { from: title, to: cut }) ? cut : null;
}

function readInstructions(row: Lookup, findings: Findings): string | null {
  const text = shown(row.text('instructions'), 'several');
  if (!isSeen(text)) return '';
  if (text.length <= TASK_INSTRUCTIONS_MAX) return text;
  const cut = `${text
    .slice(0, TASK_INSTRUCTIONS_MAX - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()}…`;
  return findings.take('instructions_cut', { line: row.line, column: row.column('instructions') }) ? cut : null;
}

function readPoints(row: Lookup, findings: Findings): number | null {
  const where = { line: row.line, column: row.column('points') };
  const written = row.text('points');
  const read = pointsIn(written, '.');
  if ('problem' in read && read.problem !== 'points_large') {
    findings.leave(read.problem, where);
    return null;
  }
  if ('problem' in read || read.points > TASK_POINTS_MAX) {
    const reading = { from: written, to: String(TASK_POINTS_MAX) };
    return findings.take('task_points_large', where, reading) ? TASK_POINTS_MAX : null;
  }
  if (read.written === 'plain' || where.column === null) return read.points;
  const reading = { from: written, to: String(read.points) };
  return findings.take(`points_${read.written}`, where, reading) ? read.points : null;
}

/** X forbids rewards for actions on X: such tasks are imported all the same, for no points. */
function withoutPoints(row: Lookup, findings: Findings, points: number): number {
  if (points > 0) findings.take('x_points', { line: row.line, column: row.column('points') });
  return 0;
}

function readRecurrence(row: Lookup, findings: Findings): Recurrence | null {
  const written = row.text('recurrence');
  if (isNothing(written)) return 'once';
  const plain = plainName(written);
  const options = Recurrence.safeParse(EVERY[plain] ?? plain);
  if (options.success) return options.data;
  const where = { line: row.line, column: row.column('recurrence') };
  return findings.take('recurrence_unknown', where, { from: written, to: 'once' }) ? 'once' : null;
}

/** What a member is asked. An unclear task becomes a text for review. */
function readSetup(row: Lookup, findings: Findings, now: Date): TaskSetup | null {
  const where = { line: row.line, column: row.column('kind') };
  const written = row.text('kind');
  const plain = plainName(written);
  // A kind's own name wins over another product's word.
  const named = Kinds.safeParse(plain);
  const options = named.success ? named : Kinds.safeParse(KINDS_BY_NAME.get(plain));
  if (!options.success && ON_X.test(plain)) {
    findings.leave('x_action', where);
    return null;
  }
  const kind = options.success ? options.data : 'submit_text';
  if (!options.success && !isNothing(written) && !findings.take('kind_unknown', where, { from: written, to: 'text' }))
    return null;
  const given = row.text('setup');
  if (given !== '') return readWhole(row, findings, { kind, given, now });
  return readBare(row, findings, kind);
}

/** A setup as our own export writes it. */
function readWhole(
  row: Lookup,
  findings: Findings,
  { kind, given, now }: { kind: TaskKind; given: string; now: Date },
): TaskSetup | null {
  const parsed = TaskSetup.safeParse({ ...jsonIn(given), kind });
  try {
    if (parsed.success) return checkSetup(parsed.data, now);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
  findings.leave('setup_unreadable', { line: row.line, column: row.column('setup') });
  return null;
}

function jsonIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

function readBare(row: Lookup, findings: Findings, kind: TaskKind): TaskSetup | null {
  const setup = kindOf(kind).imported?.bare?.(row.text('link'));
  if (setup) return setup;
  if (isXKind(kind)) {
    findings.leave('x_action', { line: row.line, column: row.column('link') });
    return null;
  }
  // A kind that needs a link, or more than that.
  const lacksLink = setup === null;
  const where = { line: row.line, column: row.column(lacksLink ? 'link' : 'kind') };
  return findings.take(lacksLink ? 'link_missing' : 'kind_unknown', where) ? { kind: 'submit_text' } : null;
}

/** When a task is open and how often, as our own export writes it; dates that are over or far away are left out. */
function readLimits(row: Lookup, findings: Findings, now: Date): Pick<NewTask, 'schedule' | 'caps'> {
  const [schedule, caps] = [row.text('schedule'), row.text('caps')];
  const read = { schedule: Schedule.safeParse(jsonIn(schedule)), caps: Caps.safeParse(jsonIn(caps)) };
  if (caps !== '' && !read.caps.success) findings.take('schedule_left', { line: row.line, column: row.column('caps') });
  if (schedule === '') return read.caps.success ? { caps: read.caps.data } : {};
  try {
    if (!read.schedule.success) throw new HttpError(400, 'INVALID_INPUT', 'no schedule');
    checkSchedule(read.schedule.data, now);
    return { schedule: read.schedule.data, ...(read.caps.success && { caps: read.caps.data }) };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    findings.take('schedule_left', { line: row.line, column: row.column('schedule') });
    return read.caps.success ? { caps: read.caps.data } : {};
  }
}
