// @ts-check
/**
 * `npm run release -- --freeze`: writes down what this version promises to those after it: its files of the schema, by
 * digest, and what its page asks and reads. What an earlier version promised stays as it is.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const MIGRATIONS = 'server/storage/migrations';

/** Which release brought a file, and its digest without carriage returns. @typedef {Record<string, { since: string, sha256: string }>} Released */

/** @param {string} root @returns {Released} */
export const readReleased = (root) => JSON.parse(readFileSync(join(root, MIGRATIONS, 'released.json'), 'utf8'));

/** Files of the schema as they are now. @param {string} root @returns {{ file: string, sha256: string }[]} */
export function readMigrations(root) {
  const files = readdirSync(join(root, MIGRATIONS)).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file) => {
    const text = readFileSync(join(root, MIGRATIONS, file), 'utf8').replaceAll('\r\n', '\n');
    return { file, sha256: createHash('sha256').update(text).digest('hex') };
  });
}

/** The routes of this version's contract, with what each takes and answers. @param {string} root */
export async function readContract(root) {
  const { runnerImport } = await import('vite');
  const options = { configFile: /** @type {const} */ (false), logLevel: /** @type {const} */ ('error'), root };
  /** @param {string} path */
  const load = async (path) => (await runnerImport(join(root, path), options)).module;
  const { routes } = await load('server/contract/routes.ts');
  const { openApi } = await load('server/http/openapi.ts');
  return openApi(routes, { title: '', version: '', server: 'http://localhost', cookie: '' }).paths;
}

/** @param {string} root @param {string} version */
export async function freeze(root, version) {
  const before = Object.entries(readReleased(root)).filter(([, { since }]) => since !== version);
  const known = new Set(before.map(([file]) => file));
  const added = readMigrations(root).filter(({ file }) => !known.has(file));
  const released = Object.fromEntries([
    ...before,
    ...added.map(({ file, sha256 }) => [file, { since: version, sha256 }]),
  ]);
  writeFileSync(join(root, MIGRATIONS, 'released.json'), `${JSON.stringify(released, null, 2)}\n`);
  const page = join(root, 'tests/support/released', `${version}.json.gz`);
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, gzipSync(JSON.stringify(await readContract(root)), { level: 9 }));
  return `${version} promises ${added.length} files of the schema and its contract. Commit server/storage/migrations/released.json and tests/support/released.`;
}
