/** A secret comes from the environment, from a file, or from systemd; and is shown nowhere. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { ConfigError, readConfig, takeConfig, withoutSecrets } from '../../server/config.ts';
import { folderOfFile } from '../support/of-file.ts';

const folder = folderOfFile();
const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
function refusalOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'nothing is wrong';
}

test.each([
  ['one\n', 'one'],
  ['one\r\n', 'one'],
  ['one', 'one'],
  [' one ', ' one '],
])('a secret is what the file of NAME_FILE holds, %j, without its last line break', (content, secret) => {
  const path = file('key', content);
  expect(readConfig({ AI_BASE_URL: 'https://ai.example', AI_MODEL: 'm', AI_API_KEY_FILE: path }).ai.apiKey).toBe(
    secret,
  );
});

test.each([
  ['empty', '\n', /AI_API_KEY_FILE is empty: \S+empty\n {4}for example AI_API_KEY_FILE=\/etc\/muster\/ai-api-key/],
  ['two lines', 'planted\nplanted\n', /AI_API_KEY_FILE must be one line of text: /],
])('a file that is %s is a problem, told without what it holds', (name, content, told) => {
  const refusal = refusalOf({ AI_API_KEY_FILE: file(name, content) });
  expect(refusal).toMatch(told);
  expect(refusal).not.toContain('planted');
});

test('a file that cannot be read, and a secret that is given twice, are problems with their names', () => {
  const path = file('token', 'planted');
  const env = {
    TELEGRAM_BOT_TOKEN: '1:planted',
    TELEGRAM_BOT_TOKEN_FILE: path,
    X_CLIENT_SECRET_FILE: join(folder, 'nowhere'),
    AI_API_KEY_FILE: folder,
  };
  const refusal = refusalOf(env);
  expect(refusal).toContain('TELEGRAM_BOT_TOKEN_FILE is given beside TELEGRAM_BOT_TOKEN: give one of them');
  expect(refusal).toContain(`X_CLIENT_SECRET_FILE cannot be read (ENOENT): ${join(folder, 'nowhere')}`);
  expect(refusal).toContain('AI_API_KEY_FILE cannot be read (EISDIR)');
  expect(refusal).not.toContain('planted');
});

test('a secret of a wrong form is told without it, also where a file holds it', () => {
  const refusal = refusalOf({ TELEGRAM_BOT_TOKEN_FILE: file('token', 'planted') });
  expect(refusal).toContain('TELEGRAM_BOT_TOKEN must be the token from @BotFather');
  expect(refusal).not.toContain('planted');
});

test('systemd’s credential of a name counts where neither NAME nor NAME_FILE does', () => {
  const credentials = join(folder, 'credentials');
  mkdirSync(credentials);
  writeFileSync(join(credentials, 'TELEGRAM_BOT_TOKEN'), '1:of-systemd\n');
  const env = { CREDENTIALS_DIRECTORY: credentials };
  const tokenOf = (more: Record<string, string>) => readConfig({ ...env, ...more }).telegram.botToken;
  expect(tokenOf({})).toBe('1:of-systemd');
  expect(tokenOf({ TELEGRAM_BOT_TOKEN: '1:given' })).toBe('1:given');
  expect(tokenOf({ TELEGRAM_BOT_TOKEN_FILE: file('token', '1:filed') })).toBe('1:filed');
  writeFileSync(join(credentials, 'AI_API_KEY'), '');
  expect(refusalOf(env)).toMatch(/AI_API_KEY is empty, as a credential of systemd: /);
});

test('once they are read, threads and children of the process inherit no secret', async () => {
  const env: Record<string, string> = { PRICES_BASE_URL: 'https://prices.example/v3', PRICES_API_KEY: 'planted' };
  expect(withoutSecrets(env)).toEqual({ PRICES_BASE_URL: env['PRICES_BASE_URL'] });
  Object.assign(process.env, env);
  expect(takeConfig(process.env).prices.apiKey).toBe('planted');
  delete process.env['PRICES_BASE_URL'];
  const thread = new Worker('require("worker_threads").parentPort.postMessage({ ...process.env })', { eval: true });
  const [inherited] = await once(thread, 'message');
  expect(Object.values(inherited)).not.toContain('planted');
});
