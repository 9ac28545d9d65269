/** What a configuration most probably does not mean is said, and no more than that. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { warningsOf } from '../../server/config-warnings.ts';
import { folderOfFile } from '../support/of-file.ts';

const folder = folderOfFile();
const home = join(folder, 'home');
mkdirSync(home, { mode: 0o750 });
const said = (env: Record<string, string>) =>
  warningsOf(readConfig(env), env).map(({ name, problem }) => `${name} ${problem}`);
const live = {
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: 'https://muster.example',
  MUSTER_HOME: home,
  TRUSTED_PROXIES: '127.0.0.1',
  TELEGRAM_CLIENT_ID: '1',
  TELEGRAM_CLIENT_SECRET: 'secret',
};

test.each([
  ['TELEGRAM_BOTTOKEN', 'TELEGRAM_BOT_TOKEN'],
  ['TELEGRAM_TOKEN', 'TELEGRAM_BOT_TOKEN'],
  ['TELGRAM_BOT_TOKEN', 'TELEGRAM_BOT_TOKEN'],
  ['TELEGRAM_BOT_TOKEN_FLIE', 'TELEGRAM_BOT_TOKEN_FILE'],
  ['telegram_bot_token', 'TELEGRAM_BOT_TOKEN'],
  ['PUBLIC_ORIGINS', 'PUBLIC_ORIGIN'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['AI_MODLE', 'AI_MODEL'],
  ['MUSTER_HOEM', 'MUSTER_HOME'],
])('%s is told, and that %s may be meant', (given, meant) =>
  expect(said({ [given]: 'planted' })).toEqual([`${given} is no setting and has no effect. Did you mean ${meant}?`]),
);

test('the variables of a shell, of npm, of Node, of systemd and of other programs are none of it', () => {
  const names = `HOME USER LOGNAME PATH PWD OLDPWD SHELL SHLVL TERM LANG LC_ALL LC_CTYPE TZ EDITOR PAGER MAIL HOSTNAME HOSTTYPE
    SSH_AUTH_SOCK SSH_CONNECTION SSH_TTY XDG_RUNTIME_DIR XDG_SESSION_ID DISPLAY COLORTERM LS_COLORS SUDO_USER SUDO_UID
    INIT_CWD NODE NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_VERSION npm_command npm_config_cache npm_lifecycle_event
    INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET RUNTIME_DIRECTORY STATE_DIRECTORY SYSTEMD_EXEC_PID MEMORY_PRESSURE_WATCH
    DOCKER_HOST KUBERNETES_PORT KUBERNETES_SERVICE_HOST POSTGRES_PASSWORD POSTGRES_USER PGHOST PGPASSWORD HTTP_PROXY
    HTTPS_PROXY NO_PROXY AWS_REGION AWS_ACCESS_KEY_ID GITHUB_TOKEN CI DEBUG LOG_FORMAT BASE_URL APP_URL SECRET_KEY`;
  expect(said(Object.fromEntries(names.split(/\s+/).map((name) => [name, 'something'])))).toEqual([]);
});

test('a file for what is no secret, and a credential that nothing reads, are told', () => {
  const credentials = join(folder, 'credentials');
  mkdirSync(credentials);
  writeFileSync(join(credentials, 'telegram-bot-token'), '1:planted');
  writeFileSync(join(credentials, 'TELEGRAM_CLIENT_SECRET'), 'planted');
  const env = { CREDENTIALS_DIRECTORY: credentials, TELEGRAM_CLIENT_ID: '1', PUBLIC_ORIGIN_FILE: '/etc/origin' };
  expect(said(env)).toEqual([
    'PUBLIC_ORIGIN_FILE is no setting: only secrets are read from files. Set PUBLIC_ORIGIN',
    'telegram-bot-token is a credential of systemd that no setting reads. Did you mean TELEGRAM_BOT_TOKEN?',
  ]);
});

test('a complete configuration of a live instance, and an empty one for a try, have none', () => {
  expect(said(live)).toEqual([]);
  expect(said({})).toEqual([]);
});

test.each([
  [
    'nobody can sign in',
    { TELEGRAM_CLIENT_ID: '', TELEGRAM_CLIENT_SECRET: '' },
    /^TELEGRAM_CLIENT_ID .*: nobody can sign in\. /,
  ],
  [
    'people can sign in inside Telegram alone',
    { TELEGRAM_CLIENT_ID: '', TELEGRAM_CLIENT_SECRET: '', TELEGRAM_BOT_TOKEN: '1:a' },
    /nobody can sign in but inside Telegram\./,
  ],
  [
    'a proxy stands in front and is not trusted',
    { TRUSTED_PROXIES: '' },
    /^TRUSTED_PROXIES .*TRUSTED_PROXIES=127\.0\.0\.1$/,
  ],
  ['only this machine reaches it', { PUBLIC_ORIGIN: 'http://localhost:3000' }, /^PUBLIC_ORIGIN is localhost/],
])('where in production %s, that is told', (_what, env, told) => {
  const warnings = said({ ...live, ...env });
  expect(warnings).toEqual([expect.stringMatching(told)]);
});

test('without a folder of its own data lies beside the program, which is told', () =>
  expect(said({ ...live, MUSTER_HOME: '' })).toContainEqual(expect.stringMatching(/^MUSTER_HOME is not given: /)));

test('what every user of the machine may read is told, with the command that ends it', () => {
  const file = join(folder, 'secret');
  writeFileSync(file, 'planted', { mode: 0o640 });
  const { TELEGRAM_CLIENT_SECRET: _, ...rest } = live;
  const env = { ...rest, TELEGRAM_CLIENT_SECRET_FILE: file };
  expect(said(env)).toEqual([]);
  chmodSync(file, 0o644);
  chmodSync(home, 0o755);
  expect(said(env)).toEqual([
    expect.stringMatching(/^TELEGRAM_CLIENT_SECRET_FILE .* chmod o-rw \S+secret$/),
    expect.stringMatching(/^MUSTER_HOME .* chmod o-rw \S+home$/),
  ]);
  chmodSync(home, 0o750);
});
