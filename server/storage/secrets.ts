import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './embedded/files.ts';
import { explainFolder, StorageError } from './error.ts';

const LEDGER_KEY = 'ledger-key.pem';
const SEAL_KEY = 'seal-key';
const ALERTS_SECRET = 'alerts-secret';
/** Files of the home that belong to the data: signatures depend on them. */
export const SECRET_FILES = ['secrets.json', LEDGER_KEY, SEAL_KEY, ALERTS_SECRET];

export type Secrets = {
  /** Telegram sends it with every webhook call (`X-Telegram-Bot-Api-Secret-Token`). */
  webhookSecret: string;
};

/** Generated secrets, as JSON in `secrets.json`. */
export function storedSecrets(home: string): Secrets {
  const made = () => `${JSON.stringify({ webhookSecret: randomBytes(32).toString('base64url') }, null, 2)}\n`;
  return readOrCreate(home, 'secrets.json', made, (text) => JSON.parse(text) as Secrets);
}

/** What alerts to webhooks are signed with, in `alerts-secret`: receivers hold the same. */
export const alertsSecret = (home: string): string =>
  readOrCreate(
    home,
    ALERTS_SECRET,
    () => `${randomBytes(32).toString('base64url')}\n`,
    (text) => text.trim(),
  );

const ledgerKeys = new Map<string, KeyObject>();

/** The Ed25519 key that signs exported ledgers, in `ledger-key.pem`: exported files verify as long as it exists. */
export function ledgerKey(home: string): KeyObject {
  const cached = ledgerKeys.get(home);
  if (cached) return cached;
  const made = () => String(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const key = readOrCreate(home, LEDGER_KEY, made, createPrivateKey);
  ledgerKeys.set(home, key);
  return key;
}

const sealKeys = new Map<string, Buffer>();

/** The 32 bytes under which other services' tokens lie in the database (`seal.ts`), in `seal-key`. Nobody outside has them. */
export function sealKey(home: string): Buffer {
  const cached = sealKeys.get(home);
  if (cached) return cached;
  const key = readOrCreate(home, SEAL_KEY, () => `${randomBytes(32).toString('base64url')}\n`, readSealKey);
  sealKeys.set(home, key);
  return key;
}

function readSealKey(text: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== 32) throw new Error('it is not 32 bytes in base64url');
  return key;
}

/** The same where it exists: verifying creates none. */
export const findLedgerKey = (home: string): KeyObject | null => read(join(home, LEDGER_KEY), createPrivateKey);

/**
 * A file under the home that only its owner can read, created at first use and never changed. Processes that start at
 * the same time agree on one.
 */
function readOrCreate<T>(home: string, name: string, make: () => string, parse: (text: string) => T): T {
  const path = join(home, name);
  const found = read(path, parse);
  if (found !== null) return found;
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const text = make();
  try {
    mkdirSync(home, { recursive: true, mode: 0o711 });
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    chmodSync(draft, 0o600);
    linkSync(draft, path); // fails when another process was first
    return parse(text);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !existsSync(path)) throw explainFolder(home, error);
    return read(path, parse) ?? parse(text);
  } finally {
    rmSync(draft, { force: true });
  }
}

function read<T>(path: string, parse: (text: string) => T): T | null {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new StorageError(
      'kept-file',
      `${path} cannot be read: ${error}. Put it back from a backup, or delete it to have a new one made.`,
      { cause: error },
    );
  }
}
