import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ConfigError, hasTelegramCredentials, readConfig } from '../../server/config.ts';
import { createLog } from '../../server/log.ts';
import { storedSecrets } from '../../server/storage/secrets.ts';

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ name }) => name).sort();
    throw error;
  }
  return [];
}

describe('configuration', () => {
  it('needs nothing on a computer of its own', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicOrigin: 'http://localhost:3000',
      production: false,
      databaseUrl: null,
      productName: 'Muster',
      productSlug: 'muster',
      telegram: { botToken: null, oidcIssuer: 'https://oauth.telegram.org', apiRoot: 'https://api.telegram.org' },
      x: {
        clientId: null,
        apiRoot: 'https://api.x.com',
        authorizeUrl: 'https://x.com/i/oauth2/authorize',
        oembedUrl: 'https://publish.x.com/oembed',
      },
    });
  });

  it('takes a model for the assistant with its name, over https where it is not this machine', () => {
    expect(readConfig({}).ai).toEqual({ baseUrl: null, apiKey: null, model: null });
    const env = { AI_BASE_URL: 'http://localhost:11434/v1/', AI_MODEL: 'llama3.2:3b' };
    expect(readConfig(env).ai).toEqual({ baseUrl: 'http://localhost:11434/v1', apiKey: null, model: 'llama3.2:3b' });
    expect(problemsOf({ AI_BASE_URL: 'https://api.example/v1' })).toEqual(['AI_MODEL']);
    expect(problemsOf({ AI_API_KEY: 'sk-1', AI_MODEL: 'one' })).toEqual(['AI_BASE_URL']);
    const production = { NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://muster.example' };
    expect(problemsOf({ ...production, AI_BASE_URL: 'http://api.example/v1', AI_MODEL: 'one' })).toEqual([
      'AI_BASE_URL',
    ]);
  });

  it('lists every problem at once, each with its name and an example', () => {
    const env = {
      PORT: '70000',
      PUBLIC_ORIGIN: 'https://muster.example/app',
      DATABASE_URL: 'mysql://localhost/muster',
      TELEGRAM_BOT_TOKEN: 'secret-but-no-token',
      TELEGRAM_CLIENT_ID: '1',
      LOG_LEVEL: 'loud',
      SANDBOX_PORT: 'beside',
      X_ACTION_POINTS: 'maybe',
      PRODUCT_SLUG: 'Mu ster',
      TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/0',
    };
    expect(problemsOf(env)).toEqual([
      'DATABASE_URL',
      'LOG_LEVEL',
      'PORT',
      'PRODUCT_SLUG',
      'PUBLIC_ORIGIN',
      'SANDBOX_PORT',
      'TELEGRAM_BOT_TOKEN',
      'TELEGRAM_CLIENT_SECRET',
      'TRUSTED_PROXIES',
      'X_ACTION_POINTS',
    ]);
    expect(() => readConfig(env)).toThrow(/for example PUBLIC_ORIGIN=https:\/\/muster\.example\n/);
    expect(() => readConfig(env)).not.toThrow(/secret-but-no-token/);
  });

  it('an empty value counts as not given', () => {
    expect(readConfig({ PORT: '', TELEGRAM_BOT_TOKEN: ' ', PUBLIC_ORIGIN: '' })).toMatchObject({ port: 3000 });
  });

  it.each([
    ['no origin', {}, ['PUBLIC_ORIGIN']],
    ['an origin without https', { PUBLIC_ORIGIN: 'http://muster.example' }, ['PUBLIC_ORIGIN']],
    ['localhost without https', { PUBLIC_ORIGIN: 'http://localhost:3000' }, []],
    ['https', { PUBLIC_ORIGIN: 'https://muster.example' }, []],
    [
      'a provider without https',
      { PUBLIC_ORIGIN: 'https://muster.example', TELEGRAM_API_ROOT: 'http://bot.example' },
      ['TELEGRAM_API_ROOT'],
    ],
  ])('in production, %s', (_title, env, names) => {
    expect(problemsOf({ NODE_ENV: 'production', ...env })).toEqual(names);
  });

  it('takes an origin without its closing slash and providers without theirs', () => {
    const config = readConfig({ PUBLIC_ORIGIN: 'https://muster.example/', X_API_ROOT: 'https://x.example/v/' });
    expect([config.publicOrigin, config.x.apiRoot]).toEqual(['https://muster.example', 'https://x.example/v']);
  });

  it.each(['pa/ss', 'pa#ss', '50%'])(
    'a DATABASE_URL whose password is written as it is, %s, is told without it',
    (password) => {
      const env = { DATABASE_URL: `postgres://muster:${password}@db.example:5432/muster` };
      expect(problemsOf(env)).toEqual(['DATABASE_URL']);
      expect(() => readConfig(env)).toThrow(/ for example DATABASE_URL=postgres:/);
      expect(() => readConfig(env)).not.toThrow(password);
      const escaped = `postgres://muster:${encodeURIComponent(password)}@db.example:5432/muster`;
      expect(readConfig({ DATABASE_URL: escaped }).databaseUrl).toBe(escaped);
    },
  );

  it.each([
    'https://[',
    'https://',
    'mailto:nobody',
    'http://muster.example',
    'https://a b',
    'https://muster.example:x',
  ])('a VAPID_SUBJECT that nobody could write to, %s, is a problem of the configuration', (VAPID_SUBJECT) =>
    expect(problemsOf({ VAPID_SUBJECT })).toEqual(['VAPID_SUBJECT']),
  );

  it('takes points for X on or off, as true or false too', () => {
    const of = (value: string) => readConfig({ X_ACTION_POINTS: value }).x.actionPoints;
    expect(['on', 'true', '1', 'ON'].map(of)).toEqual([true, true, true, true]);
    expect(['off', 'false', '0', ''].map(of)).toEqual([false, false, false, false]);
  });

  it('listens on an IPv6 address with its brackets and without', () => {
    expect(['::1', '[::1]', '::', '0.0.0.0'].map((HOST) => readConfig({ HOST }).host)).toEqual([
      '::1',
      '::1',
      '::',
      '0.0.0.0',
    ]);
    expect(problemsOf({ HOST: '[127.0.0.1' })).toEqual(['HOST']);
  });

  it('puts the sandbox beside the app only when nothing of Telegram is given', () => {
    expect(readConfig({ PORT: '4000' }).sandboxPort).toBe(4001);
    expect(readConfig({ SANDBOX_PORT: '5000' }).sandboxPort).toBe(5000);
    expect(readConfig({ PORT: '65535' }).sandboxPort).toBe(65534);
    expect(problemsOf({ PORT: '4000', SANDBOX_PORT: '4000' })).toEqual(['SANDBOX_PORT']);
    expect(hasTelegramCredentials(readConfig({ TELEGRAM_BOT_TOKEN: '' }))).toBe(false);
    expect(hasTelegramCredentials(readConfig({ TELEGRAM_BOT_TOKEN: '1:a' }))).toBe(true);
  });
});

describe('secrets nobody gave', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  it('are made once, stay the same and are for their owner only', () => {
    const home = mkdtempSync(join(tmpdir(), 'muster-secrets-'));
    folders.push(home);
    const first = storedSecrets(home);
    expect(first.webhookSecret).toMatch(/^[\w-]{43}$/);
    expect(storedSecrets(home)).toEqual(first);
    expect(statSync(join(home, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'))).toEqual(first);
  });
});

describe('the log', () => {
  it('never carries a secret, by whatever name or in whatever text it comes', () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const planted = 'planted-Zm9vYmFyYmF6cXV4';
    log.info({ req: { headers: { cookie: planted, authorization: planted } } }, 'request');
    log.info({ initData: planted, code: planted, state: planted, body: { token: planted } }, 'sign-in');
    log.info({ err: new Error(`GET https://x.example/cb?code=${planted}&state=${planted} failed`) }, 'callback');
    log.info(`Authorization: Bearer ${planted}`);
    log.info({ url: 'https://api.telegram.org/bot123456789:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQrr/getMe' }, 'call');
    log.info({ err: new Error(`cannot reach postgres://muster:${planted}@db/muster`) }, 'storage');
    expect(lines).toHaveLength(6);
    expect(lines.join('')).not.toContain(planted);
    expect(lines.join('')).not.toContain('AAbbCC');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 'info' });
  });

  it('shows controls, line separators and direction marks as escapes', () => {
    const lines: string[] = [];
    createLog('info', { write: (line) => void lines.push(line) }).info('a\u001b[2J\u202eb\u2028c\u009bd');
    expect(lines).toHaveLength(1);
    expect([...(lines[0] ?? '').trimEnd()].filter((char) => /[\p{Cc}\p{Cf}\p{Zl}]/u.test(char))).toEqual([]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'a\u001b[2J\u202eb\u2028c\u009bd' });
  });
});
