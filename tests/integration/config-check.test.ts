/** `config check`: what it says, with which code it ends, and what it tries of what is configured. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxEnvironment } from '../../server/sandbox/settings.ts';
import { ledgerKey } from '../../server/storage/secrets.ts';
import { buildServer } from '../support/built-server.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { startProcess } from '../support/storage-processes.ts';

const home = folderOfFile();
const [server, distrusting, built] = await Promise.all([
  ofFile(testServer({ config: { home }, env: { TRUSTED_PROXIES: '127.0.0.1' } })),
  ofFile(testServer({ config: { home }, sandbox: false })),
  ofFile(buildServer({ muster: 'server/cli/muster.ts' })),
]);
ledgerKey(home);
const own = {
  ...sandboxEnvironment(server.sandboxUrl),
  MUSTER_HOME: home,
  PUBLIC_ORIGIN: server.url,
  DATABASE_URL: server.runtime.config.databaseUrl ?? '',
};

async function check(env: Record<string, string>, ...options: string[]): Promise<{ code: unknown; said: string }> {
  const { ended, lines } = startProcess(join(built.directory, 'muster.js'), {
    env,
    args: ['config', 'check', ...options],
  });
  return { code: await ended, said: lines.map((line) => line['text']).join('\n') };
}

test('a doubt is a warning, and a failure only where that is asked for; a problem fails as ever', async () => {
  const doubt = { TELEGRAM_BOTTOKEN: '1:planted' };
  const warned = await check(doubt);
  expect(warned).toMatchObject({ code: 0, said: expect.stringContaining('WARNING  TELEGRAM_BOTTOKEN is no setting') });
  expect(warned.said).not.toContain('planted');
  expect(await check(doubt, '--strict')).toMatchObject({ code: 1 });
  expect(await check({}, '--strict')).toMatchObject({ code: 0, said: expect.stringContaining('is fine') });
  expect(await check({ ...doubt, PORT: 'x' }, '--strict')).toMatchObject({ code: 78 });
  expect(await check({}, '--all')).toMatchObject({ code: 64 });
});

test('tries what is configured and says what it found, each in its line, and changes nothing', async () => {
  const before = await server.control('GET', '/outbox');
  const { code, said } = await check(own, '--online');
  expect({ code, said }).toMatchObject({ code: 0 });
  for (const line of [
    /ok +Database: PostgreSQL \d+/,
    /ok +Disk: \d+ MB are free/,
    /ok +Telegram bot: @muster_sandbox_bot answers, and is an administrator of -1001/,
    /ok +Telegram sign-in: http:\/\/\S+ answers/,
    /ok +X: http:\/\/\S+ answers/,
    /ok +Own address: http:\/\/localhost:\d+ leads to this instance/,
    /– +Certificate: none/,
    /– +Push: VAPID_SUBJECT is mailto:admin@localhost/,
    /ok +Clock: \d s /,
  ])
    expect(said).toMatch(line);
  expect(await server.control('GET', '/outbox')).toEqual(before);
});

test('what fails is told with the way out, and fails the check', async () => {
  const nobody = createServer();
  await once(nobody.listen(0, '127.0.0.1'), 'listening');
  const { port } = nobody.address() as AddressInfo;
  nobody.close();
  await server.control('PUT', '/bot', { chatId: '-1001', admin: false });
  const away = {
    ...own,
    DATABASE_URL: `postgres://muster:planted@127.0.0.1:${port}/muster`,
    TELEGRAM_OIDC_ISSUER: server.url,
    X_API_ROOT: `http://127.0.0.1:${port}`,
    PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
  };
  const { code, said } = await check(away, '--online');
  await server.control('PUT', '/bot', { chatId: '-1001', admin: true });
  expect(code).toBe(1);
  for (const line of [
    /FAILED +Database: The database of DATABASE_URL cannot be used: .*\n +Check that it runs/,
    /FAILED +Telegram bot: @muster_sandbox_bot answers, and cannot see who is in -1001\n +Make the bot an administrator/,
    /FAILED +Telegram sign-in: \S+ answers 404, and not as a provider/,
    /FAILED +X: ECONNREFUSED/,
    /FAILED +Own address: ECONNREFUSED\n +Check in this order/,
  ])
    expect(said).toMatch(line);
  expect(said).not.toContain('planted');
});

test('tells another program or another instance at the own address, and a proxy that is not trusted', async () => {
  const other = createServer((_req, res) => res.end('It works!'));
  const proxyOf = (url: string) =>
    createServer((req, res) => {
      void fetch(`${url}${req.url}`, { headers: { 'x-forwarded-for': '192.0.2.7' } }).then(async (answer) =>
        res.writeHead(answer.status).end(await answer.text()),
      );
    });
  const foundAt = async (at: Server, more: Record<string, string> = {}) => {
    await once(at.listen(0, '127.0.0.1'), 'listening');
    const PUBLIC_ORIGIN = `http://127.0.0.1:${(at.address() as AddressInfo).port}`;
    const { said } = await check({ ...own, ...more, PUBLIC_ORIGIN }, '--online');
    at.close();
    return /\S+ +Own address: (?:.*\n? {10,}.*|.*)/.exec(said)?.[0];
  };
  expect(await foundAt(other)).toMatch(/^FAILED .* answers 200, and not as Muster does/);
  expect(await foundAt(proxyOf(server.url))).toMatch(/^ok /);
  expect(await foundAt(proxyOf(distrusting.url))).toMatch(/^WARNING .*a proxy that is not trusted/);
  const stranger = join(home, 'other');
  ledgerKey(stranger);
  expect(await foundAt(proxyOf(server.url), { MUSTER_HOME: stranger })).toMatch(/^WARNING .*another Muster/);
});
