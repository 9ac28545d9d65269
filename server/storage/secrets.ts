import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './embedded/files.ts';

export type Secrets = {
  /** Telegram sends it with every webhook call (`X-Telegram-Bot-Api-Secret-Token`). */
  webhookSecret: string;
};

/**
 * The secrets nobody gave: made at the first start, kept in `secrets.json` under the home with mode 0600, the same
 * ever after. Two processes that start at once agree on one set.
 */
export function keptSecrets(home: string): Secrets {
  const path = join(home, 'secrets.json');
  const kept = read(path);
  if (kept?.webhookSecret) return { webhookSecret: kept.webhookSecret };
  mkdirSync(home, { recursive: true, mode: 0o711 });
  const secrets: Secrets = { webhookSecret: randomBytes(32).toString('base64url') };
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(draft, 0o600);
  try {
    linkSync(draft, path); // fails when another process was first
    return secrets;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return { ...secrets, ...read(path) };
  } finally {
    rmSync(draft, { force: true });
  }
}

function read(path: string): Partial<Secrets> | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Secrets>;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new Error(
      `${path} cannot be read: ${error}. Put it back from a backup, or delete it to have new secrets made.`,
      {
        cause: error,
      },
    );
  }
}
