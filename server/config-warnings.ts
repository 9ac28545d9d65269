import { readdirSync, statSync } from 'node:fs';
import type { Environment } from './base/environment.ts';
import { type Config, isSecret } from './config.ts';
import { SETTINGS } from './settings.ts';

/** What a configuration can mean and most probably does not, with what to do. Values of secrets are never part of it. */
export type Warning = { name: string; problem: string };

export const warningsOf = (config: Config, env: Environment): Warning[] => [
  ...misspelt(env),
  ...signIn(config),
  ...(config.production ? production(config, env) : []),
  ...openToOthers(config, env),
];

const NAMES: readonly string[] = Object.keys(SETTINGS);
const KNOWN = new Set(NAMES.flatMap((name) => (isSecret(name) ? [name, `${name}_FILE`] : name)));
const firstWord = (name: string): string => name.split('_', 1)[0] ?? '';

/** Names that are no settings and look as if they were meant to be some; a shell's own variables are not meant. */
function misspelt(env: Environment): Warning[] {
  const given = Object.keys(env).filter((name) => env[name]?.trim() && !KNOWN.has(name));
  const credentials = env['CREDENTIALS_DIRECTORY']?.trim();
  return [
    ...given.flatMap((name) => {
      const isFileOf = name.endsWith('_FILE') && NAMES.includes(name.slice(0, -5));
      if (isFileOf)
        return { name, problem: `is no setting: only secrets are read from files. Set ${name.slice(0, -5)}` };
      const meant = nearest(name);
      return meant === null ? [] : { name, problem: `is no setting and has no effect. Did you mean ${meant}?` };
    }),
    ...(credentials ? namesIn(credentials) : [])
      .filter((name) => !isSecret(name))
      .map((name) => ({
        name,
        problem: `is a credential of systemd that no setting reads. Did you mean ${nearest(name) ?? 'another name'}?`,
      })),
  ];
}

/** The setting that a name is a slip of. Names that begin with the same word may differ more. */
function nearest(name: string): string | null {
  const upper = name.toUpperCase().replaceAll('-', '_');
  let best: { known: string; distance: number } | null = null;
  for (const known of KNOWN) {
    // A short name without a second word is near too many others.
    if (!known.includes('_')) continue;
    // A word that was left out is one slip.
    const isShort = upper.includes('_') && upper.split('_').every((word) => known.split('_').includes(word));
    const distance = isShort && firstWord(known) === firstWord(upper) ? 1 : editDistance(upper, known);
    const allowed = Math.max(1, Math.floor(known.length / (firstWord(known) === firstWord(upper) ? 4 : 6)));
    if (distance <= allowed && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { known, distance };
  }
  return best?.known ?? null;
}

/** Letters to put in, leave out or change (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [column, against] of [...other].entries())
      next.push(
        Math.min(
          (next[column] ?? 0) + 1,
          (row[column + 1] ?? 0) + 1,
          (row[column] ?? 0) + (letter === against ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // Where it cannot be read, no credential could be.
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

function signIn({ production, telegram }: Config): Warning[] {
  const isPossible = telegram.login === 'widget' ? telegram.botToken !== null : telegram.clientId !== null;
  if (isPossible || (!production && telegram.botToken === null)) return [];
  const inTelegram = telegram.botToken === null ? 'nobody can sign in' : 'nobody can sign in but inside Telegram';
  return [
    {
      name: 'TELEGRAM_CLIENT_ID',
      problem: `is not given: ${inTelegram}. Set it and TELEGRAM_CLIENT_SECRET (BotFather → Bot Settings → Web Login)`,
    },
  ];
}

function production({ publicOrigin, trustedProxies }: Config, env: Environment): Warning[] {
  const { protocol, hostname } = new URL(publicOrigin);
  const found: (Warning | false)[] = [
    protocol === 'https:' &&
      trustedProxies.length === 0 && {
        name: 'TRUSTED_PROXIES',
        problem:
          'is not given, and PUBLIC_ORIGIN has https, so a proxy stands in front: all people behind it count as one, and share its limits. Set its address, as TRUSTED_PROXIES=127.0.0.1',
      },
    protocol === 'http:' && {
      name: 'PUBLIC_ORIGIN',
      problem: `is ${hostname}, which only this machine reaches. Set the address that people type`,
    },
    !env['MUSTER_HOME']?.trim() && {
      name: 'MUSTER_HOME',
      problem:
        'is not given: data lies beside the program, and a new release would start without it. Set a folder outside of it',
    },
  ];
  return found.filter((one) => one !== false);
}

/** Files of secrets, and in production the home, that other users of the machine may read. */
function openToOthers({ production, home }: Config, env: Environment): Warning[] {
  const files = Object.keys(SETTINGS)
    .filter(isSecret)
    .map((name) => ({ name: `${name}_FILE`, path: env[`${name}_FILE`]?.trim() ?? '', what: 'holds a secret' }));
  const own = { name: 'MUSTER_HOME', path: home, what: 'holds secrets and data' };
  return [...files, ...(production ? [own] : [])].flatMap(({ name, path, what }) => {
    if (path === '' || !othersMay(path)) return [];
    return { name, problem: `${what}, and every user of this machine may read it. Run: chmod o-rw ${path}` };
  });
}

/** Whether every user may read or write there. What is not there, or out of this user's reach, is found when it is opened. */
function othersMay(path: string): boolean {
  try {
    return (statSync(path).mode & 0o006) !== 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
