import { setImmediate as breathe } from 'node:timers/promises';
import { dateIn, decimalSign, isNothing, nameIn, pointsIn, telegramId, telegramName, xHandle } from './cells.ts';
import type { Findings } from './findings.ts';
import { cellsOf, eachRow, type Lookup, type Table } from './table.ts';

/** A person as a line of a file names them; the X handle is there where neither of the two before it is. */
export type PersonLine = {
  line: number;
  telegramUserId: string | null;
  /** In lower case. */
  telegramUsername: string | null;
  xHandle: string | null;
  name: string | null;
  points: number;
  /** ISO 8601. */
  joinedAt: string | null;
};

/** Columns that identify a person, the most reliable first. */
export const WHO = ['telegram_id', 'telegram', 'x'] as const;

/** Lines that are handled at once. */
const AT_ONCE = 5_000;

/**
 * Reads people from a table, line by line; each list is `PersonLine`s as JSON. Text passes between threads cheaply,
 * where a hundred thousand objects would block the receiver. Lines that are skipped or changed are among `findings`.
 */
export async function readPeople(table: Table, findings: Findings, now: Date): Promise<string[]> {
  if (!WHO.some((field) => table.positions.has(field))) findings.stop('nobody_named', { line: table.head });
  const hasPoints = table.positions.has('points');
  if (!hasPoints) findings.take('no_points', { line: table.head });
  let decimals: '.' | ',' | null = null;
  for (const cells of cellsOf(table, 'points')) {
    decimals = decimalSign(cells);
    if (decimals !== null) break;
    await breathe();
  }
  const lists: string[] = [];
  let people: PersonLine[] = [];
  const end = () => {
    if (people.length > 0) lists.push(JSON.stringify(people));
    people = [];
  };
  const seen = new Set<string>();
  await eachRow(table, findings, undefined, (row) => {
    const person = readPerson(row, findings, { decimals, hasPoints, now });
    if (!person) return;
    const { telegramUserId, telegramUsername, xHandle: handle } = person;
    const isOnX = telegramUserId === null && telegramUsername === null;
    const keys = [telegramUserId, telegramUsername && `@${telegramUsername}`, isOnX && `x ${handle}`].filter(Boolean);
    if (keys.some((key) => seen.has(String(key)))) {
      findings.leave('twice', {
        line: row.line,
        column: row.column(telegramUserId ? 'telegram_id' : isOnX ? 'x' : 'telegram'),
      });
      return;
    }
    for (const key of keys) seen.add(String(key));
    if (people.push(person) === AT_ONCE) end();
  });
  end();
  return lists;
}

type PeopleOptions = { decimals: '.' | ',' | null; hasPoints: boolean; now: Date };

function readPerson(row: Lookup, findings: Findings, { decimals, hasPoints, now }: PeopleOptions): PersonLine | null {
  const identity = readIdentity(row, findings);
  if (!identity) return null;
  const where = (field: 'points' | 'x' | 'joined' | 'name') => ({ line: row.line, column: row.column(field) });
  const written = row.text('points');
  const read = pointsIn(written, decimals);
  if ('problem' in read) {
    findings.leave(read.problem, where('points'));
    return null;
  }
  if (read.written !== 'plain' && hasPoints) {
    const reading = { from: written, to: String(read.points) };
    if (!findings.take(`points_${read.written}`, where('points'), reading)) return null;
  }
  const [x, joined, name] = [row.text('x'), row.text('joined'), row.text('name')];
  const handle = handleIn(row);
  if (!isNothing(x) && handle === null) findings.take('x_unreadable', where('x'));
  const joinedAt = isNothing(joined) ? null : dateIn(joined, now);
  if (!isNothing(joined) && joinedAt === null) findings.take('joined_unreadable', where('joined'));
  const shown = nameIn(name);
  if (shown !== name.normalize('NFC')) findings.take('name_changed', where('name'));
  return {
    line: row.line,
    ...identity,
    xHandle: handle,
    name: shown || null,
    points: read.points,
    joinedAt: joinedAt?.toISOString() ?? null,
  };
}

const handleIn = (row: Lookup): string | null => (isNothing(row.text('x')) ? null : xHandle(row.text('x')));

/**
 * With an id, only the id identifies a person, because a name may have changed owners. Without both the X handle does.
 */
function readIdentity(row: Lookup, findings: Findings): Pick<PersonLine, 'telegramUserId' | 'telegramUsername'> | null {
  const [id, name] = [row.text('telegram_id'), row.text('telegram')];
  const column = row.column(isNothing(id) ? 'telegram' : 'telegram_id') ?? row.column('telegram_id') ?? row.column('x');
  if (isNothing(id) && isNothing(name)) {
    if (handleIn(row) !== null) return { telegramUserId: null, telegramUsername: null };
    findings.leave('identity_missing', { line: row.line, column });
    return null;
  }
  const telegramUserId = isNothing(id) ? null : telegramId(id);
  const telegramUsername = isNothing(name) ? null : telegramName(name);
  if (!isNothing(id) && telegramUserId === null) {
    findings.leave('telegram_id_unreadable', { line: row.line, column });
    return null;
  }
  if (telegramUserId === null && telegramUsername === null) {
    findings.leave('telegram_unreadable', { line: row.line, column: row.column('telegram') });
    return null;
  }
  return { telegramUserId, telegramUsername };
}
