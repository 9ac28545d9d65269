import type { Sql } from 'postgres';
import { type Load, sizeFor } from '../storage/sizing.ts';
import { readArgs, usageError } from './command-error.ts';
import { withInstance } from './database.ts';

export const SIZING_USAGE = `  sizing                         the machine that this instance needs for a year, by what its members do
    --members <n> --claims <n> --logs <n> --pictures <n>  the same for other numbers; all but members are of a day
`;
const NAMES = ['members', 'claims', 'logs', 'pictures'] as const;
const option = { type: 'string' } as const;

export async function runSizing(args: readonly string[]): Promise<string> {
  const given = readNumbers(args);
  if (NAMES.every((name) => given[name] !== undefined))
    return describe({ members: 0, claims: 0, logs: 0, pictures: 0, ...given });
  return withInstance(async (sql) => describe({ ...(await loadOf(sql)), ...given }));
}

function readNumbers(args: readonly string[]): Partial<Load> {
  const options = { members: option, claims: option, logs: option, pictures: option };
  const read = readArgs({ args: [...args], options }, SIZING_USAGE).values;
  const numbers: Partial<Load> = {};
  for (const name of NAMES) {
    const text = read[name];
    if (text === undefined) continue;
    if (!/^\d{1,12}$/.test(text)) throw usageError(SIZING_USAGE);
    numbers[name] = Number(text);
  }
  return numbers;
}

/** What the last four weeks were like. */
export async function loadOf(sql: Sql): Promise<Load> {
  const [load] = await sql<[Load]>`
    select (select count(*) from users where erased_at is null)::int as members,
      (select count(*) / 28.0 from claims where submitted_at > now() - interval '28 days')::float as claims,
      (select count(*) / 28.0 from client_log_entries where received_at > now() - interval '28 days')::float as logs,
      (select count(*) / 28.0 from images where created_at > now() - interval '28 days')::float as pictures`;
  return load;
}

const gb = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GB`;
const whole = (count: number): string => Math.round(count).toLocaleString('en');

function describe(load: Load): string {
  const { cores, memoryBytes, diskBytes, restoreSeconds } = sizeFor(load);
  return [
    `For ${whole(load.members)} members, and on a day ${whole(load.claims)} claims, ${whole(load.logs)} log entries and ${whole(load.pictures)} pictures:`,
    `  cores              ${cores}`,
    `  memory             ${gb(memoryBytes)}`,
    `  disk after a year  ${gb(diskBytes)}`,
    `  restoring that     ${whole(Math.ceil(restoreSeconds / 60))} min`,
    'docs/operations/sizing.md says what this stands on.',
  ].join('\n');
}
