import { readFile } from 'node:fs/promises';
import { ConfigError, EXIT_CONFIG, readConfig } from '../config.ts';
import { SNAPSHOT } from '../domain/snapshot.ts';
import { audit } from '../features/audit/audit.ts';
import { makeAdminLink } from '../features/auth/admins.ts';
import { readDrift } from '../features/ledger/drift.ts';
import { publicKeyOf, verifyExport } from '../features/ledger/export.ts';
import { rotateKey } from '../features/notifications/keys.ts';
import { verifyDraw } from '../features/rewards/verify-draw.ts';
import { inert, inertLine } from '../rules/inert.ts';
import { stopSignal } from '../stop-signal.ts';
import { StorageError } from '../storage/error.ts';
import { findLedgerKey } from '../storage/secrets.ts';
import { bringUp } from '../storage/upgrade.ts';
import { BACKUP_USAGE, readBackupCommand } from './backup.ts';
import { BOARD_USAGE, countCommunity, listBoard } from './board.ts';
import { BY_HAND } from './by-hand.ts';
import { CommandError, EXIT_USAGE } from './command-error.ts';
import { CONFIG_USAGE, checkConfig } from './config.ts';
import { countPeople, whose, withInstance, withStorage } from './database.ts';
import { LOGS_USAGE, printLogs, readLogsOptions } from './logs.ts';
import { PERSON_USAGE, runPerson } from './person.ts';
import { REGROUP_USAGE, runRegroup } from './regroup.ts';
import { requireNoDrift } from './require-no-drift.ts';
import { runSizing, SIZING_USAGE } from './sizing.ts';
import { runUpgrade, UPGRADE_USAGE } from './upgrade.ts';

const USAGE = `npm run muster -- <verb>

  admin grant <telegramUserId>   make a person who has signed in an administrator
  admin revoke <telegramUserId>  take that back
  admin link                     print a link that makes its opener one; it works once, within 30 minutes
  ledger verify <file> [<key>]   check a member's exported points; <key> is the publicKey of /api/ledger/public-key
                                 of the instance they come from, this one's when left out
  ledger check                   compare the ledger with the boards derived from it
  raffle verify <file>           compute a draw again
  vapid rotate                   make a new key for push; browsers renew their subscriptions with it
${CONFIG_USAGE}${BOARD_USAGE}${PERSON_USAGE}${BACKUP_USAGE}  migrate                        bring the database's schema up to this release
${LOGS_USAGE}${REGROUP_USAGE}${SIZING_USAGE}`;

const HELP = `${USAGE}${UPGRADE_USAGE}`;

async function run(args: string[]): Promise<string> {
  if (args[0] === 'logs' && !args.includes('--help') && !args.includes('-h')) return logs(args.slice(1));
  if (args[0] === 'person' && !args.includes('--help') && !args.includes('-h')) return runPerson(args.slice(1));
  if (args[0] === 'config' && !args.includes('--help') && !args.includes('-h')) return checkConfig(args.slice(1));
  if (args[0] === 'sizing' && !args.includes('--help') && !args.includes('-h')) return runSizing(args.slice(1));
  if (args[0] === 'upgrade' && !args.includes('--help') && !args.includes('-h')) return runUpgrade(args.slice(1));
  // Passed through unchanged: one key in 64 begins with a dash.
  if (args.some((arg) => /^(-h|--help)$/.test(arg))) return HELP;
  const copy = readBackupCommand(args);
  if (copy) return copy();
  const [noun = '', verb = '', subject = '', key, ...rest] = args;
  if (rest.length > 0 || (key !== undefined && noun !== 'ledger')) throw new CommandError(USAGE, EXIT_USAGE);
  switch (`${noun} ${verb}`.trim()) {
    case 'admin grant':
      return setRole(subject, 'admin');
    case 'admin revoke':
      return setRole(subject, 'member');
    case 'admin link':
      if (subject !== '') throw new CommandError(USAGE, EXIT_USAGE);
      return printAdminLink();
    case 'board list':
      return listBoard();
    case 'board count':
    case 'board uncount':
      return countCommunity(subject, verb === 'count');
    case 'ledger verify':
      return verifyFile(subject, (text) => verifyExport(text, key ?? ownKey()));
    case 'ledger check':
      return withInstance(async (sql) => requireNoDrift(await sql.begin(SNAPSHOT, readDrift)));
    case 'raffle verify':
      return verifyFile(subject, verifyDraw);
    case 'vapid rotate':
      return withInstance((sql) =>
        sql.begin(async (tx) => {
          const at = new Date();
          const key = await rotateKey(tx, at);
          await audit(tx, { ...BY_HAND, action: 'push.key_rotated', at });
          return `The new public key is ${key}.`;
        }),
      );
    case 'migrate':
      return bringSchemaUp({});
    case 'migrate --without-backup':
      return bringSchemaUp({ withoutBackup: true });
    default:
      throw new CommandError(HELP, EXIT_USAGE);
  }
}

const bringSchemaUp = (ways: Parameters<typeof bringUp>[2]): Promise<string> =>
  withStorage(async (sql, config) => {
    const steps = await bringUp(sql, config, ways);
    if (steps === 0) return 'The schema is up to date.';
    return `${steps} ${steps === 1 ? 'migration' : 'migrations'} applied.`;
  }, 'database');

const printAdminLink = (): Promise<string> =>
  withInstance(async (sql, config) => {
    const at = new Date();
    const link = await sql.begin(async (tx) => {
      await audit(tx, { ...BY_HAND, action: 'admin_link.made', at });
      return makeAdminLink(tx, { origin: config.publicOrigin, first: false, now: at });
    });
    return `Open this link within 30 minutes and sign in to become an administrator. It works once:\n${link}`;
  });

/** This instance's public key; null where there is none. */
function ownKey(): string | null {
  const key = findLedgerKey(readConfig(process.env).home);
  return key && publicKeyOf(key).publicKey;
}

async function logs(args: readonly string[]): Promise<string> {
  if (args[0] === 'regroup') {
    if (args.length > 2 || (args[1] ?? '--apply') !== '--apply') throw new CommandError(REGROUP_USAGE, EXIT_USAGE);
    const { home } = readConfig(process.env);
    return withInstance((sql) => runRegroup(sql, { apply: args.length === 2, home, at: new Date() }));
  }
  const options = readLogsOptions(args, new Date());
  if ('problem' in options) throw new CommandError(`${options.problem}\n\n${LOGS_USAGE}`, EXIT_USAGE);
  const { wait } = stopSignal();
  return withInstance(async (sql) => {
    const ports = { print: (line: string) => console.log(line), note: (line: string) => console.error(line) };
    await printLogs(sql, options, { ...ports, now: new Date(), stop: wait });
    return '';
  });
}

function setRole(telegramUserId: string, role: 'admin' | 'member'): Promise<string> {
  if (!/^[1-9]\d{0,17}$/.test(telegramUserId))
    throw new CommandError(
      'Give the numeric Telegram user id of the person, as in: npm run muster -- admin grant 1001',
      EXIT_USAGE,
    );
  return withInstance(async (sql, config) => {
    const instance = whose(config, await countPeople(sql));
    const person = await sql.begin(async (tx) => {
      const [row] = await tx<{ id: string; name: string }[]>`
        update users set role = ${role} where telegram_user_id = ${telegramUserId}
        returning id, display_name as name`;
      if (row)
        await audit(tx, {
          ...BY_HAND,
          action: `person.made_${role}`,
          subject: row.name,
          subjectId: row.id,
          at: new Date(),
        });
      return row;
    });
    if (!person)
      throw new CommandError(
        `No one with the Telegram user id ${telegramUserId} has signed in here yet. Sign in once, then run this again.\n${instance}`,
      );
    return role === 'admin'
      ? `${person.name} (${telegramUserId}) is now an administrator.\n${instance}`
      : `${person.name} (${telegramUserId}) is no longer an administrator.\n${instance}`;
  });
}

/** What `check` finds in a file, or what is wrong with it. */
async function verifyFile(path: string, check: (text: string) => string): Promise<string> {
  if (path === '')
    throw new CommandError('Name the file, as in: npm run muster -- ledger verify points.json', EXIT_USAGE);
  try {
    // Names come from the file's author and are shown on the operator's terminal.
    return inertLine(check(await readFile(path, 'utf8')));
  } catch (error) {
    throw new CommandError(`REFUSED ${path}: ${inert(error instanceof Error ? error.message : String(error))}`);
  }
}

try {
  const output = await run(process.argv.slice(2));
  if (output !== '') console.log(output);
} catch (error) {
  const isExplained = error instanceof CommandError || error instanceof ConfigError || error instanceof StorageError;
  console.error(isExplained ? error.message : error);
  process.exitCode = error instanceof CommandError ? error.exitCode : error instanceof ConfigError ? EXIT_CONFIG : 1;
}
