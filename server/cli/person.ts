import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Sql } from 'postgres';
import { HttpError } from '../base/http-error.ts';
import { ERASURE_WAIT_DAYS } from '../contract/person-limits.ts';
import { audit } from '../features/audit/audit.ts';
import { archiveOf } from '../features/person/archive.ts';
import { eraseDue } from '../features/person/erase.ts';
import { cancelErasure, scheduleErasure } from '../features/person/erasure.ts';
import { type Found, findPeople } from '../features/person/find.ts';
import { inertLine } from '../rules/inert.ts';
import { ledgerKey } from '../storage/secrets.ts';
import { CommandError, readArgs, usageError } from './command-error.ts';
import { countPeople, whose, withInstance } from './database.ts';

export const PERSON_USAGE = `  person export <who> -o <file>  everything stored about someone, as a ZIP of JSON and pictures
  person erase <who>             sign someone out, and erase them in ${ERASURE_WAIT_DAYS} days unless they sign in
    --now                        immediately, without the ${ERASURE_WAIT_DAYS} days: this can’t be undone
  person keep <who>              cancel a pending erasure
    --reason <words>             for any of these: goes into the audit log. <who>: an account's id, a Telegram id or an @username
`;

const FROM_HERE = 'From the command line';

type PersonArgs = {
  verb: 'export' | 'erase' | 'keep';
  who: string;
  reason: string;
  file: string | undefined;
  isNow: boolean;
};

function readPersonArgs(args: readonly string[]): PersonArgs {
  const options = {
    output: { type: 'string', short: 'o' },
    reason: { type: 'string' },
    now: { type: 'boolean' },
  } as const;
  const read = readArgs({ args: [...args], options, allowPositionals: true }, PERSON_USAGE);
  const [verb, who, ...more] = read.positionals;
  const { output: file, reason = FROM_HERE, now: isNow = false } = read.values;
  const isVerb = verb === 'export' || verb === 'erase' || verb === 'keep';
  if (!isVerb || who === undefined || more.length > 0) throw usageError(PERSON_USAGE);
  if ((verb === 'export') !== (file !== undefined) || (isNow && verb !== 'erase')) throw usageError(PERSON_USAGE);
  return { verb, who, reason, file, isNow };
}

/** `person …`: the same as on the desk, for who has no desk at hand. */
export function runPerson(args: readonly string[]): Promise<string> {
  const given = readPersonArgs(args);
  return withInstance(async (sql, config) => {
    const instance = whose(config, await countPeople(sql));
    const person = await oneOf(sql, given.who, instance);
    if (given.verb === 'export') return exportTo(sql, person, given, config);
    const output = given.verb === 'erase' ? await erase(sql, person, given, config) : await cancel(sql, person, given);
    return `${inertLine(output)}\n${instance}`;
  }).catch((error: unknown) => {
    // A refusal of the product is shown in its own words.
    throw error instanceof HttpError ? new CommandError(error.message) : error;
  });
}

async function oneOf(sql: Sql, who: string, instance: string): Promise<Found> {
  const found = await findPeople(sql, who);
  const [person, other] = found;
  if (!person) throw new CommandError(`No one here is ${inertLine(who)}.\n${instance}`);
  if (other) {
    const list = found.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
    throw new CommandError(`Several people are ${inertLine(who)}. Choose one by the id:\n${inertLine(list)}`);
  }
  return person;
}

async function exportTo(
  sql: Sql,
  { id, name }: Found,
  { file = '', reason }: PersonArgs,
  { home, publicOrigin: issuer }: { home: string; publicOrigin: string },
): Promise<string> {
  const now = new Date();
  await sql.begin((tx) => audit(tx, { ...about(id, name, reason, now), action: 'person.archived' }));
  const content = archiveOf(sql, { userId: id, name, issuer, key: ledgerKey(home), now });
  // Never over a file that is there, and readable by its owner alone.
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  let isMade = false;
  out.once('open', () => {
    isMade = true;
  });
  try {
    await pipeline(Readable.from(content), out);
  } catch (error) {
    if (isMade) await rm(file, { force: true });
    throw new CommandError(`${file} was not written: ${error instanceof Error ? error.message : String(error)}`);
  }
  return inertLine(`${file} holds everything about ${name} (${id}), ${out.bytesWritten} bytes.`);
}

const about = (subjectId: string, subject: string, reason: string, at: Date) => ({
  communityId: null,
  actorId: null,
  subject,
  subjectId,
  reason,
  at,
});

async function erase(
  sql: Sql,
  { id: userId, name }: Found,
  { reason, isNow }: PersonArgs,
  config: { home: string },
): Promise<string> {
  const now = new Date();
  const wish = { userId, by: 'operator', actorId: null, reason, now, leavesCommunities: true } as const;
  const { dueAt } = await sql.begin((tx) => scheduleErasure(tx, wish));
  if (!isNow) {
    const day = dueAt.slice(0, 16).replace('T', ' ');
    return `${name} (${userId}) is signed out, and will be erased on ${day} UTC unless they sign in before then.`;
  }
  await sql`update erasures set due_at = ${now} where user_id = ${userId} and cancelled_at is null`;
  await eraseDue({ sql, now: () => now, config });
  return `${userId} has been erased. Older backups still hold their data: make a new one, and delete those.`;
}

async function cancel(sql: Sql, { id: userId, name }: Found, { reason }: PersonArgs): Promise<string> {
  const wish = { userId, by: 'operator', actorId: null, reason, now: new Date() } as const;
  const cancelled = await sql.begin((tx) => cancelErasure(tx, wish));
  if (!cancelled) throw new CommandError(`There is no erasure of ${inertLine(name)} to cancel.`);
  return `${name} (${userId}) stays${cancelled.isSuspended ? ', suspended as before' : ''}.`;
}
