/** docs/operations/hosting.md, followed from an empty folder to a community that can sign in: its blocks, as they stand there. */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startSandbox } from '../../server/sandbox/sandbox.ts';
import { call, enter } from '../../server/sandbox/seed.ts';
import {
  SANDBOX_BOT_TOKEN,
  SANDBOX_CLIENT_ID,
  SANDBOX_CLIENT_SECRET,
  sandboxEnvironment,
} from '../../server/sandbox/settings.ts';
import { freePort } from '../support/instance.ts';
import { isRoot } from '../support/storage-processes.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const guide = readFileSync(join(ROOT, 'docs/operations/hosting.md'), 'utf8');
const blocks = [...guide.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(([, mark = '', text = '']) => ({ mark, text }));

/** What cannot be played here: a piece of each such block, and why. */
const NOT_RUN: Record<string, string> = {
  'nodejs.org': 'the machine has its Node already',
  'systemctl daemon-reload': 'no service manager: the test starts what the unit names',
  'reverse_proxy 127.0.0.1:3000': 'a file of Caddy’s, for a name in DNS with a certificate',
  'table inet filter': 'a file of nftables: the network here is not the test’s',
  'systemctl restart systemd-journald': 'no service manager',
  'systemctl restart muster': 'no service manager: the test starts it again',
  'createdb --owner=muster': 'asks for a password; storage on an external server has tests of its own',
  'docker compose': 'no engine for containers',
  'AI_MODEL=gpt-5-mini': 'lines for the settings, and a service that costs',
};

test('each block of the guide is either played, or named with the reason why it is not', () => {
  const others = blocks.filter(({ mark }) => mark !== 'sh run');
  const reasons = Object.keys(NOT_RUN);
  expect(others.map(({ text }) => reasons.filter((piece) => text.includes(piece)).length)).toEqual(others.map(() => 1));
  expect(others).toHaveLength(reasons.length);
  expect(blocks.length - others.length).toBeGreaterThan(8);
});

const MINUTES = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'muster-guide-'));
const user = `muster-${process.pid}`;
let service: ChildProcess | undefined;
const stop = async () => {
  const ended = new Promise((done) => service?.once('exit', done));
  service?.kill('SIGTERM');
  await ended;
  service = undefined;
};
afterAll(async () => {
  if (service) await stop();
  if (isRoot) expect(spawnSync('userdel', [user], { encoding: 'utf8' })).toMatchObject({ status: 0 });
  rmSync(folder, { recursive: true, force: true });
});

if (!isRoot) console.log('The guide makes a user: as root its blocks are played as well.');
else
  test(
    'followed to the letter, it ends with a community, an administrator, a backup, and the next release',
    async () => {
      execFileSync('npm', ['run', '--silent', 'release'], { cwd: ROOT });
      const sandbox = await startSandbox({ port: 0 });
      const port = await freePort();
      // The service's user must reach it.
      chmodSync(folder, 0o755);
      for (const path of ['etc/systemd/system', 'opt', 'var/lib', 'var/backups', 'usr/local/src', 'usr/local/bin'])
        mkdirSync(join(folder, path), { recursive: true });
      for (const name of ['SHA256SUMS', `muster-${version}-linux-${process.arch}.tar.gz`])
        copyFileSync(join(ROOT, 'release', name), join(folder, 'usr/local/src', name));

      /** What is the reader's own, and where this machine differs from theirs. */
      const theirs: [RegExp, string][] = [
        [/(?<![\w.])\/(?=(?:opt|etc|var\/lib|var\/backups|usr\/local\/(?:src|bin))(?:\/|\s))/g, `${folder}/`],
        [/((?:nologin|-o|-g|-u) |root:)muster\b/g, `$1${user}`],
        [/https:\/\/muster\.example\.org/g, `http://localhost:${port}`],
        [/\b3000\b/g, String(port)],
        [/linux-x64/g, `linux-${process.arch}`],
        [/\b1\.0\.0\b|<new version>/g, version],
        [/<client id>/g, SANDBOX_CLIENT_ID],
        [/<client secret>/g, SANDBOX_CLIENT_SECRET],
        [/<bot token>/g, SANDBOX_BOT_TOKEN],
        [/<your Telegram id>/g, '1001'],
      ];
      const here = (text: string) => theirs.reduce((all, [from, to]) => all.replace(from, to), text);
      /** Beside this process, in which the sandbox answers. */
      const play = (script: string): Promise<string> => {
        const env = { PATH: `${join(folder, 'usr/local/bin')}:${process.env['PATH']}`, HOME: '/root' };
        return promisify(execFile)('bash', ['-euc', here(script)], { env }).then(
          ({ stdout }) => stdout,
          ({ stdout, stderr }: { stdout: string; stderr: string }) => {
            throw new Error(`A block of the guide failed:\n${script}\n${stdout}\n${stderr}`);
          },
        );
      };
      const url = `http://localhost:${port}`;
      const start = () => {
        const unit = here(readFileSync(join(folder, 'etc/systemd/system/muster.service'), 'utf8'));
        const of = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
        expect(of('User')).toBe('muster');
        const run = `set -a; . ${of('EnvironmentFile')}; cd ${of('WorkingDirectory')}; exec ${of('ExecStart').replace(/^\S+/, process.execPath)}`;
        service = spawn('setpriv', [`--reuid=${user}`, `--regid=${user}`, '--init-groups', 'sh', '-c', run], {
          stdio: 'inherit',
        });
      };
      /** What happens between two blocks, by a piece of the one before. */
      const between: Record<string, () => void | Promise<void>> = {
        'cat > /etc/muster.env': () => {
          // Telegram and X, as far as this machine has them.
          const {
            TELEGRAM_CLIENT_ID: _,
            TELEGRAM_CLIENT_SECRET: __,
            TELEGRAM_BOT_TOKEN: ___,
            ...rest
          } = sandboxEnvironment(sandbox.url);
          for (const [name, value] of Object.entries(rest))
            appendFileSync(join(folder, 'etc/muster.env'), `${name}=${value}\n`);
        },
        'muster.service /etc/systemd': start,
        readyz: async () => {
          const person = await enter(url, '1001');
          const about = { name: 'Followed', slug: 'followed', description: '', rules: '', tags: [], languages: [] };
          await call(person, 'POST', '/api/communities', about);
        },
      };
      const said: string[] = [];
      for (const { text } of blocks.filter(({ mark }) => mark === 'sh run')) {
        said.push(await play(text));
        for (const [piece, act] of Object.entries(between)) if (text.includes(piece)) await act();
      }
      const all = said.join('\n');
      for (const words of [
        /The configuration can be read|The configuration is fine/,
        /ok +Telegram bot: @muster_sandbox_bot answers/,
        // Without the proxy, which has no name here.
        /Own address: http:\/\/localhost:\d+ leads here, without X-Forwarded-For/,
        /\(1001\) is now an administrator/,
        /holds \d+ rows of \d+ tables/,
      ])
        expect(all).toMatch(words);
      expect(all).not.toMatch(/FAILED/);

      await stop();
      start();
      await play('curl -fsS --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:3000/readyz');
      const person = await enter(url, '1001');
      expect(await call(person, 'GET', '/api/user/communities')).toEqual([
        expect.objectContaining({ slug: 'followed' }),
      ]);
      await stop();
      await sandbox.close();
    },
    20 * MINUTES,
  );
